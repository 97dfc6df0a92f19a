/**
 * A local stand-in for the Videograph video service, for demos, tests and CI.
 *
 * ```ts
 * await using emulator = await startEmulator({ processingTimeMs: 200 });
 * // point a client at emulator.url with emulator.token, then look at what it did:
 * emulator.contents();
 * emulator.requests;
 * ```
 */

import { mkdtemp, rm } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Token, Tokens } from "./auth";
import { type ContentCreate, contentState, newContent, parseContentCreate } from "./contents";
import type { Context } from "./context";
import { control, controlRoot, requireLoopback } from "./control";
import { type Fault, Faults, type InjectedFault } from "./faults";
import { type ApiRequest, ServiceError, send } from "./http";
import { type LivestreamCreate, livestreamStatus, newLivestream, parseLivestreamCreate } from "./livestreams";
import { page, pageHeaders } from "./page";
import { Playback } from "./playback";
import { type LoggedRequest, RequestLog } from "./requestLog";
import { type SampleVideoOptions, sendSample } from "./sampleVideo";
import { EmulatorServer } from "./server";
import { initialSigningKeys } from "./signingKeys";
import { SourceQueue } from "./sourceQueue";
import { StateFile } from "./stateFile";
import { type ContentRecord, type LivestreamRecord, type SigningKey, Store } from "./store";
import { turnVariants, type Variants } from "./variants";

export type { Token } from "./auth";
export type { ContentCreate } from "./contents";
export type { ErrorBody, Fault, FaultEffect, FaultMatch, InjectedFault, When } from "./faults";
export type { LivestreamCreate } from "./livestreams";
export type { LoggedRequest } from "./requestLog";
export { type SampleVideoOptions, sampleVideo } from "./sampleVideo";
export type { ContentRecord, LivestreamRecord, MetadataPair, PlaybackPolicy, SigningKey } from "./store";
export type { Variants } from "./variants";

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

/** Starts an emulator; resolves when it serves. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
    const {
        port = 0,
        host = "127.0.0.1",
        processingTimeMs = 1000,
        deletingTimeMs = 1000,
        fetchSources = true,
        unfetched = { durationMs: 10_000, resolution: "1280x720" },
        maxSourceBytes = 1024 ** 3,
        sourceTimeoutMs = 60_000,
        requestLogLimit = 100_000,
        remoteControl = false,
        now = Date.now,
    } = options;
    const variants = turnVariants(options.variants ?? {});
    const tokens = new Tokens();
    const first: Required<Token> = { ...defaultToken, ...options.tokens?.[0] };
    for (const token of options.tokens ?? [defaultToken]) tokens.add(token);

    const store = new Store();
    const stateFile = options.stateFile === undefined ? undefined : new StateFile(options.stateFile, store, now());
    const mediaFolder =
        options.stateFile === undefined
            ? await mkdtemp(join(tmpdir(), "videograph-emulator-"))
            : `${options.stateFile}.media`;
    const queue = new SourceQueue({
        store,
        folder: mediaFolder,
        limits: { maxBytes: maxSourceBytes, timeoutMs: sourceTimeoutMs },
        now,
        pretend: fetchSources ? undefined : { playable: true, ...unfetched, file: null },
    });
    const log = new RequestLog(requestLogLimit);
    const faults = new Faults();
    for (const fault of options.faults ?? []) faults.inject(fault);

    let url = "";
    const context: Context = {
        store,
        variants,
        now,
        processingTimeMs: typeof processingTimeMs === "number" ? () => processingTimeMs : processingTimeMs,
        deletingTimeMs,
        publicUrl: () => options.publicUrl ?? url,
        process: (content) => queue.add(content),
    };
    const seedKeys = (environmentId: number) => {
        if (store.signingKeys(environmentId).length > 0) return;
        for (const signingKey of initialSigningKeys(environmentId)) store.apply({ signingKey });
    };
    for (const token of tokens.list()) seedKeys(token.environmentId);

    const playback = new Playback(context, mediaFolder);
    const other = async (request: ApiRequest, incoming: IncomingMessage, response: ServerResponse) => {
        if (request.path.startsWith("/playback/")) await playback.serve(request, incoming, response);
        else if (request.path.startsWith(`${controlRoot}/`)) {
            if (!remoteControl) requireLoopback(incoming);
            send(response, control(emulator, request));
        } else if (request.path.startsWith("/sample.")) await sendSample(request, response);
        else if (request.path === "/") send(response, { status: 200, headers: pageHeaders, body: page });
        else throw new ServiceError(404, `There is nothing at ${request.path}`);
    };
    const server = new EmulatorServer({ context, tokens, log, faults, other });
    url = addressOf(await server.listen(port, host));
    for (const content of store.contents()) if (content.outcome === null) queue.add(content);

    const close = async () => {
        await server.close();
        await queue.close();
        stateFile?.close();
        if (stateFile === undefined) await rm(mediaFolder, { recursive: true, force: true });
    };
    const snapshot = (content: ContentRecord): ContentSnapshot => {
        const { status, reason, durationMs, resolution } = contentState(context, content);
        return structuredClone({ ...content, status, failureReason: reason, durationMs, resolution });
    };
    const streamSnapshot = (livestream: LivestreamRecord): LivestreamSnapshot =>
        structuredClone({ ...livestream, status: livestreamStatus(livestream) });
    const content = (id: string) => store.findContent(id) ?? missing("content", id);
    const livestream = (id: string) => store.findLivestream(id, now()) ?? missing("livestream", id);
    const put = (changed: ContentRecord) => {
        store.apply({ content: changed });
        return snapshot(changed);
    };
    const putStream = (changed: LivestreamRecord) => {
        store.apply({ livestream: changed });
        return streamSnapshot(changed);
    };

    const emulator: Emulator = {
        url,
        token: first,
        env: {
            VIDEOGRAPH_BASE_URL: url,
            VIDEOGRAPH_ACCESS_TOKEN_ID: first.id,
            VIDEOGRAPH_SECRET_KEY: first.secret,
        },
        mediaFolder,
        sampleUrl: ({ container = "mp4", ...measures } = {}) => {
            const sample = new URL(`/sample.${container}`, url);
            for (const [name, value] of Object.entries(measures)) sample.searchParams.set(name, String(value));
            return sample.href;
        },
        close,
        [Symbol.asyncDispose]: close,

        get requests() {
            return log.requests;
        },
        clearRequests: () => log.clear(),
        waitForRequest: (predicate, timeoutMs = 10_000) => log.waitFor(predicate, timeoutMs),

        contents: (environmentId) => store.contents(environmentId).map(snapshot),
        content: (id) => {
            const found = store.findContent(id);
            return found && snapshot(found);
        },
        addContent: (create, environmentId = 1) => {
            const source = create.content ?? [{ url: "https://media.example.com/added-from-outside.mp4" }];
            const body = parseContentCreate({ playback_policy: ["public"], ...create, content: source });
            const added = newContent(context, environmentId, body);
            if (create.content === undefined) {
                added.outcome = { playable: true, ...unfetched, file: null };
                added.outcomeAt = added.createdOn;
            } else added.processingMs = context.processingTimeMs(body);
            const result = put(added);
            if (added.outcome === null) queue.add(added);
            return result;
        },
        updateContent: (id, change) => put({ ...content(id), ...structuredClone(change) }),
        setContentStatus: (id, status, reason) => put({ ...content(id), fixed: { status, reason: reason ?? null } }),
        deleteContent: (id) => {
            store.apply({ contentDeleted: { environmentId: content(id).environmentId, id } });
        },

        livestreams: (environmentId) => store.livestreams(now(), environmentId).map(streamSnapshot),
        livestream: (id) => {
            const found = store.findLivestream(id, now());
            return found && streamSnapshot(found);
        },
        addLivestream: (create, environmentId = 1) => {
            const body = parseLivestreamCreate({ region: "us-east-1", record: false, ...create });
            return putStream(newLivestream(context, environmentId, body));
        },
        updateLivestream: (id, change) => putStream({ ...livestream(id), ...structuredClone(change) }),
        deleteLivestream: (id) => {
            store.apply({ livestreamDeleted: { environmentId: livestream(id).environmentId, id } });
        },

        signingKeys: (environmentId) => structuredClone(store.signingKeys(environmentId)),
        addSigningKey: (key = {}) => {
            const number = store.signingKeys().length + 1;
            const signingKey: SigningKey = {
                id: 10_000 + number,
                productTypeId: 1,
                environmentId: 1,
                signingKeyId: `added-signing-key-${number}`,
                createdOn: now(),
                createdBy: "owner@example.com",
                ...key,
            };
            store.apply({ signingKey });
            return { ...signingKey };
        },

        addToken: (token) => {
            tokens.add(token);
            seedKeys(token.environmentId ?? 1);
        },
        revokeToken: (id) => tokens.revoke(id),

        inject: (fault) => faults.inject(fault),
        get faults() {
            return faults.list();
        },
        clearFaults: () => faults.clear(),

        get variants() {
            return { ...variants };
        },
        setVariants: (changed) => {
            Object.assign(variants, turnVariants(changed, variants));
        },

        reset: () => {
            store.clear();
            faults.clear();
            log.clear();
        },
    };
    return emulator;
}

function addressOf({ address, family, port }: AddressInfo): string {
    // "Every interface" is no address to go to; the loopback one is among them.
    if (address === "0.0.0.0" || address === "::") return `http://127.0.0.1:${port}`;
    return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}

function missing(what: string, id: string): never {
    throw new Error(`The emulator has no ${what} ${id}`);
}
