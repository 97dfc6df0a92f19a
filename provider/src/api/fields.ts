/**
 * Single fields of the service's objects. An optional field of the wrong type is as good as absent: whoever asks for a
 * content should not fail over its thumbnail.
 */
import { z } from "zod";

/** An opaque identifier. Those with a meaning of their own in a URL's path are none. */
export const id = z
    .union([z.string(), z.number()])
    .transform(String)
    .refine((text) => text !== "" && text !== "." && text !== "..");

export const text = z.string().optional().catch(undefined);
export const flag = z.boolean().optional().catch(undefined);

const finite = z.union([z.number(), z.string().regex(/^\s*-?\d+(\.\d+)?\s*$/)]).transform(Number);
export const number = finite.optional().catch(undefined);

/** Milliseconds since the epoch, as a number, as digits, or as an ISO date. */
export const time = z
    .union([
        finite,
        z
            .string()
            .regex(/^\d{4}-\d{2}-\d{2}/)
            .transform(Date.parse),
    ])
    .refine((value) => Number.isFinite(value))
    .optional()
    .catch(undefined);

/** Null means that it was emptied. */
export const clearableText = z
    .union([z.string(), z.null().transform(() => "")])
    .optional()
    .catch(undefined);

const word = z.union([z.string(), z.number()]).transform(String);

export const words = z
    .union([z.array(word), z.string().transform((one) => [one])])
    .optional()
    .catch(undefined);

export const clearableWords = z
    .union([z.array(word), z.null().transform(() => [])])
    .optional()
    .catch(undefined);

const metadataValue = z
    .unknown()
    .optional()
    .transform((value) => {
        if (value === null || value === undefined) return "";
        return typeof value === "object" ? JSON.stringify(value) : String(value);
    });
const pair = z.object({ key: word, value: metadataValue }).transform(({ key, value }) => [key, value] as const);

/** Pairs, of which the last of each key counts, or already a map. A pair without a key is none. */
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
