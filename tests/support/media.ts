/** A web server with the videos that tests declare. */
import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

const trailer = readFileSync(join(import.meta.dirname, "..", "..", "examples", "quickstart", "trailer.mp4"));

export interface MediaServer extends AsyncDisposable {
    /** A video of two seconds; every name and query is served alike. */
    video(name?: string): string;
    /** A page that is no video. */
    readonly notVideo: string;
}

export async function startMediaServer(): Promise<MediaServer> {
    const { url, ...server } = await serve((request, response) => {
        const path = new URL(request.url ?? "/", "http://media").pathname;
        if (path.endsWith(".mp4")) response.setHeader("content-type", "video/mp4").end(trailer);
        else if (path.endsWith(".html")) response.setHeader("content-type", "text/html").end("<h1>No video</h1>");
        else response.writeHead(404).end();
    });
    return {
        ...server,
        video: (name = "trailer.mp4") => `${url}/${name}`,
        notVideo: `${url}/page.html`,
    };
}

/** A server on loopback. */
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
