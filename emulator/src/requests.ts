/** The bodies that the API takes, as types alone. Their checks: requestSchemas.ts. */
import type { contentFields, livestreamFields, PlainCreate } from "./plainFields";
import type { MetadataPair, PlaybackPolicy } from "./store";

/** What the vendor's dashboard sends besides; taken and ignored. */
type Ignored = string | number | null | undefined;

export interface ContentSource {
    url: string;
    start_offset?: Ignored;
    end_offset?: Ignored;
}

export interface WatermarkCreate {
    url: string;
    /** Text such as "1564px" or "70%". */
    x_pos?: string | undefined;
    y_pos?: string | undefined;
    opacity?: number | string | undefined;
    x_margin?: Ignored;
    y_margin?: Ignored;
    x_align?: Ignored;
    y_align?: Ignored;
    width?: Ignored;
    height?: Ignored;
}

export interface SubtitleCreate {
    url: string;
    name?: string | undefined;
    language_code?: string | undefined;
    support_closed_captions?: boolean | undefined;
}

/** The body of `POST /contents`, after validation. */
export interface ContentCreate extends PlainCreate<typeof contentFields> {
    title: string;
    content: ContentSource[];
    playback_policy: PlaybackPolicy;
    description?: string | undefined;
    tags?: string[] | undefined;
    metadata?: MetadataPair[] | undefined;
    watermark?: WatermarkCreate[] | undefined;
    subtitle?: SubtitleCreate[] | undefined;
}

/** The body of `POST /livestreams`, after validation. */
export interface LivestreamCreate extends PlainCreate<typeof livestreamFields> {
    title: string;
    region: string;
    record: boolean;
    description?: string | undefined;
    tags?: string[] | undefined;
    metadata?: MetadataPair[] | undefined;
    playback_policy?: PlaybackPolicy | undefined;
    recordings_playback_policy?: PlaybackPolicy | undefined;
}
