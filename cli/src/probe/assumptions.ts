/**
 * This package's assumptions about the service, according to its documentation: one row each, with the number that
 * docs/internals/contract.md uses, the promises (docs/internals/promises.md) that it endangers if it does not hold, and
 * the emulator's switch with the forms that are known. The script says which form the account shows.
 */

export interface Assumption {
    readonly id: string;
    readonly expects: string;
    /** Empty if both forms are accepted. */
    readonly endangers: readonly string[];
    /** The emulator's switch for the forms. */
    readonly variant: string | undefined;
    /** The first is the assumed one. Without known forms: whether the assumption holds. */
    readonly forms: readonly unknown[];
}

/** `key`: the number, then the promises that it endangers. `known`: the forms by the emulator's switch. */
function assume(key: string, expects: string, known: Readonly<Record<string, readonly unknown[]>> = {}): Assumption {
    const [id = "", ...endangers] = key.split(" ");
    const [variant] = Object.keys(known);
    return { id, expects, endangers, variant, forms: known[variant ?? ""] ?? [true] };
}

// biome-ignore format: a table
export const assumptions = {
    // Every answer
    envelope: assume("A-001 S4", "success is {status, code, message, data}"),
    unauthorized: assume("A-002", "wrong credentials are refused with HTTP 401", { unauthorizedCode: [401, 403] }),
    challenge: assume("A-003", "that refusal has no WWW-Authenticate header", { challenge: [false, true] }),
    notFound: assume("A-004 S1 S2 L6 L7", "an unknown id is answered with HTTP 404"),
    notFoundBody: assume("A-005", "a 404 has the envelope, with its code"),
    invalid: assume("A-006", "an invalid request is refused with HTTP 400", { invalidCode: [400, 422] }),
    errorBody: assume("A-007", "refusals have the envelope", { errorBody: ["envelope", "json", "html", "empty"] }),
    date: assume("A-008 S1", "answers have a Date header within a minute of this machine's clock"),
    rateLimit: assume("A-009", "no headers announce a rate limit"),
    // Creating a content
    createCode: assume("A-010", "a create is answered with HTTP 201", { createCode: [201, 200] }),
    createData: assume("A-011", "the answer to a create is the whole object", { createData: ["object", "terse"] }),
    idShape: assume("A-012", "ids are UUIDs", { idShape: ["uuid", "opaque", "numeric", "number", "sequential"] }),
    policyKey: assume("A-013", "the playback policy is called playback_policy", { policyKey: ["playback_policy", "playbackPolicy"] }),
    contentCreatedKey: assume("A-014", "a content's creation time is called created_at", { contentCreatedKey: ["created_at", "createdOn"] }),
    createdTime: assume("A-015 S1", "creation times are milliseconds since 1970 by the service's clock"),
    title: assume("A-016", "titles are kept as they are", { titles: ["kept", "trimmed", "collapsed"] }),
    marker: assume("A-017 S1 S2 S9", "metadata is kept as it is, the ownership marker included"),
    collections: assume("A-018", "tags keep their order", { collections: ["kept", "sorted", "reversed"] }),
    emptyFields: assume("A-019", "a field that is not set is shown empty", { emptyFields: ["present", "omitted", "null"] }),
    visible: assume("A-020 S1", "a new content can be read at once"),
    sourceHidden: assume("A-021 S3", "the source URL is not shown"),
    // Lists of contents
    listed: assume("A-022 S1", "a new content is in the list at once"),
    listMetadata: assume("A-023", "list items have no metadata", { listMetadata: [false, true] }),
    listTags: assume("A-024", "list items have no tags", { listTags: [false, true] }),
    itemThumbnails: assume("A-025", "list items have a thumbnailUrl before they are Ready", { itemThumbnails: ["always", "ready"] }),
    listOrder: assume("A-026", "lists are ordered, newest first", { listOrder: ["newest", "oldest", "unstable", "random"] }),
    paging: assume("A-027 S1", "start and limit select a page"),
    pastEnd: assume("A-028", "a page after the last one is empty", { pastEnd: ["empty", 400, 404, 413, 416, 422] }),
    pageMaximum: assume("A-029", "a page has at most 100 items; a larger limit is lowered"),
    // Waiting
    statuses: assume("A-030", "the statuses on the way to Ready are among Pending, Preparing and Processing"),
    ready: assume("A-031 L1", "a content becomes Ready"),
    readyFields: assume("A-032 L1", "a Ready content has playbackUrl, duration in ms and resolution"),
    thumbnails: assume("A-033", "a Ready content has thumbnailUrl", { thumbnails: ["thumbnailUrl", "thumbnails", "none"] }),
    statusId: assume("A-034", "statusId is 1 until Ready, and then absent", { statusId: ["pending", "all", "none"] }),
    // Changing and deleting a content
    put: assume("A-035", "PUT leaves alone what it does not name", { put: ["partial", "replace"] }),
    putData: assume("A-036", "the answer to PUT has the object", { putData: [true, false] }),
    putMarker: assume("A-037 S1 S2", "the ownership marker survives a PUT that sends it"),
    deleteBody: assume("A-038", "DELETE is answered with the envelope", { deleteBody: ["envelope", "ok", "success", "failure", "empty"] }),
    deleteData: assume("A-039", "that answer does not have the content", { deleteData: [false, true] }),
    deleted: assume("A-040 L7 S1", "a deleted content is 404 at once"),
    deletedTwice: assume("A-041 L7", "a second DELETE is answered with 404"),
    // Livestreams
    livestreamCreate: assume("A-042 S1", "a livestream is created with HTTP 201 or 200 and has an id"),
    livestreamStatus: assume("A-043", "a new livestream is Idle"),
    streamKey: assume("A-044", "a livestream has a streamKey, as text"),
    ingestKey: assume("A-045", "the ingest URL is called rtmpUrl", { ingestKey: ["rtmpUrl", "ingestUrl", "both"] }),
    rtmpsUrl: assume("A-046", "rtmpsUrl is set", { rtmpsUrl: ["url", "empty"] }),
    livestreamCreatedKey: assume("A-047", "a livestream's creation time is called createdOn", { livestreamCreatedKey: ["createdOn", "created_at"] }),
    livestreamMarker: assume("A-048 S1 S2 S9", "a livestream keeps its metadata, the ownership marker included"),
    livestreamLists: assume("A-049 S1", "a livestream is in the list of its record value, and not in the other"),
    livestreamPaging: assume("A-050", "the list of livestreams ignores start", { livestreamPaging: [false, true] }),
    livestreamDelete: assume("A-051 L7", "DELETE of a livestream answers with status Deleting"),
    whileDeleting: assume("A-052 L7", "a deleted livestream shows Deleting, then 404", { whileDeleting: ["Deleting", "notFound"] }),
    // Signing keys
    signingKeys: assume("A-053", "signing keys have id, productTypeId, environmentId, signingKeyId, createdOn and createdBy"),
    privateKeys: assume("A-054 S3", "no answer about signing keys has a private part"),
    // Subtitles of a content
    subtitle: assume("A-055 L5", "a Ready content takes a subtitle"),
    subtitleAgain: assume("A-056 L5", "a second subtitle of a language takes the place of the first"),
    subtitleBeforeReady: assume("A-057", "a content that is not Ready takes a subtitle too", { subtitleBeforeReady: ["accepted", 400, 404, 409, 422] }),
    subtitleList: assume("A-058", "the list of a content's subtitles shows it", { subtitleList: ["shown", "empty", 404] }),
    // The thumbnail and clips of a content
    setThumbnail: assume("A-059 L5", "a Ready content takes a thumbnail"),
    clip: assume("A-060 S1", "a Ready content takes a clip, which has a contentId of its own"),
    clipMarker: assume("A-061 S1 S2 S9", "a clip keeps its metadata, the ownership marker included"),
    clipListed: assume("A-062 S1", "a clip is in the list of contents"),
} as const;

export type AssumptionName = keyof typeof assumptions;

const report = 'Report it with this file, by the project\'s issue template "Contract".';
const withoutMarker =
    "Without the marker a create whose answer was lost cannot be found again. Do not use the package with this account.";
const replaceSubtitles =
    'Set the resource option replaceOnChanges: ["subtitle"]: then a changed subtitle creates a new content.';

/** The user's first step, before the report. */
const firstSteps: { readonly [name in AssumptionName]?: string } = {
    date: "Sync this machine's clock with a time server.",
    marker: withoutMarker,
    livestreamMarker: withoutMarker,
    clipMarker: withoutMarker,
    visible: "Up to 30 s are accepted.",
    listed: "Up to 10 s are accepted.",
    ready: "Check the source: an MP4, MOV or M4V file that the service can reach. Try a longer --timeout.",
    subtitle: replaceSubtitles,
    subtitleAgain: replaceSubtitles,
};

/** Advice for an assumption that does not hold. */
export function adviceOn(name: AssumptionName): string {
    if (assumptions[name].endangers.length === 0) return "Nothing to do: the package accepts this form too.";
    return [firstSteps[name], report].filter((text) => text !== undefined).join(" ");
}
