/** The real network: one keep-alive pool of HTTP/1.1 connections, through the environment's proxies. */
import { Agent, type Dispatcher, EnvHttpProxyAgent, Pool } from "undici";
import { messages } from "../messages";
import { isLoopback } from "./baseUrl";
import { describeFailure, ProxyUnreachable, tooLarge } from "./connectionFailure";
import { ConfigurationError, ConnectionError } from "./errors";
import { bodyPauseMs, connectTimeoutMs, headersTimeoutMs, maxBodyBytes, maxInFlight } from "./limits";
import type { Transport, TransportAnswer, TransportRequest } from "./transport";

const pool: Agent.Options = {
    connections: maxInFlight,
    // One request per connection: a broken connection then leaves one request in doubt, not several.
    pipelining: 1,
    // With multiplexed streams that would be all of them, for little gain.
    allowH2: false,
    connectTimeout: connectTimeoutMs,
    headersTimeout: headersTimeoutMs,
    bodyTimeout: bodyPauseMs,
};

export class UndiciTransport implements Transport {
    readonly #dispatcher: Dispatcher;

    /** A loopback base URL never goes through a proxy: a proxy elsewhere would reach itself. */
    constructor(baseUrl: string) {
        this.#dispatcher = isLoopback(new URL(baseUrl).hostname) ? new Agent(pool) : proxyAgent();
    }

    send(request: TransportRequest): Promise<TransportAnswer> {
        return new Promise((resolve, reject) => new Exchange(request, resolve, reject).start(this.#dispatcher));
    }

    async close(): Promise<void> {
        await this.#dispatcher.destroy();
    }
}

function proxyAgent(): Dispatcher {
    try {
        return new EnvHttpProxyAgent({ ...pool, clientFactory: connectionsToProxy });
    } catch {
        // The address may carry a password, so it is not quoted.
        throw new ConfigurationError(messages.proxyInvalid());
    }
}

/** Like undici's own connector, but a failure says that the proxy cannot be reached. */
function connectionsToProxy(origin: URL, options: Pool.Options): Dispatcher {
    const { connect } = options;
    if (typeof connect !== "function") return new Pool(origin, options);
    return new Pool(origin, {
        ...options,
        connect: (target, done) =>
            connect(target, (error, socket) => (error ? done(new ProxyUnreachable(error), null) : done(null, socket))),
    });
}

/**
 * One request under way. undici's own `request()` does not show whether a failed request had left the machine; a handler
 * knows, because `onRequestStart` comes with the connected socket and just before the first byte.
 */
class Exchange implements Dispatcher.DispatchHandler {
    readonly #request: TransportRequest;
    readonly #resolve: (answer: TransportAnswer) => void;
    readonly #reject: (error: ConnectionError) => void;
    #controller: Dispatcher.DispatchController | undefined;
    #sent = false;
    #settled = false;
    #status = 0;
    #headers: TransportAnswer["headers"] = {};
    readonly #chunks: Buffer[] = [];
    #size = 0;

    constructor(
        request: TransportRequest,
        resolve: (answer: TransportAnswer) => void,
        reject: (error: ConnectionError) => void,
    ) {
        this.#request = request;
        this.#resolve = resolve;
        this.#reject = reject;
    }

    start(dispatcher: Dispatcher): void {
        const { method, url, headers, body, signal } = this.#request;
        if (signal.aborted) {
            this.#fail(signal.reason);
            return;
        }
        signal.addEventListener("abort", this.#onAbort);
        const { origin, pathname, search } = new URL(url);
        try {
            dispatcher.dispatch({ origin, path: pathname + search, method, headers, body: body ?? null }, this);
        } catch (error) {
            this.#fail(error);
        }
    }

    readonly #onAbort = () => {
        const reason = asError(this.#request.signal.reason);
        this.#fail(reason);
        this.#controller?.abort(reason);
    };

    onRequestStart(controller: Dispatcher.DispatchController): void {
        if (this.#settled) {
            // Given up while it waited for a connection. undici sends nothing after this.
            controller.abort(asError(this.#request.signal.reason));
            return;
        }
        this.#controller = controller;
        this.#sent = true;
    }

    onResponseStart(
        _controller: Dispatcher.DispatchController,
        status: number,
        headers: Record<string, string | string[] | undefined>,
    ): void {
        this.#status = status;
        this.#headers = Object.fromEntries(
            Object.entries(headers).map(([name, value]) => [
                name.toLowerCase(),
                Array.isArray(value) ? value.join(", ") : value,
            ]),
        );
    }

    onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
        this.#size += chunk.length;
        this.#chunks.push(chunk);
        if (this.#size > maxBodyBytes) controller.abort(new Error(tooLarge));
    }

    onResponseEnd(): void {
        if (!this.#settle()) return;
        // Unlike Buffer's own, this decoder drops a byte order mark, which JSON.parse would refuse.
        const body = new TextDecoder().decode(Buffer.concat(this.#chunks));
        this.#resolve({ status: this.#status, headers: this.#headers, body });
    }

    onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
        this.#fail(error);
    }

    #fail(error: unknown): void {
        if (!this.#settle()) return;
        const { reason, byProxy } = describeFailure(error);
        this.#reject(new ConnectionError(reason, { sent: this.#sent, byProxy }));
    }

    #settle(): boolean {
        if (this.#settled) return false;
        this.#settled = true;
        this.#request.signal.removeEventListener("abort", this.#onAbort);
        return true;
    }
}

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error("the request was cancelled"));
