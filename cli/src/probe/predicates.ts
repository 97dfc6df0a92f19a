/** Whether each assumption holds, by what was seen; and the emulator's switches for those that do not. */
import { isObject } from "#provider/api/json";
import type { AssumptionName } from "./assumptions";
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

/** A text says why it was not shown; nothing where the probe did not get that far. */
type Predicate = (seen: Seen) => Judgement | string | undefined;

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

function lacks(object: JsonObject, ...keys: string[]): Judgement {
    const missing = keys.filter((key) => (object[key] ?? null) === null);
    return judge(missing.length === 0, missing.length === 0 ? "it has all" : `without ${missing.join(", ")}`);
}

function near(aheadMs: number, toleratedMs: number, variant: string): Judgement {
    // To the minute: this leaves out the clock of this machine and the answer's travel time.
    const variants = { [variant]: Math.round(aheadMs / 60_000) * 60_000 };
    return judge(Math.abs(aheadMs) <= toleratedMs, `${Math.round(aheadMs / 1000)} s ahead`, variants);
}

function on<K extends keyof Seen>(key: K, verdict: (value: NonNullable<Seen[K]>, seen: Seen) => Judgement | string) {
    return (seen: Seen) => {
        const value = seen[key];
        return value === undefined ? undefined : verdict(value, seen);
    };
}

const http = ({ status }: RawAnswer) => `HTTP ${status}`;

/** Where no content was created, this says why. */
function ofCreated(predicate: Predicate): Predicate {
    return (seen) => {
        const answer = seen.created;
        if (answer === undefined || (answer.ok && idIn(answer, "contentId") !== undefined)) return predicate(seen);
        return `the create was answered with ${http(answer)}${answer.ok ? " without a contentId" : ""}`;
    };
}

/** Of a content that became Ready. */
function ofReady(verdict: (last: JsonObject, seen: Seen) => Judgement | string): Predicate {
    return on("last", (last, seen) => (isReady(statusOf(last)) ? verdict(last, seen) : "no content became Ready"));
}

function ofSubtitle(predicate: Predicate): Predicate {
    return (seen) => predicate(seen) ?? (seen.subtitle === undefined ? "no --subtitle was given" : "there is none");
}

function keyOf(variant: string, keys: readonly string[], object: JsonObject): Judgement {
    const key = keys.find((one) => one in object);
    return choose(variant, keys, key, key ?? "neither key");
}

export const predicates: Record<AssumptionName, Predicate> = {
    envelope: on("list", ({ json }) => {
        const envelope = isObject(json) ? json : {};
        const is = envelope.status === "Success" && typeof envelope.code === "number" && "message" in envelope;
        return judge(is, `keys of a list's answer: ${Object.keys(envelope).sort().join(", ")}`);
    }),
    unauthorized: on("stranger", ({ status }) => choose("unauthorizedCode", [401, 403], status, `HTTP ${status}`)),
    challenge: on("stranger", ({ headers }) => flag("challenge", false, headers["www-authenticate"] !== undefined)),
    notFound: on("unknown", (answers) =>
        judge(
            answers.every(({ status }) => status === 404),
            answers.map(http).join(", "),
        ),
    ),
    notFoundBody: on("unknown", ([answer], { invalid }) => {
        if (answer === undefined || invalid === undefined) return "not reached";
        const form = bodyForm(answer);
        const isOwn = (form !== bodyForm(invalid) || invalid.ok) && form !== "text";
        return judge(form === "envelope", form, isOwn ? { notFoundBody: form } : undefined);
    }),
    invalid: on("invalid", (answer) => {
        if (answer.ok) return judge(false, `an empty create was answered with ${http(answer)}`);
        // A token that may only read is refused for another reason.
        if (answer.status === 403) return "these credentials may not create";
        return choose("invalidCode", [400, 422], answer.status, http(answer));
    }),
    errorBody: on("invalid", (answer) => {
        return answer.ok ? "not reached" : choose("errorBody", ["envelope", "json", "html", "empty"], bodyForm(answer));
    }),
    date: on("list", (_, { dateAheadMs: ahead }) => {
        return ahead === undefined
            ? judge(false, "no Date header", { dateSkewMs: null })
            : near(ahead, 60_000, "dateSkewMs");
    }),
    rateLimit: on("limitHeaders", (names) => judge(names.length === 0, names.join(", ") || "none")),
    createCode: ofCreated(on("created", (answer) => choose("createCode", [201, 200], answer.status, http(answer)))),
    createData: on("created", (answer) => {
        if (answer.ok && idIn(answer, "contentId") === undefined) return judge(false, "without a contentId");
        if (answer.data === undefined || !answer.ok) return "not reached";
        const isWhole = "title" in answer.data && "metadata" in answer.data;
        return choose("createData", ["object", "terse"], isWhole ? "object" : "terse");
    }),
    idShape: ofCreated(
        on("created", (answer) =>
            choose(
                "idShape",
                ["uuid", "opaque", "numeric", "number", "sequential"],
                idShape(idIn(answer, "contentId")),
            ),
        ),
    ),
    policyKey: on("object", (object) => keyOf("policyKey", ["playback_policy", "playbackPolicy"], object)),
    contentCreatedKey: on("object", (object) => keyOf("contentCreatedKey", ["created_at", "createdOn"], object)),
    createdTime: on("object", (_, { createdAheadMs: ahead }) => {
        if (ahead === undefined) return judge(false, "there is no time, or no clock to compare with");
        if (Math.abs(ahead) > 24 * 3_600_000) return judge(false, "another unit, or another day");
        return near(ahead, 120_000, "createdSkewMs");
    }),
    title: on("object", (object, { title = "" }) => {
        const forms = { kept: title, trimmed: title.trim(), collapsed: title.trim().replace(/\s+/g, " ") };
        const form = Object.entries(forms).find(([, text]) => text === object.title)?.[0];
        return choose("titles", Object.keys(forms), form, form ?? "another title");
    }),
    marker: on("object", ({ metadata }, { digits }) => kept(metadata, digits)),
    collections: on("object", ({ tags }) => {
        const forms: Record<string, string> = { bac: "kept", abc: "sorted", cab: "reversed" };
        const form = forms[Array.isArray(tags) ? tags.join("") : ""];
        return choose("collections", Object.values(forms), form, form ?? "another order");
    }),
    emptyFields: on("object", ({ description }) => {
        const form = description === undefined ? "omitted" : description === null ? "null" : "present";
        return choose("emptyFields", ["present", "omitted", "null"], form);
    }),
    visible: ofCreated(on("shown", (shown) => delay("visibleAfterMs", shown))),
    sourceHidden: on("object", (object) => {
        const key = ["content", "source", "sourceUrl"].find((one) => one in object);
        return judge(key === undefined, key === undefined ? "it is not shown" : `it is shown as ${key}`);
    }),
    listed: ofCreated(
        on("listed", (listed) => (listed.answer === undefined ? tooMany : delay("listedAfterMs", listed))),
    ),
    listMetadata: on("item", (item) => flag("listMetadata", false, "metadata" in item)),
    listTags: on("item", (item) => flag("listTags", false, "tags" in item)),
    itemThumbnails: on("item", (item, { last = {} }) => {
        if (isReady(statusOf(item))) return "it was Ready at once";
        if (isReady(statusOf(last)) && thumbnailKey(last) !== "thumbnailUrl") return "a Ready content has none";
        return choose(
            "itemThumbnails",
            ["always", "ready"],
            thumbnailKey(item, (key) => key in item) === "none" ? "ready" : "always",
        );
    }),
    listOrder: on("listed", ({ answer }, { again }) => {
        const order = orderOf(answer ?? [], again ?? []);
        return order === undefined
            ? "there is only one content, or too many"
            : choose("listOrder", ["newest", "oldest", "unstable", "random"], order);
    }),
    paging: on("one", ({ items }) => judge(items?.length === 1, `limit=1 gave ${items?.length ?? "no"} item(s)`)),
    pastEnd: on("pastEnd", (answer) => {
        const form = answer.ok ? "empty" : answer.status;
        return choose("pastEnd", ["empty", 400, 404, 413, 416, 422], form, answer.ok ? "empty" : http(answer));
    }),
    pageMaximum: on("large", (answer, { listed }) => {
        if (!answer.ok) return judge(false, `limit=1000 is refused with ${http(answer)}`, { overMaximum: "reject" });
        const count = answer.items?.length ?? 0;
        if (count === listed?.answer?.length) return `there are only ${count} contents`;
        return judge(count === 100, `${count} items`, { pageMaximum: count });
    }),
    statuses: on("statuses", (all) => {
        const way = all.filter((status) => !/^(ready|failed)$/i.test(status));
        const isDefault = way.join() === "Preparing" || way.length === 0;
        const holds = way.every((status) => ["Pending", "Preparing", "Processing"].includes(status));
        return {
            holds,
            seen: way.join(", ") || "Ready at once",
            ...(!isDefault && { variants: { pendingStatuses: way } }),
        };
    }),
    ready: ofCreated(
        on("last", (last) => judge(isReady(statusOf(last)), `the last status was ${statusOf(last) ?? "none"}`)),
    ),
    readyFields: ofReady((last) => lacks(last, "playbackUrl", "duration", "resolution")),
    thumbnails: ofReady((last) => choose("thumbnails", ["thumbnailUrl", "thumbnails", "none"], thumbnailKey(last))),
    statusId: ofReady((last, { object = {} }) => {
        if (isReady(statusOf(object))) return "it was Ready when it was first read";
        const isLate = "statusId" in last && last.statusId !== 1;
        const form = !("statusId" in object) ? "none" : isLate ? "all" : "pending";
        return choose("statusId", ["pending", "all", "none"], form);
    }),
    put: on("afterTitle", ({ description, metadata }, { digits }) => {
        const isPartial = description === "A probe" && traceIn(metadata) === digits;
        return choose("put", ["partial", "replace"], isPartial ? "partial" : "replace");
    }),
    putData: on("put", (answer) => {
        if (!answer.ok) return judge(false, `PUT was answered with ${http(answer)}`);
        return flag("putData", true, answer.data?.contentId !== undefined);
    }),
    putMarker: on("afterPut", ({ metadata }, { digits }) => kept(metadata, digits)),
    deleteBody: on("deleted", (answer) => {
        return choose("deleteBody", ["envelope", "ok", "success", "failure", "empty"], deleteForm(answer));
    }),
    deleteData: on("deleted", ({ data }) => flag("deleteData", false, data?.contentId !== undefined)),
    deleted: on("gone", (gone) => delay("readStaleMs", gone)),
    deletedTwice: on("deletedAgain", (answer) => judge(isMissing(answer), http(answer))),
    livestreamCreate: on("stream", (answer) => {
        const hasId = idIn(answer, "streamUUID") !== undefined;
        return judge(
            [200, 201].includes(answer.status) && hasId,
            `${http(answer)}${hasId ? "" : " without a streamUUID"}`,
        );
    }),
    livestreamStatus: on("streamObject", (object) => judge(statusOf(object) === "Idle", statusOf(object) ?? "none")),
    streamKey: on("streamObject", ({ streamKey }) => {
        const type = streamKey === null ? "null" : streamKey === undefined ? "absent" : typeof streamKey;
        return judge(type === "string", type, { fields: { streamKey: type } });
    }),
    ingestKey: on("streamObject", (object) => {
        const keys = ["rtmpUrl", "ingestUrl"].filter((key) => key in object);
        return choose("ingestKey", ["rtmpUrl", "ingestUrl", "both"], keys.length === 2 ? "both" : keys[0]);
    }),
    rtmpsUrl: on("streamObject", ({ rtmpsUrl }) => choose("rtmpsUrl", ["url", "empty"], rtmpsUrl ? "url" : "empty")),
    livestreamCreatedKey: on("streamObject", (object) =>
        keyOf("livestreamCreatedKey", ["createdOn", "created_at"], object),
    ),
    livestreamMarker: on("stream", (_, { streamObject, streamDigits }) => {
        return streamObject === undefined
            ? judge(false, "it could not be read")
            : kept(streamObject.metadata, streamDigits);
    }),
    livestreamLists: on("plain", (plain, { stream, recorded = [] }) => {
        const isElsewhere = hasStream(recorded, stream && idIn(stream, "streamUUID"));
        const seen = `${plain.holds ? "in its own list" : "not in its own list"}, ${isElsewhere ? "" : "not "}in the other`;
        return judge(plain.holds && !isElsewhere, seen);
    }),
    livestreamPaging: on("plain", ({ answer }, { fromSecond }) => {
        if (fromSecond === undefined) return "the list is empty";
        return flag("livestreamPaging", false, fromSecond.length === answer.length - 1);
    }),
    livestreamDelete: on("streamDeleted", (answer) => {
        const status = statusOf(answer.data) ?? "none";
        return judge(answer.ok && status === "Deleting", `${http(answer)}, status ${status}`);
    }),
    whileDeleting: on("streamGone", ({ holds, afterMs }, { whileDeleting: form }) => {
        if (!holds) return judge(false, `still there after ${afterMs} ms`);
        return choose("whileDeleting", ["Deleting", "notFound"], form, `${form}, missing after ${afterMs} ms`);
    }),
    signingKeys: on("keys", ({ items = [] }) => {
        const [key] = items;
        const fields = ["createdBy", "createdOn", "environmentId", "id", "productTypeId", "signingKeyId"];
        return key === undefined ? noKey : lacks(key, ...fields);
    }),
    privateKeys: on("keys", ({ items = [] }) => {
        if (items.length === 0) return noKey;
        const names = items.flatMap(Object.keys).filter((name) => /private|secret/i.test(name));
        return judge(names.length === 0, names[0] ?? "none");
    }),
    subtitle: ofSubtitle(on("subtitle", (answer) => judge(answer.ok, http(answer)))),
    subtitleAgain: ofSubtitle(
        on("subtitles", ({ items = [] }) =>
            items.length === 0 ? "the list does not show it" : judge(items.length === 1, `${items.length} in the list`),
        ),
    ),
    subtitleBeforeReady: ofSubtitle(
        on("early", ({ ok, status }) => {
            return choose("subtitleBeforeReady", ["accepted", 400, 404, 409, 422], ok ? "accepted" : status);
        }),
    ),
    subtitleList: ofSubtitle(
        on("subtitles", ({ status, items = [] }) => {
            return choose(
                "subtitleList",
                ["shown", "empty", 404],
                status === 404 ? 404 : items.length > 0 ? "shown" : "empty",
            );
        }),
    ),
};

const tooMany = "there are too many contents to read them all";
const noKey = "no signing key is shown";

function kept(metadata: unknown, digits: string | undefined): Judgement {
    return judge(traceIn(metadata) === digits, traceIn(metadata) === digits ? "kept" : "changed or missing");
}

function idShape(id: string | number | undefined): string {
    if (typeof id !== "string") return "number";
    if (/^\d{1,4}$/.test(id)) return "sequential";
    if (/^\d+$/.test(id)) return "numeric";
    return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id) ? "uuid" : "opaque";
}

function thumbnailKey(object: JsonObject, has = (key: string) => Boolean(object[key])): string {
    return ["thumbnailUrl", "thumbnails"].find(has) ?? "none";
}

/** `undefined` where a list of one shows no order. */
function orderOf(first: readonly JsonObject[], again: readonly JsonObject[]): string | undefined {
    if (first.length < 2) return undefined;
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
