/** The client's access to the network. `UndiciTransport` is the real one: a pool of HTTP/1.1 connections, through the proxies that the environment names. */
import * as zlib from "node:zlib";
import type { Agent as AgentType, Dispatcher } from "undici";
import { connectionFailures, LifecycleError, messages, proxyAnswered, textFor, undecoded } from "../messages";
import { isLoopback } from "./baseUrl";
import { ConnectionError } from "./errors";
import { connectTimeoutMs, maxBodyBytes, maxInFlight } from "./limits";
import { Agent, EnvHttpProxyAgent } from "./undici";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

export interface TransportRequest {
    method: Method;
    url: string;
    headers: Record<string, string>;
    body?: string | undefined;
    signal: AbortSignal;
}

export interface TransportAnswer {
    status: number;
    /** The headers by lower-case name. */
    headers: Readonly<Record<string, string | string[] | undefined>>;
    body: string;
}

export interface Transport {
    /**
     * Resolves with the answer, whatever its status. When the signal is aborted, it rejects at once.
     *
     * @throws {ConnectionError} which says whether the request may have reached the service
     */
    send(request: TransportRequest): Promise<TransportAnswer>;
    /** Ends the requests that are under way, and closes the connections. */
    close(): Promise<void>;
}

const pool: AgentType.Options = {
    connections: maxInFlight,
    // Each connection has one request at a time. A broken connection leaves all its requests in doubt, so this limits the damage to one request.
    pipelining: 1,
    // HTTP/2 would put all requests on one connection. If it broke, all of them would be in doubt.
    allowH2: false,
    connectTimeout: connectTimeoutMs,
    maxResponseSize: maxBodyBytes,
};

export class UndiciTransport implements Transport {
    readonly #dispatcher: Dispatcher;
    readonly #origin: string;

    /** Uses no proxy if the base URL is on this machine: a proxy on another machine would take `localhost` for itself. */
    constructor(baseUrl: string) {
        const { hostname, origin } = new URL(baseUrl);
        const proxies = () => ({ httpProxy: proxyIn("HTTP_PROXY"), httpsProxy: proxyIn("HTTPS_PROXY") });
        this.#dispatcher = isLoopback(hostname) ? new Agent(pool) : new EnvHttpProxyAgent({ ...pool, ...proxies() });
        this.#origin = origin;
    }

    /**
     * Uses `dispatch` of undici, which says when a request is about to leave. With `request` of undici, a failure would not show whether the request
     * had left.
     */
    async send({ url, method, headers, body, signal }: TransportRequest): Promise<TransportAnswer> {
        const answer: Omit<TransportAnswer, "body"> = { status: 0, headers: {} };
        const chunks: Buffer[] = [];
        await new Promise<void>((resolve, reject) => {
            /** Set as soon as the request may have left. Before that, a failure means `notProcessed`. */
            let controller: Dispatcher.DispatchController | undefined;
            const fail = (error: unknown) =>
                reject(new ConnectionError(reasonOf(error), controller === undefined ? "notProcessed" : "ambiguous"));
            // A request that waits for its connection is rejected here. Otherwise the abort would take effect only once the socket is connected.
            const abort = () => {
                fail(signal.reason);
                controller?.abort(signal.reason);
            };
            if (signal.aborted) return abort();
            signal.addEventListener("abort", abort, { once: true });
            const origin = this.#origin;
            const request = {
                ...{ origin, path: url.slice(origin.length), method, body: body ?? null },
                headers: { "accept-encoding": "identity", ...headers },
            };
            this.#dispatcher.dispatch(request, {
                /** undici calls this when the socket is connected. The first byte leaves next. */
                onRequestStart(started) {
                    if (signal.aborted) started.abort(signal.reason);
                    else controller = started;
                },
                onResponseStart: (_controller, status, received) =>
                    Object.assign(answer, { status, headers: received }),
                onResponseData: (_controller, chunk) => chunks.push(chunk),
                onResponseEnd: () => resolve(),
                onResponseError: (_controller, error) => fail(error),
            });
        });
        const bytes = decoded(Buffer.concat(chunks), answer.headers["content-encoding"]);
        return { ...answer, body: utf8.decode(bytes) };
    }

    async close(): Promise<void> {
        await this.#dispatcher.destroy();
    }
}

const utf8 = new TextDecoder();

type Decoder = (body: Buffer, options: { maxOutputLength: number }) => Buffer;

const asItIs: Decoder = (body) => body;
/** The decoders, by the names in `Content-Encoding`. Requests ask for no compression, but some gateways compress every answer. */
const decoders = new Map<string, Decoder>([
    ["", asItIs],
    ["identity", asItIs],
    ["gzip", zlib.gunzipSync],
    ["x-gzip", zlib.gunzipSync],
    ["br", zlib.brotliDecompressSync],
    // By "deflate" some servers mean the format with a header, others the one without.
    ["deflate", (body, options) => ((body[0] ?? 0) % 16 === 8 ? zlib.inflateSync : zlib.inflateRawSync)(body, options)],
    // Older versions of Node have no such decoder: there, an answer in zstd is an error.
    ["zstd", zlib.zstdDecompressSync],
]);

/** Decodes a body. The header `Content-Encoding` names the codings in the order in which they were applied. @throws {ConnectionError} */
function decoded(body: Buffer, header: string | string[] = ""): Buffer {
    if (body.length === 0) return body;
    return String(header)
        .toLowerCase()
        .split(",")
        .reduceRight((bytes, name) => {
            const coding = name.trim();
            const decode = decoders.get(coding);
            try {
                if (decode === undefined) throw new Error("unknown");
                return decode(bytes, { maxOutputLength: maxBodyBytes });
            } catch (error) {
                const code = error instanceof Error && "code" in error ? String(error.code) : "an unknown coding";
                throw new ConnectionError(undecoded(`${coding}: ${code}`), "ambiguous");
            }
        }, body);
}

/**
 * The address of the proxy in an environment variable, whose `name` is in upper case. The lower-case variable wins, as in undici. `host:port` means
 * `http://host:port`, as for curl and the Pulumi CLI.
 */
function proxyIn(name: string): string {
    const variable = process.env[name.toLowerCase()] === undefined ? name : name.toLowerCase();
    const text = process.env[variable]?.trim() ?? "";
    const address = text === "" || /^[a-z\d+.-]+:\/\//i.test(text) ? text : `http://${text}`;
    const { protocol = "" } = URL.parse(address) ?? {};
    // The message does not quote the address, which may have a password in it.
    if (address !== "" && !/^(https?|socks5?):$/.test(protocol))
        throw new LifecycleError(messages.proxyInvalid({ variable }));
    return address;
}

/**
 * Says why a connection failed, and what to check. The cause may be a proxy that refused to connect, with a 407 for example. The error is not quoted:
 * it may contain an address with a password in it.
 */
export function reasonOf(error: unknown): string {
    const { certificate, other } = connectionFailures;
    if (!(error instanceof Error)) return other;
    const [, status] = /^Proxy response \((\d{3})\)/.exec(error.message) ?? [];
    if (status !== undefined) return proxyAnswered(status);
    const code = "code" in error && typeof error.code === "string" ? error.code : "";
    if (code === "") return other;
    const isCertificate = /CERT|^UNABLE_TO_|^CRL_|^HOSTNAME_MISMATCH$/.test(code);
    return `${textFor(connectionFailures, code) ?? (isCertificate ? certificate : other)} (${code})`;
}
