/** `/contents`: on-demand videos, from the request's fields to Ready or Failed. */
import { randomUuid } from "./clock";
import type { Context, RouteHandler, RouteRequest } from "./context";
import { masterPlaylist } from "./hls";
import { success } from "./http";
import { contentFields, plainRecord, shownFields, withEmptyValues } from "./plainFields";
import { contentCreate, contentUpdate, pageQuery } from "./requestSchemas";
import type { ContentCreate } from "./requests";
import {
    createdData,
    descriptionFields,
    emptyDescription,
    inListOrder,
    inShownOrder,
    newId,
    pageOf,
    requireVisible,
    shapeFields,
} from "./shapes";
import type { ContentRecord } from "./store";
import { thumbnailFile } from "./thumbnail";
import { checkBody, checkNoBody, checkQuery } from "./validate";

export const createContent: RouteHandler = (context, request) => {
    const body = checkBody(contentCreate, request, context.variants.invalidCode);
    const { processing } = request;
    const content: ContentRecord = {
        ...newContent(context, request.environmentId, body),
        processingMs: processing?.stuck ? null : (processing?.ms ?? context.processingTimeMs(body)),
    };
    if (processing?.fail !== undefined) content.outcome = { playable: false, reason: processing.fail };
    context.store.apply({ content });
    if (content.outcome === null) context.process(content);
    return createdReply(context, content);
};

/** The answer to a create of a content or of a clip. */
export function createdReply(context: Context, content: ContentRecord) {
    const data = createdData(context, "contentId", showContent(context, content));
    return success(context.variants.createCode, "Content created successfully", data);
}

/** A content as a create request describes it, not yet stored. Tests use this too, to add a content from outside. */
export function newContent(context: Context, environmentId: number, create: ContentCreate): ContentRecord {
    return {
        contentId: newId(context, environmentId, "content"),
        environmentId,
        ...descriptionFields(context, create),
        playbackPolicy: create.playback_policy,
        sourceUrls: create.content.map((source) => source.url),
        watermark: create.watermark ?? [],
        subtitle: (create.subtitle ?? []).map((subtitle) => ({
            ...subtitle,
            uuid: randomUuid(context.random),
            createdOn: context.now(),
        })),
        ...plainRecord(contentFields, create),
        createdOn: context.now(),
        processingMs: 0,
        outcome: null,
        statusOverride: null,
        thumbnailAtSec: null,
        clip: null,
    };
}

export const getContent: RouteHandler = (context, request) => {
    checkNoBody(request);
    const [id = ""] = request.ids;
    const found = contentById(context, request) ?? deletedContent(context, request);
    const content = requireVisible(context, found, "Content", id);
    return success(200, "Content fetched successfully", showContent(context, content));
};

export const listContents: RouteHandler = (context, request) => {
    checkNoBody(request);
    const query = checkQuery(pageQuery, request, context.variants.invalidCode);
    const all = inListOrder(context, context.store.contents(request.environmentId));
    const items = pageOf(context, all, query).map((content) => showItem(context, content));
    return success(200, "Contents fetched successfully", items);
};

export const updateContent: RouteHandler = (context, request) => {
    const old = requireContent(context, request);
    const { put, putData, invalidCode } = context.variants;
    const body = checkBody(contentUpdate, request, invalidCode);
    const rest = put === "partial" ? old : withEmptyValues(contentFields, { ...old, ...emptyDescription });
    const content: ContentRecord = {
        ...rest,
        ...descriptionFields(context, body, rest),
        ...plainRecord(contentFields, body, rest),
    };
    context.store.apply({ content });
    return success(200, "Content updated successfully", putData ? showContent(context, content) : undefined);
};

export const deleteContent: RouteHandler = (context, request) => {
    checkNoBody(request);
    const content = requireContent(context, request);
    context.store.apply({ contentDeleted: { environmentId: content.environmentId, id: content.contentId } });
    if (context.variants.deletedShownMs > 0) context.deleted.set(content.contentId, { content, at: context.now() });
    const data = context.variants.deleteData ? showContent(context, content) : undefined;
    return success(200, "Content deleted successfully", data);
};

export function requireContent(context: Context, request: RouteRequest): ContentRecord {
    return requireVisible(context, contentById(context, request), "Content", request.ids[0] ?? "");
}

function contentById({ store }: Context, { environmentId, ids: [id = ""] }: RouteRequest): ContentRecord | undefined {
    return store.environment(environmentId).contents.get(id);
}

/** A content that is deleted, but that a GET still shows for the time of the variant `deletedShownMs`. */
function deletedContent(context: Context, { environmentId, ids: [id = ""] }: RouteRequest): ContentRecord | undefined {
    const { content, at = 0 } = context.deleted.get(id) ?? {};
    const isShown = content?.environmentId === environmentId && context.now() < at + context.variants.deletedShownMs;
    return isShown ? content : undefined;
}

/** A content's state at a moment. It is computed from timestamps: without timers, a restart loses nothing. */
interface ContentState {
    readonly status: string;
    readonly reason: string | null;
    readonly durationMs: number;
    readonly resolution: string;
}

/** The length of a test video: only its beginning is transcoded. */
const testVideoMs = 10_000;

export function contentState(context: Context, content: ContentRecord): ContentState {
    const { outcome } = content;
    const longest = content.testVideo ? testVideoMs : Number.POSITIVE_INFINITY;
    const media = outcome?.playable
        ? { durationMs: Math.min(outcome.durationMs, longest), resolution: outcome.resolution }
        : { durationMs: 0, resolution: "" };
    if (content.statusOverride !== null) return { ...media, ...content.statusOverride };

    const elapsed = context.now() - content.createdOn;
    const pending = (total: number): ContentState => {
        const statuses = context.variants.pendingStatuses;
        const turn = total > 0 ? Math.floor((elapsed / total) * statuses.length) : statuses.length - 1;
        const status = statuses[Math.min(Math.max(turn, 0), statuses.length - 1)] ?? "Preparing";
        return { status, reason: null, durationMs: 0, resolution: "" };
    };
    if (content.processingMs === null) return pending(Number.POSITIVE_INFINITY);
    if (outcome === null || elapsed < content.processingMs) return pending(content.processingMs);
    return outcome.playable
        ? { ...media, status: "Ready", reason: null }
        : { ...media, status: "Failed", reason: outcome.reason };
}

/** Which part of its source a content shows, in seconds: the whole, or what a clip cuts out. */
export function playedPart({ clip }: ContentRecord, durationMs: number): { start: number; end: number } {
    const start = clip?.startTime ?? 0;
    return { start, end: start + durationMs / 1000 };
}

/** The numbers of statuses. Only 1, for an unfinished object, is documented: these are guesses. */
export const finalStatusIds: Record<string, number> = { Ready: 2, Idle: 2, Failed: 3 };

function statusId(context: Context, status: string): number | undefined {
    const { statusId: shown } = context.variants;
    const final = finalStatusIds[status];
    if (shown === "none" || (shown !== "all" && final !== undefined)) return undefined;
    return final ?? 1;
}

/** A content as the answer to a GET shows it. The source URL is left out, as by the real service. */
function showContent(context: Context, content: ContentRecord): Record<string, unknown> {
    const { variants } = context;
    const state = contentState(context, content);
    return {
        ...shapeFields(context, {
            contentId: shownId(context, content),
            title: content.title,
            status: state.status,
            statusId: statusId(context, state.status),
            description: content.description,
            duration: state.durationMs,
            tags: inShownOrder(context, content.tags),
            metadata: inShownOrder(context, content.metadata),
            [variants.policyKey]: content.playbackPolicy,
            ...shownFields(contentFields, content),
            [variants.contentCreatedKey]: content.createdOn + variants.createdSkewMs,
        }),
        ...showPlayable(context, content, state),
        // No document names this key: it is a guess.
        ...(state.reason === null ? {} : { errorMessage: state.reason }),
    };
}

function showItem(context: Context, content: ContentRecord): Record<string, unknown> {
    const { variants } = context;
    const state = contentState(context, content);
    const { playbackUrl: _, ...playable } = showPlayable(context, content, state);
    // The vendor's own client reads `thumbnailUrl` of every item, in every status.
    const early = variants.itemThumbnails === "always" && state.status !== "Ready";
    return {
        ...shapeFields(context, {
            contentId: shownId(context, content),
            title: content.title,
            status: state.status,
            [variants.contentCreatedKey]: content.createdOn + variants.createdSkewMs,
            tags: variants.listTags ? inShownOrder(context, content.tags) : undefined,
            metadata: variants.listMetadata ? inShownOrder(context, content.metadata) : undefined,
        }),
        ...(state.status === "Ready" ? { duration: state.durationMs } : {}),
        ...(early ? showThumbnail(context, content) : {}),
        ...playable,
    };
}

function showPlayable(context: Context, content: ContentRecord, state: ContentState): Record<string, unknown> {
    if (state.status !== "Ready") return {};
    return {
        resolution: state.resolution,
        playbackUrl: `${playbackBase(context, content.contentId)}/${masterPlaylist}`,
        ...showThumbnail(context, content),
    };
}

export function showThumbnail(context: Context, { contentId }: ContentRecord): Record<string, unknown> {
    const url = `${playbackBase(context, contentId)}/${thumbnailFile}`;
    const { thumbnails } = context.variants;
    return thumbnails === "none" ? {} : { [thumbnails]: thumbnails === "thumbnails" ? [url] : url };
}

/** The path below which all videos are played. */
export const playbackRoot = "/playback/";

export function playbackBase(context: Context, id: string): string {
    return context.publicUrl + playbackRoot + id;
}

function shownId(context: Context, content: ContentRecord): string | number {
    return context.variants.idShape === "number" && /^\d+$/.test(content.contentId)
        ? Number(content.contentId)
        : content.contentId;
}
