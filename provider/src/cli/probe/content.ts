/** The life of one short content: created, read, listed, waited for, changed, deleted. */
import type { Findings } from "./findings";
import { bodyForm, isObject, type JsonObject, type RawAnswer, type RawService } from "./rawService";
import { titleOf, traceKey } from "./traces";

export interface ContentProbe {
    readonly source: string;
    readonly digits: string;
    /** Called with the id as soon as it is known. */
    created(id: string): Promise<void>;
    /** How long to wait for Ready, in ms. */
    readonly timeoutMs: number;
    /** What happens, for a person who watches. */
    progress(text: string): void;
}

const pollMs = 500;
const appearanceMs = 30_000;
const gone = [404, 410];

export async function probeContent(service: RawService, findings: Findings, probe: ContentProbe): Promise<void> {
    probe.progress("Creating a content");
    const title = titleOf(probe.digits);
    const created = await service.send("POST", "/contents", {
        body: {
            title,
            content: [{ url: probe.source }],
            playback_policy: ["public"],
            tags: ["b", "a", "c"],
            metadata: [
                { key: "z", value: "1" },
                { key: traceKey, value: probe.digits },
                { key: "a", value: "2" },
            ],
            test_video: true,
        },
    });
    const id = created.data?.contentId;
    if (!created.ok || (typeof id !== "string" && typeof id !== "number")) {
        const why = `the create was answered with HTTP ${created.status}${created.ok ? " without a contentId" : ""}`;
        if (created.ok) findings.judge("createData", false, why);
        for (const name of ["createCode", "visible", "listed", "ready"] as const) findings.notShown(name, why);
        return;
    }
    await probe.created(String(id));
    findings.choose("createCode", "createCode", [201, 200], created.status, `HTTP ${created.status}`);
    const isWhole = created.data !== undefined && "title" in created.data && "metadata" in created.data;
    findings.choose("createData", "createData", ["object", "terse"], isWhole ? "object" : "terse");
    const shape = idShape(id);
    findings.choose("idShape", "idShape", ["uuid", "opaque", "numeric", "number", "sequential"], shape);

    const path = `/contents/${encodeURIComponent(id)}`;
    const first = await appear(service, findings, path);
    if (first === undefined) return;
    judgeObject(service, findings, first, title, probe.digits);
    await probeList(service, findings, String(id), probe);
    const statuses = new Set([statusOf(created.data), statusOf(first)].filter((status) => status !== undefined));
    await probeReady(service, findings, path, first, statuses, probe);
    await probePut(service, findings, path, title, probe.digits);
    await probeDelete(service, findings, path);
}

function idShape(id: string | number): string {
    if (typeof id === "number") return "number";
    if (/^\d{1,4}$/.test(id)) return "sequential";
    if (/^\d+$/.test(id)) return "numeric";
    return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id) ? "uuid" : "opaque";
}

/** The object, once it can be read. */
async function appear(service: RawService, findings: Findings, path: string): Promise<JsonObject | undefined> {
    const start = service.now;
    for (let tries = 1; ; tries++) {
        const answer = await service.send("GET", path);
        const afterMs = Math.round(service.now - start);
        if (answer.ok && answer.data !== undefined) {
            const wasHidden = tries > 1;
            findings.judge(
                "visible",
                !wasHidden,
                wasHidden ? `after ${afterMs} ms` : "at once",
                wasHidden ? { visibleAfterMs: afterMs } : undefined,
            );
            return answer.data;
        }
        if (afterMs > appearanceMs) {
            findings.judge("visible", false, `HTTP ${answer.status} for ${afterMs} ms`);
            return undefined;
        }
        await service.sleep(pollMs);
    }
}

function judgeObject(service: RawService, findings: Findings, object: JsonObject, title: string, digits: string): void {
    const policyKey = ["playback_policy", "playbackPolicy"].find((key) => key in object);
    findings.choose(
        "policyKey",
        "policyKey",
        ["playback_policy", "playbackPolicy"],
        policyKey,
        policyKey ?? "neither key",
    );
    const createdKey = ["created_at", "createdOn"].find((key) => key in object);
    findings.choose(
        "contentCreatedKey",
        "contentCreatedKey",
        ["created_at", "createdOn"],
        createdKey,
        createdKey ?? "neither key",
    );
    judgeCreated(service, findings, object[createdKey ?? ""]);
    const forms = { kept: title, trimmed: title.trim(), collapsed: title.trim().replace(/\s+/g, " ") };
    const form = Object.entries(forms).find(([, text]) => text === object.title)?.[0];
    findings.choose("title", "titles", Object.keys(forms), form, form ?? "another title");
    findings.judge(
        "marker",
        traceIn(object.metadata) === digits,
        traceIn(object.metadata) === digits ? "kept" : "changed or missing",
    );
    judgeOrder(findings, object.tags);
    const empty = !("description" in object) ? "omitted" : object.description === null ? "null" : "present";
    findings.choose("emptyFields", "emptyFields", ["present", "omitted", "null"], empty);
    const showsSource = "content" in object || "source" in object || "sourceUrl" in object;
    findings.judge("sourceHidden", !showsSource, showsSource ? "it is shown" : "it is not shown");
}

function judgeCreated(service: RawService, findings: Findings, value: unknown): void {
    if (typeof value !== "number" || service.serverTime === undefined) {
        findings.judge(
            "createdTime",
            false,
            typeof value === "number" ? "there is no clock to compare with" : `a ${typeof value}`,
        );
        return;
    }
    const aheadMs = value - service.serverTime;
    if (Math.abs(aheadMs) > 24 * 3_600_000) {
        findings.judge("createdTime", false, "another unit, or another day");
        return;
    }
    const isNear = Math.abs(aheadMs) <= 120_000;
    const createdSkewMs = Math.round(aheadMs / 60_000) * 60_000;
    findings.judge(
        "createdTime",
        isNear,
        `${Math.round(aheadMs / 1000)} s ahead`,
        isNear ? undefined : { createdSkewMs },
    );
}

function judgeOrder(findings: Findings, tags: unknown): void {
    const order = Array.isArray(tags) ? tags.join("") : "";
    const forms: Record<string, string> = { bac: "kept", abc: "sorted", cab: "reversed" };
    findings.choose(
        "collections",
        "collections",
        ["kept", "sorted", "reversed"],
        forms[order],
        forms[order] ?? "another order",
    );
}

/** The probe's digits in metadata of either form. */
export function traceIn(metadata: unknown): string | undefined {
    const value = Array.isArray(metadata)
        ? metadata.filter(isObject).find(({ key }) => key === traceKey)?.value
        : isObject(metadata)
          ? metadata[traceKey]
          : undefined;
    return typeof value === "string" ? value : undefined;
}

/** All pages, as they come; `undefined` when there are too many to read them all. */
async function readList(service: RawService, most: number): Promise<JsonObject[] | undefined> {
    const items: JsonObject[] = [];
    const seen = new Set<unknown>();
    while (items.length < most) {
        const page = await service.send("GET", "/contents", { query: { start: items.length, limit: 100 } });
        const fresh = (page.items ?? []).filter(({ contentId }) => !seen.has(contentId) && seen.add(contentId));
        if (fresh.length === 0) return items;
        items.push(...fresh);
    }
    return undefined;
}

const mostListed = 1_000;

async function probeList(service: RawService, findings: Findings, id: string, probe: ContentProbe): Promise<void> {
    probe.progress("Reading the list");
    const start = service.now;
    for (let tries = 1; ; tries++) {
        const items = await readList(service, mostListed);
        if (items === undefined) {
            for (const name of ["listed", "listOrder", "pastEnd"] as const)
                findings.notShown(name, `more than ${mostListed} contents`);
            return;
        }
        const item = items.find(({ contentId }) => String(contentId) === id);
        const afterMs = Math.round(service.now - start);
        if (item !== undefined) {
            const wasLate = tries > 1;
            findings.judge(
                "listed",
                !wasLate,
                wasLate ? `after ${afterMs} ms` : "at once",
                wasLate ? { listedAfterMs: afterMs } : undefined,
            );
            judgeItem(findings, item);
            await judgeListing(service, findings, items);
            return;
        }
        if (afterMs > appearanceMs) {
            findings.judge("listed", false, `not within ${afterMs} ms`);
            return;
        }
        await service.sleep(pollMs);
    }
}

function judgeItem(findings: Findings, item: JsonObject): void {
    const has = (field: string) => field in item;
    findings.choose(
        "listMetadata",
        "listMetadata",
        [false, true],
        has("metadata"),
        has("metadata") ? "they have" : "they have none",
    );
    findings.choose("listTags", "listTags", [false, true], has("tags"), has("tags") ? "they have" : "they have none");
    if (/^ready$/i.test(statusOf(item) ?? "")) findings.notShown("itemThumbnails", "it was Ready at once");
    else {
        const form = has("thumbnailUrl") || has("thumbnails") ? "always" : "ready";
        findings.choose(
            "itemThumbnails",
            "itemThumbnails",
            ["always", "ready"],
            form,
            form === "always" ? "they have" : "they have none",
        );
    }
}

async function judgeListing(service: RawService, findings: Findings, items: readonly JsonObject[]): Promise<void> {
    const again = (await readList(service, mostListed)) ?? [];
    const order = orderOf(items, again);
    if (order === undefined) findings.notShown("listOrder", "there is only one content");
    else findings.choose("listOrder", "listOrder", ["newest", "oldest", "unstable", "random"], order);

    const past = await service.send("GET", "/contents", { query: { start: items.length, limit: 100 } });
    const pastEnd = past.ok ? "empty" : past.status;
    findings.choose(
        "pastEnd",
        "pastEnd",
        ["empty", 400, 404, 413, 416, 422],
        pastEnd,
        past.ok ? "empty" : `HTTP ${past.status}`,
    );

    const one = await service.send("GET", "/contents", { query: { start: 0, limit: 1 } });
    findings.judge("paging", (one.items ?? []).length === 1, `limit=1 gave ${one.items?.length ?? "no"} item(s)`);
    await judgePageMaximum(service, findings, items.length);
}

async function judgePageMaximum(service: RawService, findings: Findings, total: number): Promise<void> {
    const large = await service.send("GET", "/contents", { query: { limit: 1_000 } });
    if (!large.ok) {
        findings.judge("pageMaximum", false, `limit=1000 is refused with HTTP ${large.status}`, {
            overMaximum: "reject",
        });
        return;
    }
    const count = large.items?.length ?? 0;
    if (count === total) {
        findings.notShown("pageMaximum", `there are only ${total} contents`);
        return;
    }
    findings.judge("pageMaximum", count === 100, `${count} items`, count === 100 ? undefined : { pageMaximum: count });
}

/** `undefined` where a list of one shows no order. */
function orderOf(first: readonly JsonObject[], again: readonly JsonObject[]): string | undefined {
    if (first.length < 2) return undefined;
    const ids = (items: readonly JsonObject[]) => items.map(({ contentId }) => String(contentId));
    const [a, b] = [ids(first), ids(again)];
    if (a.join() !== b.join()) return `${a.join()},${a.join()}`.includes(b.join()) ? "unstable" : "random";
    const times = first.map((item) => Number(item.created_at ?? item.createdOn));
    if (times.every((time, at) => at === 0 || time <= (times[at - 1] ?? 0))) return "newest";
    return times.every((time, at) => at === 0 || time >= (times[at - 1] ?? 0)) ? "oldest" : "random";
}

const documented = ["Pending", "Preparing", "Processing"];

async function probeReady(
    service: RawService,
    findings: Findings,
    path: string,
    first: JsonObject,
    statuses: Set<string>,
    probe: ContentProbe,
): Promise<void> {
    const until = service.now + probe.timeoutMs;
    let object = first;
    const early = first;
    while (!/^(ready|failed)$/i.test(statusOf(object) ?? "") && service.now < until) {
        probe.progress(`Waiting for Ready: ${statusOf(object) ?? "no status"}`);
        await service.sleep(pollMs);
        object = (await service.send("GET", path)).data ?? object;
        statuses.add(statusOf(object) ?? "none");
    }
    const last = statusOf(object) ?? "none";
    const way = [...statuses].filter((status) => !/^(ready|failed)$/i.test(status));
    const isDefault = way.join() === "Preparing" || way.length === 0;
    findings.judge(
        "statuses",
        way.every((status) => documented.includes(status)),
        way.join(", ") || "Ready at once",
        isDefault ? undefined : { pendingStatuses: way },
    );
    if (!/^ready$/i.test(last)) {
        findings.judge(
            "ready",
            false,
            `the last status was ${last}, after ${Math.round(probe.timeoutMs / 1000)} s at most`,
        );
        return;
    }
    findings.judge("ready", true, "it is");
    judgeReady(findings, early, object);
}

function judgeReady(findings: Findings, early: JsonObject, object: JsonObject): void {
    const missing = ["playbackUrl", "duration", "resolution"].filter(
        (key) => object[key] === undefined || object[key] === null,
    );
    findings.judge(
        "readyFields",
        missing.length === 0,
        missing.length === 0 ? "all three" : `without ${missing.join(", ")}`,
    );
    const thumbnails = ["thumbnailUrl", "thumbnails"].find((key) => object[key]) ?? "none";
    findings.choose("thumbnails", "thumbnails", ["thumbnailUrl", "thumbnails", "none"], thumbnails);
    if (thumbnails !== "thumbnailUrl") findings.retract("itemThumbnails", `a Ready content has ${thumbnails}`);
    if (/^ready$/i.test(statusOf(early) ?? "")) {
        findings.notShown("statusId", "it was Ready when it was first read");
        return;
    }
    const isLate = "statusId" in object && object.statusId !== 1;
    const statusId = !("statusId" in early) ? "none" : isLate ? "all" : "pending";
    findings.choose("statusId", "statusId", ["pending", "all", "none"], statusId);
}

async function probePut(
    service: RawService,
    findings: Findings,
    path: string,
    title: string,
    digits: string,
): Promise<void> {
    const marked = [{ key: traceKey, value: digits }];
    const full = await service.send("PUT", path, {
        body: { title, description: "A probe", tags: ["a"], metadata: marked },
    });
    if (!full.ok) {
        findings.judge("putData", false, `PUT was answered with HTTP ${full.status}`);
        return;
    }
    findings.choose(
        "putData",
        "putData",
        [true, false],
        full.data?.contentId !== undefined,
        full.data?.contentId === undefined ? "it does not" : "it has",
    );
    const after = (await service.send("GET", path)).data ?? {};
    findings.judge(
        "putMarker",
        traceIn(after.metadata) === digits,
        traceIn(after.metadata) === digits ? "kept" : "changed or missing",
    );
    await service.send("PUT", path, { body: { title } });
    const left = (await service.send("GET", path)).data ?? {};
    const isKept = left.description === "A probe" && traceIn(left.metadata) === digits;
    findings.choose(
        "put",
        "put",
        ["partial", "replace"],
        isKept ? "partial" : "replace",
        isKept ? "it does" : "it empties the rest",
    );
}

async function probeDelete(service: RawService, findings: Findings, path: string): Promise<void> {
    const deleted = await service.send("DELETE", path);
    const body = deleteBody(deleted);
    findings.choose("deleteBody", "deleteBody", ["envelope", "ok", "success", "failure", "empty"], body);
    const hasData = deleted.data?.contentId !== undefined;
    findings.choose("deleteData", "deleteData", [false, true], hasData, hasData ? "it has" : "it does not");
    const start = service.now;
    let read = await service.send("GET", path);
    let reads = 1;
    for (; !gone.includes(read.status) && service.now - start < appearanceMs; reads++) {
        await service.sleep(pollMs);
        read = await service.send("GET", path);
    }
    const afterMs = Math.round(service.now - start);
    const wasLate = reads > 1;
    const seen = gone.includes(read.status)
        ? wasLate
            ? `after ${afterMs} ms`
            : "at once"
        : `still HTTP ${read.status} after ${afterMs} ms`;
    findings.judge("deleted", !wasLate, seen, wasLate ? { readStaleMs: afterMs } : undefined);
    const again = await service.send("DELETE", path);
    findings.judge("deletedTwice", gone.includes(again.status), `HTTP ${again.status}`);
}

function deleteBody(answer: RawAnswer): string {
    const { json } = answer;
    if (answer.text.trim() === "") return "empty";
    if (!isObject(json)) return bodyForm(answer);
    if (json.success === true) return "success";
    if (json.success === false) return "failure";
    return json.status === "Success" ? "envelope" : "ok";
}

export function statusOf(object: JsonObject | undefined): string | undefined {
    return typeof object?.status === "string" ? object.status : undefined;
}
