/** A content's source: fetched for real, and believed to be a video only by what the bytes say. */
import { createHash, randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { FilePathSource, Input, MP4, QTFF } from "mediabunny";

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

export interface SourceLimits {
    readonly maxBytes: number;
    readonly timeoutMs: number;
}

class SourceError extends Error {}

/** Fetches a source into `folder` and reads its duration and resolution. Never throws: a failure is an outcome. */
export async function fetchSource(
    url: string,
    folder: string,
    limits: SourceLimits,
    signal: AbortSignal,
): Promise<SourceOutcome> {
    await mkdir(folder, { recursive: true });
    const incoming = join(folder, `incoming-${randomUUID()}`);
    try {
        const file = await download(url, incoming, folder, limits, signal);
        return { playable: true, ...(await probe(join(folder, file))), file };
    } catch (error) {
        await rm(incoming, { force: true });
        return { playable: false, reason: `The source could not be used: ${describe(error)}` };
    }
}

async function download(
    url: string,
    incoming: string,
    folder: string,
    limits: SourceLimits,
    signal: AbortSignal,
): Promise<string> {
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(limits.timeoutMs)]);
    const response = await fetch(url, { signal: deadline, redirect: "follow" });
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
    // Named by its hash, a source that many contents share is stored once.
    const file = hash.digest("hex");
    await rename(incoming, join(folder, file));
    return file;
}

async function probe(path: string): Promise<{ durationMs: number; resolution: string }> {
    using input = new Input({ source: new FilePathSource(path), formats: [MP4, QTFF] });
    if (!(await input.canRead())) throw new SourceError("it is not an MP4, MOV or M4V file");
    const track = await input.getPrimaryVideoTrack();
    if (track === null) throw new SourceError("it has no video track");
    const [seconds, width, height] = await Promise.all([
        input.computeDuration(),
        track.getDisplayWidth(),
        track.getDisplayHeight(),
    ]);
    return { durationMs: Math.round(seconds * 1000), resolution: `${width}x${height}` };
}

function describe(error: unknown): string {
    if (!(error instanceof Error)) return String(error);
    // fetch says only "fetch failed"; what failed is in the cause.
    return error.cause instanceof Error ? error.cause.message || error.cause.name : error.message;
}
