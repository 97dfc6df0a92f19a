/**
 * Reads the service's objects into our own, whatever disagreements and gaps they have (section 5 of the API contract).
 */
import { z } from "zod";
import * as field from "./fields";
import type { ContentObject, LivestreamObject, SigningKey } from "./model";

/**
 * The service spells one field in several ways (`playback_policy`, `playbackPolicy`), so fields are looked up without
 * regard to underscores and case. Of several spellings the first with a value counts.
 */
function foldNames(value: unknown): unknown {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const folded = new Map<string, unknown>();
    for (const [name, inner] of Object.entries(value)) {
        const key = name.replaceAll("_", "").toLowerCase();
        if (folded.get(key) === undefined || folded.get(key) === null) folded.set(key, inner);
    }
    return Object.fromEntries(folded);
}

const created = { createdon: field.time, createdat: field.time };

const described = {
    status: field.text,
    title: field.text,
    description: field.clearableText,
    tags: field.clearableWords,
    metadata: field.metadata,
    playbackpolicy: field.policies,
    playbackurl: field.text,
    ...created,
};

export const contentSchema = z.preprocess(
    foldNames,
    z
        .object({
            ...described,
            contentid: field.id,
            mp4support: field.flag,
            saveoriginalcopy: field.flag,
            testvideo: field.flag,
            thumbnailurl: field.text,
            thumbnails: field.firstAddress,
            duration: field.number,
            resolution: field.text,
        })
        .transform(
            (raw): ContentObject =>
                withoutUndefined({
                    ...common(raw),
                    contentId: raw.contentid,
                    mp4Support: raw.mp4support,
                    saveOriginalCopy: raw.saveoriginalcopy,
                    testVideo: raw.testvideo,
                    thumbnailUrl: raw.thumbnailurl ?? raw.thumbnails,
                    duration: raw.duration,
                    resolution: raw.resolution,
                }),
        ),
);

export const livestreamSchema = z.preprocess(
    foldNames,
    z
        .object({
            ...described,
            streamuuid: field.id,
            region: field.text,
            record: field.flag,
            dvrdurationinmins: field.number,
            recordingsplaybackpolicy: field.policies,
            streamkey: field.text,
            rtmpurl: field.text,
            ingesturl: field.text,
            rtmpsurl: field.text,
        })
        .transform(
            (raw): LivestreamObject =>
                withoutUndefined({
                    ...common(raw),
                    streamUUID: raw.streamuuid,
                    region: raw.region,
                    record: raw.record,
                    dvrDurationInMins: raw.dvrdurationinmins,
                    recordingsPlaybackPolicy: raw.recordingsplaybackpolicy,
                    streamKey: raw.streamkey,
                    // An address that is not set is "".
                    rtmpUrl: raw.rtmpurl || raw.ingesturl || raw.rtmpurl,
                    rtmpsUrl: raw.rtmpsurl,
                }),
        ),
);

/** The contract promises all six fields; one that is missing anyway becomes 0 or "". */
export const signingKeySchema = z.preprocess(
    foldNames,
    z
        .object({
            id: field.number,
            producttypeid: field.number,
            environmentid: field.number,
            signingkeyid: field.id,
            createdby: field.text,
            ...created,
        })
        .transform(
            (raw): SigningKey => ({
                id: raw.id ?? 0,
                productTypeId: raw.producttypeid ?? 0,
                environmentId: raw.environmentid ?? 0,
                signingKeyId: raw.signingkeyid,
                createdOn: raw.createdon ?? raw.createdat ?? 0,
                createdBy: raw.createdby ?? "",
            }),
        ),
);

const describedObject = z.object(described);

function common(raw: z.infer<typeof describedObject>) {
    return {
        status: raw.status?.trim().slice(0, 64),
        title: raw.title,
        description: raw.description,
        tags: raw.tags,
        metadata: raw.metadata,
        playbackPolicy: raw.playbackpolicy,
        playbackUrl: raw.playbackurl,
        createdOn: raw.createdon ?? raw.createdat,
    };
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
    [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

function withoutUndefined<T extends object>(object: T): Defined<T> {
    return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Defined<T>;
}
