// What the emulator's tests share: the core in virtual time, a bare client that hides nothing of HTTP, a server of sources.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { type Emulator, type Fault, sampleVideo } from "videograph-emulator";
import { type CoreOptions, EmulatorCore } from "videograph-emulator/core";
import { FakeClock, seededRandom } from "../support/fakeClock.ts";
import { waitFor } from "../support/waitFor.ts";

export const apiRoot = "/video/services/api/v1";

export interface Token {
    id: string;
    secret: string;
}

export interface CallOptions {
    token?: Token | null;
    headers?: Record<string, string>;
    signal?: AbortSignal;
}

export const basic = ({ id, secret }: Token) => `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;

function encode(body: unknown, token: Token | null, headers: Record<string, string>) {
    return {
        headers: {
            ...(token !== null && { authorization: basic(token) }),
            ...(body !== undefined && { "content-type": "application/json" }),
            ...headers,
        },
        body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
    };
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely; a wrong path fails the assertion
function parse(text: string): any {
    try {
        return JSON.parse(text);
    } catch {
        return undefined;
    }
}

/** One request over HTTP, one answer: no retries, no redirects followed. Rejects when the connection fails. */
export async function call(
    emulator: Emulator,
    method: string,
    path: string,
    body?: unknown,
    { token = emulator.token, headers = {}, signal }: CallOptions = {},
) {
    const { body: text, headers: sent } = encode(body, token, headers);
    const init = { method, redirect: "manual", headers: sent, body: text ?? null, signal: signal ?? null } as const;
    const response = await fetch(path.startsWith("/_") ? emulator.url + path : emulator.url + apiRoot + path, init);
    const answer = await response.text();
    return { status: response.status, headers: response.headers, text: answer, json: parse(answer) };
}

export const minimal = {
    title: "Trailer",
    content: [{ url: "https://media.example.com/trailer.mp4" }],
    playback_policy: ["public"],
};

export const channel = { title: "Main stage", region: "us-east-1", record: true };

/** Creates a content over HTTP and gives its id. */
export async function createContent(emulator: Emulator, fields: object = {}): Promise<string> {
    const answer = await call(emulator, "POST", "/contents", { ...minimal, ...fields });
    if (answer.status >= 300) throw new Error(`Creating a content failed: ${answer.text}`);
    return String(answer.json.data.contentId);
}

/** The emulator without a server, on virtual time. */
export function startCore(options: CoreOptions = {}) {
    const clock = new FakeClock();
    const settings = { clock, random: seededRandom(1), processingTimeMs: 1000, deletingTimeMs: 1000, ...options };
    const core = new EmulatorCore(settings);
    const call = async (
        method: string,
        path: string,
        body?: unknown,
        { token = core.token, faults, headers = {} }: CallOptions & { faults?: Fault[] } = {},
    ) => {
        const request = { method, url: `https://api.test${apiRoot}${path}`, ...encode(body, token, headers) };
        const { status, headers: sent, body: text } = await core.handle(request, { faults });
        return { status, headers: sent, text: String(text), json: parse(String(text)) };
    };
    const data = async (method: string, path: string, body?: unknown) => (await call(method, path, body)).json.data;
    return {
        ...{ clock, core, call, data },
        get: (path: string) => data("GET", path),
        status: async (method: string, path: string, body?: unknown) => (await call(method, path, body)).status,
        /** Creates one, and gives its id. */
        content: async (fields = {}) => String((await data("POST", "/contents", { ...minimal, ...fields })).contentId),
        stream: async (fields = {}) =>
            String((await data("POST", "/livestreams", { ...channel, ...fields })).streamUUID),
    };
}

/** A content that is Ready or Failed by now, or will be soon. */
export function ended(emulator: Emulator, id: string) {
    return waitFor("the end of the processing", () => {
        const content = emulator.content(id);
        return (content?.status === "Ready" || content?.status === "Failed") && content;
    });
}

// The emulator has the library in its own code, and the library warns of being loaded twice.
Reflect.deleteProperty(globalThis, Symbol.for("mediabunny loaded"));
export const mediabunny = createRequire(import.meta.url)("mediabunny") as typeof import("mediabunny");

/** The pictures of the sample, so many times after each other: another video, of 2 s for each time. */
export async function longerVideo(times: number): Promise<Uint8Array<ArrayBuffer>> {
    const source = new mediabunny.BufferSource(await sampleVideo());
    using input = new mediabunny.Input({ source, formats: [mediabunny.MP4] });
    const track = (await input.getPrimaryVideoTrack()) ?? assert.fail();
    const target = new mediabunny.BufferTarget();
    const output = new mediabunny.Output({ format: new mediabunny.Mp4OutputFormat(), target });
    const copy = new mediabunny.EncodedVideoPacketSource("avc");
    output.addVideoTrack(copy);
    await output.start();
    const decoderConfig = (await track.getDecoderConfig()) ?? assert.fail();
    for (let time = 0; time < times; time++)
        for await (const packet of new mediabunny.EncodedPacketSink(track).packets())
            await copy.add(packet.clone({ timestamp: packet.timestamp + 2 * time }), { decoderConfig });
    await output.finalize();
    return new Uint8Array(target.buffer ?? assert.fail());
}
