/** One definition for each resource: what has to follow it, does. */
import assert from "node:assert/strict";
import type * as pulumi from "@pulumi/pulumi";
import type * as videograph from "pulumi-videograph";
import { EmulatorCore } from "videograph-emulator/core";
import { contentSchema, livestreamSchema } from "../../../provider/dist/api/schema.js";
import { clipDefinition } from "../../../provider/dist/definitions/clip.js";
import { contentDefinition } from "../../../provider/dist/definitions/content.js";
import {
    type Definition,
    returnedFields,
    type Type,
    type ValuesOf,
    wireBody,
} from "../../../provider/dist/definitions/definition.js";
import { livestreamDefinition } from "../../../provider/dist/definitions/livestream.js";
import { sentInputs } from "../../../provider/dist/inputs/properties.js";
import type { lookups } from "../../../provider/dist/lookups/definitions.js";
import { docOf } from "../../../tools/reference/pages.ts";
import { FakeClock, seededRandom } from "../../support/fakeClock.ts";

/** Compiles only if both types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(_same: Same<A, B>): void {}

/** The values behind arguments, `undefined` where one may be left out. */
type Given<Args> = Whole<pulumi.Unwrap<Args>>;
type Whole<T> = T extends readonly (infer Item)[]
    ? Whole<Item>[]
    : T extends object
      ? string extends keyof T
          ? T
          : { [name in keyof Required<T>]: Whole<T[name]> }
      : T;

/** What a class adds to its inputs. */
type Computed<Class, Args> = Omit<Class, keyof pulumi.CustomResource | keyof Args>;
type OutputsOf<D extends Definition> = {
    readonly [name in keyof D["outputs"]]: pulumi.Output<
        NonNullable<ValuesOf<D["outputs"]>[name]> | (D["outputs"][name] extends { optional: true } ? undefined : never)
    >;
};

const definitions: [Definition, typeof contentSchema | typeof livestreamSchema][] = [
    [contentDefinition, contentSchema],
    [clipDefinition, contentSchema],
    [livestreamDefinition, livestreamSchema],
];

function sample(type: Type): unknown {
    switch (type.kind) {
        case "string":
            return type.oneOf?.[0] ?? (type.rule === "url" ? "https://media.example.com/a" : "70%");
        case "boolean":
            return true;
        case "list":
            return [sample(type.of)];
        case "map":
            return { key: "value" };
        case "object":
            return Object.fromEntries(Object.entries(type.fields).map(([name, field]) => [name, sample(field.type)]));
        case "integer":
            return 30;
        default:
            return 1_700_000_000_000;
    }
}

/** What the contract has in no answer. */
const notShown: Record<Definition["name"], string[]> = {
    Content: ["testVideo"],
    Clip: [],
    Livestream: ["region", "record", "dvrDurationInMins", "playbackPolicy", "recordingsPlaybackPolicy"],
};

interface Envelope {
    code: number;
    message: string;
    data: Record<string, unknown>;
}

function callOf(core: EmulatorCore) {
    const authorization = `Basic ${Buffer.from(`${core.token.id}:${core.token.secret}`).toString("base64")}`;
    return async (method: string, path: string, body?: object): Promise<Envelope> => {
        const answer = await core.handle({
            ...{ method, url: `https://api.test/video/services/api/v1${path}` },
            headers: { authorization, ...(body && { "content-type": "application/json" }) },
            body: body && JSON.stringify(body),
        });
        return JSON.parse(answer.body);
    };
}

describe("the definition of a resource", () => {
    it("says what programs write, and what the classes have", () => {
        same<Given<videograph.ContentArgs>, ValuesOf<(typeof contentDefinition)["inputs"]>>(true);
        same<Given<videograph.ClipArgs>, ValuesOf<(typeof clipDefinition)["inputs"]>>(true);
        same<Given<videograph.LivestreamArgs>, ValuesOf<(typeof livestreamDefinition)["inputs"]>>(true);
        same<Given<videograph.GetContentArgs>, ValuesOf<typeof lookups.getContent.args>>(true);
        same<Given<videograph.GetContentsArgs>, ValuesOf<typeof lookups.getContents.args>>(true);
        same<Given<videograph.GetLivestreamArgs>, ValuesOf<typeof lookups.getLivestream.args>>(true);
        same<Given<videograph.GetLivestreamsArgs>, ValuesOf<typeof lookups.getLivestreams.args>>(true);
        same<Given<videograph.GetSigningKeysArgs>, ValuesOf<typeof lookups.getSigningKeys.args>>(true);
        type Content = Computed<videograph.Content, videograph.ContentArgs>;
        same<Omit<Content, "contentId">, OutputsOf<typeof contentDefinition>>(true);
        same<Computed<videograph.Clip, videograph.ClipArgs>, OutputsOf<typeof clipDefinition>>(true);
        type Livestream = Computed<videograph.Livestream, videograph.LivestreamArgs>;
        same<Omit<Livestream, "streamUUID">, OutputsOf<typeof livestreamDefinition>>(true);
        same<Exclude<keyof videograph.LibraryContent, "contentId">, keyof (typeof contentDefinition)["outputs"]>(true);
    });

    for (const [definition, schema] of definitions) {
        const { name, idName, inputs } = definition;
        it(`${name}: whatever the service returns of it is read`, () => {
            const fields = returnedFields(definition);
            const values = Object.fromEntries(
                Object.entries(fields).map(([property, { type }]) => [property, sample(type)]),
            );
            assert.deepEqual(schema.parse({ [idName]: "id", ...wireBody(fields, values) }), {
                [idName]: "id",
                ...values,
            });
        });

        it(`${name}: the emulator takes every input that is sent, and shows those that the contract shows`, async () => {
            const core = new EmulatorCore({ clock: new FakeClock(), random: seededRandom(1) });
            const call = callOf(core);
            const path = name === "Livestream" ? "/livestreams" : "/contents";
            const source = core.addContent({ title: "What a clip is cut from" }).contentId;
            const sent = Object.entries(sentInputs(inputs));
            const isClip = name === "Clip";
            const samples = Object.fromEntries(sent.map(([input, { type }]) => [input, sample(type)]));
            const values: Record<string, unknown> = {
                ...samples,
                ...(isClip && { contentId: undefined, startTime: 1, endTime: 2 }),
            };
            const place = isClip ? `${path}/${source}/clips` : path;
            const created = await call("POST", place, wireBody(Object.fromEntries(sent), values));
            assert.equal(created.code, 201, created.message);
            const inPlace = Object.fromEntries(sent.filter(([, { change }]) => change === "inPlace"));
            const url = `${path}/${created.data[idName]}`;
            const updated = await call("PUT", url, wireBody(inPlace, values));
            assert.equal(updated.code, 200, updated.message);
            const shown = schema.parse((await call("GET", url)).data) as unknown as Record<string, unknown>;
            const expected = sent.filter(([input, { writeOnly }]) => !writeOnly && !notShown[name].includes(input));
            for (const [input] of expected) assert.deepEqual(shown[input], values[input], input);
        });

        it(`${name}: an input that a PUT changes has a value for "not set", and says so`, () => {
            for (const [input, { change, empty, required }] of Object.entries(inputs)) {
                const doc = docOf(`${name}Args`, input);
                assert.equal(change === "inPlace" && !required, empty !== undefined, input);
                if (empty !== undefined)
                    assert.ok(
                        doc.includes(`reset to ${typeof empty === "number" ? empty : `\`${JSON.stringify(empty)}\``}`),
                        input,
                    );
                if (change === "inPlace") assert.match(doc, /Changed in place\.$/, input);
                if (change === "perItem") assert.match(doc, /is done in place\. Removing one replaces/, input);
                if (change === "createOnly") assert.match(doc, /Another .* replaces the |laces/, input);
            }
        });
    }

    for (const [{ name, inputs }] of definitions) {
        it(`${name}: the class says which inputs are changed in place`, () => {
            const [, list = ""] = /Changes to ([^.]*?) are made in place/.exec(docOf(name)) ?? [];
            const inPlace = Object.keys(inputs).filter((input) => inputs[input]?.change === "inPlace");
            assert.deepEqual(list.match(/(?<=`)\w+(?=`)/g)?.sort(), inPlace.sort());
        });
    }
});
