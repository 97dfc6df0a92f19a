/**
 * The service's objects as the rest of the package sees them, and how they are read, whatever disagreements and gaps they
 * have (docs/internals/contract.md). An optional field of the wrong type counts as absent: reading a content should not fail
 * because of its thumbnail.
 */
import { z } from "zod";
import { contentDefinition } from "../definitions/content";
import {
    type Definition,
    type Input,
    type ObjectOf,
    type Output,
    returnedFields,
    type Type,
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

/** An opaque identifier. Those with a special meaning in a URL's path are not identifiers. */
const id = z
    .union([z.string(), z.number()])
    .transform(String)
    .refine((text) => text !== "" && text !== "." && text !== "..");

/** UUIDs may be written in either case, so answers may differ in it. */
export function isSameId(a: string, b: string): boolean {
    return plainId(a) === plainId(b);
}

/** The id as it is compared. */
export function plainId(id: string): string {
    return id.trim().toLowerCase();
}

/**
 * In the state, in place of the id of an object of which it is unknown whether it exists: its create ended in doubt. No request
 * has such an id.
 */
export function unconfirmedId(nonce: string): string {
    return `unconfirmed-${nonce}`;
}

/** The nonce in such an id. */
export function unconfirmedNonce(id: string): string | undefined {
    return /^unconfirmed-([0-9a-f]{12})$/.exec(id)?.[1];
}

export function isUnconfirmed(id: string): boolean {
    return unconfirmedNonce(id) !== undefined;
}

/** Text. A number is text as well: a stream key may be six digits. */
const words = z.union([z.string(), z.number().transform(String)]);
const text = words.optional().catch(undefined);
const numeric = z.union([z.number(), z.string().regex(/^\s*-?\d+(\.\d+)?\s*$/)]).transform(Number);

/**
 * Milliseconds since the epoch. The service did not exist before 2001, so an earlier time is a zero, or not a time, or in another
 * unit: a search that took it for one would skip a new object that seems to be old.
 */
const moment = z.number().refine((value) => value >= Date.UTC(2001, 0, 1) && value <= 8.64e15);

const metadataValue = z
    .unknown()
    .optional()
    .transform((value) => {
        if (value === null || value === undefined) return "";
        return typeof value === "object" ? JSON.stringify(value) : String(value);
    });
const pair = z.object({ key: words, value: metadataValue }).transform(({ key, value }) => [key, value] as const);

/** Pairs, of which the last of each key counts, or already a map. A pair without a key is ignored. */
const metadata = z.union([
    z
        .array(z.union([pair, z.unknown().transform(() => undefined)]))
        .transform((pairs) => Object.fromEntries(pairs.filter((one) => one !== undefined))),
    z.record(z.string(), metadataValue),
]);

/** Fields that are more than their type says. */
const special: Readonly<Record<string, z.ZodType>> = {
    status: text.transform((status) => status?.trim().slice(0, 64)),
    /** One address, or the first of a list. */
    thumbnailUrl: z
        .preprocess((value) => (Array.isArray(value) ? value[0] : value), words)
        .optional()
        .catch(undefined),
    createdOn: moment.optional().catch(undefined),
};

export const contentSchema = objectSchema(contentDefinition);
export const livestreamSchema = objectSchema(livestreamDefinition);

/** An object with everything that its definition says the service returns. */
function objectSchema<D extends Definition>(definition: D) {
    const fields = Object.entries(returnedFields(definition)).map(([name, field]) => [
        name,
        special[name] ?? fieldSchema(field),
    ]);
    const schema = schemaOf({ [definition.idName]: id, ...Object.fromEntries(fields) });
    return schema as unknown as z.ZodType<ObjectOf<D>>;
}

function fieldSchema(field: Input | Output): z.ZodType {
    const value = valueSchema(field.type);
    const empty = "empty" in field ? field.empty : undefined;
    // Of an input that a PUT changes, null means that it was emptied; otherwise it is absent.
    const values = empty === undefined ? value : z.union([value, z.null().transform(() => empty)]);
    return values.optional().catch(undefined);
}

function valueSchema(type: Type): z.ZodType {
    switch (type.kind) {
        case "string":
            return words.transform((value) => type.oneOf?.find((one) => isSpelledAlike(one, value)) ?? value);
        case "boolean":
            return z.boolean();
        case "number":
        case "integer":
            return numeric;
        case "list":
            return z.array(valueSchema(type.of));
        case "map":
            return metadata;
        // The service returns none.
        case "numberOrString":
        case "object":
            return z.never();
    }
}

/** The case of returned values has no meaning. */
function isSpelledAlike(a: string, b: string): boolean {
    return a.toLowerCase() === b.toLowerCase();
}

/** Why an object failed, redacted, as far as the service says: see `readObject`. */
type Searched = { reason?: string };

export type ContentObject = ObjectOf<typeof contentDefinition> & Searched;
export type LivestreamObject = ObjectOf<typeof livestreamDefinition> & Searched;

/** The answer to adding a part, such as a subtitle. */
export const partSchema = schemaOf({ uuid: id });

/** The contract promises all six fields; one that is missing anyway becomes 0 or "". */
export const signingKeySchema: z.ZodType<SigningKey> = schemaOf({
    id: numeric.catch(0),
    productTypeId: numeric.catch(0),
    environmentId: numeric.catch(0),
    signingKeyId: id,
    createdBy: words.catch(""),
    createdOn: moment.catch(0),
});

/**
 * The service spells one field in several ways (`playback_policy`, `playbackPolicy`), so fields are looked up without
 * regard to underscores and case.
 */
function schemaOf<Shape extends z.ZodRawShape>(shape: Shape) {
    const spellings = Object.keys(shape).map((name) => [name, fold(name), fold(secondNames[name] ?? name)] as const);
    return z.preprocess((value) => renamed(value, spellings), z.object(shape).transform(withoutUndefined));
}

function fold(name: string): string {
    return name.replaceAll("_", "").toLowerCase();
}

/** The fields that are known, by our names. Of several spellings the first with a value counts. */
function renamed(value: unknown, spellings: readonly (readonly [string, string, string])[]): unknown {
    if (!isObject(value)) return value;
    const given = new Map<string, unknown>();
    for (const [name, inner] of Object.entries(value)) {
        const key = fold(name);
        if ((given.get(key) ?? null) === null) given.set(key, inner);
    }
    return Object.fromEntries(
        spellings.map(([name, first, second]) => [name, given.get(first) || given.get(second) || given.get(first)]),
    );
}

/** Whether a status says failure, such as Failed, Errored, Rejected or Cancelled. */
export function isFailureStatus(status: string | undefined): boolean {
    return /^(?!not?\b).*(?:fail|error|reject|cancel|abort)/i.test(status ?? "");
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
    [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

function withoutUndefined<T extends object>(object: T): Defined<T> {
    return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Defined<T>;
}
