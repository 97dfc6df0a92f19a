/** The parts of a content and the contents that are cut from one: subtitles, the thumbnail, clips. */
import { randomUuid } from "./clock";
import { contentState, createdReply, newContent, requireContent, showThumbnail } from "./contents";
import type { Context, Result, RouteHandler, RouteRequest } from "./context";
import { ServiceError, success } from "./http";
import { requireLivestream } from "./livestreams";
import { clipCreate, liveClipCreate, subtitleCreate, thumbnailCreate } from "./requestSchemas";
import type { ContentCreate } from "./requests";
import type { ContentRecord, Subtitle } from "./store";
import { checkBody, checkNoBody } from "./validate";

export const addSubtitle: RouteHandler = (context, request) => {
    const body = checkBody(subtitleCreate, request, context.variants.invalidCode);
    const content = requireContent(context, request);
    const { subtitleBeforeReady } = context.variants;
    const { status } = contentState(context, content);
    if (status !== "Ready" && subtitleBeforeReady !== "accepted")
        throw new ServiceError(subtitleBeforeReady, `Content ${content.contentId} is ${status}, not Ready`);
    const subtitle: Subtitle = { ...body, uuid: randomUuid(context.random), createdOn: context.now() };
    // A second file of a language takes the place of the first.
    const others = content.subtitle.filter(({ language_code }) => language_code !== body.language_code);
    context.store.apply({ content: { ...content, subtitle: [...others, subtitle] } });
    return success(200, "Subtitle added successfully", { ...body, uuid: subtitle.uuid });
};

export const listSubtitles: RouteHandler = (context, request) => {
    checkNoBody(request);
    const { subtitle } = requireContent(context, request);
    const { subtitleList } = context.variants;
    if (subtitleList === 404) throw new ServiceError(404, "Not found");
    const items = (subtitleList === "empty" ? [] : subtitle).map(({ uuid, name = "", url, createdOn }) => ({
        uuid,
        name,
        format: /\.srt$/i.test(new URL(url).pathname) ? "srt" : "vtt",
        createdOn,
    }));
    return success(200, "Subtitles fetched successfully", items);
};

export const deleteSubtitle: RouteHandler = (context, request) => {
    checkNoBody(request);
    const content = requireContent(context, request);
    const [, uuid = ""] = request.ids;
    const subtitle = content.subtitle.filter((one) => one.uuid !== uuid);
    if (subtitle.length === content.subtitle.length) throw new ServiceError(404, `Subtitle ${uuid} not found`);
    context.store.apply({ content: { ...content, subtitle } });
    return success(200, "Subtitle deleted successfully", undefined);
};

export const setThumbnail: RouteHandler = (context, request) => {
    const { videoPositionInSec } = checkBody(thumbnailCreate, request, context.variants.invalidCode);
    const content = requireContent(context, request);
    requireInside(context, content, videoPositionInSec, "videoPositionInSec");
    context.store.apply({ content: { ...content, thumbnailAtSec: videoPositionInSec } });
    return success(200, "Thumbnail created successfully", showThumbnail(context, content));
};

export const clipContent: RouteHandler = (context, request) => {
    const body = checkBody(clipCreate, request, context.variants.invalidCode);
    const { startTimeInSecs: start, endTimeInSecs: end, title, ...fields } = body;
    const source = requireContent(context, request);
    requireOrder(context, start, end, "endTimeInSecs");
    requireInside(context, source, end, "endTimeInSecs");
    const { resolution } = contentState(context, source);
    const create = {
        title: title ?? `Clip of ${source.title}`,
        content: source.sourceUrls.map((url) => ({ url })),
        playback_policy: source.playbackPolicy,
        ...fields,
    };
    const file = source.outcome?.playable ? source.outcome.file : null;
    const from = { contentId: source.contentId, startTime: start, endTime: end };
    return clip(context, request, create, { durationMs: (end - start) * 1000, resolution, file }, from);
};

export const clipLivestream: RouteHandler = (context, request) => {
    const body = checkBody(liveClipCreate, request, context.variants.invalidCode);
    const { startTime: start, endTime: end, title, ...fields } = body;
    const stream = requireLivestream(context, request);
    requireOrder(context, start, end, "endTime");
    const policy = { content: [], playback_policy: stream.recordingsPlaybackPolicy };
    const create = { title: title ?? `Clip of ${stream.title}`, ...policy, ...fields };
    return clip(context, request, create, { durationMs: (end - start) * 1000, resolution: "1280x720", file: null });
};

/** Makes a clip. Its properties follow from the other content, so that no source is fetched. */
function clip(
    context: Context,
    { environmentId, processing }: RouteRequest,
    create: ContentCreate,
    media: { durationMs: number; resolution: string; file: string | null },
    from: ContentRecord["clip"] = null,
): Result {
    const fail = processing?.fail;
    const content: ContentRecord = {
        ...newContent(context, environmentId, create),
        processingMs: processing?.stuck ? null : (processing?.ms ?? context.processingTimeMs(create)),
        outcome: fail === undefined ? { playable: true, ...media } : { playable: false, reason: fail },
        clip: from,
    };
    context.store.apply({ content });
    return createdReply(context, content);
}

function requireOrder(context: Context, start: number, end: number, field: string): void {
    if (start >= end)
        throw new ServiceError(context.variants.invalidCode, `Invalid request body: ${field}: must be after the start`);
}

function requireInside(context: Context, content: ContentRecord, second: number, field: string): void {
    const { status, durationMs } = contentState(context, content);
    if (status !== "Ready") throw new ServiceError(409, `Content ${content.contentId} is ${status}, not Ready`);
    if (second * 1000 > durationMs) {
        const message = `Invalid request body: ${field}: must be at most ${durationMs / 1000}`;
        throw new ServiceError(context.variants.invalidCode, message);
    }
}
