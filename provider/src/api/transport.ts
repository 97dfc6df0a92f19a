/**
 * The client's access to the network: one request, one answer. In reality a pool of HTTP/1.1 connections that are kept alive,
 * through the environment's proxies.
 */
import { Agent, type Dispatcher, EnvHttpProxyAgent } from "undici";
import { connectionFailures, messages, proxyAnswered } from "../messages";
import { isLoopback } from "./baseUrl";
import { unlessAborted } from "./clock";
import { ConfigurationError, ConnectionError } from "./errors";
import { connectTimeoutMs, maxBodyBytes, maxInFlight } from "./limits";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

export interface TransportRequest {
    method: Method;
    url: string;
    headers: Record<string, string>;
    body?: string;
    signal: AbortSignal;
}

export interface TransportAnswer {
    status: number;
    /** By lower-case name. */
    headers: Readonly<Record<string, string | string[] | undefined>>;
    body: string;
}

export interface Transport {
    /**
     * Resolves with whatever the service answered, of any status. Every failure is a `ConnectionError` that says whether the
     * request may have reached the service. When the signal is aborted it rejects at once.
     */
    send(request: TransportRequest): Promise<TransportAnswer>;
    /** Closes the connections. Requests under way are ended. */
    close(): Promise<void>;
}

const pool: Agent.Options = {
    connections: maxInFlight,
    // One request per connection: a broken connection then leaves one request in doubt, not several.
    pipelining: 1,
    // With multiplexed streams that would be all of them, for little gain.
    allowH2: false,
    connectTimeout: connectTimeoutMs,
    maxResponseSize: maxBodyBytes,
};

/** A request, and what is called when its first byte is about to leave. */
type Options = Dispatcher.RequestOptions & { onStart(): void };

export class UndiciTransport implements Transport {
    readonly #dispatcher: Dispatcher;

    /** A loopback base URL never goes through a proxy: a proxy elsewhere would reach itself. */
    constructor(baseUrl: string) {
        const dispatcher = isLoopback(new URL(baseUrl).hostname) ? new Agent(pool) : proxyAgent();
        // undici's `request` does not show whether a failed request had left the machine. Its handler is told when a connected
        // socket is about to get the first byte, and sends nothing that was given up before that.
        this.#dispatcher = dispatcher.compose((dispatch) => (options, handler) => {
            const start = handler.onRequestStart?.bind(handler);
            handler.onRequestStart = (controller, context) => {
                (options as Options).onStart();
                start?.(controller, context);
            };
            return dispatch(options, handler);
        });
    }

    async send({ url, method, headers, body, signal }: TransportRequest): Promise<TransportAnswer> {
        let sent = false;
        const onStart = () => {
            sent = !signal.aborted;
        };
        const answer = async () => {
            const { origin } = new URL(url);
            const path = url.slice(origin.length);
            const options: Options = { origin, path, method, headers, body: body ?? null, signal, onStart };
            const response = await this.#dispatcher.request(options);
            return { status: response.statusCode, headers: response.headers, body: await response.body.text() };
        };
        try {
            // undici itself gives up a request that waits for a connection only when that comes about.
            return await unlessAborted(answer(), signal);
        } catch (error) {
            throw new ConnectionError(reasonOf(error), sent ? "ambiguous" : "notProcessed");
        }
    }

    async close(): Promise<void> {
        await this.#dispatcher.destroy();
    }
}

function proxyAgent(): Dispatcher {
    try {
        return new EnvHttpProxyAgent(pool);
    } catch {
        // The address may carry a password, so it is not quoted.
        throw new ConfigurationError(messages.proxyInvalid());
    }
}

/** What to check. Never quotes an address, because it may contain credentials. */
function reasonOf(error: unknown): string {
    const texts: Readonly<Record<string, string>> & { other: string } = connectionFailures;
    if (!(error instanceof Error)) return texts.other;
    const [, status] = /^Proxy response \((\d{3})\)/.exec(error.message) ?? [];
    if (status !== undefined) return proxyAnswered(status);
    const code = "code" in error && typeof error.code === "string" ? error.code : "";
    if (code === "") return texts.other;
    const isCertificate = /CERT|^UNABLE_TO_|^CRL_|^HOSTNAME_MISMATCH$/.test(code);
    return `${texts[code] ?? (isCertificate ? connectionFailures.certificate : texts.other)} (${code})`;
}
