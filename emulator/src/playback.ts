/**
 * The files of playback URLs, under `/playback/<id>/`: an HLS stream of the stored source, made when it is first asked for,
 * its thumbnail, and the source itself for players without HLS.
 */
import { createReadStream, existsSync } from "node:fs";
import { copyFile, stat } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { decodeSegment } from "./api";
import { contentState } from "./contents";
import type { Context } from "./context";
import { masterPlaylist, packageHls } from "./hls";
import { type ApiRequest, ServiceError, send } from "./http";
import type { MediaFolder } from "./mediaFolder";
import { sampleFile } from "./sample";
import { thumbnail, thumbnailFile } from "./thumbnail";

/** Name of the source next to a video's playlist. */
export const sourceFile = "source.mp4";

const contentTypes: Record<string, string> = {
    css: "text/css; charset=utf-8",
    html: "text/html; charset=utf-8",
    m3u8: "application/vnd.apple.mpegurl",
    m4s: "video/iso.segment",
    mjs: "text/javascript; charset=utf-8",
    mp4: "video/mp4",
};

// Players run on pages of any origin.
const sharedHeaders = { "access-control-allow-origin": "*" };

export class Playback {
    /** The streams that are made, by the file of their source. */
    readonly #streams = new Map<string, Promise<void>>();

    constructor(
        private readonly context: Context,
        private readonly folder: MediaFolder,
    ) {}

    async serve(request: ApiRequest, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
        const [, , id = "", ...rest] = request.path.split("/");
        if (request.method !== "GET" && request.method !== "HEAD")
            throw new ServiceError(405, "Playback supports only GET and HEAD", { allow: "GET, HEAD" });
        const objectId = decodeSegment(id);
        const [name = "", ...more] = this.#withoutKey(objectId, rest);
        if (more.length > 0) throw new ServiceError(404, `There is nothing at ${request.path}`);
        if (name === thumbnailFile) {
            const body = this.#thumbnail(objectId);
            send(response, { status: 200, headers: { ...sharedHeaders, "content-type": "image/svg+xml" }, body });
            return;
        }
        const source = this.#find(objectId) ?? (await this.#sample());
        if (name === sourceFile) return sendFile(this.folder.pathOf(source), incoming, response);
        // Nothing but names that packaging gives reaches the file system.
        if (!/^[a-z0-9-]+\.(m3u8|m4s)$/.test(name)) throw new ServiceError(404, `There is nothing at ${request.path}`);
        await this.#package(source);
        return sendFile(join(this.folder.pathOf(`${source}.hls`), name), incoming, response);
    }

    /** The thumbnail of an object. Lists show thumbnails of contents that cannot be played yet, so these contents have one too. */
    #thumbnail(id: string): string {
        const { store, now } = this.context;
        const content = store.findContent(id);
        if (content !== undefined) return thumbnail(id, content.title, content.thumbnailAtSec);
        const stream = store.findLivestream(id, now());
        if (stream === undefined) throw new ServiceError(404, `There is nothing to show under ${id}`);
        return thumbnail(id, stream.title, null);
    }

    /** The names without the stream key, which the variant `streamKeyInPlaybackUrl` puts before the file's name. */
    #withoutKey(id: string, [key = "", ...names]: string[]): string[] {
        const { store, now } = this.context;
        const isKey = names.length > 0 && store.findLivestream(id, now())?.streamKey === decodeSegment(key);
        return isKey ? names : [key, ...names];
    }

    /** The name of the stored file; null for a source that was never fetched. */
    #find(id: string): string | null {
        const { store, now } = this.context;
        const content = store.findContent(id);
        if (content !== undefined) {
            const { status } = contentState(this.context, content);
            if (status !== "Ready") throw new ServiceError(404, `Content ${id} is ${status}, not Ready`);
            if (!content.playbackPolicy.includes("public"))
                throw new ServiceError(403, `Content ${id} requires signed playback, which is not emulated`);
            return content.outcome?.playable ? content.outcome.file : null;
        }
        const stream = store.findLivestream(id, now());
        if (stream === undefined) throw new ServiceError(404, `There is nothing to play under ${id}`);
        if (stream.status !== "Active") throw new ServiceError(404, `Livestream ${id} is ${stream.status}, not Active`);
        return null;
    }

    /** The name of the sample, which stands in for livestreams and for sources that were not fetched. */
    async #sample(): Promise<string> {
        const name = "sample.mp4";
        const path = this.folder.pathOf(name);
        if (!existsSync(path)) {
            this.folder.create();
            await copyFile(sampleFile, path);
        }
        return name;
    }

    /** Resolves when no stream is being made. */
    async settle(): Promise<void> {
        await Promise.allSettled(this.#streams.values());
    }

    #package(source: string): Promise<void> {
        let stream = this.#streams.get(source);
        if (stream === undefined) {
            stream = this.#packageNow(source);
            this.#streams.set(source, stream);
            // The next request tries again: a full disk may have been emptied.
            stream.catch(() => this.#streams.delete(source));
        }
        return stream;
    }

    async #packageNow(source: string): Promise<void> {
        const folder = this.folder.pathOf(`${source}.hls`);
        if (existsSync(join(folder, masterPlaylist))) return;
        await packageHls(this.folder.pathOf(source), folder).catch((error: Error) => {
            throw new ServiceError(503, `The stream could not be made: ${error.message}`);
        });
    }
}

/** Sends a file: the whole, or the range that is asked for. */
export async function sendFile(
    path: string,
    incoming: IncomingMessage,
    response: ServerResponse,
    more: Record<string, string> = sharedHeaders,
): Promise<void> {
    const type = contentTypes[extname(path).slice(1)] ?? "video/mp4";
    const headers: Record<string, string | number> = { ...more, "content-type": type };
    const size = (await stat(path).catch(() => undefined))?.size;
    if (size === undefined) throw new ServiceError(404, "The stream has no such part");
    const range = /^bytes=(\d+)-(\d*)$/.exec(incoming.headers.range ?? "");
    const start = range === null ? 0 : Number(range[1]);
    const end = range?.[2] ? Math.min(Number(range[2]), size - 1) : size - 1;
    if (start > end)
        throw new ServiceError(416, "The range lies outside the file", { "content-range": `bytes */${size}` });
    headers["accept-ranges"] = "bytes";
    headers["content-length"] = Math.max(end - start + 1, 0);
    if (range !== null) headers["content-range"] = `bytes ${start}-${end}/${size}`;
    response.writeHead(range === null ? 200 : 206, headers);
    if (incoming.method === "HEAD") {
        response.end();
        return;
    }
    // A player that seeks drops the connection, so this is normal.
    await pipeline(createReadStream(path, { start, end }), response).catch(() => {});
}
