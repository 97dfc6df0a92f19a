/** `/livestreams`: live channels, Idle, Deleting, then deleted. */
import type { Random } from "./clock";
import { playbackBase } from "./contents";
import type { Context, RouteHandler, RouteRequest } from "./context";
import { masterPlaylist } from "./hls";
import { ServiceError, success } from "./http";
import { livestreamFields, plainRecord, shownFields, withEmptyValues } from "./plainFields";
import { livestreamCreate, livestreamQuery, livestreamUpdate } from "./requestSchemas";
import type { LivestreamCreate } from "./requests";
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
import type { LivestreamRecord } from "./store";
import { thumbnailFile } from "./thumbnail";
import { checkBody, checkNoBody, checkQuery } from "./validate";

export const createLivestream: RouteHandler = (context, request) => {
    const body = checkBody(livestreamCreate, request, context.variants.invalidCode);
    const livestream = newLivestream(context, request.environmentId, body);
    context.store.apply({ livestream });
    const data = createdData(context, "streamUUID", showLivestream(context, livestream));
    return success(context.variants.createCode, "Livestream created successfully", data);
};

/** A livestream as a create request describes it, not yet stored. Tests use this too, to add a livestream from outside. */
export function newLivestream(context: Context, environmentId: number, create: LivestreamCreate): LivestreamRecord {
    return {
        streamUUID: newId(context, environmentId, "livestream"),
        environmentId,
        ...descriptionFields(context, create),
        region: create.region,
        record: create.record,
        ...plainRecord(livestreamFields, create),
        playbackPolicy: create.playback_policy ?? ["public"],
        recordingsPlaybackPolicy: create.recordings_playback_policy ?? ["public"],
        streamKey: newStreamKey(context.random),
        status: "Idle",
        createdOn: context.now(),
        goneAt: null,
    };
}

/** A stream key like the one that is documented: a text of six digits. */
function newStreamKey(random: Random): string {
    return String(100_000 + Math.floor(random() * 900_000));
}

export const getLivestream: RouteHandler = (context, request) => {
    checkNoBody(request);
    const stream = requireLivestream(context, request);
    return success(200, "Livestream fetched successfully", showLivestream(context, stream));
};

export const listLivestreams: RouteHandler = (context, request) => {
    checkNoBody(request);
    const { variants } = context;
    const { record, ...query } = checkQuery(livestreamQuery, request, variants.invalidCode);
    const all = inListOrder(context, context.store.livestreams(context.now(), request.environmentId)).filter(
        (stream) => (record === undefined || stream.record === (record === "true")) && isShown(context, stream),
    );
    const streams = variants.livestreamPaging ? pageOf(context, all, query) : all;
    const items = streams.map((stream) => showItem(context, stream));
    return success(200, "Livestreams fetched successfully", items);
};

export const updateLivestream: RouteHandler = (context, request) => {
    const old = requireLivestream(context, request);
    const { put, putData, invalidCode } = context.variants;
    const body = checkBody(livestreamUpdate, request, invalidCode);
    if (old.goneAt !== null) throw new ServiceError(409, `Livestream ${old.streamUUID} is being deleted`);
    const rest = put === "partial" ? old : withEmptyValues(livestreamFields, { ...old, ...emptyDescription });
    const livestream: LivestreamRecord = {
        ...rest,
        ...descriptionFields(context, body, rest),
        ...plainRecord(livestreamFields, body, rest),
    };
    context.store.apply({ livestream });
    return success(200, "Livestream updated successfully", putData ? showLivestream(context, livestream) : undefined);
};

export const deleteLivestream: RouteHandler = (context, request) => {
    checkNoBody(request);
    const old = requireLivestream(context, request);
    // A second DELETE while the first goes on changes nothing: it does not restart the wait.
    const livestream = { ...old, goneAt: old.goneAt ?? context.now() + context.deletingTimeMs() };
    context.store.apply({ livestream });
    return success(200, `Livestream ${old.streamUUID} updated successfully`, showLivestream(context, livestream));
};

export function livestreamStatus(livestream: LivestreamRecord): string {
    return livestream.goneAt === null ? livestream.status : "Deleting";
}

function isShown(context: Context, livestream: LivestreamRecord): boolean {
    return livestream.goneAt === null || context.variants.whileDeleting === "Deleting";
}

export function requireLivestream(context: Context, request: RouteRequest): LivestreamRecord {
    const [id = ""] = request.ids;
    const stream = context.store.livestream(request.environmentId, id, context.now());
    const seen = stream !== undefined && isShown(context, stream) ? stream : undefined;
    return requireVisible(context, seen, "Livestream", id);
}

function showLivestream(context: Context, livestream: LivestreamRecord): Record<string, unknown> {
    const { variants } = context;
    const ingest = ingestUrl(livestream);
    const key = variants.streamKeyInPlaybackUrl ? `/${encodeURIComponent(livestream.streamKey)}` : "";
    return {
        ...shapeFields(context, {
            streamUUID: livestream.streamUUID,
            title: livestream.title,
            description: livestream.description,
            tags: inShownOrder(context, livestream.tags),
            metadata: inShownOrder(context, livestream.metadata),
            ...shownFields(livestreamFields, livestream),
            status: livestreamStatus(livestream),
            streamKey: livestream.streamKey,
            rtmpUrl: variants.ingestKey !== "ingestUrl" ? ingest : undefined,
            ingestUrl: variants.ingestKey !== "rtmpUrl" ? ingest : undefined,
            playbackUrl: `${playbackBase(context, livestream.streamUUID)}${key}/${masterPlaylist}`,
            [variants.livestreamCreatedKey]: livestream.createdOn + variants.createdSkewMs,
        }),
        rtmpsUrl: variants.rtmpsUrl === "url" ? `rtmps://${ingestHost(livestream)}:443/live` : "",
    };
}

/** Where a broadcaster sends the video, without the stream key. */
export function ingestUrl(livestream: LivestreamRecord): string {
    return `rtmp://${ingestHost(livestream)}:1935/live`;
}

function ingestHost({ region }: LivestreamRecord): string {
    return `${region}.ingest.videograph.invalid`;
}

function showItem(context: Context, livestream: LivestreamRecord): Record<string, unknown> {
    const { variants } = context;
    return shapeFields(context, {
        streamUUID: livestream.streamUUID,
        title: livestream.title,
        status: livestreamStatus(livestream),
        thumbnailUrl: `${playbackBase(context, livestream.streamUUID)}/${thumbnailFile}`,
        // Lists use this name, whichever name the answer to a GET uses (A-047 of the contract).
        created_at: livestream.createdOn + variants.createdSkewMs,
        tags: variants.listTags ? inShownOrder(context, livestream.tags) : undefined,
        metadata: variants.listMetadata ? inShownOrder(context, livestream.metadata) : undefined,
    });
}
