/**
 * The points where the service's public sources disagree or say nothing, each as one switch. The defaults are one
 * plausible service; a client that promises to absorb the disagreements is tested by turning them one by one.
 */
import { z } from "zod";
import { check } from "./validate";

/** How the emulated service behaves where its documentation is silent or contradicts itself. */
export interface Variants {
    /** Key under which a content's playback policy comes back. Default "playback_policy". */
    policyKey: "playback_policy" | "playbackPolicy";
    /** HTTP status (and envelope `code`) of a successful create. Default 201. */
    createCode: 200 | 201;
    /** Key of a content's creation time. Default "created_at". */
    contentCreatedKey: "created_at" | "createdOn";
    /** Key of a livestream's creation time in single answers; list items always say `created_at`. Default "createdOn". */
    livestreamCreatedKey: "created_at" | "createdOn";
    /** Key of a livestream's ingest address. Default "rtmpUrl". */
    ingestKey: "rtmpUrl" | "ingestUrl";
    /** What a livestream's `rtmpsUrl` holds. Default "url"; the documentation also shows `""`. */
    rtmpsUrl: "url" | "empty";
    /** How a Ready content shows its thumbnail. Default "thumbnailUrl". */
    thumbnails: "thumbnailUrl" | "thumbnails" | "none";
    /**
     * Statuses a content goes through before Ready or Failed, each for an equal part of the processing time.
     * Default ["Preparing"].
     */
    pendingStatuses: [string, ...string[]];
    /** Shape of new content ids; "opaque" has odd but URL-safe characters, "number" is a JSON number. Default "uuid". */
    idShape: "uuid" | "opaque" | "numeric" | "number";
    /** Whether list items of contents and livestreams carry `metadata`. Default false. */
    listMetadata: boolean;
    /** Whether list items of contents and livestreams carry `tags`. Default false. */
    listTags: boolean;
    /** Order of lists; "unstable" changes from one request to the next. Default "newest" first. */
    listOrder: "newest" | "oldest" | "unstable";
    /** Items on a page of contents when the request names no `limit`. Default 10. */
    pageDefault: number;
    /** Largest page of contents. Default 100. */
    pageMaximum: number;
    /** What a `limit` over the maximum gets: a page of the maximum, or 400. Default "cap". */
    overMaximum: "cap" | "reject";
    /** Whether the list of livestreams honours `start` and `limit` or answers with everything. Default false. */
    livestreamPaging: boolean;
    /** How fields that hold nothing (no description, no tags, no duration yet) are shown. Default "present". */
    emptyFields: "present" | "omitted" | "null";
    /** Whether PUT leaves fields it does not name alone or empties them. Default "partial". */
    put: "partial" | "replace";
    /** Whether the answer to PUT carries the object. Default true. */
    putData: boolean;
    /** Whether the answer to deleting a content carries the object. (A livestream's always does.) Default false. */
    deleteData: boolean;
    /** For how long after its creation GET, PUT and DELETE of an object answer 404, in ms. Default 0. */
    visibleAfterMs: number;
    /** For how long after its creation lists leave an object out, in ms. Default 0. */
    listedAfterMs: number;
    /** Body of error answers. Default "envelope". */
    errorBody: "envelope" | "json" | "html" | "empty";
    /** HTTP status for requests that fail validation. Default 400. */
    invalidCode: 400 | 422;
    /** Key under which a Failed content gives its reason, or null for none. Default "errorMessage". */
    failureReasonKey: string | null;
    /** What a GET of a livestream says while its deletion goes on: status "Deleting", or 404 at once. Default "Deleting". */
    whileDeleting: "Deleting" | "notFound";
}

const count = z.int().min(1);
const milliseconds = z.number().min(0);

const variantsSchema = z.strictObject({
    policyKey: z.enum(["playback_policy", "playbackPolicy"]),
    createCode: z.union([z.literal(200), z.literal(201)]),
    contentCreatedKey: z.enum(["created_at", "createdOn"]),
    livestreamCreatedKey: z.enum(["created_at", "createdOn"]),
    ingestKey: z.enum(["rtmpUrl", "ingestUrl"]),
    rtmpsUrl: z.enum(["url", "empty"]),
    thumbnails: z.enum(["thumbnailUrl", "thumbnails", "none"]),
    pendingStatuses: z.tuple([z.string()], z.string()),
    idShape: z.enum(["uuid", "opaque", "numeric", "number"]),
    listMetadata: z.boolean(),
    listTags: z.boolean(),
    listOrder: z.enum(["newest", "oldest", "unstable"]),
    pageDefault: count,
    pageMaximum: count,
    overMaximum: z.enum(["cap", "reject"]),
    livestreamPaging: z.boolean(),
    emptyFields: z.enum(["present", "omitted", "null"]),
    put: z.enum(["partial", "replace"]),
    putData: z.boolean(),
    deleteData: z.boolean(),
    visibleAfterMs: milliseconds,
    listedAfterMs: milliseconds,
    errorBody: z.enum(["envelope", "json", "html", "empty"]),
    invalidCode: z.union([z.literal(400), z.literal(422)]),
    failureReasonKey: z.string().nullable(),
    whileDeleting: z.enum(["Deleting", "notFound"]),
}) satisfies z.ZodType<Variants>;

const defaultVariants: Readonly<Variants> = {
    policyKey: "playback_policy",
    createCode: 201,
    contentCreatedKey: "created_at",
    livestreamCreatedKey: "createdOn",
    ingestKey: "rtmpUrl",
    rtmpsUrl: "url",
    thumbnails: "thumbnailUrl",
    pendingStatuses: ["Preparing"],
    idShape: "uuid",
    listMetadata: false,
    listTags: false,
    listOrder: "newest",
    pageDefault: 10,
    pageMaximum: 100,
    overMaximum: "cap",
    livestreamPaging: false,
    emptyFields: "present",
    put: "partial",
    putData: true,
    deleteData: false,
    visibleAfterMs: 0,
    listedAfterMs: 0,
    errorBody: "envelope",
    invalidCode: 400,
    failureReasonKey: "errorMessage",
    whileDeleting: "Deleting",
};

/** The variants `base` with some switches turned. Throws when a switch or its position does not exist. */
export function turnVariants(changed: unknown, base: Readonly<Variants> = defaultVariants): Variants {
    const given = check(variantsSchema.partial(), changed, "variants");
    return {
        ...base,
        ...(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as object),
    };
}
