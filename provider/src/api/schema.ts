/**
 * The service's objects as the rest of the package sees them, and their readers, which absorb disagreements and gaps
 * (docs/internals/contract.md). An optional field of the wrong type counts as absent: reading a content should not fail
 * because of its thumbnail.
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

/** Fields with a second name. */
const secondNames: Readonly<Record<string, string>> = {
    createdOn: "createdAt",
    rtmpUrl: "ingestUrl",
    thumbnailUrl: "thumbnails",
};

/** Text. A number is text as well: a stream key may be six digits. */
const words = z.union([z.string(), z.pipe(z.number(), z.transform(String))]);

/** An opaque identifier. Texts with a special meaning in a URL's path are not identifiers. */
const id = words.check(z.refine((value) => !["", ".", ".."].includes(value)));

const numeric = z.union([z.number(), z.pipe(z.string().check(z.regex(/^\s*-?\d+(\.\d+)?\s*$/)), z.transform(Number))]);

/**
 * Milliseconds since the epoch. The service did not exist before 2001, so an earlier time is a zero, or not a time, or in another
 * unit: a search that believed it would skip a new object that seems to be old.
 */
const moment = z.number().check(z.minimum(Date.UTC(2001, 0, 1)), z.maximum(8.64e15));

/** A map, or pairs, of which the last of each key counts. A pair without a key is ignored. */
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

/** The schemas of fields whose type does not say enough. */
const special: Readonly<Record<string, Schema>> = {
    status: z.pipe(
        words,
        z.transform((status) => status.trim().slice(0, 64)),
    ),
    /** One address, or the first of a list. */
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

/** The reader of an object with all fields that the service returns by its definition. */
function readerFor<D extends Definition>(definition: D) {
    const fields = Object.entries(returnedFields(definition));
    const returned = Object.fromEntries(fields.map(([name, schema]) => [name, special[name] ?? asReturned(schema)]));
    // For an input that a PUT changes, null means that it was emptied; for any other field, that it is absent.
    const empties = new Map(fields.map(([name, schema]) => [name, factsOf(schema).empty]));
    return reader<ObjectOf<D>>(definition.idName, returned, empties);
}

/** The schema of a value as the service returns it. The case of one of a few texts has no meaning. */
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

/** The reason why an object failed, redacted, as far as the service gives one: see `readObject`. */
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
 * The reader of an object that has its id, and the known fields, by our names. The service spells one field in several ways
 * (`playback_policy`, `playbackPolicy`), so fields are looked up without regard to underscores and case. Of several spellings the first with
 * a value counts. A field of the wrong type is absent, and does not take the place of a value that is known. `undefined` where there is no id.
 */
function reader<T extends object>(idName: string, others: Shape, empties: ReadonlyMap<string, unknown> = new Map()) {
    const fields = Object.entries({ [idName]: id, ...others }).map(([name, schema]) => {
        return { name, schema, first: fold(name), second: fold(secondNames[name] ?? name) };
    });
    /** Each spelling is folded once: lists have thousands of items. */
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
            // An empty first spelling counts only where the second has nothing.
            const its = given[first] || given[second] || given[first];
            const set = its === null ? empties.get(name) : its;
            // Field by field, for most answers lack most fields.
            const known = set === undefined ? set : z.safeParse(schema, set).data;
            if (known !== undefined) object[name] = known;
        }
        return object[idName] === undefined ? undefined : (object as T);
    };
}

function fold(name: string): string {
    return name.replaceAll("_", "").toLowerCase();
}
