/** A content's source: really fetched, and accepted as a video only by its bytes. */
import { createHash, randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type DownloadOptions, openDownload, SourceError } from "./download";
import { EncodedPacketSink, FilePathSource, Input, MP4, QTFF } from "./media";
import { FullError, type MediaFolder } from "./mediaFolder";
import type { SourceOutcome } from "./store";

/** Fetches a source into `folder` and reads its duration and resolution. Never throws: a failure is an outcome. */
export async function fetchSource(url: string, folder: MediaFolder, options: DownloadOptions): Promise<SourceOutcome> {
    await folder.create();
    const incoming = folder.pathOf(`incoming-${randomUUID()}`);
    let size = 0;
    const take = (bytes: number) => {
        folder.take(bytes);
        size += bytes;
    };
    try {
        // The file is named by its hash, so a source that many contents share is stored once.
        const file = await download(url, incoming, options, take);
        const media = await probe(incoming);
        await folder.keep(incoming, file, size);
        return { playable: true, ...media, file };
    } catch (error) {
        await rm(incoming, { force: true });
        folder.giveBack(size);
        return { playable: false, reason: `The source could not be used: ${errorText(error)}` };
    }
}

/** Returns the hash of what was downloaded. `take` is called before bytes are written. */
async function download(
    url: string,
    incoming: string,
    options: DownloadOptions,
    take: (bytes: number) => void,
): Promise<string> {
    const body = await openDownload(url, options);
    const hash = createHash("sha256");
    const measure = new Transform({
        transform(chunk: Buffer, _encoding, done) {
            try {
                take(chunk.length);
                hash.update(chunk);
                done(null, chunk);
            } catch (error) {
                done(error as Error);
            }
        },
    });
    await pipeline(body, measure, createWriteStream(incoming, { mode: 0o600 }), { signal: options.signal });
    return hash.digest("hex");
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

function errorText(error: unknown): string {
    if (error instanceof SourceError || error instanceof FullError) return error.message;
    // Why a signal ended it is in the cause. Where all addresses of a name failed, only the code says how.
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const text = cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code : String(cause);
    return (text ?? "unknown").replace(/https?:\/\/\S+/gi, "its URL");
}
