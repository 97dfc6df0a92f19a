/**
 * The content of the emulator's page: the newest objects, failures apart, or the newest requests. With a filter, those that have all of
 * its words. Only what is shown is described: of ten thousand contents, the others are counted.
 */
import * as querystring from "node:querystring";
import { apiRoot } from "./api";
import { contentState, playbackBase, playbackRoot, playedPart } from "./contents";
import type { Context } from "./context";
import { masterPlaylist } from "./hls";
import { ingestUrl, livestreamStatus } from "./livestreams";
import { sourceFile } from "./playback";
import type { LoggedRequest } from "./requestLog";
import type { ContentRecord, LivestreamRecord } from "./store";
import { bodyWithoutSecrets, withoutSecrets } from "./withoutSecrets";

/** What the page asks for. */
export interface OverviewQuery {
    readonly view: "videos" | "requests";
    /** Words, in any order and case. */
    readonly filter: string;
    /** The number of rows of each group. */
    readonly limit: number;
}

export type Overview = ReturnType<typeof overviewOf>;

const sampleNote = "plays the sample";
/** So many characters of a request's body are shown. */
const maxSent = 20_000;

export function overviewOf(
    context: Context,
    requests: readonly LoggedRequest[],
    { view, filter, limit }: OverviewQuery,
) {
    const contents = context.store.contents().map((content) => contentEntry(context, content));
    const livestreams = context.store.livestreams(context.now()).map((stream) => livestreamEntry(context, stream));
    const all = [...contents, ...livestreams];
    const fits = fitsFilter(filter);
    const group = <T, Row>(items: readonly T[], text: (item: T) => string, row: (item: T) => Row) => {
        const found = fits === undefined ? items : items.filter((item) => fits(text(item)));
        return { total: items.length, found: found.length, shown: found.slice(0, limit).map(row) };
    };
    const objects = (entries: readonly Entry[], isWanted: (status: string) => boolean) => {
        const wanted = entries.filter(({ status }) => isWanted(status));
        const newestFirst = wanted.sort((a, b) => a.record.createdOn - b.record.createdOn).reverse();
        return group(newestFirst, entryText, (entry) => entry.row());
    };
    const isFailed = (status: string) => status === "Failed";
    const isOther = (status: string) => status !== "Failed";
    return {
        summary: {
            contents: summaryOf("content", contents, ["Ready", ...context.variants.pendingStatuses, "Failed"]),
            livestreams: summaryOf("livestream", livestreams, ["Failed"]),
        },
        /** The group with livestreams that do not fail, else the one with those that do. */
        livestreamsAt: livestreams.find(({ status }) => isOther(status))
            ? "livestreams"
            : livestreams.length > 0
              ? "failures"
              : null,
        isEmpty: all.length === 0,
        groups:
            view === "requests"
                ? { requests: group(requests.toReversed(), requestText, requestRow) }
                : {
                      failures: objects(all, isFailed),
                      contents: objects(contents, isOther),
                      livestreams: objects(livestreams, isOther),
                  },
    };
}

/** Whether a text has every word; `undefined` where there are none. */
function fitsFilter(filter: string): ((text: string) => boolean) | undefined {
    const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return undefined;
    return (text) => {
        const lower = text.toLowerCase();
        return words.every((word) => lower.includes(word));
    };
}

/** An object that the page counts. Its row is made only if the page shows it. */
interface Entry {
    readonly record: ContentRecord | LivestreamRecord;
    readonly id: string;
    readonly status: string;
    readonly reason: string | null;
    readonly row: () => ReturnType<typeof contentRow>;
}

function contentEntry(context: Context, content: ContentRecord): Entry {
    const state = contentState(context, content);
    const { status, reason } = state;
    return { record: content, id: content.contentId, status, reason, row: () => contentRow(context, content, state) };
}

function livestreamEntry(context: Context, stream: LivestreamRecord): Entry {
    const status = livestreamStatus(stream);
    const row = () => livestreamRow(context, stream, status);
    return { record: stream, id: stream.streamUUID, status, reason: null, row };
}

/** The text in which a filter looks for its words. */
function entryText({ record, id, status, reason }: Entry): string {
    const { title, description, tags, metadata } = record;
    const pairs = metadata.flatMap(({ key, value }) => [key, value]);
    return [title, id, status, reason ?? "", description, ...tags, ...pairs, ...ownerOf(record)].join("\n");
}

function contentRow(context: Context, content: ContentRecord, state: ReturnType<typeof contentState>) {
    const { status, reason, durationMs, resolution } = state;
    const isReady = status === "Ready";
    const isPublic = content.playbackPolicy.includes("public");
    const { start, end } = playedPart(content, durationMs);
    const isCut = content.clip !== null || content.testVideo;
    const isStandIn = isReady && isPublic && content.outcome?.playable && content.outcome.file === null;
    const percent = percentOf(context, content);
    const isPending = !isReady && status !== "Failed" && content.statusOverride === null;
    const facts = [
        ...(isReady ? [lengthOf(durationMs)] : []),
        ...(isReady && !isPublic ? ["plays with signed URLs only"] : []),
        ...(isStandIn ? [sampleNote] : []),
        ...(isPending && percent !== null ? [`${percent} %`] : []),
    ];
    return {
        ...commonRow(content, `contents/${content.contentId}`, status, facts, isReady && isPublic),
        playbackUrl: isReady && isPublic ? playbackUrlOf(context, content.contentId) : null,
        isSigned: isReady && !isPublic,
        ingestUrl: null as string | null,
        failedSources: status === "Failed" ? content.sourceUrls.map(withoutSecrets) : [],
        reason,
        resolution,
        // The first picture of a video is often black, the middle seldom.
        posterAt: content.thumbnailAtSec === null ? (start + end) / 2 : start + content.thumbnailAtSec,
        playedPart: isCut ? `#t=${start},${end}` : "",
        ...(isReady && !isPublic ? { noPoster: "Signed" } : {}),
        ...(isPending ? { percent } : {}),
    };
}

/** How much of the processing is done; null where nobody knows its end: it never ends, or only the source is still missing. */
function percentOf(context: Context, { createdOn, processingMs }: ContentRecord): number | null {
    const elapsed = context.now() - createdOn;
    if (processingMs === null || elapsed >= processingMs) return null;
    return Math.max(Math.floor((100 * elapsed) / processingMs), 0);
}

function livestreamRow(context: Context, stream: LivestreamRecord, status: string): ReturnType<typeof contentRow> {
    const isActive = status === "Active";
    const facts = [stream.region, ...(isActive ? [sampleNote] : [])];
    return {
        ...commonRow(stream, `livestreams/${stream.streamUUID}`, status, facts, isActive),
        playbackUrl: playbackUrlOf(context, stream.streamUUID),
        isSigned: false,
        ingestUrl: ingestUrl(stream),
        failedSources: [],
        reason: null,
        resolution: "",
        posterAt: 0,
        playedPart: "",
        noPoster: "Off air",
    };
}

/** `path`: that of the object below the control endpoint. It ends with the id. */
function commonRow(
    record: ContentRecord | LivestreamRecord,
    path: string,
    status: string,
    facts: readonly string[],
    isPlayable: boolean,
) {
    const { title, description, tags, metadata, createdOn, environmentId } = record;
    const id = path.slice(path.indexOf("/") + 1);
    const environment = environmentId === 1 ? [] : [`environment ${environmentId}`];
    return {
        id,
        path,
        title,
        status,
        description,
        tags,
        metadata,
        createdOn,
        noPoster: "No picture",
        facts: [...facts, ...ownerOf(record), ...environment],
        source: isPlayable ? `${playbackRoot}${encodeURIComponent(id)}/${sourceFile}` : null,
    };
}

/** The playback URL without the stream key, which the variant `streamKeyInPlaybackUrl` puts in: the page must not show it, and the video plays without. */
function playbackUrlOf(context: Context, id: string): string {
    return `${playbackBase(context, id)}/${masterPlaylist}`;
}

/** Stack and resource, from the marker that pulumi-videograph puts into the metadata: `pulumi:<project>/<stack>/<name>:…`. */
function ownerOf({ metadata }: ContentRecord | LivestreamRecord): readonly string[] {
    const marker = metadata.find(({ key }) => key === "managed_by")?.value ?? "";
    const [, ...owner] = /^pulumi:([^/]+\/[^/]+)\/(.+):/.exec(marker) ?? [];
    return owner.map((part) => querystring.unescape(part));
}

/** `0:02`, `62:05`. */
function lengthOf(durationMs: number): string {
    const seconds = Math.round(durationMs / 1000);
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function requestText(request: LoggedRequest): string {
    return `${requestLine(request)} ${request.status ?? ""} ${request.faults.join(" ")}`;
}

function requestLine({ method, path, query }: LoggedRequest): string {
    const search = new URLSearchParams(query).toString();
    return `${method} ${path.slice(apiRoot.length)}${search && `?${search}`}`;
}

function requestRow(request: LoggedRequest) {
    const { number, at, faults, status, finishedAt, body, refusal } = request;
    const sent = bodyWithoutSecrets(body);
    return {
        id: `${number}`,
        at,
        status,
        ms: finishedAt === null ? null : finishedAt - at,
        faults: faults.join(", "),
        request: requestLine(request),
        sent: sent.length > maxSent ? `${sent.slice(0, maxSent)}…` : sent,
        refusal: bodyWithoutSecrets(refusal),
    };
}

/** Such as `3 contents, 1 Ready, 2 Preparing`. A status that no object has is left out, except Ready. */
function summaryOf(noun: string, entries: readonly Entry[], statuses: readonly string[]): string {
    const parts = [...new Set(statuses)].flatMap((wanted) => {
        const number = entries.filter(({ status }) => status === wanted).length;
        return number > 0 || wanted === "Ready" ? [`${shown(number)} ${wanted}`] : [];
    });
    return [`${shown(entries.length)} ${noun}${entries.length === 1 ? "" : "s"}`, ...parts].join(", ");
}

function shown(number: number): string {
    return number.toLocaleString("en");
}
