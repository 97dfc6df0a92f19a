/** A content's source: fetched for real, and believed to be a video only by what the bytes say. */
import { createHash, randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { EncodedPacketSink, FilePathSource, Input, MP4, QTFF } from "./media";
import type { MediaFolder } from "./mediaFolder";

/** What came of a source: something to play, or the reason why not. */
export type SourceOutcome =
    | {
          readonly playable: true;
          readonly durationMs: number;
          /** Width and height as shown, e.g. "1280x720". */
          readonly resolution: string;
          /** Name of the stored file in the media folder; null when sources are not fetched. */
          readonly file: string | null;
      }
    | { readonly playable: false; readonly reason: string };

/** Fetches a source and says what it is. Never rejects: a failure is an outcome. */
export type FetchSource = (url: string, signal: AbortSignal) => Promise<SourceOutcome>;

export interface SourceLimits {
    readonly maxBytes: number;
    readonly timeoutMs: number;
}

class SourceError extends Error {}

/** Fetches a source into `folder` and reads its duration and resolution. Never throws: a failure is an outcome. */
export async function fetchSource(
    url: string,
    folder: MediaFolder,
    limits: SourceLimits,
    signal: AbortSignal,
): Promise<SourceOutcome> {
    await folder.create();
    const incoming = folder.pathOf(`incoming-${randomUUID()}`);
    try {
        // Named by its hash, a source that many contents share is stored once.
        const file = await download(url, incoming, limits, signal);
        const media = await probe(incoming);
        await folder.keep(incoming, file);
        return { playable: true, ...media, file };
    } catch (error) {
        await rm(incoming, { force: true });
        return { playable: false, reason: `The source could not be used: ${describe(error)}` };
    }
}

/** Gives the hash of what was downloaded. */
async function download(url: string, incoming: string, limits: SourceLimits, signal: AbortSignal): Promise<string> {
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(limits.timeoutMs)]);
    const { address, headers } = withoutUserInfo(url);
    const response = await fetch(address, { headers, signal: deadline, redirect: "follow" });
    if (!response.ok) throw new SourceError(`its server answered HTTP ${response.status}`);
    if (response.body === null) throw new SourceError("its server answered without a body");
    const hash = createHash("sha256");
    let size = 0;
    const measure = new Transform({
        transform(chunk: Buffer, _encoding, done) {
            size += chunk.length;
            hash.update(chunk);
            done(size > limits.maxBytes ? new SourceError(`it is larger than ${limits.maxBytes} bytes`) : null, chunk);
        },
    });
    await pipeline(Readable.fromWeb(response.body), measure, createWriteStream(incoming), { signal: deadline });
    return hash.digest("hex");
}

/** `fetch` refuses a URL with user info, and its message repeats the password: so both go into a header. */
function withoutUserInfo(url: string): { address: string; headers: Record<string, string> } {
    const parsed = new URL(url);
    if (parsed.username === "" && parsed.password === "") return { address: url, headers: {} };
    const credentials = `${decodeURIComponent(parsed.username)}:${decodeURIComponent(parsed.password)}`;
    parsed.username = "";
    parsed.password = "";
    return {
        address: parsed.href,
        headers: { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` },
    };
}

async function probe(path: string): Promise<{ durationMs: number; resolution: string }> {
    using input = new Input({ source: new FilePathSource(path), formats: [MP4, QTFF] });
    // The library throws on files too short to hold a header.
    const readable = await input.canRead().catch(() => false);
    if (!readable) throw new SourceError("it is not an MP4, MOV or M4V file");
    try {
        const track = await input.getPrimaryVideoTrack();
        if (track === null) throw new SourceError("it has no video track");
        // Sizes and times are in the header; only reading the last packet shows that the file is all there.
        const [durationMs, width, height, last] = await Promise.all([
            input.computeDuration().then((seconds) => Math.round(seconds * 1000)),
            track.getDisplayWidth(),
            track.getDisplayHeight(),
            new EncodedPacketSink(track).getPacket(Number.POSITIVE_INFINITY),
        ]);
        if (durationMs <= 0) throw new SourceError("its video track is empty");
        if (last === null) throw new SourceError("its video is damaged or incomplete");
        return { durationMs, resolution: `${width}x${height}` };
    } catch (error) {
        throw error instanceof SourceError ? error : new SourceError("its video is damaged or incomplete");
    }
}

function describe(error: unknown): string {
    if (error instanceof SourceError) return error.message;
    // fetch says only "fetch failed"; what failed is in the cause. Its messages may quote the URL, which may hold a secret.
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const text = cause instanceof Error ? cause.message || cause.name : String(cause);
    return text.replace(/https?:\/\/\S+/gi, "its URL");
}
