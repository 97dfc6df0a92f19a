/** The HTTP server: reads requests, logs them, has them carried out, and lets faults strike on the way. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { apiRoot, carryOut, errorReply } from "./api";
import type { Tokens } from "./auth";
import type { Context } from "./context";
import type { FaultEffect, FaultPlan, Faults } from "./faults";
import { type ApiRequest, jsonReply, type Reply, readBody, ServiceError, send } from "./http";
import type { RequestLog } from "./requestLog";

const maxBodyBytes = 1024 * 1024;

export interface ServerParts {
    readonly context: Context;
    readonly tokens: Tokens;
    readonly log: RequestLog;
    readonly faults: Faults;
    /** Serves what is not the API, untouched by faults and unlogged. A ServiceError it throws is answered. */
    readonly other: (request: ApiRequest, incoming: IncomingMessage, response: ServerResponse) => Promise<void>;
}

export class EmulatorServer {
    readonly #server: Server;
    readonly #closing = new AbortController();

    constructor(private readonly parts: ServerParts) {
        this.#server = createServer((incoming, response) => {
            this.#serve(incoming, response).catch((error: unknown) => this.#fail(error, response));
        });
        // Longer than clients keep idle connections, so that none is closed under a request just being sent.
        this.#server.keepAliveTimeout = 60_000;
    }

    async listen(port: number, host: string): Promise<AddressInfo> {
        await new Promise<void>((resolve, reject) => {
            this.#server.once("error", reject);
            this.#server.listen(port, host, () => {
                this.#server.off("error", reject);
                resolve();
            });
        });
        return this.#server.address() as AddressInfo; // listening on TCP, it has one
    }

    async close(): Promise<void> {
        this.#closing.abort();
        await new Promise<void>((resolve) => {
            this.#server.close(() => resolve());
            this.#server.closeAllConnections();
        });
    }

    async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
        // A client that goes away while its request is carried out is no error of ours.
        response.on("error", () => {});
        const url = new URL(incoming.url ?? "/", "http://emulator");
        let text: string;
        try {
            text = await readBody(incoming, maxBodyBytes);
        } catch (error) {
            if (error instanceof ServiceError) return send(response, errorReply(error, "envelope"));
            return; // the client went away in the middle of its request
        }
        const request: ApiRequest = {
            method: incoming.method ?? "GET",
            path: url.pathname,
            query: url.searchParams,
            headers: incoming.headers,
            text,
        };
        if (request.path.startsWith(`${apiRoot}/`)) return this.#serveApi(request, response);
        try {
            await this.parts.other(request, incoming, response);
        } catch (error) {
            if (!(error instanceof ServiceError)) throw error;
            send(response, errorReply(error, "envelope"));
        }
    }

    async #serveApi(request: ApiRequest, response: ServerResponse): Promise<void> {
        const { context, tokens, log, faults } = this.parts;
        const caller = tokens.identify(request.headers);
        const { authorization: _, ...headers } = request.headers;
        const logged = log.add({
            method: request.method,
            path: request.path,
            query: Object.fromEntries(request.query),
            headers,
            body: parseBody(request.text),
            authorization: caller.scheme,
            tokenId: caller.tokenId,
            environmentId: caller.environmentId,
            at: Date.now(),
        });
        response.once("close", () => {
            logged.finishedAt = Date.now();
            log.changed(logged);
        });
        const plan = faults.plan(logged, request.path.slice(apiRoot.length));
        logged.faults = plan.kinds;
        const accept = (): Reply => {
            const reply = carryOut(context, request, caller, plan.processing);
            logged.accepted = reply.status < 300;
            log.changed(logged);
            return reply;
        };
        await this.#sleep(latency(plan, "before"));
        const reply = await this.#strike(plan.effect, request, response, accept);
        if (reply === undefined) return;
        await this.#sleep(latency(plan, "after"));
        logged.status = reply.status;
        send(response, reply);
    }

    /** Carries a request out under a fault. Gives the answer still to be sent, if the fault leaves one. */
    async #strike(
        effect: FaultPlan["effect"],
        request: ApiRequest,
        response: ServerResponse,
        accept: () => Reply,
    ): Promise<Reply | undefined> {
        if (effect === undefined) return accept();
        if ("when" in effect && effect.when === "after") {
            // What is refused anyway is refused all the same: the fault is about what was accepted.
            const reply = accept();
            if (reply.status >= 300) return reply;
        }
        switch (effect.kind) {
            case "reset":
                response.socket?.resetAndDestroy();
                return undefined;
            case "lateAcceptance":
                response.socket?.resetAndDestroy();
                await this.#sleep(effect.ms);
                accept();
                return undefined;
            case "hang":
                return undefined;
            case "status":
                return statusReply(effect);
            case "redirect":
                return {
                    status: effect.status ?? 307,
                    headers: { location: new URL(`${request.path}${queryOf(request)}`, effect.to).href },
                    body: "",
                };
            case "body":
                return spoil(accept(), effect.body);
            case "truncate": {
                const reply = accept();
                const bytes = Buffer.from(reply.body);
                response.writeHead(reply.status, { ...reply.headers, "content-length": bytes.length });
                response.write(bytes.subarray(0, bytes.length / 2), () => response.socket?.destroy());
                return undefined;
            }
        }
    }

    async #sleep(ms: number): Promise<void> {
        if (ms > 0) await sleep(ms, undefined, { signal: this.#closing.signal });
    }

    #fail(error: unknown, response: ServerResponse): void {
        if (this.#closing.signal.aborted) return;
        // A mistake in the emulator itself: to the client a 500, to whoever runs it the whole story.
        console.error("videograph-emulator: internal error", error);
        if (!response.headersSent) send(response, errorReply(new ServiceError(500, "Emulator failure"), "envelope"));
    }
}

function queryOf(request: ApiRequest): string {
    return request.query.size > 0 ? `?${request.query}` : "";
}

function latency(plan: FaultPlan, when: "before" | "after"): number {
    return plan.latencies.reduce((sum, part) => (part.when === when ? sum + part.ms : sum), 0);
}

function statusReply(effect: Extract<FaultEffect, { kind: "status" }>): Reply {
    const { status, retryAfter, retryAfterDateIn, body = "envelope" } = effect;
    const headers: Record<string, string> = {};
    if (retryAfter !== undefined) headers["retry-after"] = String(retryAfter);
    else if (retryAfterDateIn !== undefined) {
        headers["retry-after"] = new Date(Date.now() + retryAfterDateIn * 1000).toUTCString();
    }
    if (body === "malformed") return spoil(jsonReply(status, { status: "Error", code: status }, headers), "malformed");
    return errorReply(new ServiceError(status, `Emulated failure ${status}`, headers), body);
}

function spoil(reply: Reply, how: Extract<FaultEffect, { kind: "body" }>["body"]): Reply {
    switch (how) {
        case "malformed":
            return { ...reply, body: `${reply.body.slice(0, -2)},,` };
        case "html":
            return {
                status: reply.status,
                headers: { "content-type": "text/html" },
                body: "<html><body>The service is being maintained.</body></html>",
            };
        case "empty":
            return { ...reply, body: "" };
        case "null":
            return { ...reply, body: "null" };
        case "array":
            return { ...reply, body: "[]" };
        case "text":
            return { ...reply, body: JSON.stringify("OK") };
        case "noData": {
            const { data: _, ...rest } = JSON.parse(reply.body) as Record<string, unknown>;
            return { ...reply, body: JSON.stringify(rest) };
        }
    }
}

function parseBody(text: string): unknown {
    if (text === "") return undefined;
    try {
        return JSON.parse(text);
    } catch {
        return text;
    }
}
