/** Fetches the source of a content. Only its bytes decide whether it is a video, and not its name or type. */
import { createHash, randomUUID } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { EncodedPacketSink, FilePathSource, Input, MP4, QTFF } from "./media";
import type { MediaFolder } from "./mediaFolder";
import type { SourceOutcome } from "./store";

/** The reason why a source cannot be used; the text is shown to users. */
class SourceError extends Error {
    override readonly name = "SourceError";
}

/** Fetches a source into `folder` and reads its duration and resolution. Never throws: a failure is an outcome. */
export async function fetchSource(url: string, folder: MediaFolder, signal: AbortSignal): Promise<SourceOutcome> {
    folder.create();
    const incoming = folder.pathOf(`incoming-${randomUUID()}`);
    try {
        const file = await download(url, incoming, signal);
        const media = await probe(incoming);
        await rename(incoming, folder.pathOf(file));
        return { playable: true, ...media, file };
    } catch (error) {
        await rm(incoming, { force: true });
        return { playable: false, reason: `The source could not be used: ${errorText(error)}` };
    }
}

/** Downloads a source, and returns the hash of its bytes, which names the file: a source that many contents share is stored once. */
async function download(url: string, path: string, signal: AbortSignal): Promise<string> {
    const target = new URL(url);
    const user = `${decodeURIComponent(target.username)}:${decodeURIComponent(target.password)}`;
    // `fetch` takes no URL with credentials.
    [target.username, target.password] = ["", ""];
    const headers = user === ":" ? {} : { authorization: `Basic ${Buffer.from(user).toString("base64")}` };
    const response = await fetch(target, { signal, headers });
    if (!response.ok) throw new SourceError(`its server answered HTTP ${response.status}`);
    const hash = createHash("sha256");
    await using file = await open(path, "w", 0o600);
    for await (const chunk of response.body ?? []) {
        hash.update(chunk);
        await file.appendFile(chunk);
    }
    return hash.digest("hex");
}

async function probe(path: string): Promise<{ durationMs: number; resolution: string }> {
    using input = new Input({ source: new FilePathSource(path), formats: [MP4, QTFF] });
    // The library throws on files too short to hold a header.
    const readable = await input.canRead().catch(() => false);
    if (!readable)
        throw new SourceError(`it is ${(await isPage(path)) ? "a web page, " : ""}not an MP4, MOV or M4V file`);
    try {
        const track = await input.getPrimaryVideoTrack();
        if (track === null) throw new SourceError("it has no video track");
        // Sizes and times are in the header; only reading the last packet shows that the file is complete.
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

/** Whether the file is a web page. Many users give the address of a page that plays the video, and the reason of the failure says so then. */
async function isPage(path: string): Promise<boolean> {
    await using file = await open(path);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64));
    return /^\s*<[!a-z?]/i.test(buffer.toString("latin1", 0, bytesRead));
}

function errorText(error: unknown): string {
    if (error instanceof SourceError) return error.message;
    // The cause says why a signal ended the fetch. Where all addresses of a name failed, only the code says how.
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const text = cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code : String(cause);
    return (text ?? "unknown").replace(/https?:\/\/\S+/gi, "its URL");
}
