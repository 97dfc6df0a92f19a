/** Puts the emulator's parts together. */
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Token, Tokens } from "./auth";
import type { Context } from "./context";
import { control, controlRoot, requireAccess } from "./control";
import { defaultToken, type Emulator, type EmulatorOptions } from "./emulator";
import { Faults } from "./faults";
import { fromOutside } from "./fromOutside";
import { type ApiRequest, ServiceError, send } from "./http";
import { pageReply } from "./page";
import { Playback } from "./playback";
import { RequestLog } from "./requestLog";
import { sendSample } from "./sampleVideo";
import { EmulatorServer } from "./server";
import { initialSigningKeys } from "./signingKeys";
import type { SourceOutcome } from "./source";
import { SourceQueue } from "./sourceQueue";
import { StateFile } from "./stateFile";
import { Store } from "./store";
import { turnVariants } from "./variants";

/** Starts an emulator; resolves when it serves. Rejects when an option is wrong or the port is taken. */
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
    const faults = new Faults();
    for (const fault of options.faults ?? []) faults.inject(fault);
    const log = new RequestLog(requestLogLimit);
    const tokens = new Tokens();
    const first: Required<Token> = { ...defaultToken, ...options.tokens?.[0] };
    for (const token of options.tokens ?? [defaultToken]) tokens.add(token);

    const store = new Store();
    const stateFile = options.stateFile === undefined ? undefined : new StateFile(options.stateFile, store, now());
    const mediaFolder =
        options.stateFile === undefined
            ? join(tmpdir(), `videograph-emulator-${randomUUID()}`)
            : `${options.stateFile}.media`;
    const pretended: SourceOutcome = { playable: true, ...unfetched, file: null };
    const queue = new SourceQueue({
        store,
        folder: mediaFolder,
        limits: { maxBytes: maxSourceBytes, timeoutMs: sourceTimeoutMs },
        now,
        pretend: fetchSources ? undefined : pretended,
    });
    const seedKeys = (environmentId: number) => {
        if (store.signingKeys(environmentId).length > 0) return;
        for (const signingKey of initialSigningKeys(environmentId)) store.apply({ signingKey });
    };
    for (const token of tokens.list()) seedKeys(token.environmentId);

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
    const playback = new Playback(context, mediaFolder);
    const other = async (request: ApiRequest, incoming: IncomingMessage, response: ServerResponse) => {
        if (request.path.startsWith("/playback/")) await playback.serve(request, incoming, response);
        else if (request.path.startsWith(`${controlRoot}/`)) {
            requireAccess(incoming, remoteControl);
            send(response, control(emulator, request));
        } else if (request.path.startsWith("/sample.")) await sendSample(request, response);
        else {
            const reply = pageReply(request.path);
            if (reply === undefined) throw new ServiceError(404, `There is nothing at ${request.path}`);
            send(response, reply);
        }
    };
    const server = new EmulatorServer({ context, tokens, log, faults, other });
    try {
        url = addressOf(await server.listen(port, host));
    } catch (error) {
        stateFile?.close();
        throw error;
    }
    // What a state file knows as undecided was on its way when an earlier emulator ended.
    for (const content of store.contents()) if (content.outcome === null) queue.add(content);

    let closed: Promise<void> | undefined;
    const closeAll = async () => {
        await server.close();
        await queue.close();
        stateFile?.close();
        if (stateFile === undefined) await rm(mediaFolder, { recursive: true, force: true });
    };
    const close = () => {
        closed ??= closeAll();
        return closed;
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

        ...fromOutside(context, pretended),

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
