/** The life of one livestream: created, read, listed, deleted. Nothing is broadcast. */
import { statusOf, traceIn } from "./content";
import type { Findings } from "./findings";
import type { JsonObject, RawService } from "./rawService";
import { titleOf, traceKey } from "./traces";

export interface LivestreamProbe {
    readonly digits: string;
    /** Called with the id as soon as it is known. */
    created(id: string): Promise<void>;
    readonly region: string;
    progress(text: string): void;
}

const pollMs = 500;
const appearanceMs = 30_000;
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
    const object = await appear(service, path);
    if (object === undefined) {
        findings.judge("livestreamMarker", false, "it could not be read");
        return;
    }
    judgeObject(findings, object, probe.digits);
    await probeLists(service, findings, String(id));
    await probeDelete(service, findings, path, probe);
}

async function appear(service: RawService, path: string): Promise<JsonObject | undefined> {
    const until = service.now + appearanceMs;
    for (;;) {
        const { ok, data } = await service.send("GET", path);
        if (ok && data !== undefined) return data;
        if (service.now > until) return undefined;
        await service.sleep(pollMs);
    }
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
    findings.choose("ingestKey", "ingestKey", ["rtmpUrl", "ingestUrl", "both"], ingestKey, ingestKey ?? "neither key");
    const rtmpsUrl = object.rtmpsUrl ? "url" : "empty";
    findings.choose(
        "rtmpsUrl",
        "rtmpsUrl",
        ["url", "empty"],
        rtmpsUrl,
        rtmpsUrl === "url" ? "it is" : "it is empty or missing",
    );
    const createdKey = ["createdOn", "created_at"].find((key) => key in object);
    findings.choose(
        "livestreamCreatedKey",
        "livestreamCreatedKey",
        ["createdOn", "created_at"],
        createdKey,
        createdKey ?? "neither key",
    );
    const kept = traceIn(object.metadata) === digits;
    findings.judge("livestreamMarker", kept, kept ? "kept" : "changed or missing");
}

async function probeLists(service: RawService, findings: Findings, id: string): Promise<void> {
    const list = async (record: boolean, query: Record<string, number> = {}) =>
        (await service.send("GET", "/livestreams", { query: { record, ...query } })).items ?? [];
    const has = (items: readonly JsonObject[]) => items.some(({ streamUUID }) => String(streamUUID) === id);
    const until = service.now + appearanceMs;
    let plain = await list(false);
    while (!has(plain) && service.now < until) {
        await service.sleep(pollMs);
        plain = await list(false);
    }
    const isElsewhere = has(await list(true));
    const where = has(plain)
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
    findings.choose(
        "livestreamPaging",
        "livestreamPaging",
        [false, true],
        isPaged,
        isPaged ? "it does not" : "it does",
    );
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
    const start = service.now;
    const first = await service.send("GET", path);
    let read = first;
    while (read.ok && service.now - start < deletionMs) {
        await service.sleep(pollMs);
        read = await service.send("GET", path);
    }
    if (read.ok) {
        findings.judge("whileDeleting", false, `still there after ${deletionMs / 1000} s`);
        return;
    }
    const form = first.ok ? (statusOf(first.data) ?? "no status") : "notFound";
    const seen = first.ok
        ? `${form}, then HTTP ${read.status} after ${Math.round(service.now - start)} ms`
        : `HTTP ${first.status} at once`;
    findings.choose("whileDeleting", "whileDeleting", ["Deleting", "notFound"], form, seen);
}
