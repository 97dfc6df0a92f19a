/**
 * A service on loopback that answers by a script, and a client of it whose time is virtual. `EmulatorCore` will not do here: it
 * answers as the service does, and this client has to bear what no service should send, such as resets in the middle of an answer.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { VideographApi } from "../../../provider/dist/api/client.js";
import { type Transport, type TransportRequest, UndiciTransport } from "../../../provider/dist/api/transport.js";
import { FakeClock } from "../../support/fakeClock.ts";
import { serve } from "../../support/media.ts";

export interface Seen {
    method: string;
    /** With the query, below `/video/services/api/v1`. */
    path: string;
    body: unknown;
    /** Virtual time, ms since the start. */
    at: number;
}

export interface Reply {
    status?: number;
    headers?: Record<string, string>;
    /** Sent as JSON unless it is a string. */
    body?: unknown;
    /** Breaks the connection instead of answering. */
    reset?: boolean;
    /** Never answers. */
    hang?: boolean;
    /** Answers after so many virtual milliseconds. */
    afterMs?: number;
}

export type Script = (request: Seen, number: number) => Reply;

/** The envelope of a success. */
export const success = (data: unknown): Reply => ({ body: { status: "Success", code: 200, message: "ok", data } });

/** The service's own 404. */
export const notFound = (status = 404): Reply => ({
    status,
    body: { status: "Error", code: status, message: "no such object" },
});

/** Whether a list is asked for. */
export const isList = ({ method, path }: Seen) => method === "GET" && /^\/[a-z-]+(\?|$)/.test(path);

export class Service {
    readonly clock = new FakeClock({ idle: () => this.#busy.size === this.#hanging.size });
    readonly requests: Seen[] = [];
    readonly #apis: VideographApi[] = [];
    /** Numbers of the requests under way, and of those among them that wait for time to pass. */
    readonly #busy = new Set<string>();
    readonly #hanging = new Set<string>();
    #sent = 0;
    /** Most requests in flight at once. */
    peak = 0;
    script: Script;
    origin = "";
    stop = async (): Promise<void> => undefined;

    private constructor(script: Script) {
        this.script = script;
    }

    static async start(script: Script): Promise<Service> {
        const service = new Service(script);
        const server = await serve((request, response) => void service.#serve(request, response));
        service.origin = server.url;
        service.stop = async () => {
            await Promise.all(service.#apis.map((api) => api.close()));
            await server[Symbol.asyncDispose]();
        };
        return service;
    }

    api(options: Partial<ConstructorParameters<typeof VideographApi>[0]> = {}): VideographApi {
        const transport = new UndiciTransport(this.origin);
        const api = new VideographApi({
            ...{ baseUrl: this.origin, accessTokenId: "token-id", secretKey: "s3cr3t-key" },
            ...{ clock: this.clock, random: () => 0.5 },
            transport: { send: (request) => this.#send(transport, request), close: () => transport.close() },
            ...options,
        });
        this.#apis.push(api);
        return api;
    }

    async #send(transport: Transport, request: TransportRequest) {
        const number = String(++this.#sent);
        this.#busy.add(number);
        this.peak = Math.max(this.peak, this.#busy.size);
        try {
            return await transport.send({ ...request, headers: { ...request.headers, "x-number": number } });
        } finally {
            this.#busy.delete(number);
            this.#hanging.delete(number);
        }
    }

    async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk);
        const text = Buffer.concat(chunks).toString();
        const seen: Seen = {
            method: request.method ?? "",
            path: (request.url ?? "").replace("/video/services/api/v1", ""),
            body: text === "" ? undefined : JSON.parse(text),
            at: this.clock.elapsed,
        };
        this.requests.push(seen);
        const reply = this.script(seen, this.requests.length);
        const number = String(request.headers["x-number"]);
        if ((reply.hang || reply.afterMs !== undefined) && this.#busy.has(number)) this.#hanging.add(number);
        if (reply.hang) return;
        if (reply.afterMs !== undefined) {
            await this.clock.sleep(reply.afterMs);
            this.#hanging.delete(number);
        }
        if (reply.reset) {
            request.socket.resetAndDestroy();
            return;
        }
        const body = typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body ?? {});
        response.writeHead(reply.status ?? 200, { "content-type": "application/json", ...reply.headers }).end(body);
    }
}

/** Starts a service before each test of a suite, and stops it afterwards. */
export function useService(script: Script = () => success({ contentId: "c1" })): { readonly service: Service } {
    const holder = {} as { service: Service };
    beforeEach(async () => {
        holder.service = await Service.start(script);
    });
    afterEach(() => holder.service.stop());
    return holder;
}

export async function rejection<E extends Error>(
    kind: new (...rest: never[]) => E,
    promise: Promise<unknown>,
): Promise<E> {
    const error = await promise.then(
        () => new Error("it succeeded"),
        (reason: unknown) => reason,
    );
    if (error instanceof kind) return error;
    throw new Error(`expected ${kind.name}, got ${String(error)}`, { cause: error });
}
