/** The life of one short content: created, read, listed, waited for, given subtitles, changed, deleted. */

import { probeContentList } from "./contentList";
import { idShape, judgeObject, judgeReady } from "./contentObject";
import type { Findings } from "./findings";
import { bodyForm, isObject, type JsonObject, type RawAnswer, type RawService, statusOf } from "./rawService";
import { probeEarlySubtitle, probeSubtitles } from "./subtitles";
import { titleOf, traceIn, traceKey } from "./traces";
import { until } from "./until";

export interface ContentProbe {
    readonly source: string;
    /** The URL of a file with subtitles. */
    readonly subtitle: string | undefined;
    readonly digits: string;
    /** Called with the id as soon as it is known. */
    created(id: string): Promise<void>;
    /** How long to wait for Ready, in ms. */
    readonly timeoutMs: number;
    /** What happens, for a person who watches. */
    progress(text: string): void;
}

/** One content while it is probed. */
interface Life {
    readonly service: RawService;
    readonly findings: Findings;
    readonly probe: ContentProbe;
    readonly path: string;
    readonly title: string;
}

export async function probeContent(service: RawService, findings: Findings, probe: ContentProbe): Promise<void> {
    probe.progress("Creating a content");
    const title = titleOf(probe.digits);
    const created = await create(service, title, probe);
    const id = created.data?.contentId;
    if (!created.ok || (typeof id !== "string" && typeof id !== "number")) {
        const why = `the create was answered with HTTP ${created.status}${created.ok ? " without a contentId" : ""}`;
        if (created.ok) findings.judge("createData", false, why);
        for (const name of ["createCode", "visible", "listed", "ready"] as const) findings.notShown(name, why);
        return;
    }
    await probe.created(String(id));
    findings.choose("createCode", [201, 200], created.status, `HTTP ${created.status}`);
    const isWhole = created.data !== undefined && "title" in created.data && "metadata" in created.data;
    findings.choose("createData", ["object", "terse"], isWhole ? "object" : "terse");
    findings.choose("idShape", ["uuid", "opaque", "numeric", "number", "sequential"], idShape(id));

    const life: Life = { service, findings, probe, title, path: `/contents/${encodeURIComponent(id)}` };
    const first = await appear(life);
    if (first === undefined) return;
    judgeObject(service, findings, first, { title, digits: probe.digits });
    probe.progress("Reading the list");
    await probeContentList(service, findings, String(id));
    await probeEarlySubtitle(life, probe.subtitle, isFinal(statusOf(first)));
    await probeReady(life, created.data, first);
    await probeSubtitles(life, probe.subtitle);
    await probePut(life);
    await probeDelete(life);
}

function create(service: RawService, title: string, { source, digits }: ContentProbe): Promise<RawAnswer> {
    return service.send("POST", "/contents", {
        body: {
            title,
            content: [{ url: source }],
            playback_policy: ["public"],
            tags: ["b", "a", "c"],
            metadata: [
                { key: "z", value: "1" },
                { key: traceKey, value: digits },
                { key: "a", value: "2" },
            ],
            test_video: true,
        },
    });
}

async function appear({ service, findings, path }: Life): Promise<JsonObject | undefined> {
    const shown = await until(
        service,
        () => service.send("GET", path),
        ({ ok, data }) => ok && data !== undefined,
    );
    findings.judgeDelay("visible", "visibleAfterMs", shown, `HTTP ${shown.answer.status} for ${shown.afterMs} ms`);
    return shown.holds ? shown.answer.data : undefined;
}

const documentedStatuses = ["Pending", "Preparing", "Processing"];
const isFinal = (status: string | undefined) => /^(ready|failed)$/i.test(status ?? "");

async function probeReady(life: Life, created: JsonObject | undefined, first: JsonObject): Promise<void> {
    const { service, findings, path, probe } = life;
    const statuses = new Set([statusOf(created), statusOf(first)].filter((status) => status !== undefined));
    let object = first;
    const poll = async () => {
        probe.progress(`Waiting for Ready: ${statusOf(object) ?? "no status"}`);
        object = (await service.send("GET", path)).data ?? object;
        statuses.add(statusOf(object) ?? "none");
        return object;
    };
    if (!isFinal(statusOf(first))) await until(service, poll, (read) => isFinal(statusOf(read)), probe.timeoutMs);
    const way = [...statuses].filter((status) => !isFinal(status));
    const isDefault = way.join() === "Preparing" || way.length === 0;
    findings.judge(
        "statuses",
        way.every((status) => documentedStatuses.includes(status)),
        way.join(", ") || "Ready at once",
        isDefault ? undefined : { pendingStatuses: way },
    );
    const last = statusOf(object) ?? "none";
    const isReady = /^ready$/i.test(last);
    const limit = `after ${Math.round(probe.timeoutMs / 1000)} s at most`;
    findings.judge("ready", isReady, isReady ? "it is" : `the last status was ${last}, ${limit}`);
    if (isReady) judgeReady(findings, first, object);
}

async function probePut({ service, findings, path, title, probe: { digits } }: Life): Promise<void> {
    const metadata = [{ key: traceKey, value: digits }];
    const full = await service.send("PUT", path, {
        body: { title, description: "A probe", tags: ["a"], metadata },
    });
    if (!full.ok) {
        findings.judge("putData", false, `PUT was answered with HTTP ${full.status}`);
        return;
    }
    const hasData = full.data?.contentId !== undefined;
    findings.choose("putData", [true, false], hasData, hasData ? "it has" : "it does not");
    const after = (await service.send("GET", path)).data ?? {};
    findings.judgeKept("putMarker", traceIn(after.metadata) === digits);
    await service.send("PUT", path, { body: { title } });
    const left = (await service.send("GET", path)).data ?? {};
    const isKept = left.description === "A probe" && traceIn(left.metadata) === digits;
    findings.choose(
        "put",
        ["partial", "replace"],
        isKept ? "partial" : "replace",
        isKept ? "it does" : "it empties the rest",
    );
}

async function probeDelete({ service, findings, path }: Life): Promise<void> {
    const deleted = await service.send("DELETE", path);
    findings.choose("deleteBody", ["envelope", "ok", "success", "failure", "empty"], deleteBody(deleted));
    const hasData = deleted.data?.contentId !== undefined;
    findings.choose("deleteData", [false, true], hasData, hasData ? "it has" : "it does not");
    const isMissing = ({ status }: RawAnswer) => status === 404 || status === 410;
    const read = await until(service, () => service.send("GET", path), isMissing);
    findings.judgeDelay("deleted", "readStaleMs", read, `still HTTP ${read.answer.status} after ${read.afterMs} ms`);
    const again = await service.send("DELETE", path);
    findings.judge("deletedTwice", isMissing(again), `HTTP ${again.status}`);
}

function deleteBody(answer: RawAnswer): string {
    const { json } = answer;
    if (answer.text.trim() === "") return "empty";
    if (!isObject(json)) return bodyForm(answer);
    if (json.success === true) return "success";
    if (json.success === false) return "failure";
    return json.status === "Success" ? "envelope" : "ok";
}
