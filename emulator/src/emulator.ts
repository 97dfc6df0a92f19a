/** What the emulator offers to those who start it: options, and the methods of a running one. */
import type { Token } from "./auth";
import type { ContentCreate } from "./contents";
import type { Fault, InjectedFault } from "./faults";
import type { LivestreamCreate } from "./livestreams";
import type { LoggedRequest } from "./requestLog";
import type { SampleVideoOptions } from "./sampleVideo";
import type { ContentRecord, LivestreamRecord, SigningKey } from "./store";
import type { Variants } from "./variants";

/** The token an emulator starts with when it is given none. It opens environment 1. */
export const defaultToken: Readonly<Required<Token>> = {
    id: "emulator-token-id",
    secret: "emulator-secret-key",
    environmentId: 1,
};

/** How to start an emulator. Everything has a default. */
export interface EmulatorOptions {
    /** TCP port; 0 takes any free one. Default 0. */
    port?: number;
    /** Interface to listen on. Default "127.0.0.1". */
    host?: string;
    /** Base of playback URLs, where it differs from where the emulator listens (as in a container). */
    publicUrl?: string;
    /** Access tokens. Default: {@link defaultToken}. */
    tokens?: Token[];
    /** How long a content is processed at least, in ms, or a function of the create's body. Default 1000. */
    processingTimeMs?: number | ((create: ContentCreate) => number);
    /** How long a livestream stays "Deleting" after DELETE, in ms. Default 1000. */
    deletingTimeMs?: number;
    /**
     * Whether sources are fetched and checked. Without, every source counts as a video of `unfetched`'s measures:
     * for benchmarks. Default true.
     */
    fetchSources?: boolean;
    /** Measures of sources that are not fetched. Default 10 s of 1280x720. */
    unfetched?: { durationMs: number; resolution: string };
    /** Largest source that is fetched, in bytes. Default 1 GiB. */
    maxSourceBytes?: number;
    /** How long fetching a source may take, in ms. Default 60,000. */
    sourceTimeoutMs?: number;
    /** Switches for what the service's documentation leaves open. */
    variants?: Partial<Variants>;
    /** Faults to start with. */
    faults?: Fault[];
    /** File that keeps the objects across restarts; sources are kept in a folder beside it. Default: memory only. */
    stateFile?: string;
    /** How many requests the log keeps at most. Default 100,000. */
    requestLogLimit?: number;
    /** Whether other machines may use the control endpoint, which has no authentication. Default false. */
    remoteControl?: boolean;
    /** The clock that statuses and creation times follow, in epoch ms. Default `Date.now`. */
    now?: () => number;
}

/** A content with its state at the moment it was asked for. */
export interface ContentSnapshot extends ContentRecord {
    status: string;
    /** Why it Failed; null otherwise. */
    failureReason: string | null;
    /** 0 until Ready. */
    durationMs: number;
    /** Empty until Ready. */
    resolution: string;
}

/** A livestream at the moment it was asked for; `status` is "Deleting" while its deletion goes on. */
export type LivestreamSnapshot = LivestreamRecord;

/** What can be changed about a content from outside. */
export type ContentChange = Partial<
    Pick<
        ContentRecord,
        "title" | "description" | "tags" | "metadata" | "playbackPolicy" | "mp4Support" | "saveOriginalCopy"
    >
>;

/** What can be changed about a livestream from outside. */
export type LivestreamChange = Partial<
    Pick<
        LivestreamRecord,
        | "title"
        | "description"
        | "tags"
        | "metadata"
        | "dvrDurationInMins"
        | "region"
        | "record"
        | "playbackPolicy"
        | "recordingsPlaybackPolicy"
        | "streamKey"
        | "status"
    >
>;

/** A running emulator. */
export interface Emulator extends AsyncDisposable {
    /** Base address for clients, e.g. "http://127.0.0.1:41234": what `VIDEOGRAPH_BASE_URL` wants. */
    readonly url: string;
    /** The first token. */
    readonly token: Readonly<Required<Token>>;
    /** The environment variables that point the Videograph provider at this emulator, with its first token. */
    readonly env: Readonly<
        Record<"VIDEOGRAPH_BASE_URL" | "VIDEOGRAPH_ACCESS_TOKEN_ID" | "VIDEOGRAPH_SECRET_KEY", string>
    >;
    /** URL of a real video that the emulator itself serves: a source to create contents from. */
    sampleUrl(options?: SampleVideoOptions): string;
    /** Folder of fetched sources and of streams made from them. */
    readonly mediaFolder: string;
    /** Stops serving, cutting every connection, and removes temporary files. */
    close(): Promise<void>;

    /** Requests to the API, oldest first. The array grows as requests arrive. */
    readonly requests: readonly LoggedRequest[];
    clearRequests(): void;
    /**
     * The first request, past or to come, that fits. The predicate sees a request on arrival, when it is carried out
     * (`accepted`) and when it ends (`finishedAt`). Rejects after `timeoutMs`, 10,000 by default.
     */
    waitForRequest(predicate: (request: LoggedRequest) => boolean, timeoutMs?: number): Promise<LoggedRequest>;

    /** Contents of one environment, or of all, oldest first: what is really there, whatever lists show. */
    contents(environmentId?: number): ContentSnapshot[];
    /** One content of any environment. */
    content(contentId: string): ContentSnapshot | undefined;
    /** Adds a content as another user would; environment 1 by default. Without `content` it is Ready at once. */
    addContent(create: Partial<ContentCreate> & Pick<ContentCreate, "title">, environmentId?: number): ContentSnapshot;
    /** Changes a content as another user would. Throws when there is none such. */
    updateContent(contentId: string, change: ContentChange): ContentSnapshot;
    /** Sets a content's status, whatever its processing would say: Ready, Failed, or anything else. */
    setContentStatus(contentId: string, status: string, reason?: string): ContentSnapshot;
    /** Deletes a content as another user would. Throws when there is none such. */
    deleteContent(contentId: string): void;

    /** Livestreams of one environment, or of all, oldest first. */
    livestreams(environmentId?: number): LivestreamSnapshot[];
    livestream(streamUUID: string): LivestreamSnapshot | undefined;
    addLivestream(
        create: Partial<LivestreamCreate> & Pick<LivestreamCreate, "title">,
        environmentId?: number,
    ): LivestreamSnapshot;
    /** Changes a livestream, its `status` included. Throws when there is none such. */
    updateLivestream(streamUUID: string, change: LivestreamChange): LivestreamSnapshot;
    /** Removes a livestream at once. Throws when there is none such. */
    deleteLivestream(streamUUID: string): void;

    signingKeys(environmentId?: number): SigningKey[];
    /** Adds a signing key; what is left out is made up. */
    addSigningKey(key?: Partial<SigningKey>): SigningKey;

    /** Adds an access token, e.g. a second one for an environment whose token is being rotated. */
    addToken(token: Token): void;
    /** From now on the token gets 401. Returns whether there was one. */
    revokeToken(id: string): boolean;

    /** Makes requests fail from now on; see {@link Fault}. Of several that match a request the first one acts. */
    inject(fault: Fault): InjectedFault;
    readonly faults: readonly InjectedFault[];
    clearFaults(): void;

    readonly variants: Readonly<Variants>;
    /** Turns switches while running. */
    setVariants(variants: Partial<Variants>): void;

    /** Removes contents, livestreams, faults and logged requests; tokens, signing keys and variants stay. */
    reset(): void;
}
