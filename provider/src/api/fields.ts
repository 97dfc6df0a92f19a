/**
 * Single fields of the service's objects. An optional field of the wrong type counts as absent: reading a content should not
 * fail because of its thumbnail.
 */
import { z } from "zod";

/**
 * An opaque identifier; `parseBody` has kept the digits of one that is a large number. Those with a special meaning in a URL's path are not identifiers.
 */
export const id = z
    .union([z.string(), z.number()])
    .transform(String)
    .refine((text) => text !== "" && text !== "." && text !== "..");

/** Text. A number is text as well: a stream key may be six digits. */
const words = z.union([z.string(), z.number().transform(String)]);
export const text = words.optional().catch(undefined);
export const flag = z.boolean().optional().catch(undefined);

const finite = z.union([z.number(), z.string().regex(/^\s*-?\d+(\.\d+)?\s*$/)]).transform(Number);
export const number = finite.optional().catch(undefined);

/** Numbers that are seconds if they are a time at all: as ms, they are all before 1974. */
const asMilliseconds = (value: number) => (value >= 1e9 && value <= 1e11 ? Math.round(value * 1000) : value);

/** The service did not exist before it, so an earlier time is a zero or not a time at all. */
const earliest = Date.UTC(2001, 0, 1);

/** The last moment that a Date can hold. */
const latest = 8.64e15;

/**
 * Milliseconds since the epoch, as a number, as digits, or as an ISO time. Without a time zone the moment is unknown, and a
 * search would skip a new object that seems hours old.
 */
export const time = z
    .union([
        finite.transform(asMilliseconds),
        z
            .string()
            .regex(/^\d{4}-\d{2}-\d{2}T.+(Z|[+-]\d{2}:?\d{2})$/i)
            .transform(Date.parse),
    ])
    .refine((value) => value >= earliest && value <= latest)
    .optional()
    .catch(undefined);

/** Null means that it was emptied. */
export const clearableText = z
    .union([words, z.null().transform(() => "")])
    .optional()
    .catch(undefined);

/** Playback policies. The case of returned policies has no meaning. */
export const policies = z
    .union([z.array(words), z.string().transform((one) => [one])])
    .transform((list) => list.map((one) => one.toLowerCase()))
    .optional()
    .catch(undefined);

export const clearableWords = z
    .union([z.array(words), z.null().transform((): string[] => [])])
    .optional()
    .catch(undefined);

const metadataValue = z
    .unknown()
    .optional()
    .transform((value) => {
        if (value === null || value === undefined) return "";
        return typeof value === "object" ? JSON.stringify(value) : String(value);
    });
const pair = z.object({ key: words, value: metadataValue }).transform(({ key, value }) => [key, value] as const);

/** Pairs, of which the last of each key counts, or already a map. A pair without a key is ignored. */
export const metadata = z
    .union([
        z
            .array(z.union([pair, z.unknown().transform(() => undefined)]))
            .transform((pairs) => Object.fromEntries(pairs.filter((one) => one !== undefined))),
        z.record(z.string(), metadataValue),
        z.null().transform((): Record<string, string> => ({})),
    ])
    .optional()
    .catch(undefined);

const address = z.union([z.string(), z.object({ url: z.string() }).transform(({ url }) => url)]);

/** The first of a list of addresses. */
export const firstAddress = z
    .array(z.unknown())
    .transform((list) => address.safeParse(list[0]).data)
    .optional()
    .catch(undefined);
