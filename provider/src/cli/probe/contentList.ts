/** The list of contents: when a new one is in it, its items, order and pages. */
import type { Findings } from "./findings";
import { type JsonObject, type RawService, statusOf } from "./rawService";
import { until } from "./until";

const mostListed = 1_000;

export async function probeContentList(service: RawService, findings: Findings, id: string): Promise<void> {
    const has = ({ contentId }: JsonObject) => String(contentId) === id;
    const listed = await until(
        service,
        () => readList(service),
        (items) => items === undefined || items.some(has),
    );
    const items = listed.answer;
    if (items === undefined) {
        for (const name of ["listed", "listOrder", "pastEnd"] as const)
            findings.notShown(name, `more than ${mostListed} contents`);
        return;
    }
    findings.judgeDelay("listed", "listedAfterMs", listed, `not within ${listed.afterMs} ms`);
    const item = items.find(has);
    if (item === undefined) return;
    judgeItem(findings, item);
    await judgeListing(service, findings, items);
}

/** All pages, as they come; `undefined` when there are too many to read them all. */
async function readList(service: RawService): Promise<JsonObject[] | undefined> {
    const items: JsonObject[] = [];
    const seen = new Set<unknown>();
    while (items.length < mostListed) {
        const page = await service.send("GET", "/contents", { query: { start: items.length, limit: 100 } });
        const fresh = (page.items ?? []).filter(({ contentId }) => !seen.has(contentId) && seen.add(contentId));
        if (fresh.length === 0) return items;
        items.push(...fresh);
    }
    return undefined;
}

function judgeItem(findings: Findings, item: JsonObject): void {
    const has = (field: string) => field in item;
    findings.choose("listMetadata", [false, true], has("metadata"), has("metadata") ? "they have" : "they have none");
    findings.choose("listTags", [false, true], has("tags"), has("tags") ? "they have" : "they have none");
    if (/^ready$/i.test(statusOf(item) ?? "")) findings.notShown("itemThumbnails", "it was Ready at once");
    else {
        const form = has("thumbnailUrl") || has("thumbnails") ? "always" : "ready";
        findings.choose(
            "itemThumbnails",
            ["always", "ready"],
            form,
            form === "always" ? "they have" : "they have none",
        );
    }
}

async function judgeListing(service: RawService, findings: Findings, items: readonly JsonObject[]): Promise<void> {
    const again = (await readList(service)) ?? [];
    const order = orderOf(items, again);
    if (order === undefined) findings.notShown("listOrder", "there is only one content");
    else findings.choose("listOrder", ["newest", "oldest", "unstable", "random"], order);

    const past = await service.send("GET", "/contents", { query: { start: items.length, limit: 100 } });
    const pastEnd = past.ok ? "empty" : past.status;
    findings.choose("pastEnd", ["empty", 400, 404, 413, 416, 422], pastEnd, past.ok ? "empty" : `HTTP ${past.status}`);

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
