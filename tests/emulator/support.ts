// What the emulator's tests share: a bare client that hides nothing of HTTP, a clock to turn, a server of sources.
import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Emulator, type EmulatorOptions, type Fault, sampleVideo, startEmulator } from "videograph-emulator";
import { type CoreOptions, EmulatorCore } from "videograph-emulator/core";
import { FakeClock, seededRandom } from "../support/fakeClock.ts";

export const apiRoot = "/video/services/api/v1";

export interface Answer {
    status: number;
    headers: Headers;
    text: string;
    /** The parsed body; undefined when it is not JSON. */
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely; a wrong path fails the assertion
    json: any;
}

export interface Token {
    id: string;
    secret: string;
}

export interface CallOptions {
    token?: Token | null;
    headers?: Record<string, string>;
    signal?: AbortSignal;
}

/** One request, one answer: no retries, no redirects followed. Rejects when the connection fails. */
export async function call(
    emulator: Emulator,
    method: string,
    path: string,
    body?: unknown,
    { token = emulator.token, headers = {}, signal }: CallOptions = {},
): Promise<Answer> {
    const init: RequestInit = { method, redirect: "manual", headers: { ...headers } };
    const sent = init.headers as Record<string, string>;
    if (token !== null) sent.authorization = `Basic ${Buffer.from(`${token.id}:${token.secret}`).toString("base64")}`;
    if (body !== undefined) {
        sent["content-type"] ??= "application/json";
        init.body = typeof body === "string" ? body : JSON.stringify(body);
    }
    if (signal !== undefined) init.signal = signal;
    const response = await fetch(path.startsWith("/_") ? emulator.url + path : emulator.url + apiRoot + path, init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: parse(text) };
}

function parse(text: string): unknown {
    try {
        return JSON.parse(text);
    } catch {
        return undefined;
    }
}

/** A clock that stands still until it is turned. */
export class Clock {
    time = Date.UTC(2026, 0, 1);
    readonly now = (): number => this.time;
    advance(ms: number): void {
        this.time += ms;
    }
}

/** An emulator that believes every source and whose time the test turns: 1 s of processing, 1 s of deleting. */
export async function startStill(options: EmulatorOptions = {}): Promise<{ emulator: Emulator; clock: Clock }> {
    const clock = new Clock();
    const emulator = await startEmulator({
        fetchSources: false,
        processingTimeMs: 1000,
        deletingTimeMs: 1000,
        now: clock.now,
        ...options,
    });
    return { emulator, clock };
}

export const minimal = {
    title: "Trailer",
    content: [{ url: "https://media.example.com/trailer.mp4" }],
    playback_policy: ["public"],
};

export const channel = { title: "Main stage", region: "us-east-1", record: true };

/** Creates a content and gives its id. */
export async function createContent(emulator: Emulator, fields: object = {}): Promise<string> {
    const answer = await call(emulator, "POST", "/contents", { ...minimal, ...fields });
    if (answer.status >= 300) throw new Error(`Creating a content failed: ${answer.text}`);
    return String(answer.json.data.contentId);
}

/** Creates a livestream and gives its UUID. */
export async function createLivestream(emulator: Emulator, fields: object = {}): Promise<string> {
    const answer = await call(emulator, "POST", "/livestreams", { ...channel, ...fields });
    if (answer.status >= 300) throw new Error(`Creating a livestream failed: ${answer.text}`);
    return answer.json.data.streamUUID;
}

/** The emulator without a server, on virtual time. */
export function startCore(options: CoreOptions = {}, seed = 1) {
    const clock = new FakeClock();
    const settings = { clock, random: seededRandom(seed), processingTimeMs: 1000, deletingTimeMs: 1000, ...options };
    const core = new EmulatorCore(settings);
    const call = async (
        method: string,
        path: string,
        body?: unknown,
        more: { faults?: Fault[]; token?: Token } = {},
    ) => {
        const { token = core.token, faults } = more;
        const headers = {
            ...(token.id !== "" && {
                authorization: `Basic ${Buffer.from(`${token.id}:${token.secret}`).toString("base64")}`,
            }),
            ...(body !== undefined && { "content-type": "application/json" }),
        };
        const url = `https://api.test${apiRoot}${path}`;
        const answer = await core.handle(
            { method, url, headers, body: body === undefined ? undefined : JSON.stringify(body) },
            { faults },
        );
        // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely; a wrong path fails the assertion
        return { ...answer, text: String(answer.body), json: parse(String(answer.body)) as any };
    };
    const data = async (method: string, path: string, body?: unknown) => (await call(method, path, body)).json.data;
    return {
        ...{ clock, core, call },
        get: (path: string) => data("GET", path),
        status: async (method: string, path: string, body?: unknown) => (await call(method, path, body)).status,
        /** Creates one, and gives its id. */
        content: async (fields = {}) => String((await data("POST", "/contents", { ...minimal, ...fields })).contentId),
        stream: async (fields = {}) =>
            String((await data("POST", "/livestreams", { ...channel, ...fields })).streamUUID),
    };
}

/** Waits until `condition` gives something; fails after 10 s. */
export async function eventually<T>(condition: () => T | undefined | false): Promise<T> {
    const deadline = Date.now() + 10_000;
    for (;;) {
        const value = condition();
        if (value !== undefined && value !== false) return value;
        if (Date.now() > deadline) throw new Error(`Never came true: ${condition}`);
        await sleep(5);
    }
}

/** A server of sources on loopback. */
export async function serve(listener: RequestListener): Promise<{ url: string } & AsyncDisposable> {
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return {
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        [Symbol.asyncDispose]: () =>
            new Promise((resolve) => {
                server.close(() => resolve());
                server.closeAllConnections();
            }),
    };
}

// The emulator has the library in its own code, and the library warns of being loaded twice.
Reflect.deleteProperty(globalThis, Symbol.for("mediabunny loaded"));
export const mediabunny = createRequire(import.meta.url)("mediabunny") as typeof import("mediabunny");

/** The pictures of the sample, so many times after each other: another video, of 2 s for each time. */
export async function longerVideo(times: number): Promise<Uint8Array<ArrayBuffer>> {
    const {
        BufferSource,
        BufferTarget,
        EncodedPacketSink,
        EncodedVideoPacketSource,
        Input,
        MP4,
        Mp4OutputFormat,
        Output,
    } = mediabunny;
    using input = new Input({ source: new BufferSource(await sampleVideo()), formats: [MP4] });
    const track = (await input.getPrimaryVideoTrack()) ?? assert.fail();
    const target = new BufferTarget();
    const output = new Output({ format: new Mp4OutputFormat(), target });
    const copy = new EncodedVideoPacketSource("avc");
    output.addVideoTrack(copy);
    await output.start();
    const decoderConfig = (await track.getDecoderConfig()) ?? assert.fail();
    for (let time = 0; time < times; time++) {
        for await (const packet of new EncodedPacketSink(track).packets()) {
            await copy.add(packet.clone({ timestamp: packet.timestamp + 2 * time }), { decoderConfig });
        }
    }
    await output.finalize();
    return new Uint8Array(target.buffer ?? assert.fail());
}
