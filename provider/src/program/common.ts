/** Properties of several classes. The reference shows these docstrings also for the results of functions and the contents of libraries. */
import type * as pulumi from "@pulumi/pulumi";

/** The inputs that every object may have. */
export interface CommonInputs {
    /** A description. When you remove it from the program, it is reset to `""`. Changed in place. */
    description?: pulumi.Input<string | undefined> | undefined;
    /**
     * Keywords for searching. Their order does not matter. When you remove them from the program, they are reset to
     * `[]`. Changed in place.
     */
    tags?: pulumi.Input<pulumi.Input<string>[] | undefined> | undefined;
    /**
     * Your own key-value pairs, all strings. The key `managed_by` is reserved: it contains the ownership marker, which
     * names the stack that manages the object. When you remove them from the program, they are reset to `{}`. Changed
     * in place.
     */
    metadata?: pulumi.Input<Record<string, pulumi.Input<string>> | undefined> | undefined;
    /**
     * The id of an existing object to adopt instead of creating one. You can remove it from the program later (from a
     * `Content` once it declares `content`): that changes nothing. You cannot change it to another id. An object with
     * the ownership marker of another stack (`managed_by` in its metadata) is refused, and so is a video that has
     * Failed.
     */
    importId?: pulumi.Input<string | undefined> | undefined;
}

/** The outputs of a content and of a clip that the service computes. */
export interface ContentOutputs {
    /**
     * `Pending`, `Preparing`, `Processing`, `Ready` or `Failed`; the service may have others. A change of the status is
     * not drift; only a content that has Failed is replaced by the next `pulumi up`.
     */
    status: string;
    /** The URL of the HLS playlist. Known once the content is Ready. */
    playbackUrl: string;
    /** The URL of a still image, where the service has made one. */
    thumbnailUrl: string | undefined;
    /** The playing time in milliseconds. Final once the content is Ready. */
    duration: number;
    /** The size of the picture, such as `"1920x1080"`. Known once the content is Ready. */
    resolution: string;
    /** When the content was created, in milliseconds since the Unix epoch. */
    createdOn: number;
}

/** The outputs of a livestream that the service computes, without its key. */
export interface LivestreamOutputs {
    /** The RTMP URL that an encoder sends to. */
    rtmpUrl: string;
    /** The RTMPS URL that an encoder sends to; the service may leave it empty. */
    rtmpsUrl: string | undefined;
    /** The URL of the HLS playlist. */
    playbackUrl: string;
    /**
     * `Idle`, `Active`, `Failed` or `Deleting`; the service may have others. The value is that of the last read or
     * change of the resource.
     */
    status: string;
    /** When the livestream was created, in milliseconds since the Unix epoch. */
    createdOn: number;
}
