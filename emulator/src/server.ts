/** The HTTP server: reads requests, has them executed, and sends the answers. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isApiPath } from "./api";
import { playbackRoot } from "./contents";
import type { EmulatorCore } from "./core";
import { LostAnswer } from "./faultEffects";
import { type AllowedHosts, crossOriginHeaders, isOtherSite } from "./hosts";
import { type ApiRequest, errorReply, parseTarget, readBody, ServiceError, send } from "./http";

const maxBodyBytes = 1024 * 1024;

/** Serves all paths outside the API, without faults and without a log. A ServiceError that it throws is answered. */
type OtherRoutes = (request: ApiRequest, incoming: IncomingMessage, response: ServerResponse) => Promise<void>;

export class EmulatorServer {
    readonly #server: Server;
    #closing = false;

    constructor(
        private readonly core: EmulatorCore,
        private readonly hosts: AllowedHosts,
        private readonly origins: ReadonlySet<string>,
        private readonly refusedPage: (origin: string) => void,
        private readonly other: OtherRoutes,
    ) {
        // A request without Host is refused like a request with a wrong Host: by a body that says why.
        const answer = (incoming: IncomingMessage, response: ServerResponse) => {
            this.#serve(incoming, response).catch((error: unknown) => this.#fail(error, response));
        };
        this.#server = createServer({ requireHostHeader: false }, answer);
        // Whatever a client expects, it gets an answer of the emulator and not one of Node's.
        this.#server.on("checkExpectation", answer);
        // Longer than clients keep idle connections, so that none is closed under a request just being sent.
        this.#server.keepAliveTimeout = 60_000;
    }

    async listen(port: number, host: string): Promise<AddressInfo> {
        await new Promise<void>((resolve, reject) => {
            this.#server.once("error", (error) => reject(listenError(error, port, host)));
            this.#server.listen(port, host, () => {
                this.#server.removeAllListeners("error");
                resolve();
            });
        });
        return this.#server.address() as AddressInfo; // listening on TCP, it has one
    }

    async close(): Promise<void> {
        this.#closing = true;
        await new Promise<void>((resolve) => {
            this.#server.close(() => resolve());
            this.#server.closeAllConnections();
        });
    }

    async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
        // A client that disconnects during its request is not an error.
        response.on("error", () => {});
        try {
            this.hosts.require(incoming.headers.host, incoming.socket.localAddress);
            const { path, query } = parseTarget(incoming.url ?? "/");
            const { method = "GET", headers } = incoming;
            const isApi = isApiPath(path);
            // Any page may know the default token. Players run on pages of any site.
            if (isOtherSite(headers) && !path.startsWith(playbackRoot)) {
                const origin = String(headers.origin);
                if (!isApi)
                    throw new ServiceError(403, "The emulator answers web pages of other sites at its API alone");
                if (!this.origins.has(origin)) {
                    this.refusedPage(origin);
                    throw new ServiceError(
                        403,
                        "The emulator does not answer web pages of other sites; see --allow-origin",
                    );
                }
                for (const [name, value] of Object.entries(crossOriginHeaders)) response.setHeader(name, value);
                // A browser asks beforehand, without credentials.
                if (method === "OPTIONS") return send(response, { status: 204, headers: {}, body: "" });
            }
            const text = await readBody(incoming, maxBodyBytes);
            const request: ApiRequest = { method, path, query, headers, text };
            await (isApi ? this.#serveApi(request, response) : this.other(request, incoming, response));
        } catch (error) {
            if (error instanceof ServiceError) send(response, errorReply(error));
            // Otherwise the client left in the middle of its request.
            else if (!incoming.destroyed || incoming.complete) throw error;
        }
    }

    async #serveApi(request: ApiRequest, response: ServerResponse): Promise<void> {
        const { answer, finish } = this.core.begin(request);
        response.once("close", finish);
        response.sendDate = false; // the core gives its own, or none
        try {
            send(response, await answer);
        } catch (error) {
            if (!(error instanceof LostAnswer)) throw error;
            if (error.how === "reset") response.socket?.resetAndDestroy();
            else if (error.how === "truncate" && error.reply !== undefined) {
                const { status, headers, body } = error.reply;
                const bytes = Buffer.from(body);
                response.writeHead(status, { ...headers, "content-length": bytes.length });
                response.write(bytes.subarray(0, bytes.length / 2), () => response.socket?.destroy());
            }
        }
    }

    #fail(error: unknown, response: ServerResponse): void {
        if (this.#closing) return;
        // A mistake in the emulator itself: a 500 for the client, the details on stderr.
        console.error("videograph-emulator: internal error", error);
        if (!response.headersSent) send(response, errorReply(new ServiceError(500, "Emulator failure")));
    }
}

function listenError(error: NodeJS.ErrnoException, port: number, host: string): Error {
    const isTaken = error.code === "EADDRINUSE";
    const message = isTaken
        ? `Port ${port} of ${host} is in use (EADDRINUSE), perhaps by another emulator. Stop it, or choose another port; 0 takes any free one`
        : `The emulator cannot listen on port ${port} of ${host}: ${error.message}`;
    return new Error(message, { cause: error });
}
