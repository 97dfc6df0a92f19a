/**
 * The service's objects as the rest of the package sees them, and how they are read, whatever disagreements and gaps they
 * have (section 5 of the API contract). An optional field of the wrong type counts as absent: reading a content should not fail
 * because of its thumbnail.
 */
import { z } from "zod";
import { isObject } from "./json";
import type { SigningKey } from "./signingKey";

/** An opaque identifier. Those with a special meaning in a URL's path are not identifiers. */
const id = z
    .union([z.string(), z.number()])
    .transform(String)
    .refine((text) => text !== "" && text !== "." && text !== "..");

/** Text. A number is text as well: a stream key may be six digits. */
const words = z.union([z.string(), z.number().transform(String)]);
const text = words.optional().catch(undefined);
const flag = z.boolean().optional().catch(undefined);
const number = z
    .union([z.number(), z.string().regex(/^\s*-?\d+(\.\d+)?\s*$/)])
    .transform(Number)
    .optional()
    .catch(undefined);

/**
 * Milliseconds since the epoch. The service did not exist before 2001, so an earlier time is a zero, or not a time, or in another
 * unit: a search that took it for one would skip a new object that seems to be old.
 */
const time = z
    .number()
    .refine((value) => value >= Date.UTC(2001, 0, 1) && value <= 8.64e15)
    .optional()
    .catch(undefined);

/** Null means that it was emptied. */
const clearableText = z
    .union([words, z.null().transform(() => "")])
    .optional()
    .catch(undefined);

const clearableWords = z
    .union([z.array(words), z.null().transform((): string[] => [])])
    .optional()
    .catch(undefined);

/** Playback policies. The case of returned policies has no meaning. */
const policies = z
    .array(words)
    .transform((list) => list.map((one) => one.toLowerCase()))
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
const metadata = z
    .union([
        z
            .array(z.union([pair, z.unknown().transform(() => undefined)]))
            .transform((pairs) => Object.fromEntries(pairs.filter((one) => one !== undefined))),
        z.record(z.string(), metadataValue),
        z.null().transform((): Record<string, string> => ({})),
    ])
    .optional()
    .catch(undefined);

/** The first of a list of addresses. */
const firstAddress = z
    .array(z.unknown())
    .transform((list) => z.string().safeParse(list[0]).data)
    .optional()
    .catch(undefined);

const described = {
    status: text.transform((status) => status?.trim().slice(0, 64)),
    title: text,
    description: clearableText,
    tags: clearableWords,
    metadata,
    playbackPolicy: policies,
    playbackUrl: text,
    /** Milliseconds since the Unix epoch. */
    createdOn: time,
    createdAt: time,
};

export const contentSchema = schemaOf(
    {
        contentId: id,
        ...described,
        mp4Support: flag,
        saveOriginalCopy: flag,
        testVideo: flag,
        thumbnailUrl: text,
        thumbnails: firstAddress,
        /** Milliseconds. */
        duration: number,
        resolution: text,
    },
    ({ thumbnails, createdAt, ...raw }) => ({
        ...raw,
        ...notSearched,
        createdOn: raw.createdOn ?? createdAt,
        thumbnailUrl: raw.thumbnailUrl ?? thumbnails,
    }),
);

export const livestreamSchema = schemaOf(
    {
        streamUUID: id,
        ...described,
        region: text,
        record: flag,
        dvrDurationInMins: number,
        recordingsPlaybackPolicy: policies,
        /** A secret: anyone who has it can broadcast. */
        streamKey: text,
        rtmpUrl: text,
        ingestUrl: text,
        rtmpsUrl: text,
    },
    ({ ingestUrl, createdAt, ...raw }) => ({
        ...raw,
        ...notSearched,
        createdOn: raw.createdOn ?? createdAt,
        // An address that is not set is "".
        rtmpUrl: raw.rtmpUrl || ingestUrl || raw.rtmpUrl,
    }),
);

/** `null` from the service means "empty" for description, tags and metadata, and "absent" for all else. */
export type ContentObject = z.output<typeof contentSchema>;
export type LivestreamObject = z.output<typeof livestreamSchema>;

/** The answer to adding one; nothing of it is used. */
export const subtitleSchema = schemaOf({ uuid: id }, (raw) => raw);

/** The contract promises all six fields; one that is missing anyway becomes 0 or "". */
export const signingKeySchema = schemaOf(
    {
        id: number,
        productTypeId: number,
        environmentId: number,
        signingKeyId: id,
        createdBy: text,
        createdOn: time,
        createdAt: time,
    },
    (raw): SigningKey => ({
        id: raw.id ?? 0,
        productTypeId: raw.productTypeId ?? 0,
        environmentId: raw.environmentId ?? 0,
        signingKeyId: raw.signingKeyId,
        createdOn: raw.createdOn ?? raw.createdAt ?? 0,
        createdBy: raw.createdBy ?? "",
    }),
);

/** Why an object failed, as far as the service said, redacted: the whole answer is searched for it (`readObject`). */
const notSearched: { reason?: string } = {};

/**
 * The service spells one field in several ways (`playback_policy`, `playbackPolicy`), so fields are looked up without
 * regard to underscores and case. `finish` makes one field of several that mean the same.
 */
function schemaOf<Shape extends z.ZodRawShape, Finished extends object>(
    shape: Shape,
    finish: (raw: z.output<z.ZodObject<Shape>>) => Finished,
) {
    const names = new Map(Object.keys(shape).map((name) => [fold(name), name]));
    return z.preprocess(
        (value) => renamed(value, names),
        z.object(shape).transform((raw) => withoutUndefined(finish(raw))),
    );
}

function fold(name: string): string {
    return name.replaceAll("_", "").toLowerCase();
}

/** The fields that are known, by our names. Of several spellings the first with a value counts. */
function renamed(value: unknown, names: ReadonlyMap<string, string>): unknown {
    if (!isObject(value)) return value;
    const known = new Map<string, unknown>();
    for (const [name, inner] of Object.entries(value)) {
        const key = names.get(fold(name));
        if (key !== undefined && (known.get(key) ?? null) === null) known.set(key, inner);
    }
    return Object.fromEntries(known);
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
