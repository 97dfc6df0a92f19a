import type * as pulumi from "@pulumi/pulumi";
import { contentDefinition } from "../definitions/content";
import type { CommonInputs, ContentOutputs } from "./common";
import { dynamicFace } from "./registration";
import { type NewOrAdopted, type ObjectClass, type Outputs, objectClass } from "./resourceClass";

/** Where the service fetches the video from: once, when the content is created. */
export interface ContentSource {
    /**
     * An absolute `http:` or `https:` URL that the service can reach without logging in. The service's guides name MP4,
     * MOV and M4V files.
     */
    url: pulumi.Input<string>;
}

/** An image that is laid over the video when it is transcoded. */
export interface ContentWatermark {
    /** The absolute `http:` or `https:` URL of the image. A URL with a query string makes `watermark` a secret. */
    url: pulumi.Input<string>;
    /** Horizontal position as a string, in pixels or percent: `"1564px"`, `"70%"`. */
    xPos?: pulumi.Input<string | undefined> | undefined;
    /** Vertical position as a string, in pixels or percent: `"1564px"`, `"70%"`. */
    yPos?: pulumi.Input<string | undefined> | undefined;
    /**
     * The opacity of the image, sent to the service as you write it. The service's documentation gives neither range
     * nor unit.
     */
    opacity?: pulumi.Input<string | number | undefined> | undefined;
}

/** A file with subtitles of one language. */
export interface ContentSubtitle {
    /**
     * The absolute `http:` or `https:` URL of an SRT or VTT file. A URL with a query string makes `subtitle` a secret.
     */
    url: pulumi.Input<string>;
    /**
     * The name that a player shows in its menu, such as `"English"`. If not set, the service decides; a subtitle that is
     * added to an existing content is named by its `languageCode`.
     */
    name?: pulumi.Input<string | undefined> | undefined;
    /**
     * The language, such as `"en"`. Each language may occur once; `"en"` and `"EN"` are the same. A subtitle without a
     * language cannot be added or changed in place.
     */
    languageCode?: pulumi.Input<string | undefined> | undefined;
    /**
     * Whether the file holds closed captions, which also describe sounds. If not set, the service decides; for a subtitle
     * that is added to an existing content, the default is `false`.
     */
    supportClosedCaptions?: pulumi.Input<boolean | undefined> | undefined;
}

/** A still of the video. */
export interface ContentThumbnail {
    /** The second of the video that the still shows: a whole number. */
    position: pulumi.Input<number>;
    /** The width in pixels. */
    width: pulumi.Input<number>;
    /** The height in pixels. */
    height: pulumi.Input<number>;
}

/** Every input of a {@link Content}: for types of your own that extend it. */
export interface ContentInputs extends CommonInputs {
    /** The title. It must not be empty. Changed in place. */
    title: pulumi.Input<string>;
    /**
     * The sources: at least one. Required unless `importId` is given. A change replaces the content, unless
     * `sourceVersion` is set. A URL with a query string or user info makes the whole input a secret, because presigned
     * URLs open the file to anyone who has them.
     */
    content?: pulumi.Input<pulumi.Input<ContentSource>[] | undefined> | undefined;
    /**
     * Who can play the video: `"public"` (anyone), `"signed"` (only with a token that one of the signing keys has signed) or
     * both. Default `["public"]`; an adopted content keeps its own. A change replaces the content.
     */
    playbackPolicy?: pulumi.Input<pulumi.Input<"public" | "signed">[] | undefined> | undefined;
    /** Whether MP4 renditions are made. If not set, the service decides. A change replaces the content. */
    mp4Support?: pulumi.Input<boolean | undefined> | undefined;
    /**
     * Whether the service keeps the source file. When you remove it from the program, it is reset to `false`. Changed
     * in place.
     */
    saveOriginalCopy?: pulumi.Input<boolean | undefined> | undefined;
    /**
     * Whether this is a test video: the service transcodes only its first 10 seconds. If not set, the service decides. A
     * change replaces the content.
     */
    testVideo?: pulumi.Input<boolean | undefined> | undefined;
    /** Images that are laid over the video. A change replaces the content. */
    watermark?: pulumi.Input<pulumi.Input<ContentWatermark>[] | undefined> | undefined;
    /**
     * Subtitles, one for each language; their order has no meaning. Adding one and changing one is done in place.
     * Removing one replaces the content.
     */
    subtitle?: pulumi.Input<pulumi.Input<ContentSubtitle>[] | undefined> | undefined;
    /**
     * Which still of the video is the thumbnail. Set once the content is Ready, so never where `waitForReady` is `false`,
     * and again when this input changes. If not set, the service decides. When you remove it from the program, the
     * service keeps the last thumbnail. Changed in place.
     */
    thumbnail?: pulumi.Input<ContentThumbnail | undefined> | undefined;
    /**
     * Whether `pulumi up` waits until the content is Ready, and fails when it has Failed. Default `true`. With `false`
     * the create ends at once, and the outputs are those of a content that is not Ready; see {@link ContentReadiness}
     * for waiting later. A replacement then deletes the old content before the new one is Ready.
     */
    waitForReady?: pulumi.Input<boolean | undefined> | undefined;
    /**
     * For sources whose URL changes although the video does not, such as presigned URLs. When it is set, only a change
     * of `sourceVersion` replaces the content; a changed source URL does not, and a subtitle URL with another query
     * string is no change. Setting it for the first time replaces nothing, and neither does removing it while the URL
     * stays that of the last `pulumi up`.
     */
    sourceVersion?: pulumi.Input<string | undefined> | undefined;
}

/** The inputs of a {@link Content}: with `content` or `importId`. */
export type ContentArgs = NewOrAdopted<ContentInputs, "content">;

/**
 * An on-demand video, which the service calls a content. The service creates it from the URL of a source file. `pulumi up` waits until the video is Ready, and fails
 * with the service's reason if it has Failed.
 *
 * ```ts
 * import * as videograph from "pulumi-videograph";
 *
 * const trailer = new videograph.Content("trailer", {
 *     title: "Trailer",
 *     content: [{ url: "https://media.example.com/trailer.mp4" }],
 *     playbackPolicy: ["public"],
 *     tags: ["season-2"],
 *     metadata: { season: "2" },
 * });
 *
 * export const playbackUrl = trailer.playbackUrl;
 * ```
 *
 * Changes to `title`, `description`, `tags`, `metadata` and `saveOriginalCopy` are made in place, with one request. A subtitle that
 * is added or changed, and a changed `thumbnail`, take one request each. A change to any other property of the video replaces the content: the new one is created and waited for, then the old one is
 * deleted. Inputs that the program does not set are not managed.
 *
 * If a create or an update takes longer than its timeout, the content is kept, and the next `pulumi up` continues to wait for it. A
 * content that has Failed stays in the state, and the next `pulumi up` replaces it.
 *
 * @example
 * ### A presigned source
 *
 * The URL changes in every run. Only another `sourceVersion` replaces the video.
 *
 * ```ts
 * import * as videograph from "pulumi-videograph";
 *
 * export function video(presignedUrl: string, etag: string) {
 *     return new videograph.Content("trailer", {
 *         title: "Trailer",
 *         content: [{ url: presignedUrl }],
 *         sourceVersion: etag,
 *     });
 * }
 * ```
 *
 * @example
 * ### Signed playback, subtitles and a watermark
 *
 * ```ts
 * import * as videograph from "pulumi-videograph";
 *
 * new videograph.Content("feature", {
 *     title: "Feature film",
 *     content: [{ url: "https://media.example.com/feature.mp4" }],
 *     playbackPolicy: ["signed"],
 *     subtitle: [{ url: "https://media.example.com/feature.en.vtt", name: "English", languageCode: "en" }],
 *     watermark: [{ url: "https://media.example.com/logo.png", xPos: "5%", yPos: "5%" }],
 * });
 * ```
 *
 * @example
 * ### Adopting an existing content
 *
 * ```ts
 * import * as videograph from "pulumi-videograph";
 *
 * new videograph.Content("old-film", {
 *     title: "Old film",
 *     importId: "0b6f2a34-9c1d-4f0e-8a57-2f4f7f1f6f11",
 * });
 * ```
 *
 * @example
 * ### A longer wait, and protection
 *
 * ```ts
 * import * as videograph from "pulumi-videograph";
 *
 * new videograph.Content(
 *     "lecture",
 *     { title: "Lecture", content: [{ url: "https://media.example.com/lecture.mp4" }] },
 *     { customTimeouts: { create: "3h" }, protect: true },
 * );
 * ```
 */
export interface Content extends pulumi.CustomResource, Outputs<ContentInputs>, Outputs<ContentOutputs> {
    /** The content's id on the service; the same as `id`. Unlike other outputs, it is known in the preview of an update. */
    readonly contentId: pulumi.Output<string>;
}

/** A content with `waitForReady: false`: outputs that the service makes while it processes the video may have no value yet. */
export type UnawaitedContent<Awaited> = Omit<Awaited, Late> & {
    readonly [name in Late]: pulumi.Output<ContentOutputs[name] | undefined>;
};

type Late = "playbackUrl" | "duration" | "resolution";

/**
 * Adds a type for `waitForReady: false`, whose outputs may be undefined. Without it, nobody would notice that a template makes the text `undefined`
 * of a missing URL.
 */
export interface ContentClass<Instance, Args> extends ObjectClass<Instance, Args> {
    new (
        name: string,
        args: Args & { waitForReady: false },
        opts?: pulumi.CustomResourceOptions,
    ): UnawaitedContent<Instance>;
    new (name: string, args: Args, opts?: pulumi.CustomResourceOptions): Instance;
}

export const Content: ContentClass<Content, ContentArgs> = objectClass(dynamicFace, contentDefinition);
