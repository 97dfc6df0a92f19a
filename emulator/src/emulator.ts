/** The running emulator: the core behind an HTTP server, with fetched sources and an optional state file. */
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { realClock } from "./clock";
import { playbackRoot } from "./contents";
import { control, controlRoot, requireAccess } from "./control";
import { type CoreOptions, EmulatorCore } from "./core";
import { AllowedHosts, isPlainOrigin } from "./hosts";
import { type ApiRequest, ServiceError, send } from "./http";
import { MediaFolder } from "./mediaFolder";
import { pageFiles, pageHeaders } from "./page";
import { Playback, sendFile } from "./playback";
import { webUrl } from "./requestSchemas";
import { samples } from "./sample";
import { EmulatorServer } from "./server";
import { fetchSource } from "./source";
import { StateFile } from "./stateFile";
import { Store } from "./store";
import { check } from "./validate";

/** The time limit for fetching a source. */
const sourceTimeoutMs = 60_000;

/** Only so many refused origins are reported. */
const maxRefusedOrigins = 20;

/** The options of an emulator. Everything has a default. */
export interface EmulatorOptions extends Omit<CoreOptions, "clock" | "random" | "sources" | "store"> {
    /** TCP port; 0 takes any free one. Default 0. */
    port?: number;
    /** Interface to listen on. Default "127.0.0.1". */
    host?: string;
    /** Additional host names of the emulator; loopback names and the public URL's always work. */
    allowHosts?: string[];
    /** Origins, such as "http://localhost:3000", whose web pages may call the API. Default: none. */
    allowOrigins?: string[];
    /** Whether sources are fetched and checked. Otherwise every source counts as a video of 10 s of 1280x720. Default true. */
    fetchSources?: boolean;
    /** File that keeps the objects across restarts; a folder next to it keeps sources. If it is removed, the emulator closes. Default: memory. */
    stateFile?: string;
    /** Whether other machines may use the control endpoint, which has no authentication. Default false. */
    remoteControl?: boolean;
    /** The clock that statuses and creation times follow, in epoch ms. Default `Date.now`. */
    now?: () => number;
}

/** A running emulator; see `startEmulator`. */
export class Emulator extends EmulatorCore implements AsyncDisposable {
    /**
     * Called once for each origin whose web page the API has refused. Otherwise only the browser's console would show it, as a CORS error that does
     * not name the option `allowOrigins`.
     */
    onRefusedOrigin: (origin: string) => void = () => {};
    /** Folder of fetched sources and of streams made from them. */
    readonly mediaFolder: string;
    readonly #server: EmulatorServer;
    readonly #hosts = new AllowedHosts();
    readonly #stateFile: StateFile | undefined;
    readonly #playback: Playback;
    readonly #refusedOrigins = new Set<string>();
    #url = "";
    #closed: Promise<void> | undefined;

    private constructor(options: EmulatorOptions, store: Store, stateFile: StateFile | undefined) {
        const { now, fetchSources = true } = options;
        const temporary = join(tmpdir(), `videograph-emulator-${randomUUID()}`);
        const path = options.stateFile === undefined ? temporary : `${options.stateFile}.media`;
        const folder = new MediaFolder(path);
        if (options.stateFile !== undefined) folder.clean(store.contents());
        const fetch = (url: string, closing: AbortSignal) =>
            fetchSource(url, folder, AbortSignal.any([closing, AbortSignal.timeout(sourceTimeoutMs)]));
        super({ ...options, store, clock: realClock(now), ...(fetchSources ? { sources: fetch } : {}) });
        this.mediaFolder = folder.path;
        this.#stateFile = stateFile;
        this.#playback = new Playback(this.context, folder);
        const other = async (request: ApiRequest, incoming: IncomingMessage, response: ServerResponse) => {
            if (request.path.startsWith(playbackRoot)) await this.#playback.serve(request, incoming, response);
            else if (request.path.startsWith(`${controlRoot}/`)) {
                requireAccess(incoming, options.remoteControl ?? false);
                send(response, await control(this, request));
            } else {
                const [sample, file] = [samples.get(request.path), pageFiles.get(request.path)];
                if (sample !== undefined) await sendFile(sample, incoming, response);
                else if (file !== undefined) await sendFile(file, incoming, response, pageHeaders);
                else throw new ServiceError(404, `There is nothing at ${request.path}`);
            }
        };
        const refusedPage = (origin: string) => this.#refusePage(origin);
        this.#server = new EmulatorServer(this, this.#hosts, new Set(options.allowOrigins), refusedPage, other);
        for (const name of options.allowHosts ?? []) this.#hosts.allow(name);
        if (options.publicUrl !== undefined)
            this.#hosts.allow(new URL(check(webUrl, options.publicUrl, "public URL")).host);
    }

    /** @internal */
    static async start(options: EmulatorOptions): Promise<Emulator> {
        const { port = 0, host = "127.0.0.1", publicUrl, stateFile: path, now = Date.now } = options;
        const store = new Store();
        const stateFile = path === undefined ? undefined : await StateFile.open(path, store, now());
        let emulator: Emulator;
        try {
            emulator = new Emulator(options, store, stateFile);
            emulator.#url = addressOf(await emulator.#server.listen(port, host));
        } catch (error) {
            await stateFile?.close();
            throw error;
        }
        void stateFile?.lost.then(() => {
            console.error(
                `videograph-emulator: stopped, because the state file ${path} was removed, or another emulator has taken it.`,
            );
            return emulator.close();
        });
        const { context } = emulator;
        // With the option `host`, clients use an address of the network. Without this line they would be refused.
        emulator.#hosts.allow(new URL(emulator.#url).host);
        context.publicUrl = (publicUrl ?? emulator.#url).replace(/\/+$/, "");
        // An earlier emulator ended while it fetched these sources: without this line the contents would stay Preparing for ever.
        for (const content of context.store.contents()) if (content.outcome === null) context.process(content);
        return emulator;
    }

    /** Base URL for clients, e.g. "http://127.0.0.1:41234": the value for `VIDEOGRAPH_BASE_URL`. */
    get url(): string {
        return this.#url;
    }

    /** The environment variables that point the Videograph provider at this emulator, with its first token. */
    get env(): Readonly<Record<`VIDEOGRAPH_${"BASE_URL" | "ACCESS_TOKEN_ID" | "SECRET_KEY"}`, string>> {
        return {
            VIDEOGRAPH_BASE_URL: this.url,
            VIDEOGRAPH_ACCESS_TOKEN_ID: this.token.id,
            VIDEOGRAPH_SECRET_KEY: this.token.secret,
        };
    }

    /** URL of a real video that the emulator itself serves: a source to create contents from. */
    sampleUrl(): string {
        return new URL("/sample.mp4", this.url).href;
    }

    /** Stops serving, cutting every connection, and removes temporary files. */
    override close(): Promise<void> {
        this.#closed ??= this.#closeAll();
        return this.#closed;
    }

    [Symbol.asyncDispose](): Promise<void> {
        return this.close();
    }

    #refusePage(origin: string): void {
        // The origin gets into the terminal. No browser sends such a text, but any other client may send control characters.
        if (!isPlainOrigin(origin) || this.#refusedOrigins.has(origin)) return;
        // Without this limit, a page that calls under ever new names would fill the terminal.
        if (this.#refusedOrigins.size === maxRefusedOrigins) return;
        this.#refusedOrigins.add(origin);
        this.onRefusedOrigin(origin);
    }

    async #closeAll(): Promise<void> {
        await this.#server.close();
        await super.close();
        await this.#stateFile?.close();
        await this.#playback.settle();
        // A request that was cut off may still write into the folder: the removal is tried again.
        if (this.#stateFile === undefined) await rm(this.mediaFolder, { recursive: true, force: true, maxRetries: 5 });
    }
}

/** Starts an emulator; resolves when it serves. Rejects when an option is wrong or the port is taken. */
export function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
    return Emulator.start(options);
}

function addressOf({ address, family, port }: AddressInfo): string {
    // No client can connect to "every interface". The loopback address is one of the interfaces.
    if (address === "0.0.0.0" || address === "::") return `http://127.0.0.1:${port}`;
    return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}
