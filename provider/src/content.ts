import * as pulumi from "@pulumi/pulumi";
import { typeOf } from "./kinds";
import { secretIfPresigned } from "./presigned";
import { hiddenInputs } from "./registration";

/** Where the service fetches a video from. */
export interface ContentSource {
    /** An absolute `http:` or `https:` URL of an MP4, MOV or M4V file that the service can reach. */
    url: pulumi.Input<string>;
}

/** An image laid over the video. */
export interface ContentWatermark {
    /** The image's URL. */
    url: pulumi.Input<string>;
    /** Horizontal position as text, in pixels or per cent: `"1564px"`, `"70%"`. */
    xPos?: pulumi.Input<string> | undefined;
    /** Vertical position as text, in pixels or per cent: `"1564px"`, `"70%"`. */
    yPos?: pulumi.Input<string> | undefined;
    /** Opacity, as the service takes it. */
    opacity?: pulumi.Input<string | number> | undefined;
}

/** A subtitle file. */
export interface ContentSubtitle {
    /** The URL of an SRT or VTT file. */
    url: pulumi.Input<string>;
    /** What a player shows, such as `"English"`. */
    name?: pulumi.Input<string> | undefined;
    /** Such as `"en"`. */
    languageCode?: pulumi.Input<string> | undefined;
    supportClosedCaptions?: pulumi.Input<boolean> | undefined;
}

/** The inputs of a {@link Content}. */
export interface ContentArgs {
    /** The title. Changed in place. */
    title: pulumi.Input<string>;
    /**
     * The source: at least one. Required unless `importId` is given. Another source replaces the content (but see
     * `sourceVersion`). An address with a query string or user info makes the input a secret by itself.
     */
    content?: pulumi.Input<pulumi.Input<ContentSource>[]> | undefined;
    /** `"public"`, `"signed"` or both. Default `["public"]`. Another policy replaces the content. */
    playbackPolicy?: pulumi.Input<pulumi.Input<"public" | "signed">[]> | undefined;
    /** Changed in place. */
    description?: pulumi.Input<string> | undefined;
    /** Changed in place; their order has no meaning. */
    tags?: pulumi.Input<pulumi.Input<string>[]> | undefined;
    /** Pairs of text. Changed in place. The key `managed_by` is reserved. */
    metadata?: pulumi.Input<Record<string, pulumi.Input<string>>> | undefined;
    /** Whether MP4 renditions are made. Replaces the content. */
    mp4Support?: pulumi.Input<boolean> | undefined;
    /** Whether the service keeps the source file. Changed in place. */
    saveOriginalCopy?: pulumi.Input<boolean> | undefined;
    /** A test video: only its first 10 seconds are transcoded. Replaces the content. */
    testVideo?: pulumi.Input<boolean> | undefined;
    /** Images over the video. Replaces the content. */
    watermark?: pulumi.Input<pulumi.Input<ContentWatermark>[]> | undefined;
    /** Subtitle files. Replaces the content. */
    subtitle?: pulumi.Input<pulumi.Input<ContentSubtitle>[]> | undefined;
    /** Whether `pulumi up` waits until the content is Ready. Default true. */
    waitForReady?: pulumi.Input<boolean> | undefined;
    /**
     * For sources whose address changes while the video does not, such as presigned URLs. When set, a changed source URL
     * replaces nothing, and a changed `sourceVersion` replaces the content. Setting it for the first time replaces nothing.
     */
    sourceVersion?: pulumi.Input<string> | undefined;
    /**
     * The id of an existing content to take over instead of creating one. May be taken out later, which changes nothing, but
     * not changed to another id.
     */
    importId?: pulumi.Input<string> | undefined;
}

/**
 * An on-demand video. `pulumi up` ends when it is Ready, and fails with the service's reason when it cannot be made.
 *
 * The `customTimeouts` resource option sets how long creating (60 minutes by default), updating (60 minutes) and deleting (5
 * minutes) may take. A create that takes longer keeps the content, and the next `pulumi up` goes on waiting.
 */
export class Content extends pulumi.CustomResource {
    declare public readonly title: pulumi.Output<string>;
    declare public readonly content: pulumi.Output<{ url: string }[] | undefined>;
    declare public readonly playbackPolicy: pulumi.Output<("public" | "signed")[] | undefined>;
    declare public readonly description: pulumi.Output<string | undefined>;
    declare public readonly tags: pulumi.Output<string[] | undefined>;
    declare public readonly metadata: pulumi.Output<Record<string, string> | undefined>;
    declare public readonly mp4Support: pulumi.Output<boolean | undefined>;
    declare public readonly saveOriginalCopy: pulumi.Output<boolean | undefined>;
    declare public readonly testVideo: pulumi.Output<boolean | undefined>;
    declare public readonly watermark: pulumi.Output<pulumi.Unwrap<ContentWatermark>[] | undefined>;
    declare public readonly subtitle: pulumi.Output<pulumi.Unwrap<ContentSubtitle>[] | undefined>;
    declare public readonly waitForReady: pulumi.Output<boolean | undefined>;
    declare public readonly sourceVersion: pulumi.Output<string | undefined>;
    declare public readonly importId: pulumi.Output<string | undefined>;
    /** `Pending`, `Preparing`, `Processing`, `Ready` or `Failed`; the service may have others. */
    declare public readonly status: pulumi.Output<string>;
    /** The HLS playlist, once Ready. */
    declare public readonly playbackUrl: pulumi.Output<string>;
    /** A still image, where the service has made one. */
    declare public readonly thumbnailUrl: pulumi.Output<string | undefined>;
    /** Milliseconds, once Ready. */
    declare public readonly duration: pulumi.Output<number>;
    /** Such as `"1920x1080"`, once Ready. */
    declare public readonly resolution: pulumi.Output<string>;
    /** Milliseconds since the Unix epoch. */
    declare public readonly createdOn: pulumi.Output<number>;

    /** The content's id on the service. A getter on `id`, which alone stays known in the preview of an update. */
    public get contentId(): pulumi.Output<string> {
        return this.id;
    }

    /** Reads an existing content into the program without managing it. An id that does not exist is an error. */
    public static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Content {
        return new Content(name, { title: "" }, { ...opts, id });
    }

    /** Whether the object is a Content, also one of another copy of this package. */
    public static override isInstance(object: unknown): object is Content {
        return (
            typeof object === "object" &&
            object !== null &&
            "__pulumiType" in object &&
            object.__pulumiType === typeOf("Content")
        );
    }

    constructor(name: string, args: ContentArgs, opts?: pulumi.CustomResourceOptions) {
        const { content, watermark, subtitle, ...rest } = opts?.id === undefined ? args : ({} as Partial<ContentArgs>);
        super(
            typeOf("Content"),
            name,
            {
                // Every property has to be named here, or `.get` does not have it.
                title: undefined,
                playbackPolicy: undefined,
                description: undefined,
                tags: undefined,
                metadata: undefined,
                mp4Support: undefined,
                saveOriginalCopy: undefined,
                testVideo: undefined,
                waitForReady: undefined,
                sourceVersion: undefined,
                importId: undefined,
                // What is no property is passed on too: the check names it and the right name.
                ...rest,
                content: secretIfPresigned(content),
                watermark: secretIfPresigned(watermark),
                subtitle: secretIfPresigned(subtitle),
                status: undefined,
                playbackUrl: undefined,
                thumbnailUrl: undefined,
                duration: undefined,
                resolution: undefined,
                createdOn: undefined,
                ...hiddenInputs("Content", name, opts),
            },
            opts,
        );
    }
}
