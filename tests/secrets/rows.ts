/** The rows of the table of secrets: every input in every place, and every way in which it comes to be a secret. */
import { clipDefinition } from "../../provider/dist/definitions/clip.js";
import { contentDefinition } from "../../provider/dist/definitions/content.js";
import { type Definition, factsOf, type Schema } from "../../provider/dist/definitions/definition.js";
import { livestreamDefinition } from "../../provider/dist/definitions/livestream.js";
import { type Values, valuesOf, wordsIn } from "./values.ts";

/** `raw`: native types as the SDKs of other languages register them, without the classes. */
export const faces = ["dynamic", "native", "raw"] as const;

/** A resource as the program declares it. An object `{ $secret: value }` is a secret. */
export interface Declared {
    readonly face: (typeof faces)[number];
    readonly kind: string;
    readonly name: string;
    readonly args: Values;
    /** What sets the arguments; the program itself has `plain`. */
    readonly by?: "transforms" | "transformations" | undefined;
    readonly plain?: Values | undefined;
    readonly import?: string | undefined;
}

export interface Row {
    readonly first: Declared;
    /** The same resource in the later program; none where the first create is refused. */
    readonly later: Declared | undefined;
    /** The words in its secrets: of the first program, and of the later one. */
    readonly secrets: readonly string[];
    readonly laterSecrets: readonly string[];
}

/** The title of an object that the service refuses has it. */
export const refusedTitle = "refuse me";

interface Place {
    readonly kind: string;
    readonly definition: Definition;
    args(inputs: Values): Values;
    /** The arguments as secrets, whole ones. */
    secret(args: Values): Values;
    /** Whether URLs are among its inputs. */
    readonly hasUrls?: boolean;
    readonly isText?: boolean;
}

function object(definition: Definition, hasUrls = false): Place {
    return { kind: definition.name, definition, args: (inputs) => inputs, secret: eachSecret, hasUrls };
}

function library(args: Place["args"], secret: Place["secret"], isText = false): Place {
    return { kind: "ContentLibrary", definition: contentDefinition, args, secret, hasUrls: true, isText };
}

const places: Readonly<Record<string, Place>> = {
    Content: object(contentDefinition, true),
    Clip: object(clipDefinition),
    Livestream: object(livestreamDefinition),
    entry: library(
        (inputs) => ({ contents: { one: inputs } }),
        ({ contents }) => ({ contents: { one: eachSecret((contents as { one: Values }).one) } }),
    ),
    entries: library((inputs) => ({ contents: { one: inputs } }), eachSecret),
    defaults: library(
        // What each content has of its own cannot be a default.
        ({ title, content, ...defaults }) => ({ defaults, contents: { one: { title, content } } }),
        ({ defaults, contents }) => ({
            contents: { one: eachSecret((contents as { one: Values }).one) },
            defaults: { $secret: defaults },
        }),
    ),
    catalogue: library((inputs) => ({ catalogue: JSON.stringify({ key: "one", ...inputs }) }), eachSecret, true),
};

type Form = "plain" | "whole" | "inside";

interface Way {
    readonly first: Form;
    readonly later: Form;
    readonly by?: Declared["by"];
    /** What sets the values changes nothing but their secrecy. */
    readonly same?: boolean;
    readonly presigned?: boolean;
    readonly refused?: boolean;
    /** The dynamic face cannot know: docs/guides/secrets.md. */
    readonly notDynamic?: boolean;
}

const laterInside = { first: "plain", later: "inside" } as const;
const ways: Readonly<Record<string, Way>> = {
    given: { first: "whole", later: "whole" },
    "given inside": { first: "inside", later: "inside" },
    later: { first: "plain", later: "whole" },
    "later inside": laterInside,
    "no longer": { first: "whole", later: "plain" },
    transforms: { first: "whole", later: "whole", by: "transforms" },
    transformations: { first: "whole", later: "whole", by: "transformations" },
    "the same by transforms": { first: "whole", later: "whole", by: "transforms", same: true },
    "the same inside by transforms": { ...laterInside, by: "transforms", same: true, notDynamic: true },
    "the same by transforms later": { first: "plain", later: "whole", by: "transforms", same: true },
    presigned: { first: "plain", later: "plain", presigned: true },
    "presigned by transforms": { first: "plain", later: "plain", presigned: true, by: "transforms" },
    "presigned by transformations": { first: "plain", later: "plain", presigned: true, by: "transformations" },
    refused: { first: "whole", later: "whole", refused: true },
    "refused presigned": { first: "plain", later: "plain", presigned: true, refused: true },
};

/** What is no secret, and would change what a row does. */
const noSecrets = ["importId", "waitForReady"];

interface Options {
    /** The URL of a video. */
    readonly video: (name: string) => string;
    /** Each face with each place and each way. If not, every pair of them is in some row: a third of the rows. */
    readonly all: boolean;
}

export function rowsOf({ video, all }: Options): Row[] {
    return faces.flatMap((face, faceIndex) =>
        Object.entries(places).flatMap(([placeName, place], placeIndex) =>
            Object.entries(ways)
                .filter((_, wayIndex) => all || (faceIndex + placeIndex + wayIndex) % faces.length === 0)
                .filter(([, way]) => isPossible(place, way) && !(way.notDynamic && face === "dynamic"))
                .map(([wayName, way]) =>
                    row({ face, name: `${face} ${placeName} ${wayName}`.replaceAll(" ", "-"), place, way, video }),
                ),
        ),
    );
}

function isPossible(place: Place, { presigned, first, later }: Way): boolean {
    if (presigned) return place.hasUrls === true;
    return place.isText !== true || ![first, later].includes("inside");
}

function row(spec: { face: Declared["face"]; name: string; place: Place; way: Way; video: Options["video"] }): Row {
    const { face, name, place, way, video } = spec;
    const { kind, definition } = place;
    const fields = Object.entries(definition.inputs.shape).filter(([input]) => !noSecrets.includes(input));
    const urlOf = (word: string) =>
        way.presigned ? `${video("v.mp4")}?X-Signature=${word}&Expires=17` : video(`${word}/v.mp4`);
    const values = (only: (input: Schema) => boolean = () => true) =>
        valuesOf(Object.fromEntries(fields.filter(([, field]) => only(field))), urlOf);
    const inputs = values();
    if (way.refused) Object.assign(inputs, { title: `${inputs.title} ${refusedTitle}` });
    const isLeft = way.first === "whole" && way.later === "plain";
    // Another value in plain, of what needs no other object.
    const next = isLeft ? { ...inputs, ...values((input) => factsOf(input).change === "inPlace") } : inputs;
    const declared = (of: Values, form: Form): Declared => {
        const given = place.args(of);
        const args = { plain: given, whole: place.secret(given), inside: inside(given) as Values }[form];
        const plain = way.by && (way.same ? given : place.args(values()));
        return { face, kind, name, args, by: way.by, plain };
    };
    const secretIn = (of: Values): string[] => {
        const text = JSON.stringify(of);
        return way.presigned ? wordsIn((text.match(/X-Signature=\w+/g) ?? []).join()) : wordsIn(text);
    };
    const [first, later] = [declared(inputs, way.first), declared(next, way.later)];
    // What needs another object keeps its value, and is no secret any more.
    const open = isLeft ? secretIn(next) : [];
    return {
        first,
        later: way.refused ? undefined : later,
        secrets: way.first === "plain" && !way.presigned ? [] : secretIn(inputs).filter((word) => !open.includes(word)),
        laterSecrets: isLeft || way.refused ? [] : secretIn(next),
    };
}

function eachSecret(args: Values): Values {
    return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, { $secret: value }]));
}

/** Each text is a secret, and what holds it is none. */
function inside(value: unknown): unknown {
    if (typeof value === "string") return { $secret: value };
    if (Array.isArray(value)) return value.map(inside);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inside(item)]));
}
