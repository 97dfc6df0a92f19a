/**
 * This package's assumptions about the service, according to its documentation, as one table. Each row has the number that
 * docs/internals/contract.md uses, the promises (docs/internals/promises.md) that it endangers if it does not hold, the
 * emulator's switch with the forms that are known, the request that shows it, and the form that the answer has.
 */
import { isObject } from "#provider/api/json";
import { isFinal, isReady } from "#provider/api/status";
import {
    type Answer,
    bodyForm,
    idIn,
    isFull,
    isMissing,
    itemOf,
    type JsonObject,
    type Seen,
    statusOf,
} from "./service";

/** Switches of the emulator, by name: with them the emulator behaves as the service did. */
export type Variants = Readonly<Record<string, unknown>>;

/** A form that is not among the known ones, with its switches. */
interface UnknownForm {
    readonly form: true | string;
    readonly variants: Variants;
}

type Form = string | number | boolean | UnknownForm | undefined;

export interface Assumption {
    /** The number of the assumption in docs/internals/contract.md. */
    readonly id: string;
    /** The promises that a wrong assumption endangers: none if every known form is accepted. */
    readonly endangers: readonly string[];
    readonly expects: string;
    /** The emulator's switch, and the known forms, the assumed one first; without them `true` is assumed. */
    readonly variant?: string;
    readonly forms?: readonly unknown[];
    /** The name of the request in the script. */
    readonly request: string;
    /**
     * The form that the answer has: a known form, or whether the assumption holds; any other form in words, never with a value that
     * may be a secret; `undefined` if the answer does not show the form.
     */
    form(answer: Answer, seen: Seen): Form;
}

// biome-ignore format: a table
export const assumptions = {
    // Every answer
    envelope: { id: "A-001", endangers: ["S4"], expects: "success is {status, code, message, data}",
        request: "list", form: ({ json }) => isEnvelope(json) || "another form" },
    unauthorized: { id: "A-002", endangers: [], expects: "wrong credentials are refused with HTTP 401", variant: "unauthorizedCode", forms: [401, 403],
        request: "stranger", form: ({ status }) => status },
    notFound: { id: "A-004", endangers: ["S1", "S2", "L6", "L7"], expects: "an unknown id is answered with HTTP 404",
        request: "unknownLivestream", form: ({ status }, { unknownContent }) => status === 404 && unknownContent?.status === 404 || `HTTP ${unknownContent?.status}, HTTP ${status}` },
    invalid: { id: "A-006", endangers: [], expects: "an invalid request is refused with HTTP 400", variant: "invalidCode", forms: [400, 422],
        request: "invalid", form: ({ status }) => status },
    errorBody: { id: "A-007", endangers: [], expects: "refusals have the envelope", variant: "errorBody", forms: ["envelope", "json", "html", "empty"],
        request: "invalid", form: (answer) => answer.ok ? undefined : bodyForm(answer) },
    date: { id: "A-008", endangers: ["S1"], expects: "answers have a Date header within a minute of this machine's clock",
        request: "list", form: dateForm },
    rateLimit: { id: "A-009", endangers: [], expects: "no headers announce a rate limit",
        request: "list", form: ({ headers }) => noneOf(Object.keys(headers).filter((name) => /rate-?limit|^retry-after$/i.test(name))) },
    // Creating a content
    createCode: { id: "A-010", endangers: [], expects: "a create is answered with HTTP 201", variant: "createCode", forms: [201, 200],
        request: "create", form: ({ status, ok }) => ok ? status : undefined },
    createData: { id: "A-011", endangers: [], expects: "the answer to a create is the whole object", variant: "createData", forms: ["object", "terse"],
        request: "create", form: createDataForm },
    idShape: { id: "A-012", endangers: [], expects: "ids are UUIDs", variant: "idShape", forms: ["uuid", "opaque", "numeric", "number", "sequential"],
        request: "create", form: ({ id }) => idShape(id) },
    policyKey: { id: "A-013", endangers: [], expects: "the playback policy is called playback_policy", variant: "policyKey", forms: ["playback_policy", "playbackPolicy"],
        request: "first", form: ({ data }) => keyIn(data, "playback_policy", "playbackPolicy") },
    contentCreatedKey: { id: "A-014", endangers: [], expects: "a content's creation time is called created_at", variant: "contentCreatedKey", forms: ["created_at", "createdOn"],
        request: "first", form: ({ data }) => keyIn(data, "created_at", "createdOn") },
    createdTime: { id: "A-015", endangers: ["S1"], expects: "creation times are milliseconds since 1970 by the service's clock",
        request: "first", form: ({ data, time }) => createdTime(data.created_at ?? data.createdOn, time) },
    title: { id: "A-016", endangers: [], expects: "titles are kept as they are", variant: "titles", forms: ["kept", "trimmed", "collapsed"],
        request: "first", form: titleForm },
    marker: { id: "A-017", endangers: ["S1", "S2", "S9"], expects: "metadata is kept as it is, the ownership marker included",
        request: "first", form: keepsMetadata },
    collections: { id: "A-018", endangers: [], expects: "tags keep their order", variant: "collections", forms: ["kept", "sorted", "reversed"],
        request: "first", form: ({ data: { tags } }) => ({ '["b","a","c"]': "kept", '["a","b","c"]': "sorted", '["c","a","b"]': "reversed" })[JSON.stringify(tags)] ?? "another order" },
    emptyFields: { id: "A-019", endangers: [], expects: "a field that is not set is shown empty", variant: "emptyFields", forms: ["present", "omitted", "null"],
        request: "first", form: ({ data: { description } }) => description === undefined ? "omitted" : description === null ? "null" : "present" },
    visible: { id: "A-020", endangers: ["S1"], expects: "a new content can be read at once",
        request: "first", form: (answer) => atOnce(answer, "visibleAfterMs") },
    sourceHidden: { id: "A-021", endangers: ["S3"], expects: "the source URL is not shown",
        request: "first", form: ({ data }) => noneOf(["content", "source", "sourceUrl"].filter((key) => key in data)) },
    // Lists of contents
    listed: { id: "A-022", endangers: ["S1"], expects: "a new content is in the list at once",
        request: "listed", form: (answer, { create }) => isFull(answer) && !itemOf(answer, create?.id) ? undefined : atOnce(answer, "listedAfterMs") },
    listMetadata: { id: "A-023", endangers: [], expects: "list items have no metadata", variant: "listMetadata", forms: [false, true],
        request: "listedAgain", form: (answer, { create }) => hasKey(itemOf(answer, create?.id), "metadata") },
    listTags: { id: "A-024", endangers: [], expects: "list items have no tags", variant: "listTags", forms: [false, true],
        request: "listedAgain", form: (answer, { create }) => hasKey(itemOf(answer, create?.id), "tags") },
    listOrder: { id: "A-026", endangers: [], expects: "lists are ordered, newest first", variant: "listOrder", forms: ["newest", "oldest", "unstable", "random"],
        request: "listedAgain", form: ({ items }, { listed }) => items.length < 2 ? undefined : orderOf(listed?.items ?? [], items) },
    paging: { id: "A-027", endangers: ["S1"], expects: "start and limit select a page",
        request: "pageOfOne", form: ({ items }) => items.length === 1 || `limit=1 gave ${items.length}` },
    pastEnd: { id: "A-028", endangers: [], expects: "a page after the last one is empty", variant: "pastEnd", forms: ["empty", 400, 404, 413, 416, 422],
        request: "pastEnd", form: ({ ok, status }) => ok ? "empty" : status },
    // Waiting
    statuses: { id: "A-030", endangers: [], expects: "the statuses on the way to Ready are among Pending, Preparing and Processing",
        request: "last", form: ({ statuses }, { create, first }) => statusesOnTheWay([statusOf(create?.data ?? {}), ...(first?.statuses ?? []), ...statuses]) },
    ready: { id: "A-031", endangers: ["L1"], expects: "a content becomes Ready",
        request: "last", form: ({ data }) => isReady(statusOf(data)) || `the last status was ${statusOf(data) ?? "none"} (an MP4, MOV or M4V file that the service can reach?)` },
    readyFields: { id: "A-032", endangers: ["L1"], expects: "a Ready content has playbackUrl, duration in ms and resolution",
        request: "last", form: ({ data }) => isReady(statusOf(data)) ? noneOf(["playbackUrl", "duration", "resolution"].filter((key) => (data[key] ?? null) === null)) : undefined },
    thumbnails: { id: "A-033", endangers: [], expects: "a Ready content has thumbnailUrl", variant: "thumbnails", forms: ["thumbnailUrl", "thumbnails", "none"],
        request: "last", form: ({ data }) => isReady(statusOf(data)) ? thumbnailKey(data) : undefined },
    // Changing and deleting a content
    put: { id: "A-035", endangers: [], expects: "PUT leaves alone what it does not name", variant: "put", forms: ["partial", "replace"],
        request: "afterBarePut", form: (answer) => answer.data.description && keepsMetadata(answer) === true ? "partial" : "replace" },
    putData: { id: "A-036", endangers: [], expects: "the answer to PUT has the object", variant: "putData", forms: [true, false],
        request: "put", form: ({ ok, status, id }) => ok ? id !== undefined : `refused with HTTP ${status}` },
    putMarker: { id: "A-037", endangers: ["S1", "S2"], expects: "the ownership marker survives a PUT that sends it",
        request: "afterPut", form: keepsMetadata },
    deleteBody: { id: "A-038", endangers: [], expects: "DELETE is answered with the envelope", variant: "deleteBody", forms: ["envelope", "ok", "success", "failure", "empty"],
        request: "deletion", form: (answer) => deleteForm(answer) },
    deleteData: { id: "A-039", endangers: [], expects: "that answer does not have the content", variant: "deleteData", forms: [false, true],
        request: "deletion", form: ({ id }) => id !== undefined },
    deleted: { id: "A-040", endangers: ["L7", "S1"], expects: "a deleted content is 404 at once",
        request: "gone", form: (answer) => atOnce(answer, "deletedShownMs") },
    deletedTwice: { id: "A-041", endangers: ["L7"], expects: "a second DELETE is answered with 404",
        request: "secondDeletion", form: (answer) => isMissing(answer) || `HTTP ${answer.status}` },
    // Livestreams
    livestreamCreate: { id: "A-042", endangers: ["S1"], expects: "a livestream is created with HTTP 201 or 200 and has an id",
        request: "livestreamCreate", form: ({ status, id }) => [200, 201].includes(status) && id !== undefined || `HTTP ${status}` },
    streamKey: { id: "A-044", endangers: [], expects: "a livestream has a streamKey, as text",
        request: "livestream", form: ({ data: { streamKey } }) => isText(streamKey) },
    ingestKey: { id: "A-045", endangers: [], expects: "the ingest URL is called rtmpUrl", variant: "ingestKey", forms: ["rtmpUrl", "ingestUrl", "both"],
        request: "livestream", form: ({ data }) => "rtmpUrl" in data && "ingestUrl" in data ? "both" : keyIn(data, "rtmpUrl", "ingestUrl") },
    rtmpsUrl: { id: "A-046", endangers: [], expects: "rtmpsUrl is set", variant: "rtmpsUrl", forms: ["url", "empty"],
        request: "livestream", form: ({ data: { rtmpsUrl } }) => rtmpsUrl ? "url" : "empty" },
    livestreamCreatedKey: { id: "A-047", endangers: [], expects: "a livestream's creation time is called createdOn", variant: "livestreamCreatedKey", forms: ["createdOn", "created_at"],
        request: "livestream", form: ({ data }) => keyIn(data, "createdOn", "created_at") },
    livestreamMarker: { id: "A-048", endangers: ["S1", "S2", "S9"], expects: "a livestream keeps its metadata, the ownership marker included",
        request: "livestream", form: keepsMetadata },
    livestreamLists: { id: "A-049", endangers: ["S1"], expects: "a livestream is in the list of its record value, and not in the other",
        request: "otherList", form: (other, { ownList, livestream }) => ownList?.holds !== true ? "not in its own list" : !itemOf(other, livestream?.id) || "in both" },
    livestreamPaging: { id: "A-050", endangers: [], expects: "the list of livestreams ignores start", variant: "livestreamPaging", forms: [false, true],
        request: "listFrom1", form: ({ items }, { ownList }) => ownList?.items.length === 0 ? undefined : items.length + 1 === ownList?.items.length },
    livestreamDelete: { id: "A-051", endangers: ["L7"], expects: "DELETE of a livestream answers with status Deleting",
        request: "livestreamDeletion", form: ({ ok, status, data }) => ok && statusOf(data) === "Deleting" || `HTTP ${status}, status ${statusOf(data) ?? "none"}` },
    whileDeleting: { id: "A-052", endangers: ["L7"], expects: "a deleted livestream shows Deleting, then 404", variant: "whileDeleting", forms: ["Deleting", "notFound"],
        request: "livestreamGone", form: ({ statuses: [first = "notFound"], holds: isGone, afterMs }) => isGone ? first : `still there after ${afterMs} ms` },
    // Signing keys
    privateKeys: { id: "A-054", endangers: ["S3"], expects: "no answer about signing keys has a private part",
        request: "keys", form: ({ items }) => items.length === 0 ? undefined : noneOf(items.flatMap(Object.keys).filter((name) => /private|secret/i.test(name))) },
    // Subtitles of a content
    subtitle: { id: "A-055", endangers: ["L5"], expects: "a Ready content takes a subtitle",
        request: "subtitleAgain", form: acceptedForm },
    subtitleAgain: { id: "A-056", endangers: ["L5"], expects: "a second subtitle of a language takes the place of the first",
        request: "subtitles", form: ({ items }) => items.length === 0 ? undefined : items.length === 1 || `${items.length} in the list` },
    subtitleBeforeReady: { id: "A-057", endangers: [], expects: "a content that is not Ready takes a subtitle too", variant: "subtitleBeforeReady", forms: ["accepted", 400, 404, 409, 422],
        request: "subtitleBeforeReady", form: ({ ok, status }) => ok ? "accepted" : status },
    subtitleList: { id: "A-058", endangers: [], expects: "the list of a content's subtitles shows it", variant: "subtitleList", forms: ["shown", "empty", 404],
        request: "subtitles", form: ({ status, items }) => status === 404 ? 404 : items.length > 0 ? "shown" : "empty" },
    // The thumbnail and clips of a content
    setThumbnail: { id: "A-059", endangers: ["L5"], expects: "a Ready content takes a thumbnail",
        request: "thumbnail", form: acceptedForm },
    clip: { id: "A-060", endangers: ["S1"], expects: "a Ready content takes a clip, which has a contentId of its own",
        request: "clip", form: ({ ok, status, id }) => ok && id !== undefined || `HTTP ${status}` },
    clipMarker: { id: "A-061", endangers: ["S1", "S2", "S9"], expects: "a clip keeps its metadata, the ownership marker included",
        request: "clipRead", form: keepsMetadata },
    clipListed: { id: "A-062", endangers: ["S1"], expects: "a clip is in the list of contents",
        request: "clipListed", form: (answer, { clip }) => itemOf(answer, clip?.id) ? true : isFull(answer) ? undefined : `not within ${answer.afterMs} ms` },
} satisfies Record<string, Assumption>;

export type AssumptionName = keyof typeof assumptions;

function isEnvelope(json: unknown): boolean {
    return isObject(json) && json.status === "Success" && typeof json.code === "number" && "message" in json;
}

function dateForm({ time, now }: Answer): Form {
    if (time === undefined) return { form: "no Date header", variants: { dateSkewMs: null } };
    return clockAhead(time - now, 60_000, "dateSkewMs");
}

function createDataForm({ ok, data, id }: Answer): Form {
    if (!ok) return undefined;
    if (id === undefined) return "without a contentId";
    return "title" in data && "metadata" in data ? "object" : "terse";
}

function titleForm({ data: { title } }: Answer): Form {
    if (typeof title !== "string") return "no text";
    if (/probe {2}\w+ $/.test(title)) return "kept";
    return /probe {2}\w+$/.test(title) ? "trimmed" : "collapsed";
}

function acceptedForm({ ok, status }: Answer): Form {
    return ok || `HTTP ${status}`;
}

/** Whether the answer shows the probe's own entry, in either form. */
function keepsMetadata({ data: { metadata } }: Answer): Form {
    const own = /"videograph_probe"(,"value")?:"[0-9a-f]{12}"/;
    return own.test(JSON.stringify(metadata ?? null)) || "changed or missing";
}

/** The form of an answer in which none of these fields should be. */
function noneOf(names: readonly string[]): Form {
    return names.length === 0 || names.join(", ");
}

function keyIn(object: JsonObject, ...keys: string[]): Form {
    return keys.find((key) => key in object) ?? "neither key";
}

/** The form of an effect that a client may expect at once: how late it came, if it was late. */
function atOnce({ holds, afterMs }: Answer, variant: string): Form {
    if (afterMs === 0) return true;
    return { form: `${holds ? "after" : "not within"} ${afterMs} ms`, variants: { [variant]: afterMs } };
}

/** By how much a time of the service is ahead of this clock, in whole minutes: less may be the error of this clock, or the way of the answer. */
function clockAhead(aheadMs: number, toleratedMs: number, variant: string): Form {
    if (Math.abs(aheadMs) <= toleratedMs) return true;
    return {
        form: `${Math.round(aheadMs / 1000)} s ahead`,
        variants: { [variant]: Math.round(aheadMs / 60_000) * 60_000 },
    };
}

function idShape(id: string | number | undefined): Form {
    if (id === undefined) return undefined;
    if (typeof id === "number") return "number";
    if (/^\d{1,4}$/.test(id)) return "sequential";
    if (/^\d+$/.test(id)) return "numeric";
    return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id) ? "uuid" : "opaque";
}

function createdTime(createdAt: unknown, time: number | undefined): Form {
    if (typeof createdAt !== "number" || time === undefined) return "no time, or no clock to compare it with";
    if (Math.abs(createdAt - time) > 24 * 3_600_000) return "another unit, or another day";
    return clockAhead(createdAt - time, 120_000, "createdSkewMs");
}

function hasKey(object: JsonObject | undefined, key: string): Form {
    return object && key in object;
}

function thumbnailKey(object: JsonObject): string {
    return ["thumbnailUrl", "thumbnails"].find((key) => object[key]) ?? "none";
}

function orderOf(first: readonly JsonObject[], again: readonly JsonObject[]): Form {
    const [a, b] = [first, again].map((items) => items.map(idIn).join());
    if (a !== b) return `${a},${a}`.includes(String(b)) ? "unstable" : "random";
    const times = first.map((item) => item.created_at ?? item.createdOn).filter((time) => typeof time === "number");
    const sorted = times.toSorted((x, y) => x - y).join();
    return times.toReversed().join() === sorted ? "newest" : times.join() === sorted ? "oldest" : "random";
}

function statusesOnTheWay(all: readonly (string | undefined)[]): Form {
    const way = [...new Set(all)].flatMap((status) => (status === undefined || isFinal(status) ? [] : [status]));
    const isNamed = way.every((status) => ["Pending", "Preparing", "Processing"].includes(status));
    const isUsual = ["", "Preparing"].includes(way.join());
    return { form: isNamed || way.join(", "), variants: isUsual ? {} : { pendingStatuses: way } };
}

function isText(value: unknown): Form {
    const type = value === null ? "null" : value === undefined ? "absent" : typeof value;
    return type === "string" || { form: type, variants: { fields: { streamKey: type } } };
}

function deleteForm(answer: Answer): Form {
    const { json } = answer;
    if (!isObject(json)) return bodyForm(answer);
    if (typeof json.success === "boolean") return json.success ? "success" : "failure";
    return json.status === "Success" ? "envelope" : "ok";
}
