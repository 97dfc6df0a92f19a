/**
 * What playback URLs lead to, under `/playback/<id>/`: an HLS stream of the stored source, made when it is first asked
 * for, its thumbnail, and the source itself for players without HLS.
 */
import { createReadStream } from "node:fs";
import { access, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { contentState } from "./contents";
import type { Context } from "./context";
import { masterPlaylist, packageHls } from "./hls";
import { type ApiRequest, ServiceError, send } from "./http";
import { sampleVideo } from "./sampleVideo";
import { thumbnail, thumbnailFile } from "./thumbnail";

/** Name of the source beside a video's playlist. */
export const sourceFile = "source.mp4";

const contentTypes: Record<string, string> = {
    m3u8: "application/vnd.apple.mpegurl",
    m4s: "video/iso.segment",
    mp4: "video/mp4",
};

// Players run on pages of any origin.
const shared = { "access-control-allow-origin": "*" };

interface Playable {
    readonly title: string;
    /** Stored file, by name; null for one that was never fetched. */
    readonly file: string | null;
}

export class Playback {
    readonly #streams = new Map<string, Promise<void>>();

    constructor(
        private readonly context: Context,
        private readonly folder: string,
    ) {}

    async serve(request: ApiRequest, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
        const [, , id = "", name = "", ...more] = request.path.split("/");
        if (request.method !== "GET") throw new ServiceError(405, "Playback answers to GET only", { allow: "GET" });
        if (more.length > 0) throw new ServiceError(404, `There is nothing at ${request.path}`);
        const playable = this.#find(decodeURIComponent(id));
        if (name === thumbnailFile) {
            const body = thumbnail(id, playable.title);
            send(response, { status: 200, headers: { ...shared, "content-type": "image/svg+xml" }, body });
            return;
        }
        const source = playable.file ?? (await this.#sample());
        if (name === sourceFile) return sendFile(join(this.folder, source), incoming, response);
        // Nothing but names that packaging gives reaches the file system.
        if (!/^[a-z0-9-]+\.(m3u8|m4s)$/.test(name)) throw new ServiceError(404, `There is nothing at ${request.path}`);
        await this.#package(source);
        return sendFile(join(this.folder, `${source}.hls`, name), incoming, response);
    }

    #find(id: string): Playable {
        const { store, now } = this.context;
        const content = store.findContent(id);
        if (content !== undefined) {
            const { status } = contentState(this.context, content);
            if (status !== "Ready") throw new ServiceError(404, `Content ${id} is ${status}, not Ready`);
            if (!content.playbackPolicy.includes("public")) {
                throw new ServiceError(403, `Content ${id} needs signed playback, which is not emulated`);
            }
            return { title: content.title, file: content.outcome?.playable ? content.outcome.file : null };
        }
        const stream = store.findLivestream(id, now());
        if (stream === undefined) throw new ServiceError(404, `There is nothing to play under ${id}`);
        if (stream.status !== "Active") throw new ServiceError(404, `Livestream ${id} is ${stream.status}, not Active`);
        return { title: stream.title, file: null };
    }

    /** Stands in for livestreams and for sources that were not fetched. */
    async #sample(): Promise<string> {
        const name = "sample.mp4";
        const path = join(this.folder, name);
        if (!(await exists(path))) {
            await mkdir(this.folder, { recursive: true });
            await writeFile(path, await sampleVideo({ durationMs: 10_000 }));
        }
        return name;
    }

    #package(source: string): Promise<void> {
        let stream = this.#streams.get(source);
        if (stream === undefined) {
            const folder = join(this.folder, `${source}.hls`);
            stream = exists(join(folder, masterPlaylist)).then((there) =>
                there ? undefined : packageHls(join(this.folder, source), folder),
            );
            this.#streams.set(source, stream);
        }
        return stream;
    }
}

async function sendFile(path: string, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const type = contentTypes[path.split(".").at(-1) ?? ""] ?? contentTypes.mp4;
    const headers: Record<string, string | number> = { ...shared, "content-type": type ?? "video/mp4" };
    const size = (await stat(path).catch(() => undefined))?.size;
    if (size === undefined) throw new ServiceError(404, "There is no such part of the stream");
    if (path.endsWith(".m3u8")) {
        const playlist = await readFile(path);
        response.writeHead(200, { ...headers, "content-length": playlist.length });
        response.end(playlist);
        return;
    }
    const range = /^bytes=(\d+)-(\d*)$/.exec(incoming.headers.range ?? "");
    const start = range === null ? 0 : Number(range[1]);
    const end = range?.[2] ? Math.min(Number(range[2]), size - 1) : size - 1;
    if (start > end) {
        throw new ServiceError(416, "The range lies outside the file", { "content-range": `bytes */${size}` });
    }
    headers["accept-ranges"] = "bytes";
    headers["content-length"] = end - start + 1;
    if (range !== null) headers["content-range"] = `bytes ${start}-${end}/${size}`;
    response.writeHead(range === null ? 200 : 206, headers);
    // A player that seeks drops the connection: that is how playing looks from here.
    await pipeline(createReadStream(path, { start, end }), response).catch(() => {});
}

function exists(path: string): Promise<boolean> {
    return access(path).then(
        () => true,
        () => false,
    );
}
