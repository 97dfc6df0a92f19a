/** `/contents`: on-demand videos, from the request's fields to Ready or Failed. */
import { z } from "zod";
import { type Context, listed, type RouteHandler, shape, visible } from "./context";
import { masterPlaylist } from "./hls";
import { ServiceError, success } from "./http";
import { type ContentRecord, newContentId } from "./store";
import { thumbnailFile } from "./thumbnail";
import { check, checkBody, checkNoBody, checkQuery } from "./validate";

const webAddress = z.url({ protocol: /^https?$/, error: "must be an http or https URL" });
export const titleField = z.string().min(1, "must not be empty");
export const metadataField = z.array(z.strictObject({ key: z.string().min(1), value: z.string() }));
export const policyField = z
    .array(z.enum(["public", "signed"]))
    .min(1, 'must be ["public"], ["signed"] or both')
    .refine((policies) => new Set(policies).size === policies.length, "must not name a policy twice");
const position = z.string().regex(/^\d+(\.\d+)?(px|%)$/, 'must be text such as "1564px" or "70%"');

const createSchema = z.strictObject({
    title: titleField,
    content: z.array(z.strictObject({ url: webAddress })).min(1, "must name at least one source"),
    playback_policy: policyField,
    description: z.string().optional(),
    tags: z.array(z.string()).optional(),
    metadata: metadataField.optional(),
    watermark: z
        .array(
            z.strictObject({
                url: webAddress,
                x_pos: position.optional(),
                y_pos: position.optional(),
                opacity: z.union([z.string(), z.number()]).optional(),
            }),
        )
        .optional(),
    subtitle: z
        .array(
            z.strictObject({
                url: webAddress,
                name: z.string().optional(),
                language_code: z.string().optional(),
                support_closed_captions: z.boolean().optional(),
            }),
        )
        .optional(),
    mp4_support: z.boolean().optional(),
    save_original_copy: z.boolean().optional(),
    test_video: z.boolean().optional(),
});

/** The body of `POST /contents`, after validation. */
export type ContentCreate = z.infer<typeof createSchema>;

const updateSchema = z.strictObject({
    title: titleField,
    description: z.string().optional(),
    tags: z.array(z.string()).optional(),
    metadata: metadataField.optional(),
    save_original_copy: z.boolean().optional(),
});

export const offset = z.coerce.number().int().min(0);
export const pageSize = z.coerce.number().int().min(1);
const listSchema = z.strictObject({ start: offset.optional(), limit: pageSize.optional() });

export const createContent: RouteHandler = (context, request) => {
    const body = checkBody(createSchema, request, context.variants.invalidCode);
    const { processing } = request;
    const content: ContentRecord = {
        ...newContent(context, request.environmentId, body),
        processingMs: processing?.stuck ? null : (processing?.ms ?? context.processingTimeMs(body)),
    };
    if (processing?.fail !== undefined) {
        content.outcome = { playable: false, reason: processing.fail };
        content.outcomeAt = content.createdOn;
    }
    context.store.apply({ content });
    if (content.outcome === null) context.process(content);
    const { createCode } = context.variants;
    return success(createCode, "Content created successfully", showContent(context, content));
};

/** A content as a create request describes it, not yet stored. Also how tests add one from outside. */
export function newContent(context: Context, environmentId: number, create: ContentCreate): ContentRecord {
    return {
        contentId: newContentId(context.variants.idShape, context.random),
        environmentId,
        title: create.title,
        description: create.description ?? "",
        tags: create.tags ?? [],
        metadata: create.metadata ?? [],
        playbackPolicy: create.playback_policy,
        sourceUrls: create.content.map((source) => source.url),
        watermark: create.watermark ?? [],
        subtitle: create.subtitle ?? [],
        mp4Support: create.mp4_support ?? false,
        saveOriginalCopy: create.save_original_copy ?? false,
        testVideo: create.test_video ?? false,
        createdOn: context.now(),
        processingMs: 0,
        outcome: null,
        outcomeAt: null,
        fixed: null,
    };
}

export function parseContentCreate(value: unknown): ContentCreate {
    return check(createSchema, value, "content");
}

export const getContent: RouteHandler = (context, request) => {
    checkNoBody(request);
    return success(200, "Content fetched successfully", showContent(context, find(context, request)));
};

export const listContents: RouteHandler = (context, request) => {
    checkNoBody(request);
    const { variants } = context;
    const { start = 0, limit = variants.pageDefault } = checkQuery(listSchema, request, variants.invalidCode);
    if (limit > variants.pageMaximum && variants.overMaximum === "reject") {
        throw new ServiceError(variants.invalidCode, `Invalid query: limit: must be at most ${variants.pageMaximum}`);
    }
    const page = listed(context, context.store.contents(request.environmentId)).slice(
        start,
        start + Math.min(limit, variants.pageMaximum),
    );
    return success(
        200,
        "Contents fetched successfully",
        page.map((content) => showItem(context, content)),
    );
};

export const updateContent: RouteHandler = (context, request) => {
    const old = find(context, request);
    const { put, putData, invalidCode } = context.variants;
    const body = checkBody(updateSchema, request, invalidCode);
    const rest = put === "partial" ? old : { ...old, description: "", tags: [], metadata: [], saveOriginalCopy: false };
    const content: ContentRecord = {
        ...rest,
        title: body.title,
        description: body.description ?? rest.description,
        tags: body.tags ?? rest.tags,
        metadata: body.metadata ?? rest.metadata,
        saveOriginalCopy: body.save_original_copy ?? rest.saveOriginalCopy,
    };
    context.store.apply({ content });
    return success(200, "Content updated successfully", putData ? showContent(context, content) : undefined);
};

export const deleteContent: RouteHandler = (context, request) => {
    checkNoBody(request);
    const content = find(context, request);
    context.store.apply({ contentDeleted: { environmentId: content.environmentId, id: content.contentId } });
    const data = context.variants.deleteData ? showContent(context, content) : undefined;
    return success(200, "Content deleted successfully", data);
};

function find(context: Context, request: { environmentId: number; id: string }): ContentRecord {
    const content = context.store.environment(request.environmentId).contents.get(request.id);
    return visible(context, content, "Content", request.id);
}

/** A content's state at a moment: computed from timestamps, so that nothing needs to run for it to change. */
export interface ContentState {
    readonly status: string;
    readonly reason: string | null;
    readonly durationMs: number;
    readonly resolution: string;
}

export function contentState(context: Context, content: ContentRecord): ContentState {
    const { outcome } = content;
    const media = outcome?.playable
        ? { durationMs: outcome.durationMs, resolution: outcome.resolution }
        : { durationMs: 0, resolution: "" };
    if (content.fixed !== null) return { ...media, ...content.fixed };

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

const statusIds: Record<string, number> = { Ready: 2, Failed: 3 };

/** A content as single answers show it. The source URL is not among the fields, as with the real service. */
function showContent(context: Context, content: ContentRecord): Record<string, unknown> {
    const { variants } = context;
    const state = contentState(context, content);
    const reasonKey = variants.failureReasonKey;
    return {
        ...shape(context, {
            contentId: shownId(context, content),
            title: content.title,
            status: state.status,
            statusId: statusIds[state.status] ?? 1,
            description: content.description,
            duration: state.durationMs,
            tags: content.tags,
            metadata: content.metadata,
            [variants.policyKey]: content.playbackPolicy,
            mp4_support: content.mp4Support,
            save_original_copy: content.saveOriginalCopy,
            [variants.contentCreatedKey]: content.createdOn,
        }),
        ...showPlayable(context, content, state),
        ...(state.reason !== null && reasonKey !== null ? { [reasonKey]: state.reason } : {}),
    };
}

function showItem(context: Context, content: ContentRecord): Record<string, unknown> {
    const { variants } = context;
    const state = contentState(context, content);
    const { playbackUrl: _, ...playable } = showPlayable(context, content, state);
    return {
        ...shape(context, {
            contentId: shownId(context, content),
            title: content.title,
            status: state.status,
            [variants.contentCreatedKey]: content.createdOn,
            tags: variants.listTags ? content.tags : undefined,
            metadata: variants.listMetadata ? content.metadata : undefined,
        }),
        ...(state.status === "Ready" ? { duration: state.durationMs } : {}),
        ...playable,
    };
}

function showPlayable(context: Context, content: ContentRecord, state: ContentState): Record<string, unknown> {
    if (state.status !== "Ready") return {};
    const { thumbnails } = context.variants;
    const base = `${context.publicUrl}/playback/${content.contentId}`;
    return {
        resolution: state.resolution,
        playbackUrl: `${base}/${masterPlaylist}`,
        ...(thumbnails === "thumbnailUrl" ? { thumbnailUrl: `${base}/${thumbnailFile}` } : {}),
        ...(thumbnails === "thumbnails" ? { thumbnails: [`${base}/${thumbnailFile}`] } : {}),
    };
}

function shownId(context: Context, content: ContentRecord): string | number {
    return context.variants.idShape === "number" && /^\d+$/.test(content.contentId)
        ? Number(content.contentId)
        : content.contentId;
}
