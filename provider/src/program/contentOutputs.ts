import type * as pulumi from "@pulumi/pulumi";

/** What the service computes of a content, and of a clip. */
export interface ContentOutputs {
    /**
     * `Pending`, `Preparing`, `Processing`, `Ready` or `Failed`; the service may have others. A change of the status is
     * not drift; only a content that has Failed is replaced by the next `pulumi up`.
     */
    readonly status: pulumi.Output<string>;
    /** The URL of the HLS playlist. Known once the content is Ready. */
    readonly playbackUrl: pulumi.Output<string>;
    /** The URL of a still image, where the service has made one. */
    readonly thumbnailUrl: pulumi.Output<string | undefined>;
    /** The playing time in milliseconds. Final once the content is Ready. */
    readonly duration: pulumi.Output<number>;
    /** The size of the picture, such as `"1920x1080"`. Known once the content is Ready. */
    readonly resolution: pulumi.Output<string>;
    /** When it was created, in milliseconds since the Unix epoch. */
    readonly createdOn: pulumi.Output<number>;
}
