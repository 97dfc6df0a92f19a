/** The service's objects as the rest of the package sees them, whatever spelling the service used. */

/** `null` from the service means "empty" for description, tags and metadata, and "absent" for all else. */
export interface ContentObject {
    contentId: string;
    status?: string;
    /** Why the content failed, as far as the service said. Redacted. */
    reason?: string;
    title?: string;
    description?: string;
    tags?: string[];
    metadata?: Record<string, string>;
    playbackPolicy?: string[];
    mp4Support?: boolean;
    saveOriginalCopy?: boolean;
    testVideo?: boolean;
    playbackUrl?: string;
    thumbnailUrl?: string;
    /** Milliseconds. */
    duration?: number;
    resolution?: string;
    /** Milliseconds since the Unix epoch. */
    createdOn?: number;
}

export interface LivestreamObject {
    streamUUID: string;
    status?: string;
    /** Why the livestream failed, as far as the service said. Redacted. */
    reason?: string;
    title?: string;
    description?: string;
    tags?: string[];
    metadata?: Record<string, string>;
    region?: string;
    record?: boolean;
    dvrDurationInMins?: number;
    playbackPolicy?: string[];
    recordingsPlaybackPolicy?: string[];
    /** A secret: whoever has it can broadcast. */
    streamKey?: string;
    rtmpUrl?: string;
    rtmpsUrl?: string;
    playbackUrl?: string;
    /** Milliseconds since the Unix epoch. */
    createdOn?: number;
}

/** The public half's description; the service never shows the private one. */
export interface SigningKey {
    /** The service's own number for the key. */
    id: number;
    /** 1 Video, 2 Data, 3 System. */
    productTypeId: number;
    /** The number of the environment it belongs to. A token sees only its own. */
    environmentId: number;
    /** The public identifier, the one that signed playback tokens name. */
    signingKeyId: string;
    /** Milliseconds since the Unix epoch. */
    createdOn: number;
    /** An e-mail address. */
    createdBy: string;
}
