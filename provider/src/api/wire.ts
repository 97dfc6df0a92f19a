/** The requests' bodies as the service spells them. What is undefined is not sent; what is empty or false is. */
import type { ContentCreate, ContentUpdate, LivestreamCreate, LivestreamUpdate } from "./model";

/** JSON.stringify leaves undefined fields out. */
type Wire = Record<string, unknown>;

export function contentUpdate(body: ContentUpdate): Wire {
    return {
        title: body.title,
        description: body.description,
        tags: body.tags,
        metadata: pairs(body.metadata),
        save_original_copy: body.saveOriginalCopy,
    };
}

export function contentCreate(body: ContentCreate): Wire {
    return {
        ...contentUpdate(body),
        content: body.content.map(({ url }) => ({ url })),
        playback_policy: body.playbackPolicy,
        watermark: body.watermark?.map(({ url, xPos, yPos, opacity }) => ({ url, x_pos: xPos, y_pos: yPos, opacity })),
        subtitle: body.subtitle?.map(({ url, name, languageCode, supportClosedCaptions }) => ({
            url,
            name,
            language_code: languageCode,
            support_closed_captions: supportClosedCaptions,
        })),
        mp4_support: body.mp4Support,
        test_video: body.testVideo,
    };
}

export function livestreamUpdate(body: LivestreamUpdate): Wire {
    return {
        title: body.title,
        description: body.description,
        tags: body.tags,
        dvrDurationInMins: body.dvrDurationInMins,
        metadata: pairs(body.metadata),
    };
}

export function livestreamCreate(body: LivestreamCreate): Wire {
    return {
        ...livestreamUpdate(body),
        region: body.region,
        record: body.record,
        playback_policy: body.playbackPolicy,
        recordings_playback_policy: body.recordingsPlaybackPolicy,
    };
}

function pairs(metadata: Record<string, string> | undefined) {
    return metadata && Object.entries(metadata).map(([key, value]) => ({ key, value }));
}
