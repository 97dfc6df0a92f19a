/**
 * A service in this process that answers by a script, and a client of it, in virtual time. `EmulatorCore` will not do here: it answers as
 * the service does, and this client has to bear what no service should send. The real network: transport.test.ts and redirects.test.ts.
 */
import { VideographApi } from "../../../provider/dist/api/client.js";
import { ConnectionError } from "../../../provider/dist/api/errors.js";
import type { TransportRequest } from "../../../provider/dist/api/transport.js";
import { FakeClock } from "../../support/fakeClock.ts";

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
    /** Never answers; or the request waits for a connection and is never sent. */
    hang?: true | "unsent";
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
    readonly clock = new FakeClock();
    readonly origin = "https://api.test";
    readonly requests: Seen[] = [];
    /** Requests in flight, and most of them at once. */
    #busy = 0;
    peak = 0;
    script: Script;

    constructor(script: Script) {
        this.script = script;
    }

    api(options: Partial<ConstructorParameters<typeof VideographApi>[0]> = {}): VideographApi {
        return new VideographApi({
            ...{ baseUrl: this.origin, accessTokenId: "token-id", secretKey: "s3cr3t-key" },
            ...{ clock: this.clock, random: () => 0.5 },
            transport: { send: (request) => this.#send(request), close: async () => undefined },
            ...options,
        });
    }

    async #send({ method, url, body, signal }: TransportRequest) {
        const path = url.replace(this.origin, "").replace("/video/services/api/v1", "");
        this.requests.push({ method, path, body: body && JSON.parse(body), at: this.clock.elapsed });
        const reply = this.script(this.requests.at(-1) as Seen, this.requests.length);
        this.peak = Math.max(this.peak, ++this.#busy);
        const outcome = reply.hang === "unsent" ? "notProcessed" : "ambiguous";
        const aborted = () =>
            new Promise<never>((_, reject) => {
                signal.addEventListener("abort", () => reject(new ConnectionError("aborted", outcome)));
            });
        try {
            if (reply.hang) await aborted();
            if (reply.afterMs !== undefined) await Promise.race([aborted(), this.clock.sleep(reply.afterMs)]);
        } finally {
            this.#busy--;
        }
        if (reply.reset) throw new ConnectionError("reset", "ambiguous");
        const text = typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body ?? {});
        return { status: reply.status ?? 200, headers: reply.headers ?? {}, body: text };
    }
}

/** A service for each test of a suite. */
export function useService(script: Script = () => success({ contentId: "c1" })): { readonly service: Service } {
    const holder = { service: new Service(script) };
    beforeEach(() => {
        holder.service = new Service(script);
    });
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
