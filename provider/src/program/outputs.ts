/** The outputs that the service computes, each described once: for the classes, the results of functions and the contents of libraries. */

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
    /** When it was created, in milliseconds since the Unix epoch. */
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
     * `Idle`, `Active`, `Failed` or `Deleting`; the service may have others. As it was when the resource was last read
     * or changed.
     */
    status: string;
    /** When it was created, in milliseconds since the Unix epoch. */
    createdOn: number;
}
