/** What single answers show of a content. */
import type { Findings } from "./findings";
import { type JsonObject, type RawService, statusOf } from "./rawService";
import { traceIn } from "./traces";

export function idShape(id: string | number): string {
    if (typeof id === "number") return "number";
    if (/^\d{1,4}$/.test(id)) return "sequential";
    if (/^\d+$/.test(id)) return "numeric";
    return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id) ? "uuid" : "opaque";
}

/** A new content, as it is read first. */
export function judgeObject(
    service: RawService,
    findings: Findings,
    object: JsonObject,
    { title, digits }: { title: string; digits: string },
): void {
    findings.chooseKey("policyKey", ["playback_policy", "playbackPolicy"], object);
    const createdKey = findings.chooseKey("contentCreatedKey", ["created_at", "createdOn"], object);
    judgeCreated(service, findings, object[createdKey ?? ""]);
    const forms = { kept: title, trimmed: title.trim(), collapsed: title.trim().replace(/\s+/g, " ") };
    const form = Object.entries(forms).find(([, text]) => text === object.title)?.[0];
    findings.choose("title", Object.keys(forms), form, form ?? "another title", "titles");
    findings.judgeKept("marker", traceIn(object.metadata) === digits);
    judgeOrder(findings, object.tags);
    const empty = !("description" in object) ? "omitted" : object.description === null ? "null" : "present";
    findings.choose("emptyFields", ["present", "omitted", "null"], empty);
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
    findings.choose("collections", ["kept", "sorted", "reversed"], forms[order], forms[order] ?? "another order");
}

/** A content that is Ready, and how it was read first. */
export function judgeReady(findings: Findings, early: JsonObject, object: JsonObject): void {
    const missing = ["playbackUrl", "duration", "resolution"].filter(
        (key) => object[key] === undefined || object[key] === null,
    );
    findings.judge(
        "readyFields",
        missing.length === 0,
        missing.length === 0 ? "all three" : `without ${missing.join(", ")}`,
    );
    const thumbnails = ["thumbnailUrl", "thumbnails"].find((key) => object[key]) ?? "none";
    findings.choose("thumbnails", ["thumbnailUrl", "thumbnails", "none"], thumbnails);
    if (thumbnails !== "thumbnailUrl") findings.retract("itemThumbnails", `a Ready content has ${thumbnails}`);
    if (/^ready$/i.test(statusOf(early) ?? "")) {
        findings.notShown("statusId", "it was Ready when it was first read");
        return;
    }
    const isLate = "statusId" in object && object.statusId !== 1;
    const statusId = !("statusId" in early) ? "none" : isLate ? "all" : "pending";
    findings.choose("statusId", ["pending", "all", "none"], statusId);
}
