/** The requests of the probe, in their order, and the form of each assumption that their answers show. */
import { randomUUID } from "node:crypto";
import { isObject } from "#provider/api/json";
import { messages } from "#provider/messages/index";
import { CommandError } from "../commandLine";
import type { Shell } from "../shell";
import { type AssumptionName, assumptions } from "./assumptions";
import type { Findings } from "./findings";
import {
    basic,
    bodyForm,
    type Delayed,
    idIn,
    isFinal,
    isMissing,
    isReady,
    type JsonObject,
    type RawAnswer,
    type RawService,
    statusOf,
} from "./rawService";
import { metadataOf, type Traces, titleOf, traceIn } from "./traces";

export interface Wanted {
    readonly source: string | undefined;
    readonly subtitle: string | undefined;
    readonly kinds: readonly ("contents" | "livestreams")[];
    readonly region: string;
    /** How long to wait for Ready, in ms. */
    readonly timeoutMs: number;
}

/** The dependencies of the script. */
export interface Stage {
    readonly service: RawService;
    readonly findings: Findings;
    readonly wanted: Wanted;
    readonly shell: Shell;
    readonly traces: Traces;
}

type Items = readonly JsonObject[];

const http = ({ status }: RawAnswer) => `HTTP ${status}`;
const tooMany = "there are too many contents to read them all";
const bodyWords = { envelope: "JSON", json: "JSON", html: "HTML", empty: "an empty body", text: "text" };

/** Everything that needs no object. @throws {CommandError} when the service refuses these credentials. */
export async function askAround({ service, findings, shell }: Stage): Promise<void> {
    const list = await service.send("GET", "/contents", { query: { limit: 1 } });
    const { status } = list;
    if (status === 401 || status === 403) throw new CommandError(messages.probeRefused({ status }));
    if (!list.ok || list.items === undefined) {
        throw new CommandError(messages.nothingToProbe({ status, body: bodyWords[bodyForm(list)] }));
    }
    const envelope = isObject(list.json) ? list.json : {};
    const isEnvelope = envelope.status === "Success" && typeof envelope.code === "number" && "message" in envelope;
    findings.saw("envelope", isEnvelope, `keys of a list's answer: ${Object.keys(envelope).sort().join(", ")}`);
    if (service.serverTime === undefined) findings.saw("date", false, "no Date header", { dateSkewMs: null });
    else sawAhead(findings, "date", service.serverTime - shell.clock.now(), 60_000, "dateSkewMs");

    const authorization = basic(randomUUID(), randomUUID());
    const stranger = await service.send("GET", "/contents", { authorization });
    findings.saw("unauthorized", stranger.status, http(stranger));
    findings.saw("challenge", stranger.headers["www-authenticate"] !== undefined);

    const unknown = (kind: string) => service.send("GET", `/${kind}/${randomUUID()}`);
    const [content, livestream] = await Promise.all([unknown("contents"), unknown("livestreams")]);
    const areMissing = content.status === 404 && livestream.status === 404;
    findings.saw("notFound", areMissing, `${http(content)}, ${http(livestream)}`);

    const invalid = await service.send("POST", "/contents", { body: {} });
    sawInvalid(findings, invalid);
    const form = bodyForm(content);
    const isOwnForm = !["envelope", "text"].includes(form) && (invalid.ok || form !== bodyForm(invalid));
    findings.saw("notFoundBody", form === "envelope", form, isOwnForm ? { notFoundBody: form } : undefined);
    const id = idIn(invalid, "contentId");
    if (invalid.ok && id !== undefined) await service.send("DELETE", `/contents/${encodeURIComponent(id)}`);
    sawKeys(findings, (await service.send("GET", "/signing-keys")).items);
}

function sawInvalid(findings: Findings, answer: RawAnswer): void {
    // A token that may only read is refused for another reason.
    if (answer.status === 403) findings.notShown("these credentials may not create", "invalid");
    else if (answer.ok) findings.saw("invalid", false, `an empty create was answered with ${http(answer)}`);
    else findings.saw("invalid", answer.status, http(answer));
    if (!answer.ok) findings.saw("errorBody", bodyForm(answer));
}

function sawKeys(findings: Findings, keys: Items = []): void {
    const [key] = keys;
    if (key === undefined) {
        findings.notShown("no signing key is shown", "signingKeys", "privateKeys");
        return;
    }
    const fields = ["createdBy", "createdOn", "environmentId", "id", "productTypeId", "signingKeyId"];
    sawFields(findings, "signingKeys", key, fields);
    const secrets = keys.flatMap(Object.keys).filter((name) => /private|secret/i.test(name));
    findings.saw("privateKeys", secrets.length === 0, secrets[0] ?? "none");
}

/** The life of one short content: created, read, listed, waited for, given subtitles and a thumbnail, clipped, changed, deleted. */
export async function liveContent(stage: Stage): Promise<void> {
    const { service, findings, shell, wanted, traces } = stage;
    if (wanted.subtitle === undefined) {
        const names = ["subtitle", "subtitleAgain", "subtitleBeforeReady", "subtitleList"] as const;
        findings.notShown("no --subtitle was given", ...names);
    }
    shell.terminal.progress("Creating a content");
    const digits = traces.begin("Content");
    const title = titleOf(digits);
    const metadata = [{ key: "z", value: "1" }, ...metadataOf(digits), { key: "a", value: "2" }];
    const content = [{ url: wanted.source }];
    const rest = { playback_policy: ["public"], tags: ["b", "a", "c"], metadata, test_video: true };
    const created = await service.send("POST", "/contents", { body: { title, content, ...rest } });
    const id = sawCreated(findings, created);
    if (id === undefined) return;
    traces.created(digits, String(id));
    const path = `/contents/${encodeURIComponent(id)}`;
    const shown = await service.until(() => service.send("GET", path), isObjectAnswer);
    sawDelay(findings, "visible", "visibleAfterMs", shown);
    const object = shown.answer.data;
    if (!shown.holds || object === undefined) return;
    sawObject(stage, object, title, digits);
    shell.terminal.progress("Reading the list");
    const item = await readLists(stage, String(id));
    if (wanted.subtitle !== undefined && !isFinal(statusOf(object))) {
        const early = await addSubtitle(stage, path);
        findings.saw("subtitleBeforeReady", early.ok ? "accepted" : early.status);
    }
    const last = await awaitReady(stage, path, object, statusOf(created.data));
    sawReady(findings, object, last);
    if (item !== undefined) sawItemThumbnails(findings, item, last);
    if (wanted.subtitle !== undefined) await addSubtitles(stage, path);
    if (isReady(statusOf(last))) await cutClip(stage, path);
    await changeContent(stage, path, title, digits);
    await deleteContent(stage, path);
}

/** The id; `undefined` if none was created. */
function sawCreated(findings: Findings, answer: RawAnswer): string | number | undefined {
    const { ok, data } = answer;
    const id = idIn(answer, "contentId");
    if (!ok || id === undefined || data === undefined) {
        const why = `the create was answered with ${http(answer)}${ok ? " without a contentId" : ""}`;
        findings.notShown(why, "createCode", "idShape", "visible", "listed");
        findings.notShown(why, "ready", "readyFields", "thumbnails", "statusId");
        if (ok) findings.saw("createData", false, "without a contentId");
        return undefined;
    }
    findings.saw("createCode", answer.status, http(answer));
    findings.saw("createData", "title" in data && "metadata" in data ? "object" : "terse");
    findings.saw("idShape", idShape(id));
    return id;
}

function idShape(id: string | number): string {
    if (typeof id === "number") return "number";
    if (/^\d{1,4}$/.test(id)) return "sequential";
    if (/^\d+$/.test(id)) return "numeric";
    return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id) ? "uuid" : "opaque";
}

function sawObject({ findings, service }: Stage, object: JsonObject, title: string, digits: string): void {
    sawKey(findings, "policyKey", object);
    sawKey(findings, "contentCreatedKey", object);
    const createdAt = object.created_at ?? object.createdOn;
    if (typeof createdAt !== "number" || service.serverTime === undefined) {
        findings.saw("createdTime", false, "there is no time, or no clock to compare with");
    } else if (Math.abs(createdAt - service.serverTime) > 24 * 3_600_000) {
        findings.saw("createdTime", false, "another unit, or another day");
    } else sawAhead(findings, "createdTime", createdAt - service.serverTime, 120_000, "createdSkewMs");
    const titles = { kept: title, trimmed: title.trim(), collapsed: title.trim().replace(/\s+/g, " ") };
    const titleForm = Object.entries(titles).find(([, text]) => text === object.title)?.[0];
    findings.saw("title", titleForm, titleForm ?? "another title");
    sawMetadata(findings, "marker", object.metadata, digits);
    const orders: Record<string, string> = { bac: "kept", abc: "sorted", cab: "reversed" };
    const order = orders[Array.isArray(object.tags) ? object.tags.join("") : ""];
    findings.saw("collections", order, order ?? "another order");
    const { description } = object;
    findings.saw("emptyFields", description === undefined ? "omitted" : description === null ? "null" : "present");
    const source = ["content", "source", "sourceUrl"].find((key) => key in object);
    const isHidden = source === undefined;
    findings.saw("sourceHidden", isHidden, isHidden ? "it is not shown" : `it is shown as ${source}`);
}

/** Gives the content's item, if the list shows it. */
async function readLists({ service, findings }: Stage, id: string): Promise<JsonObject | undefined> {
    const isItem = ({ contentId }: JsonObject) => String(contentId) === id;
    const page = (query: Record<string, number>) => service.send("GET", "/contents", { query });
    const listed = await service.until(
        () => readAll(page),
        (items) => items === undefined || items.some(isItem),
    );
    const items = listed.answer;
    if (items === undefined) findings.notShown(tooMany, "listed", "listOrder");
    else sawDelay(findings, "listed", "listedAfterMs", listed);
    const item = items?.find(isItem);
    if (items === undefined || item === undefined) return undefined;
    findings.saw("listMetadata", "metadata" in item);
    findings.saw("listTags", "tags" in item);
    if (items.length < 2) findings.notShown("there is only one content", "listOrder");
    else findings.saw("listOrder", orderOf(items, (await readAll(page)) ?? []));
    const pastEnd = await page({ start: items.length, limit: 100 });
    findings.saw("pastEnd", pastEnd.ok ? "empty" : pastEnd.status, pastEnd.ok ? "empty" : http(pastEnd));
    const one = (await page({ start: 0, limit: 1 })).items?.length;
    findings.saw("paging", one === 1, `limit=1 gave ${one ?? "no"} item(s)`);
    const large = await page({ limit: 1_000 });
    const count = large.items?.length ?? 0;
    if (!large.ok) {
        findings.saw("pageMaximum", false, `limit=1000 is refused with ${http(large)}`, { overMaximum: "reject" });
    } else if (count === items.length) findings.notShown(`there are only ${count} contents`, "pageMaximum");
    else
        findings.saw(
            "pageMaximum",
            count === 100,
            `${count} items`,
            count === 100 ? undefined : { pageMaximum: count },
        );
    return item;
}

const mostListed = 1_000;

/** All pages, as they come; `undefined` when there are too many to read them all. */
async function readAll(page: (query: Record<string, number>) => Promise<RawAnswer>): Promise<Items | undefined> {
    const items: JsonObject[] = [];
    const ids = new Set<unknown>();
    while (items.length < mostListed) {
        const answer = await page({ start: items.length, limit: 100 });
        const fresh = (answer.items ?? []).filter(({ contentId }) => !ids.has(contentId) && ids.add(contentId));
        if (fresh.length === 0) return items;
        items.push(...fresh);
    }
    return undefined;
}

function orderOf(first: Items, again: Items): string {
    const [a, b] = [first, again].map((items) => items.map(({ contentId }) => String(contentId)).join());
    if (a !== b) return `${a},${a}`.includes(String(b)) ? "unstable" : "random";
    const times = first.map((item) => Number(item.created_at ?? item.createdOn));
    const sorted = times.toSorted((x, y) => x - y).join();
    return times.toReversed().join() === sorted ? "newest" : times.join() === sorted ? "oldest" : "random";
}

/** Gives the content as it was last read. */
async function awaitReady(
    { service, findings, shell, wanted }: Stage,
    path: string,
    first: JsonObject,
    created: string | undefined,
): Promise<JsonObject> {
    const statuses = new Set([created, statusOf(first)].filter((status) => status !== undefined));
    let object = first;
    const poll = async () => {
        shell.terminal.progress(`Waiting for Ready: ${statusOf(object) ?? "no status"}`);
        object = (await service.send("GET", path)).data ?? object;
        statuses.add(statusOf(object) ?? "none");
        return object;
    };
    if (!isFinal(statusOf(first))) await service.until(poll, (read) => isFinal(statusOf(read)), wanted.timeoutMs);
    const way = [...statuses].filter((status) => !isFinal(status));
    const isNamed = way.every((status) => ["Pending", "Preparing", "Processing"].includes(status));
    const isUsual = way.length === 0 || way.join() === "Preparing";
    findings.saw(
        "statuses",
        isNamed,
        way.join(", ") || "Ready at once",
        isUsual ? undefined : { pendingStatuses: way },
    );
    return object;
}

function sawReady(findings: Findings, first: JsonObject, last: JsonObject): void {
    const status = statusOf(last);
    findings.saw("ready", isReady(status), `the last status was ${status ?? "none"}`);
    if (!isReady(status)) {
        findings.notShown("no content became Ready", "readyFields", "thumbnails", "statusId");
        return;
    }
    sawFields(findings, "readyFields", last, ["playbackUrl", "duration", "resolution"]);
    findings.saw("thumbnails", thumbnailKey(last));
    const isLate = "statusId" in last && last.statusId !== 1;
    if (isReady(statusOf(first))) findings.notShown("it was Ready when it was first read", "statusId");
    else findings.saw("statusId", !("statusId" in first) ? "none" : isLate ? "all" : "pending");
}

function thumbnailKey(object: JsonObject): string {
    return ["thumbnailUrl", "thumbnails"].find((key) => object[key]) ?? "none";
}

function sawItemThumbnails(findings: Findings, item: JsonObject, last: JsonObject): void {
    if (isReady(statusOf(item))) findings.notShown("it was Ready at once", "itemThumbnails");
    else if (isReady(statusOf(last)) && thumbnailKey(last) !== "thumbnailUrl") {
        findings.notShown("a Ready content has none", "itemThumbnails");
    } else findings.saw("itemThumbnails", "thumbnailUrl" in item || "thumbnails" in item ? "always" : "ready");
}

function addSubtitle({ service, wanted }: Stage, path: string): Promise<RawAnswer> {
    const body = { url: wanted.subtitle, name: "Probe", language_code: "en", support_closed_captions: false };
    return service.send("POST", `${path}/subtitles`, { body });
}

/** Two of one language. */
async function addSubtitles(stage: Stage, path: string): Promise<void> {
    const { service, findings } = stage;
    await addSubtitle(stage, path);
    const added = await addSubtitle(stage, path);
    findings.saw("subtitle", added.ok, http(added));
    if (!added.ok) return;
    const { status, items = [] } = await service.send("GET", `${path}/subtitles`);
    if (items.length === 0) findings.notShown("the list does not show it", "subtitleAgain");
    else findings.saw("subtitleAgain", items.length === 1, `${items.length} in the list`);
    findings.saw("subtitleList", status === 404 ? 404 : items.length > 0 ? "shown" : "empty");
}

/** Another thumbnail, and the first second as a clip, which is deleted with everything else. */
async function cutClip({ service, findings, shell, traces }: Stage, path: string): Promise<void> {
    shell.terminal.progress("Cutting a clip");
    const still = { videoPositionInSec: 0, width: 320, height: 180 };
    const thumbnail = await service.send("POST", `${path}/thumbnails`, { body: still });
    findings.saw("setThumbnail", thumbnail.ok, http(thumbnail));
    const digits = traces.begin("Content");
    const body = { startTimeInSecs: 0, endTimeInSecs: 1, title: titleOf(digits), metadata: metadataOf(digits) };
    const clip = await service.send("POST", `${path}/clips`, { body });
    const id = idIn(clip, "contentId");
    findings.saw("clip", clip.ok && id !== undefined, http(clip));
    if (!clip.ok || id === undefined) return;
    traces.created(digits, String(id));
    const shown = await service.until(() => service.send("GET", `/contents/${encodeURIComponent(id)}`), isObjectAnswer);
    if (shown.holds) sawMetadata(findings, "clipMarker", shown.answer.data?.metadata, digits);
    const { answer, holds, afterMs } = await service.until(
        () => readAll((query) => service.send("GET", "/contents", { query })),
        (items) => items === undefined || items.some(({ contentId }) => String(contentId) === String(id)),
    );
    if (answer === undefined) findings.notShown(tooMany, "clipListed");
    else findings.saw("clipListed", holds, holds ? "it is" : `not within ${afterMs} ms`);
}

async function changeContent({ service, findings }: Stage, path: string, title: string, digits: string): Promise<void> {
    const description = "A probe";
    const body = { title, description, tags: ["a"], metadata: metadataOf(digits) };
    const put = await service.send("PUT", path, { body });
    if (!put.ok) {
        findings.saw("putData", "refused", `PUT was answered with ${http(put)}`);
        return;
    }
    findings.saw("putData", put.data?.contentId !== undefined);
    sawMetadata(findings, "putMarker", (await service.send("GET", path)).data?.metadata, digits);
    await service.send("PUT", path, { body: { title } });
    const { data: after } = await service.send("GET", path);
    const isPartial = after?.description === description && traceIn(after.metadata) === digits;
    findings.saw("put", isPartial ? "partial" : "replace");
}

async function deleteContent({ service, findings }: Stage, path: string): Promise<void> {
    const deleted = await service.send("DELETE", path);
    findings.saw("deleteBody", deleteForm(deleted));
    findings.saw("deleteData", deleted.data?.contentId !== undefined);
    sawDelay(findings, "deleted", "deletedShownMs", await service.until(() => service.send("GET", path), isMissing));
    const again = await service.send("DELETE", path);
    findings.saw("deletedTwice", isMissing(again), http(again));
}

function deleteForm(answer: RawAnswer): string {
    const { json, text } = answer;
    if (text.trim() === "") return "empty";
    if (!isObject(json)) return bodyForm(answer);
    if (json.success === true) return "success";
    if (json.success === false) return "failure";
    return json.status === "Success" ? "envelope" : "ok";
}

/** How long the deletion of a livestream may take, in ms. */
const deletionMs = 60_000;

/** The life of one livestream: created, read, listed, deleted. Nothing is broadcast. */
export async function liveLivestream(stage: Stage): Promise<void> {
    const { service, findings, shell, wanted, traces } = stage;
    shell.terminal.progress("Creating a livestream");
    const digits = traces.begin("Livestream");
    const body = { title: titleOf(digits), region: wanted.region, record: false, metadata: metadataOf(digits) };
    const created = await service.send("POST", "/livestreams", { body });
    const id = idIn(created, "streamUUID");
    const isExpected = [200, 201].includes(created.status) && id !== undefined;
    const text = `${http(created)}${id === undefined ? " without a streamUUID" : ""}`;
    findings.saw("livestreamCreate", isExpected, text);
    findings.saw("livestreamMarker", false, "it could not be read");
    if (!created.ok || id === undefined) return;
    traces.created(digits, String(id));
    const path = `/livestreams/${encodeURIComponent(id)}`;
    const shown = await service.until(() => service.send("GET", path), isObjectAnswer);
    if (!shown.holds || shown.answer.data === undefined) return;
    sawStream(findings, shown.answer.data);
    sawMetadata(findings, "livestreamMarker", shown.answer.data.metadata, digits);
    await readStreamLists(stage, id);
    shell.terminal.progress("Deleting the livestream");
    const deleted = await service.send("DELETE", path);
    const status = statusOf(deleted.data) ?? "none";
    findings.saw("livestreamDelete", deleted.ok && status === "Deleting", `${http(deleted)}, status ${status}`);
    await awaitDeletion(stage, path);
}

function sawStream(findings: Findings, object: JsonObject): void {
    const { streamKey, rtmpsUrl } = object;
    findings.saw("livestreamStatus", statusOf(object) === "Idle", statusOf(object) ?? "none");
    const type = streamKey === null ? "null" : streamKey === undefined ? "absent" : typeof streamKey;
    const isText = type === "string";
    findings.saw("streamKey", isText, type, isText ? undefined : { fields: { streamKey: type } });
    const keys = ["rtmpUrl", "ingestUrl"].filter((key) => key in object);
    findings.saw("ingestKey", keys.length === 2 ? "both" : keys[0]);
    findings.saw("rtmpsUrl", rtmpsUrl ? "url" : "empty");
    sawKey(findings, "livestreamCreatedKey", object);
}

async function readStreamLists({ service, findings }: Stage, id: string | number): Promise<void> {
    const list = async (record: boolean, query: Record<string, number> = {}) =>
        (await service.send("GET", "/livestreams", { query: { record, ...query } })).items ?? [];
    const has = (items: Items) => items.some(({ streamUUID }) => String(streamUUID) === String(id));
    const plain = await service.until(() => list(false), has);
    const isElsewhere = has(await list(true));
    const where = `${plain.holds ? "in its own list" : "not in its own list"}, ${isElsewhere ? "" : "not "}in the other`;
    findings.saw("livestreamLists", plain.holds && !isElsewhere, where);
    if (plain.answer.length === 0) findings.notShown("the list is empty", "livestreamPaging");
    else findings.saw("livestreamPaging", (await list(false, { start: 1 })).length === plain.answer.length - 1);
}

async function awaitDeletion({ service, findings }: Stage, path: string): Promise<void> {
    let first: string | undefined;
    const read = async () => {
        const answer = await service.send("GET", path);
        first ??= answer.ok ? (statusOf(answer.data) ?? "no status") : "notFound";
        return answer;
    };
    const { holds, afterMs } = await service.until(read, ({ ok }) => !ok, deletionMs);
    if (holds) findings.saw("whileDeleting", first, `${first}, missing after ${afterMs} ms`);
    else findings.saw("whileDeleting", false, `still there after ${afterMs} ms`);
}

const isObjectAnswer = ({ ok, data }: RawAnswer) => ok && data !== undefined;

/** A time that should be the service's own. */
function sawAhead(
    findings: Findings,
    name: AssumptionName,
    aheadMs: number,
    toleratedMs: number,
    variant: string,
): void {
    const isNear = Math.abs(aheadMs) <= toleratedMs;
    // To the minute: this leaves out the clock of this machine and the answer's travel time.
    const variants = { [variant]: Math.round(aheadMs / 60_000) * 60_000 };
    findings.saw(name, isNear, `${Math.round(aheadMs / 1000)} s ahead`, isNear ? undefined : variants);
}

/** An effect that should be immediate. */
function sawDelay(findings: Findings, name: AssumptionName, variant: string, delayed: Delayed<unknown>): void {
    const { holds, isLate, afterMs } = delayed;
    const seen = !holds ? `not within ${afterMs} ms` : isLate ? `after ${afterMs} ms` : "at once";
    findings.saw(name, holds && !isLate, seen, isLate ? { [variant]: afterMs } : undefined);
}

/** Which of the known names a field has. */
function sawKey(findings: Findings, name: AssumptionName, object: JsonObject): void {
    const key = assumptions[name].forms.find((form) => String(form) in object);
    findings.saw(name, key, key === undefined ? "neither key" : String(key));
}

function sawFields(findings: Findings, name: AssumptionName, object: JsonObject, keys: readonly string[]): void {
    const missing = keys.filter((key) => (object[key] ?? null) === null);
    findings.saw(name, missing.length === 0, missing.length === 0 ? "it has all" : `without ${missing.join(", ")}`);
}

function sawMetadata(findings: Findings, name: AssumptionName, metadata: unknown, digits: string): void {
    const isKept = traceIn(metadata) === digits;
    findings.saw(name, isKept, isKept ? "kept" : "changed or missing");
}
