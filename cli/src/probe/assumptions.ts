/**
 * What this package assumes about the service, according to its documentation: one row each, with the number that
 * docs/internals/contract.md uses, the promises (docs/internals/promises.md) that it endangers where it does not hold,
 * what shows it, and the emulator's switch for what does not hold.
 */
import { isObject } from "#provider/api/json";
import { bodyForm, type Delayed, isMissing, isReady, type JsonObject, type RawAnswer, statusOf } from "./rawService";
import { hasStream, idIn, type Seen } from "./script";
import { traceIn } from "./traces";

/** Switches of the emulator, by name: with them it behaves as the service did. */
export type Variants = Readonly<Record<string, unknown>>;

export interface Judgement {
    readonly holds: boolean;
    /** What was seen, in words; never a value that may be a secret. */
    readonly seen: string;
    readonly variants?: Variants | undefined;
}

/** Why something was not shown. */
class NotShown extends Error {}

/** The first argument has what was seen: reading what was not throws. The second has it as far as it was seen. */
type Judge = (seen: Required<Seen>, partly: Seen) => Judgement;

export interface Assumption {
    readonly id: string;
    readonly expects: string;
    /** None where both forms are accepted. */
    readonly endangers: readonly string[];
    readonly judge: Judge;
}

/** `key`: the number, then the promises that it endangers. */
function assume(key: string, expects: string, judge: Judge): Assumption {
    const [id = "", ...endangers] = key.split(" ");
    return { id, expects, endangers, judge };
}

function judge(holds: boolean, seen: string, variants?: Variants): Judgement {
    return { holds, seen, ...(variants !== undefined && !holds && { variants }) };
}

/** A form among several that are known: the first is the assumed one. `variant` is the emulator's switch for it. */
function choose(variant: string, forms: readonly unknown[], form: unknown, seen = String(form)): Judgement {
    return judge(form === forms[0], seen, forms.includes(form) ? { [variant]: form } : undefined);
}

function flag(variant: string, assumed: boolean, is: boolean): Judgement {
    return choose(variant, [assumed, !assumed], is, is === assumed ? "as expected" : "the opposite");
}

/** Something that is assumed to be at once; `variant` is the emulator's switch for how late it was. */
function delay(variant: string, { holds, isLate, afterMs }: Delayed<unknown>): Judgement {
    const seen = !holds ? `not within ${afterMs} ms` : isLate ? `after ${afterMs} ms` : "at once";
    return judge(holds && !isLate, seen, isLate ? { [variant]: afterMs } : undefined);
}

function has(object: JsonObject | undefined, ...keys: string[]): Judgement {
    if (object === undefined) throw new NotShown("no signing key is shown");
    const missing = keys.filter((key) => (object[key] ?? null) === null);
    return judge(missing.length === 0, missing.length === 0 ? "it has all" : `without ${missing.join(", ")}`);
}

function near(aheadMs: number, toleratedMs: number, variant: string): Judgement {
    // To the minute: this leaves out the clock of this machine and the answer's travel time.
    const variants = { [variant]: Math.round(aheadMs / 60_000) * 60_000 };
    return judge(Math.abs(aheadMs) <= toleratedMs, `${Math.round(aheadMs / 1000)} s ahead`, variants);
}

function keyOf(variant: string, keys: readonly string[], object: JsonObject): Judgement {
    const key = keys.find((one) => one in object);
    return choose(variant, keys, key, key ?? "neither key");
}

function kept(metadata: unknown, digits: string | undefined): Judgement {
    return judge(traceIn(metadata) === digits, traceIn(metadata) === digits ? "kept" : "changed or missing");
}

const http = ({ status }: RawAnswer) => `HTTP ${status}`;

/** The answer to a create that gave an id. */
function created(answer: RawAnswer): RawAnswer {
    if (answer.ok && idIn(answer, "contentId") !== undefined) return answer;
    throw new NotShown(`the create was answered with ${http(answer)}${answer.ok ? " without a contentId" : ""}`);
}

function ready(last: JsonObject): JsonObject {
    if (isReady(statusOf(last))) return last;
    throw new NotShown("no content became Ready");
}

export const assumptions = {
    // Every answer
    envelope: assume("A-001 S4", "success is {status, code, message, data}", ({ list: { json } }) => {
        const envelope = isObject(json) ? json : {};
        const is = envelope.status === "Success" && typeof envelope.code === "number" && "message" in envelope;
        return judge(is, `keys of a list's answer: ${Object.keys(envelope).sort().join(", ")}`);
    }),
    unauthorized: assume("A-002", "wrong credentials are refused with HTTP 401", ({ stranger }) =>
        choose("unauthorizedCode", [401, 403], stranger.status, http(stranger)),
    ),
    challenge: assume("A-003", "that refusal has no WWW-Authenticate header", ({ stranger: { headers } }) =>
        flag("challenge", false, headers["www-authenticate"] !== undefined),
    ),
    notFound: assume("A-004 S1 S2 L6 L7", "an unknown id is answered with HTTP 404", ({ unknown: answers }) => {
        const holds = answers.every(({ status }) => status === 404);
        return judge(holds, answers.map(http).join(", "));
    }),
    notFoundBody: assume("A-005", "a 404 has the envelope, with its code", ({ unknown: [answer], invalid }) => {
        const form = bodyForm(answer);
        const isOwn = (form !== bodyForm(invalid) || invalid.ok) && form !== "text";
        return judge(form === "envelope", form, isOwn ? { notFoundBody: form } : undefined);
    }),
    invalid: assume("A-006", "an invalid request is refused with HTTP 400", ({ invalid }) => {
        if (invalid.ok) return judge(false, `an empty create was answered with ${http(invalid)}`);
        // A token that may only read is refused for another reason.
        if (invalid.status === 403) throw new NotShown("these credentials may not create");
        return choose("invalidCode", [400, 422], invalid.status, http(invalid));
    }),
    errorBody: assume("A-007", "refusals have the envelope", ({ invalid }) => {
        if (invalid.ok) throw new NotShown(notReached);
        return choose("errorBody", ["envelope", "json", "html", "empty"], bodyForm(invalid));
    }),
    date: assume("A-008 S1", "answers have a Date header within a minute of this machine's clock", (seen, partly) => {
        if (seen.list && partly.dateAheadMs !== undefined) return near(partly.dateAheadMs, 60_000, "dateSkewMs");
        return judge(false, "no Date header", { dateSkewMs: null });
    }),
    rateLimit: assume("A-009", "no headers announce a rate limit", ({ limitHeaders: names }) =>
        judge(names.length === 0, names.join(", ") || "none"),
    ),
    // Creating a content
    createCode: assume("A-010", "a create is answered with HTTP 201", (seen) =>
        choose("createCode", [201, 200], created(seen.created).status, http(seen.created)),
    ),
    createData: assume("A-011", "the answer to a create is the whole object", ({ created: answer }) => {
        if (answer.ok && idIn(answer, "contentId") === undefined) return judge(false, "without a contentId");
        if (answer.data === undefined || !answer.ok) throw new NotShown(notReached);
        const isWhole = "title" in answer.data && "metadata" in answer.data;
        return choose("createData", ["object", "terse"], isWhole ? "object" : "terse");
    }),
    idShape: assume("A-012", "ids are UUIDs", (seen) => {
        const shape = idShape(idIn(created(seen.created), "contentId"));
        return choose("idShape", ["uuid", "opaque", "numeric", "number", "sequential"], shape);
    }),
    policyKey: assume("A-013", "the playback policy is called playback_policy", ({ object }) =>
        keyOf("policyKey", ["playback_policy", "playbackPolicy"], object),
    ),
    contentCreatedKey: assume("A-014", "a content's creation time is called created_at", ({ object }) =>
        keyOf("contentCreatedKey", ["created_at", "createdOn"], object),
    ),
    createdTime: assume(
        "A-015 S1",
        "creation times are milliseconds since 1970 by the service's clock",
        (seen, { createdAheadMs: ahead }) => {
            if (!seen.object || ahead === undefined)
                return judge(false, "there is no time, or no clock to compare with");
            if (Math.abs(ahead) > 24 * 3_600_000) return judge(false, "another unit, or another day");
            return near(ahead, 120_000, "createdSkewMs");
        },
    ),
    title: assume("A-016", "titles are kept as they are", ({ object, title }) => {
        const forms = { kept: title, trimmed: title.trim(), collapsed: title.trim().replace(/\s+/g, " ") };
        const form = Object.entries(forms).find(([, text]) => text === object.title)?.[0];
        return choose("titles", Object.keys(forms), form, form ?? "another title");
    }),
    marker: assume("A-017 S1 S2 S9", "metadata is kept as it is, the ownership marker included", ({ object, digits }) =>
        kept(object.metadata, digits),
    ),
    collections: assume("A-018", "tags keep their order", ({ object: { tags } }) => {
        const forms: Record<string, string> = { bac: "kept", abc: "sorted", cab: "reversed" };
        const form = forms[Array.isArray(tags) ? tags.join("") : ""];
        return choose("collections", Object.values(forms), form, form ?? "another order");
    }),
    emptyFields: assume("A-019", "a field that is not set is shown empty", ({ object: { description } }) => {
        const form = description === undefined ? "omitted" : description === null ? "null" : "present";
        return choose("emptyFields", ["present", "omitted", "null"], form);
    }),
    visible: assume("A-020 S1", "a new content can be read at once", ({ shown }) => delay("visibleAfterMs", shown)),
    sourceHidden: assume("A-021 S3", "the source URL is not shown", ({ object }) => {
        const key = ["content", "source", "sourceUrl"].find((one) => one in object);
        return judge(key === undefined, key === undefined ? "it is not shown" : `it is shown as ${key}`);
    }),
    // Lists of contents
    listed: assume("A-022 S1", "a new content is in the list at once", ({ listed }) => {
        if (listed.answer === undefined) throw new NotShown("there are too many contents to read them all");
        return delay("listedAfterMs", listed);
    }),
    listMetadata: assume("A-023", "list items have no metadata", ({ item }) =>
        flag("listMetadata", false, "metadata" in item),
    ),
    listTags: assume("A-024", "list items have no tags", ({ item }) => flag("listTags", false, "tags" in item)),
    itemThumbnails: assume(
        "A-025",
        "list items have a thumbnailUrl before they are Ready",
        ({ item }, { last = {} }) => {
            if (isReady(statusOf(item))) throw new NotShown("it was Ready at once");
            if (isReady(statusOf(last)) && thumbnailKey(last) !== "thumbnailUrl") {
                throw new NotShown("a Ready content has none");
            }
            const isThere = "thumbnailUrl" in item || "thumbnails" in item;
            return choose("itemThumbnails", ["always", "ready"], isThere ? "always" : "ready");
        },
    ),
    listOrder: assume("A-026", "lists are ordered, newest first", ({ listed }, { again = [] }) => {
        const forms = ["newest", "oldest", "unstable", "random"];
        return choose("listOrder", forms, orderOf(listed.answer ?? [], again));
    }),
    paging: assume("A-027 S1", "start and limit select a page", ({ one: { items } }) =>
        judge(items?.length === 1, `limit=1 gave ${items?.length ?? "no"} item(s)`),
    ),
    pastEnd: assume("A-028", "a page after the last one is empty", ({ pastEnd: answer }) => {
        const form = answer.ok ? "empty" : answer.status;
        return choose("pastEnd", ["empty", 400, 404, 413, 416, 422], form, answer.ok ? "empty" : http(answer));
    }),
    pageMaximum: assume("A-029", "a page has at most 100 items; a larger limit is lowered", ({ large }, { listed }) => {
        if (!large.ok) return judge(false, `limit=1000 is refused with ${http(large)}`, { overMaximum: "reject" });
        const count = large.items?.length ?? 0;
        if (count === listed?.answer?.length) throw new NotShown(`there are only ${count} contents`);
        return judge(count === 100, `${count} items`, { pageMaximum: count });
    }),
    // Waiting
    statuses: assume(
        "A-030",
        "the statuses on the way to Ready are among Pending, Preparing and Processing",
        ({ statuses: all }) => {
            const way = all.filter((status) => !/^(ready|failed)$/i.test(status));
            const holds = way.every((status) => ["Pending", "Preparing", "Processing"].includes(status));
            const isUsual = way.join() === "Preparing" || way.length === 0;
            const seen = way.join(", ") || "Ready at once";
            return { holds, seen, ...(!isUsual && { variants: { pendingStatuses: way } }) };
        },
    ),
    ready: assume("A-031 L1", "a content becomes Ready", ({ last }) =>
        judge(isReady(statusOf(last)), `the last status was ${statusOf(last) ?? "none"}`),
    ),
    readyFields: assume("A-032 L1", "a Ready content has playbackUrl, duration in ms and resolution", ({ last }) =>
        has(ready(last), "playbackUrl", "duration", "resolution"),
    ),
    thumbnails: assume("A-033", "a Ready content has thumbnailUrl", ({ last }) =>
        choose("thumbnails", ["thumbnailUrl", "thumbnails", "none"], thumbnailKey(ready(last))),
    ),
    statusId: assume("A-034", "statusId is 1 until Ready, and then absent", ({ last, object }) => {
        const isLate = "statusId" in ready(last) && last.statusId !== 1;
        if (isReady(statusOf(object))) throw new NotShown("it was Ready when it was first read");
        const form = !("statusId" in object) ? "none" : isLate ? "all" : "pending";
        return choose("statusId", ["pending", "all", "none"], form);
    }),
    // Changing and deleting a content
    put: assume("A-035", "PUT leaves alone what it does not name", ({ afterTitle, digits }) => {
        const isPartial = afterTitle.description === "A probe" && traceIn(afterTitle.metadata) === digits;
        return choose("put", ["partial", "replace"], isPartial ? "partial" : "replace");
    }),
    putData: assume("A-036", "the answer to PUT has the object", ({ put }) =>
        put.ok
            ? flag("putData", true, put.data?.contentId !== undefined)
            : judge(false, `PUT was answered with ${http(put)}`),
    ),
    putMarker: assume("A-037 S1 S2", "the ownership marker survives a PUT that sends it", ({ afterPut, digits }) =>
        kept(afterPut.metadata, digits),
    ),
    deleteBody: assume("A-038", "DELETE is answered with the envelope", ({ deleted }) =>
        choose("deleteBody", ["envelope", "ok", "success", "failure", "empty"], deleteForm(deleted)),
    ),
    deleteData: assume("A-039", "that answer does not have the content", ({ deleted: { data } }) =>
        flag("deleteData", false, data?.contentId !== undefined),
    ),
    deleted: assume("A-040 L7 S1", "a deleted content is 404 at once", ({ gone }) => delay("readStaleMs", gone)),
    deletedTwice: assume("A-041 L7", "a second DELETE is answered with 404", ({ deletedAgain: answer }) =>
        judge(isMissing(answer), http(answer)),
    ),
    // Livestreams
    livestreamCreate: assume("A-042 S1", "a livestream is created with HTTP 201 or 200 and has an id", ({ stream }) => {
        const hasId = idIn(stream, "streamUUID") !== undefined;
        const holds = [200, 201].includes(stream.status) && hasId;
        return judge(holds, `${http(stream)}${hasId ? "" : " without a streamUUID"}`);
    }),
    livestreamStatus: assume("A-043", "a new livestream is Idle", ({ streamObject: object }) =>
        judge(statusOf(object) === "Idle", statusOf(object) ?? "none"),
    ),
    streamKey: assume("A-044", "a livestream has a streamKey, as text", ({ streamObject: { streamKey } }) => {
        const type = streamKey === null ? "null" : streamKey === undefined ? "absent" : typeof streamKey;
        return judge(type === "string", type, { fields: { streamKey: type } });
    }),
    ingestKey: assume("A-045", "the ingest URL is called rtmpUrl", ({ streamObject: object }) => {
        const keys = ["rtmpUrl", "ingestUrl"].filter((key) => key in object);
        return choose("ingestKey", ["rtmpUrl", "ingestUrl", "both"], keys.length === 2 ? "both" : keys[0]);
    }),
    rtmpsUrl: assume("A-046", "rtmpsUrl is set", ({ streamObject: { rtmpsUrl } }) =>
        choose("rtmpsUrl", ["url", "empty"], rtmpsUrl ? "url" : "empty"),
    ),
    livestreamCreatedKey: assume("A-047", "a livestream's creation time is called createdOn", ({ streamObject }) =>
        keyOf("livestreamCreatedKey", ["createdOn", "created_at"], streamObject),
    ),
    livestreamMarker: assume(
        "A-048 S1 S2 S9",
        "a livestream keeps its metadata, the ownership marker included",
        ({ stream }, { streamObject, streamDigits }) =>
            stream && streamObject ? kept(streamObject.metadata, streamDigits) : judge(false, "it could not be read"),
    ),
    livestreamLists: assume(
        "A-049 S1",
        "a livestream is in the list of its record value, and not in the other",
        ({ plain, stream }, { recorded = [] }) => {
            const isElsewhere = hasStream(recorded, idIn(stream, "streamUUID"));
            const where = `${plain.holds ? "in its own list" : "not in its own list"}, ${isElsewhere ? "" : "not "}in the other`;
            return judge(plain.holds && !isElsewhere, where);
        },
    ),
    livestreamPaging: assume("A-050", "the list of livestreams ignores start", ({ plain }, { fromSecond }) => {
        if (fromSecond === undefined) throw new NotShown("the list is empty");
        return flag("livestreamPaging", false, fromSecond.length === plain.answer.length - 1);
    }),
    livestreamDelete: assume("A-051 L7", "DELETE of a livestream answers with status Deleting", (seen) => {
        const { streamDeleted: answer } = seen;
        const status = statusOf(answer.data) ?? "none";
        return judge(answer.ok && status === "Deleting", `${http(answer)}, status ${status}`);
    }),
    whileDeleting: assume("A-052 L7", "a deleted livestream shows Deleting, then 404", (seen) => {
        const { streamGone, whileDeleting: form } = seen;
        if (!streamGone.holds) return judge(false, `still there after ${streamGone.afterMs} ms`);
        return choose(
            "whileDeleting",
            ["Deleting", "notFound"],
            form,
            `${form}, missing after ${streamGone.afterMs} ms`,
        );
    }),
    // Signing keys
    signingKeys: assume(
        "A-053",
        "signing keys have id, productTypeId, environmentId, signingKeyId, createdOn and createdBy",
        ({ keys: { items = [] } }) =>
            has(items[0], "createdBy", "createdOn", "environmentId", "id", "productTypeId", "signingKeyId"),
    ),
    privateKeys: assume("A-054 S3", "no answer about signing keys has a private part", ({ keys: { items = [] } }) => {
        has(items[0]);
        const names = items.flatMap(Object.keys).filter((name) => /private|secret/i.test(name));
        return judge(names.length === 0, names[0] ?? "none");
    }),
    // Subtitles of a content
    subtitle: assume("A-055 L5", "a Ready content takes a subtitle", ({ subtitle }) =>
        judge(subtitle.ok, http(subtitle)),
    ),
    subtitleAgain: assume(
        "A-056 L5",
        "a second subtitle of a language takes the place of the first",
        ({ subtitles: { items = [] } }) => {
            if (items.length === 0) throw new NotShown("the list does not show it");
            return judge(items.length === 1, `${items.length} in the list`);
        },
    ),
    subtitleBeforeReady: assume("A-057", "a content that is not Ready takes a subtitle too", ({ early }) =>
        choose("subtitleBeforeReady", ["accepted", 400, 404, 409, 422], early.ok ? "accepted" : early.status),
    ),
    subtitleList: assume(
        "A-058",
        "the list of a content's subtitles shows it",
        ({ subtitles: { status, items = [] } }) =>
            choose(
                "subtitleList",
                ["shown", "empty", 404],
                status === 404 ? 404 : items.length > 0 ? "shown" : "empty",
            ),
    ),
    // The thumbnail and clips of a content
    setThumbnail: assume("A-059 L5", "a Ready content takes a thumbnail", ({ thumbnail }) =>
        judge(thumbnail.ok, http(thumbnail)),
    ),
    clip: assume("A-060 S1", "a Ready content takes a clip, which has a contentId of its own", ({ clip }) =>
        judge(clip.ok && idIn(clip, "contentId") !== undefined, http(clip)),
    ),
    clipMarker: assume("A-061 S1 S2 S9", "a clip keeps its metadata, the ownership marker included", (seen) =>
        kept(seen.clipObject.metadata, seen.clipDigits),
    ),
    clipListed: assume(
        "A-062 S1",
        "a clip is in the list of contents",
        ({ clipListed: { holds, answer, afterMs } }) => {
            if (answer === undefined) throw new NotShown(tooMany);
            return judge(holds, holds ? "it is" : `not within ${afterMs} ms`);
        },
    ),
} as const;

export type AssumptionName = keyof typeof assumptions;

const notReached = "not reached";
const tooMany = "there are too many contents to read them all";

function idShape(id: string | number | undefined): string {
    if (typeof id !== "string") return "number";
    if (/^\d{1,4}$/.test(id)) return "sequential";
    if (/^\d+$/.test(id)) return "numeric";
    return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id) ? "uuid" : "opaque";
}

function thumbnailKey(object: JsonObject): string {
    return ["thumbnailUrl", "thumbnails"].find((key) => object[key]) ?? "none";
}

function orderOf(first: readonly JsonObject[], again: readonly JsonObject[]): string {
    if (first.length < 2) throw new NotShown("there is only one content, or too many");
    const [a, b] = [first, again].map((items) => items.map(({ contentId }) => String(contentId)).join());
    if (a !== b) return `${a},${a}`.includes(String(b)) ? "unstable" : "random";
    const times = first.map((item) => Number(item.created_at ?? item.createdOn));
    const sorted = times.toSorted((x, y) => x - y).join();
    return times.toReversed().join() === sorted ? "newest" : times.join() === sorted ? "oldest" : "random";
}

function deleteForm(answer: RawAnswer): string {
    const { json, text } = answer;
    if (text.trim() === "") return "empty";
    if (!isObject(json)) return bodyForm(answer);
    if (json.success === true) return "success";
    if (json.success === false) return "failure";
    return json.status === "Success" ? "envelope" : "ok";
}

/** What the answers say of one assumption; a text says why they say nothing. */
export function judgementOn(name: AssumptionName, seen: Seen): Judgement | string {
    const complete = new Proxy(seen, {
        get(_, key: keyof Seen) {
            if (seen[key] === undefined) throw new NotShown(whyMissing(key, seen));
            return seen[key];
        },
    });
    try {
        return assumptions[name].judge(complete as Required<Seen>, seen);
    } catch (error) {
        if (error instanceof NotShown) return error.message;
        throw error;
    }
}

function whyMissing(key: keyof Seen, seen: Seen): string {
    if (["shown", "listed", "last"].includes(key) && seen.created) created(seen.created);
    if (!["early", "subtitle", "subtitles"].includes(key)) return notReached;
    return seen.subtitle === undefined ? "no --subtitle was given" : "there is none";
}

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
    if (assumptions[name].endangers.length === 0) return "Nothing to do: the package accepts this form too.";
    return [firstSteps[name], report].filter((text) => text !== undefined).join(" ");
}
