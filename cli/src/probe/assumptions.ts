/**
 * This package's assumptions about the service, according to its documentation, as one table. Each row has the number that
 * docs/internals/contract.md uses, the promises (docs/internals/promises.md) that it endangers if it does not hold, the
 * emulator's switch with the forms that are known, the request that shows it, and the form that the answer has.
 */
import { isObject } from "#provider/api/json";
import { isFinal, isReady } from "#provider/wait/status";
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

/** Switches of the emulator, by name: with them it behaves as the service did. */
export type Variants = Readonly<Record<string, unknown>>;

/** Switches for a form that no list of known ones has. */
interface UnknownForm {
    readonly form: true | string;
    readonly variants: Variants;
}

type Form = string | number | boolean | UnknownForm | undefined;

/**
 * @param key - the number, then the promises that it endangers: none if both forms are accepted
 * @param known - the forms by the emulator's switch, the assumed one first; without known forms `true` is assumed
 * @param request - its name in the script
 * @param form - the form that the answer has: one of the known ones, or whether the assumption holds; another one in words, never
 * with a value that may be a secret; `undefined` if the answer does not show it
 */
function assume(
    key: string,
    expects: string,
    known: Readonly<Record<string, readonly unknown[]>>,
    request: string,
    form: (answer: Answer, seen: Seen) => Form,
) {
    const [id = "", ...endangers] = key.split(" ");
    const [[variant, forms] = [undefined, [true]]]: [string | undefined, readonly unknown[]][] = Object.entries(known);
    return { id, expects, endangers, variant, forms, request, form };
}

export type Assumption = ReturnType<typeof assume>;

// biome-ignore format: a table
export const assumptions = {
    // Every answer
    envelope: assume("A-001 S4", "success is {status, code, message, data}", {},
        "list", ({ json }) => isEnvelope(json) || "another form"),
    unauthorized: assume("A-002", "wrong credentials are refused with HTTP 401", { unauthorizedCode: [401, 403] },
        "stranger", ({ status }) => status),
    notFound: assume("A-004 S1 S2 L6 L7", "an unknown id is answered with HTTP 404", {},
        "unknownLivestream", ({ status }, { unknownContent }) => status === 404 && unknownContent?.status === 404 || `HTTP ${unknownContent?.status}, HTTP ${status}`),
    invalid: assume("A-006", "an invalid request is refused with HTTP 400", { invalidCode: [400, 422] },
        "invalid", ({ status }) => status),
    errorBody: assume("A-007", "refusals have the envelope", { errorBody: ["envelope", "json", "html", "empty"] },
        "invalid", (answer) => answer.ok ? undefined : bodyForm(answer)),
    date: assume("A-008 S1", "answers have a Date header within a minute of this machine's clock", {},
        "list", ({ time, now }) => time === undefined ? { form: "no Date header", variants: { dateSkewMs: null } } : clockAhead(time - now, 60_000, "dateSkewMs")),
    rateLimit: assume("A-009", "no headers announce a rate limit", {},
        "list", ({ headers }) => missingFields(Object.keys(headers).filter((name) => /rate-?limit|^retry-after$/i.test(name)))),
    // Creating a content
    createCode: assume("A-010", "a create is answered with HTTP 201", { createCode: [201, 200] },
        "create", ({ status, ok }) => ok ? status : undefined),
    createData: assume("A-011", "the answer to a create is the whole object", { createData: ["object", "terse"] },
        "create", ({ ok, data, id }) => !ok ? undefined : id === undefined ? "without a contentId" : "title" in data && "metadata" in data ? "object" : "terse"),
    idShape: assume("A-012", "ids are UUIDs", { idShape: ["uuid", "opaque", "numeric", "number", "sequential"] },
        "create", ({ id }) => idShape(id)),
    policyKey: assume("A-013", "the playback policy is called playback_policy", { policyKey: ["playback_policy", "playbackPolicy"] },
        "first", ({ data }) => keyIn(data, "playback_policy", "playbackPolicy")),
    contentCreatedKey: assume("A-014", "a content's creation time is called created_at", { contentCreatedKey: ["created_at", "createdOn"] },
        "first", ({ data }) => keyIn(data, "created_at", "createdOn")),
    createdTime: assume("A-015 S1", "creation times are milliseconds since 1970 by the service's clock", {},
        "first", ({ data, time }) => createdTime(data.created_at ?? data.createdOn, time)),
    title: assume("A-016", "titles are kept as they are", { titles: ["kept", "trimmed", "collapsed"] },
        "first", ({ data: { title } }) => /probe {2}\w+ $/.test(String(title)) ? "kept" : /probe {2}\w+$/.test(String(title)) ? "trimmed" : "collapsed"),
    marker: assume("A-017 S1 S2 S9", "metadata is kept as it is, the ownership marker included", {},
        "first", keepsMetadata),
    collections: assume("A-018", "tags keep their order", { collections: ["kept", "sorted", "reversed"] },
        "first", ({ data: { tags } }) => ({ "b,a,c": "kept", "a,b,c": "sorted", "c,a,b": "reversed" })[String(tags)] ?? "another order"),
    emptyFields: assume("A-019", "a field that is not set is shown empty", { emptyFields: ["present", "omitted", "null"] },
        "first", ({ data: { description } }) => description === undefined ? "omitted" : description === null ? "null" : "present"),
    visible: assume("A-020 S1", "a new content can be read at once", {},
        "first", (answer) => atOnce(answer, "visibleAfterMs")),
    sourceHidden: assume("A-021 S3", "the source URL is not shown", {},
        "first", ({ data }) => missingFields(["content", "source", "sourceUrl"].filter((key) => key in data))),
    // Lists of contents
    listed: assume("A-022 S1", "a new content is in the list at once", {},
        "listed", (answer, { create }) => isFull(answer) && !itemOf(answer, create?.id) ? undefined : atOnce(answer, "listedAfterMs")),
    listMetadata: assume("A-023", "list items have no metadata", { listMetadata: [false, true] },
        "listedAgain", (answer, { create }) => hasKey(itemOf(answer, create?.id), "metadata")),
    listTags: assume("A-024", "list items have no tags", { listTags: [false, true] },
        "listedAgain", (answer, { create }) => hasKey(itemOf(answer, create?.id), "tags")),
    listOrder: assume("A-026", "lists are ordered, newest first", { listOrder: ["newest", "oldest", "unstable", "random"] },
        "listedAgain", ({ items }, { listed }) => items.length < 2 ? undefined : orderOf(listed?.items ?? [], items)),
    paging: assume("A-027 S1", "start and limit select a page", {},
        "pageOfOne", ({ items }) => items.length === 1 || `limit=1 gave ${items.length}`),
    pastEnd: assume("A-028", "a page after the last one is empty", { pastEnd: ["empty", 400, 404, 413, 416, 422] },
        "pastEnd", ({ ok, status }) => ok ? "empty" : status),
    // Waiting
    statuses: assume("A-030", "the statuses on the way to Ready are among Pending, Preparing and Processing", {},
        "last", ({ statuses }, { create, first }) => statusesOnTheWay([statusOf(create?.data ?? {}), ...(first?.statuses ?? []), ...statuses])),
    ready: assume("A-031 L1", "a content becomes Ready", {},
        "last", ({ data }) => isReady(statusOf(data)) || `the last status was ${statusOf(data) ?? "none"} (an MP4, MOV or M4V file that the service can reach?)`),
    readyFields: assume("A-032 L1", "a Ready content has playbackUrl, duration in ms and resolution", {},
        "last", ({ data }) => isReady(statusOf(data)) ? missingFields(["playbackUrl", "duration", "resolution"].filter((key) => (data[key] ?? null) === null)) : undefined),
    thumbnails: assume("A-033", "a Ready content has thumbnailUrl", { thumbnails: ["thumbnailUrl", "thumbnails", "none"] },
        "last", ({ data }) => isReady(statusOf(data)) ? thumbnailKey(data) : undefined),
    // Changing and deleting a content
    put: assume("A-035", "PUT leaves alone what it does not name", { put: ["partial", "replace"] },
        "afterBarePut", (answer) => answer.data.description && keepsMetadata(answer) === true ? "partial" : "replace"),
    putData: assume("A-036", "the answer to PUT has the object", { putData: [true, false] },
        "put", ({ ok, status, id }) => ok ? id !== undefined : `refused with HTTP ${status}`),
    putMarker: assume("A-037 S1 S2", "the ownership marker survives a PUT that sends it", {},
        "afterPut", keepsMetadata),
    deleteBody: assume("A-038", "DELETE is answered with the envelope", { deleteBody: ["envelope", "ok", "success", "failure", "empty"] },
        "deletion", (answer) => deleteForm(answer)),
    deleteData: assume("A-039", "that answer does not have the content", { deleteData: [false, true] },
        "deletion", ({ id }) => id !== undefined),
    deleted: assume("A-040 L7 S1", "a deleted content is 404 at once", {},
        "gone", (answer) => atOnce(answer, "deletedShownMs")),
    deletedTwice: assume("A-041 L7", "a second DELETE is answered with 404", {},
        "secondDeletion", (answer) => isMissing(answer) || `HTTP ${answer.status}`),
    // Livestreams
    livestreamCreate: assume("A-042 S1", "a livestream is created with HTTP 201 or 200 and has an id", {},
        "livestreamCreate", ({ status, id }) => [200, 201].includes(status) && id !== undefined || `HTTP ${status}`),
    streamKey: assume("A-044", "a livestream has a streamKey, as text", {},
        "livestream", ({ data: { streamKey } }) => isText(streamKey)),
    ingestKey: assume("A-045", "the ingest URL is called rtmpUrl", { ingestKey: ["rtmpUrl", "ingestUrl", "both"] },
        "livestream", ({ data }) => "rtmpUrl" in data && "ingestUrl" in data ? "both" : keyIn(data, "rtmpUrl", "ingestUrl")),
    rtmpsUrl: assume("A-046", "rtmpsUrl is set", { rtmpsUrl: ["url", "empty"] },
        "livestream", ({ data: { rtmpsUrl } }) => rtmpsUrl ? "url" : "empty"),
    livestreamCreatedKey: assume("A-047", "a livestream's creation time is called createdOn", { livestreamCreatedKey: ["createdOn", "created_at"] },
        "livestream", ({ data }) => keyIn(data, "createdOn", "created_at")),
    livestreamMarker: assume("A-048 S1 S2 S9", "a livestream keeps its metadata, the ownership marker included", {},
        "livestream", keepsMetadata),
    livestreamLists: assume("A-049 S1", "a livestream is in the list of its record value, and not in the other", {},
        "otherList", (other, { ownList, livestream }) => ownList?.holds !== true ? "not in its own list" : !itemOf(other, livestream?.id) || "in both"),
    livestreamPaging: assume("A-050", "the list of livestreams ignores start", { livestreamPaging: [false, true] },
        "listFrom1", ({ items }, { ownList }) => ownList?.items.length === 0 ? undefined : items.length + 1 === ownList?.items.length),
    livestreamDelete: assume("A-051 L7", "DELETE of a livestream answers with status Deleting", {},
        "livestreamDeletion", ({ ok, status, data }) => ok && statusOf(data) === "Deleting" || `HTTP ${status}, status ${statusOf(data) ?? "none"}`),
    whileDeleting: assume("A-052 L7", "a deleted livestream shows Deleting, then 404", { whileDeleting: ["Deleting", "notFound"] },
        "livestreamGone", ({ statuses: [first = "notFound"], holds: isGone, afterMs }) => isGone ? first : `still there after ${afterMs} ms`),
    // Signing keys
    privateKeys: assume("A-054 S3", "no answer about signing keys has a private part", {},
        "keys", ({ items }) => items.length === 0 ? undefined : missingFields(items.flatMap(Object.keys).filter((name) => /private|secret/i.test(name)))),
    // Subtitles of a content
    subtitle: assume("A-055 L5", "a Ready content takes a subtitle", {},
        "subtitleAgain", acceptedForm),
    subtitleAgain: assume("A-056 L5", "a second subtitle of a language takes the place of the first", {},
        "subtitles", ({ items }) => items.length === 0 ? undefined : items.length === 1 || `${items.length} in the list`),
    subtitleBeforeReady: assume("A-057", "a content that is not Ready takes a subtitle too", { subtitleBeforeReady: ["accepted", 400, 404, 409, 422] },
        "subtitleBeforeReady", ({ ok, status }) => ok ? "accepted" : status),
    subtitleList: assume("A-058", "the list of a content's subtitles shows it", { subtitleList: ["shown", "empty", 404] },
        "subtitles", ({ status, items }) => status === 404 ? 404 : items.length > 0 ? "shown" : "empty"),
    // The thumbnail and clips of a content
    setThumbnail: assume("A-059 L5", "a Ready content takes a thumbnail", {},
        "thumbnail", acceptedForm),
    clip: assume("A-060 S1", "a Ready content takes a clip, which has a contentId of its own", {},
        "clip", ({ ok, status, id }) => ok && id !== undefined || `HTTP ${status}`),
    clipMarker: assume("A-061 S1 S2 S9", "a clip keeps its metadata, the ownership marker included", {},
        "clipRead", keepsMetadata),
    clipListed: assume("A-062 S1", "a clip is in the list of contents", {},
        "clipListed", (answer, { clip }) => itemOf(answer, clip?.id) ? true : isFull(answer) ? undefined : `not within ${answer.afterMs} ms`),
} as const;

export type AssumptionName = keyof typeof assumptions;

function isEnvelope(json: unknown): boolean {
    return isObject(json) && json.status === "Success" && typeof json.code === "number" && "message" in json;
}

function acceptedForm({ ok, status }: Answer): Form {
    return ok || `HTTP ${status}`;
}

/** The probe's own entry, in either form. */
function keepsMetadata({ data: { metadata } }: Answer): Form {
    const own = /"videograph_probe"(,"value")?:"[0-9a-f]{12}"/;
    return own.test(JSON.stringify(metadata ?? null)) || "changed or missing";
}

/** There are none of these. */
function missingFields(names: readonly string[]): Form {
    return names.length === 0 || names.join(", ");
}

function keyIn(object: JsonObject, ...keys: string[]): Form {
    return keys.find((key) => key in object) ?? "neither key";
}

/** An effect that should be immediate. */
function atOnce({ holds, afterMs }: Answer, variant: string): Form {
    if (afterMs === 0) return true;
    return { form: `${holds ? "after" : "not within"} ${afterMs} ms`, variants: { [variant]: afterMs } };
}

/** A time that should be the service's own. The switch has whole minutes: this leaves out the clock of this machine and the travel time. */
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
    const times = first.map((item) => Number(item.created_at ?? item.createdOn));
    const sorted = times.toSorted((x, y) => x - y).join();
    return times.toReversed().join() === sorted ? "newest" : times.join() === sorted ? "oldest" : "random";
}

function statusesOnTheWay(all: readonly (string | undefined)[]): Form {
    const way = [...new Set(all)].filter((status) => status !== undefined && !isFinal(status)) as string[];
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
