/**
 * Reads the service's objects. The service's documents disagree about names and types of fields (docs/internals/contract.md), so the readers accept
 * all of them. A field of the wrong type counts as absent: otherwise a strange thumbnail would make a content unreadable.
 */
import * as z from "zod/mini";
import { contentDefinition } from "../definitions/content";
import {
    type Definition,
    factsOf,
    type ObjectOf,
    partsOf,
    returnedFields,
    type Schema,
    type Shape,
} from "../definitions/definition";
import { livestreamDefinition } from "../definitions/livestream";
import { isObject } from "./json";
import type { SigningKey } from "./signingKey";

/** Other names of some fields, which the documentation also shows. */
const secondNames: Readonly<Record<string, string>> = {
    createdOn: "createdAt",
    rtmpUrl: "ingestUrl",
    thumbnailUrl: "thumbnails",
};

/** A text, or a number in its place: a stream key of six digits may come as a number. */
const words = z.union([z.string(), z.pipe(z.number(), z.transform(String))]);

/** An id. `..` is none, because it would address something else in the path of a URL. */
const id = words.check(z.refine((value) => !["", ".", ".."].includes(value)));

const numeric = z.union([z.number(), z.pipe(z.string().check(z.regex(/^\s*-?\d+(\.\d+)?\s*$/)), z.transform(Number))]);

/**
 * A time in ms since the epoch. A time before 2001, when there was no service, is a zero or in another unit, and counts as absent. Otherwise a new
 * object would look old, and the search for a lost create would stop before it.
 */
const moment = z.number().check(z.minimum(Date.UTC(2001, 0, 1)), z.maximum(8.64e15));

/** A map, or a list of `{key, value}` in its place. If two pairs have one key, the last pair counts. */
const metadata = z.pipe(
    z.custom<object>((value) => typeof value === "object" && value !== null),
    z.transform((value): Record<string, string> => {
        const pairs = Array.isArray(value) ? value : Object.entries(value).map(([key, one]) => ({ key, value: one }));
        const texts = pairs.flatMap((pair): [string, string][] => {
            const { key, value: one }: Record<string, unknown> = isObject(pair) ? pair : {};
            if (typeof key !== "string" && typeof key !== "number") return [];
            const isPart = typeof one === "object" && one !== null;
            return [[String(key), isPart ? JSON.stringify(one) : String(one ?? "")]];
        });
        return Object.fromEntries(texts);
    }),
);

/** The schemas of the fields for which the schema of their type is not enough. */
const special: Readonly<Record<string, Schema>> = {
    status: z.pipe(
        words,
        z.transform((status) => status.trim().slice(0, 64)),
    ),
    /** One address, or a list of addresses, whose first one counts. */
    thumbnailUrl: z.union([
        words,
        z.pipe(
            z.array(z.unknown()),
            z.transform(([first]) => z.safeParse(words, first).data),
        ),
    ]),
    createdOn: moment,
};

export const readContent = readerFor<typeof contentDefinition>(contentDefinition);
export const readLivestream = readerFor<typeof livestreamDefinition>(livestreamDefinition);

/** Makes the reader of a kind from its definition: it reads the id, and every field that the service returns. */
function readerFor<D extends Definition>(definition: D) {
    const fields = Object.entries(returnedFields(definition));
    const returned = Object.fromEntries(fields.map(([name, schema]) => [name, special[name] ?? asReturned(schema)]));
    // `null` means "emptied" for an input that a PUT can change, such as `tags`, and "absent" for every other field.
    const empties = new Map(fields.map(([name, schema]) => [name, factsOf(schema).empty]));
    return reader<ObjectOf<D>>(definition.idName, returned, empties);
}

/**
 * The schema of a property's value in an answer. The service may write "PUBLIC" for "public": if only certain texts are allowed, their case does not
 * count.
 */
function asReturned(schema: Schema): Schema {
    const { type, element, entries } = partsOf(schema);
    if (element !== undefined) return z.array(asReturned(element));
    if (type === "number") return numeric;
    if (type === "record") return metadata;
    if (type === "boolean") return z.boolean();
    const known = new Map(Object.values(entries ?? {}).map((one) => [one.toLowerCase(), one]));
    if (known.size === 0) return words;
    return z.pipe(
        words,
        z.transform((value) => known.get(value.toLowerCase()) ?? value),
    );
}

/** What `answer.ts` adds to an object that has failed. `reason`: why it has failed, without secrets. */
type Searched = { reason?: string };

export type ContentObject = ObjectOf<typeof contentDefinition> & Searched;
export type LivestreamObject = ObjectOf<typeof livestreamDefinition> & Searched;

export const readSigningKey = reader<SigningKey>("signingKeyId", {
    id: numeric,
    productTypeId: numeric,
    environmentId: numeric,
    createdBy: words,
    createdOn: moment,
});

/**
 * Makes a function that reads an object, with the package's names for its fields. It returns `undefined` for a value without an id. The service
 * spells one field in several ways (`playback_policy`, `playbackPolicy`), so underscores and case do not count. If an object has several spellings of
 * a field, the first one with a value wins. `empties`: what `null` means for a field.
 */
function reader<T extends object>(idName: string, others: Shape, empties: ReadonlyMap<string, unknown> = new Map()) {
    const fields = Object.entries({ [idName]: id, ...others }).map(([name, schema]) => {
        return { name, schema, first: fold(name), second: fold(secondNames[name] ?? name) };
    });
    /** Remembers the folded form of each spelling: lists have thousands of items, all with the same fields. */
    const folds = new Map<string, string>();
    return (value: unknown): T | undefined => {
        if (!isObject(value)) return undefined;
        const given: Record<string, unknown> = {};
        for (const spelling in value) {
            const key = folds.get(spelling) ?? fold(spelling);
            folds.set(spelling, key);
            given[key] ??= value[spelling];
        }
        const object: Record<string, unknown> = {};
        for (const { name, schema, first, second } of fields) {
            // An empty value gives way to a value under the second name: `rtmpUrl: ""` to a full `ingestUrl`, for example.
            const its = given[first] || given[second] || given[first];
            const set = its === null ? empties.get(name) : its;
            // Each field of the answer is checked by itself. A schema of the whole object would also check the many fields that the answer lacks.
            const known = set === undefined ? set : z.safeParse(schema, set).data;
            if (known !== undefined) object[name] = known;
        }
        return object[idName] === undefined ? undefined : (object as T);
    };
}

function fold(name: string): string {
    return name.replaceAll("_", "").toLowerCase();
}
