/** `/livestreams`: live channels, from Idle to Deleting to gone. */
import { z } from "zod";
import { type Random, randomUuid } from "./clock";
import { metadataField, offset, pageSize, policyField, titleField } from "./contents";
import { type Context, listed, type RouteHandler, shape, visible } from "./context";
import { masterPlaylist } from "./hls";
import { ServiceError, success } from "./http";
import type { LivestreamRecord } from "./store";
import { thumbnailFile } from "./thumbnail";
import { check, checkBody, checkNoBody, checkQuery } from "./validate";

const optionalFields = {
    description: z.string().optional(),
    dvrDurationInMins: z.int().min(0).optional(),
    tags: z.array(z.string()).optional(),
    metadata: metadataField.optional(),
};

const createSchema = z.strictObject({
    title: titleField,
    region: z.string().min(1, "must not be empty"),
    record: z.boolean(),
    ...optionalFields,
    playback_policy: policyField.optional(),
    recordings_playback_policy: policyField.optional(),
});

/** The body of `POST /livestreams`, after validation. */
export type LivestreamCreate = z.infer<typeof createSchema>;

const updateSchema = z.strictObject({ title: titleField, ...optionalFields });

const listSchema = z.strictObject({
    record: z.enum(["true", "false"]),
    start: offset.optional(),
    limit: pageSize.optional(),
});

export const createLivestream: RouteHandler = (context, request) => {
    const body = checkBody(createSchema, request, context.variants.invalidCode);
    const livestream = newLivestream(context, request.environmentId, body);
    context.store.apply({ livestream });
    const { createCode } = context.variants;
    return success(createCode, "Livestream created successfully", showLivestream(context, livestream));
};

/** A livestream as a create request describes it, not yet stored. Also how tests add one from outside. */
export function newLivestream(context: Context, environmentId: number, create: LivestreamCreate): LivestreamRecord {
    return {
        streamUUID: randomUuid(context.random),
        environmentId,
        title: create.title,
        region: create.region,
        record: create.record,
        description: create.description ?? "",
        dvrDurationInMins: create.dvrDurationInMins ?? 0,
        tags: create.tags ?? [],
        metadata: create.metadata ?? [],
        playbackPolicy: create.playback_policy ?? ["public"],
        recordingsPlaybackPolicy: create.recordings_playback_policy ?? ["public"],
        streamKey: newStreamKey(context.random),
        status: "Idle",
        createdOn: context.now(),
        goneAt: null,
    };
}

/** As the one documented stream key: a text of six digits. */
function newStreamKey(random: Random): string {
    return String(100_000 + Math.floor(random() * 900_000));
}

export function parseLivestreamCreate(value: unknown): LivestreamCreate {
    return check(createSchema, value, "livestream");
}

export const getLivestream: RouteHandler = (context, request) => {
    checkNoBody(request);
    return success(200, "Livestream fetched successfully", showLivestream(context, find(context, request)));
};

export const listLivestreams: RouteHandler = (context, request) => {
    checkNoBody(request);
    const { variants } = context;
    const { record, start = 0, limit = variants.pageDefault } = checkQuery(listSchema, request, variants.invalidCode);
    const all = listed(context, context.store.livestreams(context.now(), request.environmentId)).filter(
        (stream) => stream.record === (record === "true") && shown(context, stream),
    );
    const page = variants.livestreamPaging ? all.slice(start, start + Math.min(limit, variants.pageMaximum)) : all;
    return success(
        200,
        "Livestreams fetched successfully",
        page.map((stream) => showItem(context, stream)),
    );
};

export const updateLivestream: RouteHandler = (context, request) => {
    const old = find(context, request);
    const { put, putData, invalidCode } = context.variants;
    const body = checkBody(updateSchema, request, invalidCode);
    if (old.goneAt !== null) throw new ServiceError(409, `Livestream ${old.streamUUID} is being deleted`);
    const rest = put === "partial" ? old : { ...old, description: "", dvrDurationInMins: 0, tags: [], metadata: [] };
    const livestream: LivestreamRecord = {
        ...rest,
        title: body.title,
        description: body.description ?? rest.description,
        dvrDurationInMins: body.dvrDurationInMins ?? rest.dvrDurationInMins,
        tags: body.tags ?? rest.tags,
        metadata: body.metadata ?? rest.metadata,
    };
    context.store.apply({ livestream });
    return success(200, "Livestream updated successfully", putData ? showLivestream(context, livestream) : undefined);
};

export const deleteLivestream: RouteHandler = (context, request) => {
    checkNoBody(request);
    const old = find(context, request);
    // A second DELETE while the first goes on changes nothing: it does not start the wait anew.
    const livestream = { ...old, goneAt: old.goneAt ?? context.now() + context.deletingTimeMs() };
    context.store.apply({ livestream });
    return success(200, `Livestream ${old.streamUUID} updated successfully`, showLivestream(context, livestream));
};

export function livestreamStatus(livestream: LivestreamRecord): string {
    return livestream.goneAt === null ? livestream.status : "Deleting";
}

function shown(context: Context, livestream: LivestreamRecord): boolean {
    return livestream.goneAt === null || context.variants.whileDeleting === "Deleting";
}

function find(context: Context, request: { environmentId: number; id: string }): LivestreamRecord {
    const stream = context.store.livestream(request.environmentId, request.id, context.now());
    const seen = stream !== undefined && shown(context, stream) ? stream : undefined;
    return visible(context, seen, "Livestream", request.id);
}

function showLivestream(context: Context, livestream: LivestreamRecord): Record<string, unknown> {
    const { variants } = context;
    const host = `${livestream.region}.ingest.videograph.invalid`;
    return {
        ...shape(context, {
            streamUUID: livestream.streamUUID,
            title: livestream.title,
            description: livestream.description,
            tags: livestream.tags,
            metadata: livestream.metadata,
            status: livestreamStatus(livestream),
            streamKey: livestream.streamKey,
            [variants.ingestKey]: `rtmp://${host}:1935/live`,
            playbackUrl: `${context.publicUrl}/playback/${livestream.streamUUID}/${masterPlaylist}`,
            [variants.livestreamCreatedKey]: livestream.createdOn,
        }),
        rtmpsUrl: variants.rtmpsUrl === "url" ? `rtmps://${host}:443/live` : "",
    };
}

function showItem(context: Context, livestream: LivestreamRecord): Record<string, unknown> {
    const { variants } = context;
    return shape(context, {
        streamUUID: livestream.streamUUID,
        title: livestream.title,
        status: livestreamStatus(livestream),
        thumbnailUrl: `${context.publicUrl}/playback/${livestream.streamUUID}/${thumbnailFile}`,
        created_at: livestream.createdOn,
        tags: variants.listTags ? livestream.tags : undefined,
        metadata: variants.listMetadata ? livestream.metadata : undefined,
    });
}
