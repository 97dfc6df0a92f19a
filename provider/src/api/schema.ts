/**
 * The service's objects as the rest of the package sees them, and how they are read, whatever disagreements and gaps they
 * have (section 5 of the API contract).
 */
import { z } from "zod";
import * as field from "./fields";
import type { SigningKey } from "./signingKey";

const described = {
    status: field.text,
    title: field.text,
    description: field.clearableText,
    tags: field.clearableWords,
    metadata: field.metadata,
    playbackPolicy: field.policies,
    playbackUrl: field.text,
    /** Milliseconds since the Unix epoch. */
    createdOn: field.time,
    createdAt: field.time,
};

export const contentSchema = schemaOf(
    {
        contentId: field.id,
        ...described,
        mp4Support: field.flag,
        saveOriginalCopy: field.flag,
        testVideo: field.flag,
        thumbnailUrl: field.text,
        thumbnails: field.firstAddress,
        /** Milliseconds. */
        duration: field.number,
        resolution: field.text,
    },
    ({ thumbnails, ...raw }) => ({ ...common(raw), thumbnailUrl: raw.thumbnailUrl ?? thumbnails }),
);

export const livestreamSchema = schemaOf(
    {
        streamUUID: field.id,
        ...described,
        region: field.text,
        record: field.flag,
        dvrDurationInMins: field.number,
        recordingsPlaybackPolicy: field.policies,
        /** A secret: anyone who has it can broadcast. */
        streamKey: field.text,
        rtmpUrl: field.text,
        ingestUrl: field.text,
        rtmpsUrl: field.text,
    },
    // An address that is not set is "".
    ({ ingestUrl, ...raw }) => ({ ...common(raw), rtmpUrl: raw.rtmpUrl || ingestUrl || raw.rtmpUrl }),
);

/** `null` from the service means "empty" for description, tags and metadata, and "absent" for all else. */
export type ContentObject = z.output<typeof contentSchema>;
export type LivestreamObject = z.output<typeof livestreamSchema>;

/** The answer to adding one; nothing of it is used. */
export const subtitleSchema = schemaOf({ uuid: field.id }, (raw) => raw);

/** The contract promises all six fields; one that is missing anyway becomes 0 or "". */
export const signingKeySchema = schemaOf(
    {
        id: field.number,
        productTypeId: field.number,
        environmentId: field.number,
        signingKeyId: field.id,
        createdBy: field.text,
        createdOn: field.time,
        createdAt: field.time,
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
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const known = new Map<string, unknown>();
    for (const [name, inner] of Object.entries(value)) {
        const key = names.get(fold(name));
        if (key !== undefined && (known.get(key) === undefined || known.get(key) === null)) known.set(key, inner);
    }
    return Object.fromEntries(known);
}

/** Whether a status says failure, such as Failed, Errored, Rejected or Cancelled. */
export function isFailureStatus(status: string | undefined): boolean {
    return /^(?!not?\b).*(?:fail|error|reject|cancel|abort)/i.test(status ?? "");
}

/** Why it failed, as far as the service said, redacted: the whole answer is searched for it (`readObject`). */
const notSearched: { reason?: string } = {};

function common<
    T extends { status?: string | undefined; createdOn?: number | undefined; createdAt?: number | undefined },
>({ createdAt, ...raw }: T) {
    return { ...raw, ...notSearched, status: raw.status?.trim().slice(0, 64), createdOn: raw.createdOn ?? createdAt };
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
    [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

function withoutUndefined<T extends object>(object: T): Defined<T> {
    return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Defined<T>;
}
