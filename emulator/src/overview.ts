/** The content of the emulator's page: the newest objects, failures apart, and the newest requests. */
import * as querystring from "node:querystring";
import { apiRoot } from "./api";
import { contentState, playbackBase, playbackRoot, playedPart } from "./contents";
import type { Context } from "./context";
import { masterPlaylist } from "./hls";
import { livestreamStatus } from "./livestreams";
import { sourceFile } from "./playback";
import type { LoggedRequest } from "./requestLog";
import type { ContentRecord, LivestreamRecord } from "./store";

export type Overview = ReturnType<typeof overviewOf>;

const sampleNote = "plays the sample";

/** `limit` is the number of rows of each group. */
export function overviewOf(context: Context, requests: readonly LoggedRequest[], limit: number) {
    const contents = context.store.contents().map((content) => contentRow(context, content));
    const livestreams = context.store.livestreams(context.now()).map((stream) => livestreamRow(context, stream));
    const all = [...contents, ...livestreams];
    const withStatus = (rows: typeof all, wanted: string) => rows.filter(({ status }) => status === wanted);
    const group = <T>(rows: readonly T[]) => ({ total: rows.length, shown: rows.slice(0, limit) });
    const newestFirst = (rows: typeof all) => rows.toSorted((a, b) => a.createdOn - b.createdOn).reverse();
    const withoutFailures = (rows: typeof all) => group(newestFirst(rows.filter(({ status }) => status !== "Failed")));
    const failedText = (rows: typeof all) => {
        const failed = withStatus(rows, "Failed").length;
        return failed > 0 ? `, ${failed} Failed` : "";
    };
    return {
        summary:
            `${count(contents.length, "content")}, ${withStatus(contents, "Ready").length} Ready${failedText(contents)}; ` +
            `${count(livestreams.length, "livestream")}${failedText(livestreams)}`,
        isEmpty: all.length === 0,
        groups: {
            failures: group(newestFirst(withStatus(all, "Failed"))),
            contents: withoutFailures(contents),
            livestreams: withoutFailures(livestreams),
            requests: { ...group(requests), shown: requests.slice(-limit).reverse().map(requestRow) },
        },
    };
}

function contentRow(context: Context, content: ContentRecord) {
    const { status, reason, durationMs, resolution } = contentState(context, content);
    const isReady = status === "Ready";
    const isPublic = content.playbackPolicy.includes("public");
    const { start, end } = playedPart(content, durationMs);
    const isCut = content.clip !== null || content.testVideo;
    const isStandIn = isReady && isPublic && content.outcome?.playable && content.outcome.file === null;
    const facts = [
        ...(isReady ? [lengthOf(durationMs)] : []),
        ...(isReady && !isPublic ? ["plays with signed URLs only"] : []),
        ...(isStandIn ? [sampleNote] : []),
    ];
    // The middle is seldom black.
    const posterAt = content.thumbnailAtSec === null ? (start + end) / 2 : start + content.thumbnailAtSec;
    return {
        ...commonRow(context, content, content.contentId, status, facts, isReady && isPublic),
        failedSources: status === "Failed" ? content.sourceUrls.map(withoutSecrets) : [],
        reason,
        resolution,
        posterAt,
        playedPart: isCut ? `#t=${start},${end}` : "",
        ...(isReady && !isPublic ? { noPoster: "Signed" } : {}),
    };
}

function livestreamRow(context: Context, stream: LivestreamRecord): ReturnType<typeof contentRow> {
    const status = livestreamStatus(stream);
    const isActive = status === "Active";
    const facts = [stream.region, ...(isActive ? [sampleNote] : [])];
    return {
        ...commonRow(context, stream, stream.streamUUID, status, facts, isActive),
        failedSources: [],
        reason: null,
        resolution: "",
        posterAt: 0,
        playedPart: "",
        noPoster: "Off air",
    };
}

function commonRow(
    context: Context,
    { title, description, tags, metadata, createdOn, environmentId }: ContentRecord | LivestreamRecord,
    id: string,
    status: string,
    facts: readonly string[],
    isPlayable: boolean,
) {
    // The marker that pulumi-videograph puts into the metadata: `pulumi:<project>/<stack>/<name>:…`.
    const marker = metadata.find(({ key }) => key === "managed_by")?.value ?? "";
    const [, ...owner] = /^pulumi:([^/]+\/[^/]+)\/(.+):/.exec(marker) ?? [];
    const environment = environmentId === 1 ? [] : [`environment ${environmentId}`];
    return {
        id,
        title,
        status,
        description,
        tags,
        metadata,
        createdOn,
        noPoster: "No picture yet",
        facts: [...facts, ...owner.map(querystring.unescape), ...environment],
        playbackUrl: isPlayable ? `${playbackBase(context, id)}/${masterPlaylist}` : null,
        source: isPlayable ? `${playbackRoot}${encodeURIComponent(id)}/${sourceFile}` : null,
    };
}

/** The URL without its query and user, which can be secrets. */
function withoutSecrets(url: string): string {
    const { origin, pathname } = new URL(url);
    return origin + pathname;
}

function lengthOf(durationMs: number): string {
    const seconds = Math.round(durationMs / 1000);
    if (seconds < 60) return `${durationMs / 1000} s`;
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")} min`;
}

function requestRow({ number, at, method, path, query, faults, status, finishedAt }: LoggedRequest) {
    const search = new URLSearchParams(query).toString();
    return {
        id: `${number}`,
        at,
        status,
        ms: finishedAt === null ? null : finishedAt - at,
        faults: faults.join(", "),
        request: `${method} ${path.slice(apiRoot.length)}${search && `?${search}`}`,
    };
}

function count(number: number, noun: string): string {
    return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
