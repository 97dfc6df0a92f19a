/** The content of the emulator's page: the newest objects, failures apart, and the newest requests. */
import { apiRoot } from "./api";
import { contentState, playbackBase, playedPart } from "./contents";
import type { Context } from "./context";
import { masterPlaylist } from "./hls";
import { livestreamStatus } from "./livestreams";
import { posterFile, sourceFile } from "./playback";
import type { LoggedRequest } from "./requestLog";
import type { ContentRecord, LivestreamRecord } from "./store";

export type Overview = ReturnType<typeof overviewOf>;

/** `limit` is the number of rows of each group. */
export function overviewOf(context: Context, requests: readonly LoggedRequest[], limit: number) {
    const contents = context.store.contents().map((content) => contentRow(context, content));
    const livestreams = context.store.livestreams(context.now()).map((stream) => streamRow(context, stream));
    const all = [...contents, ...livestreams].sort((a, b) => a.createdOn - b.createdOn);
    const ready = contents.filter(({ status }) => status === "Ready").length;
    const group = <T>(oldestFirst: readonly T[]) => ({
        total: oldestFirst.length,
        shown: oldestFirst.slice(-limit).reverse(),
    });
    const failures = all.filter(({ status }) => status === "Failed");
    const others = (kind: string) => group(all.filter((row) => row.kind === kind && row.status !== "Failed"));
    const { total, shown } = group(requests);
    return {
        summary: `${count(contents.length, "content")}, ${ready} Ready; ${count(livestreams.length, "livestream")}`,
        isEmpty: all.length === 0,
        groups: {
            ...{ failures: group(failures), contents: others("content"), livestreams: others("livestream") },
            requests: { total, shown: shown.map(requestRow) },
        },
    };
}

function contentRow(context: Context, content: ContentRecord) {
    const { contentId: id, outcome, thumbnailAtSec } = content;
    const { status, reason, durationMs, resolution } = contentState(context, content);
    const isReady = status === "Ready";
    const isPublic = content.playbackPolicy.includes("public");
    const { start, end } = playedPart(content, durationMs);
    const isCut = content.clip !== null || content.testVideo;
    const isStandIn = isReady && isPublic && outcome?.playable && outcome.file === null;
    const poster = isReady && isPublic ? `?at=${thumbnailAtSec}` : null;
    return {
        ...commonRow(context, content, id, poster, isCut ? `#t=${start},${end}` : ""),
        ...{ kind: "content", status, reason, resolution, noPoster: isReady ? "Signed" : status },
        facts: factsOf(content, [
            ...(isReady ? [lengthOf(durationMs)] : []),
            ...(isReady && !isPublic ? ["plays with signed URLs only"] : []),
            ...(isStandIn ? ["the sample plays in its place"] : []),
        ]),
    };
}

function streamRow(context: Context, stream: LivestreamRecord): ReturnType<typeof contentRow> {
    const status = livestreamStatus(stream);
    return {
        ...commonRow(context, stream, stream.streamUUID, status === "Active" ? "" : null, ""),
        ...{ kind: "livestream", status, reason: null, resolution: "", noPoster: status },
        facts: factsOf(stream, [stream.region]),
    };
}

/** `poster` is the query of its URL; null for what does not play. */
function commonRow(
    context: Context,
    { title, description, tags, metadata, createdOn }: ContentRecord | LivestreamRecord,
    id: string,
    poster: string | null,
    part: string,
) {
    const plays = poster !== null;
    const base = `/playback/${encodeURIComponent(id)}`;
    return {
        ...{ id, title, description, tags, metadata, createdOn },
        playbackUrl: plays ? `${playbackBase(context, id)}/${masterPlaylist}` : null,
        plays: plays ? `${base}/${sourceFile}${part}` : null,
        poster: plays ? `${base}/${posterFile}${poster}` : null,
    };
}

/** The stack is in the marker that pulumi-videograph puts into the metadata: `pulumi:<project>/<stack>/<name>:…`. */
function factsOf({ metadata, environmentId }: ContentRecord | LivestreamRecord, own: readonly string[]): string[] {
    const marker = metadata.find(({ key }) => key === "managed_by")?.value ?? "";
    const [, stack] = /^pulumi:([^/]+\/[^/]+)\//.exec(marker) ?? [];
    const environment = environmentId === 1 ? [] : [`environment ${environmentId}`];
    return [...own, ...(stack === undefined ? [] : [stack]), ...environment];
}

function lengthOf(durationMs: number): string {
    const seconds = Math.round(durationMs / 1000);
    if (seconds < 60) return `${durationMs / 1000} s`;
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")} min`;
}

function requestRow({ number, at, method, path, query, faults, status, finishedAt }: LoggedRequest) {
    const search = new URLSearchParams(query).toString();
    return {
        ...{ id: `${number}`, at, status, ms: finishedAt === null ? null : finishedAt - at, faults: faults.join(", ") },
        request: `${method} ${path.slice(apiRoot.length)}${search && `?${search}`}`,
    };
}

function count(number: number, one: string): string {
    return `${number} ${one}${number === 1 ? "" : "s"}`;
}
