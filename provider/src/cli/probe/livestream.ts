/** The life of one livestream: created, read, listed, deleted. Nothing is broadcast. */
import type { Findings } from "./findings";
import { type JsonObject, type RawService, statusOf } from "./rawService";
import { titleOf, traceIn, traceKey } from "./traces";
import { until } from "./until";

export interface LivestreamProbe {
    readonly digits: string;
    /** Called with the id as soon as it is known. */
    created(id: string): Promise<void>;
    readonly region: string;
    progress(text: string): void;
}

const deletionMs = 60_000;

export async function probeLivestream(service: RawService, findings: Findings, probe: LivestreamProbe): Promise<void> {
    probe.progress("Creating a livestream");
    const created = await service.send("POST", "/livestreams", {
        body: {
            title: titleOf(probe.digits),
            region: probe.region,
            record: false,
            metadata: [{ key: traceKey, value: probe.digits }],
        },
    });
    const id = created.data?.streamUUID;
    const hasId = typeof id === "string" || typeof id === "number";
    findings.judge(
        "livestreamCreate",
        [200, 201].includes(created.status) && hasId,
        `HTTP ${created.status}${created.ok && !hasId ? " without a streamUUID" : ""}`,
    );
    if (!created.ok || !hasId) return;
    await probe.created(String(id));
    const path = `/livestreams/${encodeURIComponent(id)}`;
    const shown = await until(
        service,
        () => service.send("GET", path),
        ({ ok, data }) => ok && data !== undefined,
    );
    const object = shown.answer.data;
    if (!shown.holds || object === undefined) {
        findings.judge("livestreamMarker", false, "it could not be read");
        return;
    }
    judgeObject(findings, object, probe.digits);
    await probeLists(service, findings, String(id));
    await probeDelete(service, findings, path, probe);
}

function judgeObject(findings: Findings, object: JsonObject, digits: string): void {
    const status = statusOf(object) ?? "none";
    findings.judge("livestreamStatus", status === "Idle", status);
    const keyType = object.streamKey === null ? "null" : typeof object.streamKey;
    findings.judge(
        "streamKey",
        keyType === "string",
        keyType === "undefined" ? "missing" : `a ${keyType}`,
        keyType === "string" ? undefined : { fields: { streamKey: keyType === "undefined" ? "absent" : keyType } },
    );
    const ingest = ["rtmpUrl", "ingestUrl"].filter((key) => key in object);
    const ingestKey = ingest.length === 2 ? "both" : ingest[0];
    findings.choose("ingestKey", ["rtmpUrl", "ingestUrl", "both"], ingestKey, ingestKey ?? "neither key");
    const rtmpsUrl = object.rtmpsUrl ? "url" : "empty";
    findings.choose("rtmpsUrl", ["url", "empty"], rtmpsUrl, rtmpsUrl === "url" ? "it is" : "it is empty or missing");
    findings.chooseKey("livestreamCreatedKey", ["createdOn", "created_at"], object);
    findings.judgeKept("livestreamMarker", traceIn(object.metadata) === digits);
}

async function probeLists(service: RawService, findings: Findings, id: string): Promise<void> {
    const list = async (record: boolean, query: Record<string, number> = {}) =>
        (await service.send("GET", "/livestreams", { query: { record, ...query } })).items ?? [];
    const has = (items: readonly JsonObject[]) => items.some(({ streamUUID }) => String(streamUUID) === id);
    const { answer: plain, holds } = await until(service, () => list(false), has);
    const isElsewhere = has(await list(true));
    const where = holds
        ? isElsewhere
            ? "in both lists"
            : "in its own list"
        : isElsewhere
          ? "in the other list"
          : "in neither list";
    findings.judge("livestreamLists", where === "in its own list", where);
    if (plain.length === 0) {
        findings.notShown("livestreamPaging", "the list is empty");
        return;
    }
    const isPaged = (await list(false, { start: 1 })).length === plain.length - 1;
    findings.choose("livestreamPaging", [false, true], isPaged, isPaged ? "it does not" : "it does");
}

async function probeDelete(
    service: RawService,
    findings: Findings,
    path: string,
    probe: LivestreamProbe,
): Promise<void> {
    probe.progress("Deleting the livestream");
    const deleted = await service.send("DELETE", path);
    const status = statusOf(deleted.data) ?? "none";
    findings.judge("livestreamDelete", deleted.ok && status === "Deleting", `HTTP ${deleted.status}, status ${status}`);
    let form: string | undefined;
    const read = await until(
        service,
        async () => {
            const answer = await service.send("GET", path);
            form ??= answer.ok ? (statusOf(answer.data) ?? "no status") : "notFound";
            return answer;
        },
        ({ ok }) => !ok,
        deletionMs,
    );
    const code = `HTTP ${read.answer.status}`;
    if (!read.holds) {
        findings.judge("whileDeleting", false, `still there after ${deletionMs / 1000} s`);
        return;
    }
    const seen = read.isLate ? `${form}, then ${code} after ${read.afterMs} ms` : `${code} at once`;
    findings.choose("whileDeleting", ["Deleting", "notFound"], form, seen);
}
