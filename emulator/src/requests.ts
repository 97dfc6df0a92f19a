/** The bodies that the API takes, as types alone. Their checks: requestSchemas.ts. */
import type { contentFields, livestreamFields, PlainCreate } from "./plainFields";
import type { MetadataPair, PlaybackPolicy, Subtitle, Watermark } from "./store";

/** Further fields that the vendor's dashboard sends; accepted and ignored. */
type Ignored = string | number | null | undefined;

type IgnoredFields<Name extends string> = { [name in Name]?: Ignored };

export type ContentSource = { url: string } & IgnoredFields<"start_offset" | "end_offset">;

export interface WatermarkCreate
    extends Watermark,
        IgnoredFields<"x_margin" | "y_margin" | "x_align" | "y_align" | "width" | "height"> {}

export type SubtitleCreate = Omit<Subtitle, "uuid" | "createdOn">;

interface Texts {
    title: string;
    description?: string | undefined;
    tags?: string[] | undefined;
    metadata?: MetadataPair[] | undefined;
}

/** The body of `POST /contents`, after validation. */
export interface ContentCreate extends Texts, PlainCreate<typeof contentFields> {
    content: ContentSource[];
    playback_policy: PlaybackPolicy;
    watermark?: WatermarkCreate[] | undefined;
    subtitle?: SubtitleCreate[] | undefined;
}

/** The body of `POST /livestreams`, after validation. */
export interface LivestreamCreate extends Texts, PlainCreate<typeof livestreamFields> {
    region: string;
    record: boolean;
    playback_policy?: PlaybackPolicy | undefined;
    recordings_playback_policy?: PlaybackPolicy | undefined;
}
