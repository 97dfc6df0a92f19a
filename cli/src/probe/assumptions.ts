/**
 * What this package assumes about the service, according to its documentation. Each assumption has the number that
 * docs/internals/contract.md uses and the promises that depend on it. `predicates.ts` checks it.
 */

export interface Assumption {
    readonly id: string;
    readonly expects: string;
    /** The promises (docs/internals/promises.md) that it endangers where it does not hold; none where both forms are accepted. */
    readonly endangers: readonly string[];
}

const assume = (id: string, expects: string, endangers = ""): Assumption => {
    return { id, expects, endangers: endangers.split(" ").filter((promise) => promise !== "") };
};

export const assumptions = {
    // Every answer
    envelope: assume("A-001", "success is {status, code, message, data}", "S4"),
    unauthorized: assume("A-002", "wrong credentials are refused with HTTP 401"),
    challenge: assume("A-003", "that refusal has no WWW-Authenticate header"),
    notFound: assume("A-004", "an unknown id is answered with HTTP 404", "S1 S2 L6 L7"),
    notFoundBody: assume("A-005", "a 404 has the envelope, with its code"),
    invalid: assume("A-006", "an invalid request is refused with HTTP 400"),
    errorBody: assume("A-007", "refusals have the envelope"),
    date: assume("A-008", "answers have a Date header within a minute of this machine's clock", "S1"),
    rateLimit: assume("A-009", "no headers announce a rate limit"),
    // Creating a content
    createCode: assume("A-010", "a create is answered with HTTP 201"),
    createData: assume("A-011", "the answer to a create is the whole object"),
    idShape: assume("A-012", "ids are UUIDs"),
    policyKey: assume("A-013", "the playback policy is called playback_policy"),
    contentCreatedKey: assume("A-014", "a content's creation time is called created_at"),
    createdTime: assume("A-015", "creation times are milliseconds since 1970 by the service's clock", "S1"),
    title: assume("A-016", "titles are kept as they are"),
    marker: assume("A-017", "metadata is kept as it is, the ownership marker included", "S1 S2 S9"),
    collections: assume("A-018", "tags keep their order"),
    emptyFields: assume("A-019", "a field that is not set is shown empty"),
    visible: assume("A-020", "a new content can be read at once", "S1"),
    sourceHidden: assume("A-021", "the source URL is not shown", "S3"),
    // Lists of contents
    listed: assume("A-022", "a new content is in the list at once", "S1"),
    listMetadata: assume("A-023", "list items have no metadata"),
    listTags: assume("A-024", "list items have no tags"),
    itemThumbnails: assume("A-025", "list items have a thumbnailUrl before they are Ready"),
    listOrder: assume("A-026", "lists are ordered, newest first"),
    paging: assume("A-027", "start and limit select a page", "S1"),
    pastEnd: assume("A-028", "a page after the last one is empty"),
    pageMaximum: assume("A-029", "a page has at most 100 items; a larger limit is lowered"),
    // Waiting
    statuses: assume("A-030", "the statuses on the way to Ready are among Pending, Preparing and Processing"),
    ready: assume("A-031", "a content becomes Ready", "L1"),
    readyFields: assume("A-032", "a Ready content has playbackUrl, duration in ms and resolution", "L1"),
    thumbnails: assume("A-033", "a Ready content has thumbnailUrl"),
    statusId: assume("A-034", "statusId is 1 until Ready, and then absent"),
    // Changing and deleting a content
    put: assume("A-035", "PUT leaves alone what it does not name"),
    putData: assume("A-036", "the answer to PUT has the object"),
    putMarker: assume("A-037", "the ownership marker survives a PUT that sends it", "S1 S2"),
    deleteBody: assume("A-038", "DELETE is answered with the envelope"),
    deleteData: assume("A-039", "that answer does not have the content"),
    deleted: assume("A-040", "a deleted content is 404 at once", "L7 S1"),
    deletedTwice: assume("A-041", "a second DELETE is answered with 404", "L7"),
    // Livestreams
    livestreamCreate: assume("A-042", "a livestream is created with HTTP 201 or 200 and has an id", "S1"),
    livestreamStatus: assume("A-043", "a new livestream is Idle"),
    streamKey: assume("A-044", "a livestream has a streamKey, as text"),
    ingestKey: assume("A-045", "the ingest URL is called rtmpUrl"),
    rtmpsUrl: assume("A-046", "rtmpsUrl is set"),
    livestreamCreatedKey: assume("A-047", "a livestream's creation time is called createdOn"),
    livestreamMarker: assume("A-048", "a livestream keeps its metadata, the ownership marker included", "S1 S2 S9"),
    livestreamLists: assume("A-049", "a livestream is in the list of its record value, and not in the other", "S1"),
    livestreamPaging: assume("A-050", "the list of livestreams ignores start"),
    livestreamDelete: assume("A-051", "DELETE of a livestream answers with status Deleting", "L7"),
    whileDeleting: assume("A-052", "a deleted livestream shows Deleting, then 404", "L7"),
    // Signing keys
    signingKeys: assume(
        "A-053",
        "signing keys have id, productTypeId, environmentId, signingKeyId, createdOn and createdBy",
    ),
    privateKeys: assume("A-054", "no answer about signing keys has a private part", "S3"),
    // Subtitles of a content
    subtitle: assume("A-055", "a Ready content takes a subtitle", "L5"),
    subtitleAgain: assume("A-056", "a second subtitle of a language takes the place of the first", "L5"),
    subtitleBeforeReady: assume("A-057", "a content that is not Ready takes a subtitle too"),
    subtitleList: assume("A-058", "the list of a content's subtitles shows it"),
    // The thumbnail and clips of a content
    setThumbnail: assume("A-059", "a Ready content takes a thumbnail", "L5"),
    clip: assume("A-060", "a Ready content takes a clip, which has a contentId of its own", "S1"),
    clipMarker: assume("A-061", "a clip keeps its metadata, the ownership marker included", "S1 S2 S9"),
    clipListed: assume("A-062", "a clip is in the list of contents", "S1"),
} as const;

export type AssumptionName = keyof typeof assumptions;

const accepted = "Nothing to do: the package accepts this form too.";
const report = 'Report it with this file, by the project\'s issue template "Contract".';
const withoutMarker =
    "Without the marker a create whose answer was lost cannot be found again. Do not use the package with this account.";
const replaceSubtitles =
    'Set the resource option replaceOnChanges: ["subtitle"]: then a changed subtitle creates a new content.';

/** What a user can do first, where there is anything. */
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

/** What to do where the assumption does not hold. */
export function adviceOn(name: AssumptionName): string {
    if (assumptions[name].endangers.length === 0) return accepted;
    return [firstSteps[name], report].filter((text) => text !== undefined).join(" ");
}
