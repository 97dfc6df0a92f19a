/**
 * The bodies that the API takes, as types alone; their checks: requestSchemas.ts. Public types import no library: zod's compile only
 * with `esModuleInterop`, which the projects that `pulumi new` makes do not set.
 */
import type { contentFields, livestreamFields, PlainCreate } from "./plainFields";

/** Further fields that the vendor's dashboard sends; accepted and ignored. */
type IgnoredFields<Name extends string> = { [name in Name]?: string | number | null | undefined };

export interface MetadataPair {
    key: string;
    value: string;
}

export type PlaybackPolicy = ("public" | "signed")[];

export type ContentSource = { url: string } & IgnoredFields<"start_offset" | "end_offset">;

export interface WatermarkCreate
    extends IgnoredFields<"x_margin" | "y_margin" | "x_align" | "y_align" | "width" | "height"> {
    url: string;
    /** Text such as "1564px" or "70%". */
    x_pos?: string | undefined;
    y_pos?: string | undefined;
    opacity?: number | string | undefined;
}

export interface SubtitleCreate {
    url: string;
    name?: string | undefined;
    language_code?: string | undefined;
    support_closed_captions?: boolean | undefined;
}

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
