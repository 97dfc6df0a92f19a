/**
 * The client's access to the network: one request, one answer. The real one is a pool of HTTP/1.1 connections that are kept alive,
 * through the environment's proxies.
 */
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
     * Resolves with the service's answer, of any status. Every failure is a `ConnectionError` that says whether the
     * request may have reached the service. When the signal is aborted, it rejects at once.
     */
    send(request: TransportRequest): Promise<TransportAnswer>;
    /** Closes the connections. Requests under way are ended. */
    close(): Promise<void>;
}

const pool: AgentType.Options = {
    connections: maxInFlight,
    // One request per connection: a broken connection then leaves one request in doubt, not several.
    pipelining: 1,
    // With multiplexed streams it would leave all of them in doubt, for little gain.
    allowH2: false,
    connectTimeout: connectTimeoutMs,
    maxResponseSize: maxBodyBytes,
};

export class UndiciTransport implements Transport {
    readonly #dispatcher: Dispatcher;
    readonly #origin: string;

    /** A loopback base URL never goes through a proxy: a proxy elsewhere would reach itself. */
    constructor(baseUrl: string) {
        const { hostname, origin } = new URL(baseUrl);
        const proxies = () => ({ httpProxy: proxyIn("HTTP_PROXY"), httpsProxy: proxyIn("HTTPS_PROXY") });
        this.#dispatcher = isLoopback(hostname) ? new Agent(pool) : new EnvHttpProxyAgent({ ...pool, ...proxies() });
        this.#origin = origin;
    }

    /** Sends by a handler of undici's: undici's `request` does not show whether a failed request had left, and makes a stream of each body. */
    async send({ url, method, headers, body, signal }: TransportRequest): Promise<TransportAnswer> {
        const answer: Omit<TransportAnswer, "body"> = { status: 0, headers: {} };
        const chunks: Buffer[] = [];
        await new Promise<void>((resolve, reject) => {
            /** The controller of a request that may have left. */
            let controller: Dispatcher.DispatchController | undefined;
            const fail = (error: unknown) =>
                reject(new ConnectionError(reasonOf(error), controller === undefined ? "notProcessed" : "ambiguous"));
            // undici gives up a request that waits for a connection only when the connection comes about.
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
                /** From here on the request may have left: a connected socket is about to get the first byte. */
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
/** Some gateways compress every answer, although no request asks for it. */
const decoders = new Map<string, Decoder>([
    ["", asItIs],
    ["identity", asItIs],
    ["gzip", zlib.gunzipSync],
    ["x-gzip", zlib.gunzipSync],
    ["br", zlib.brotliDecompressSync],
    // Some servers leave out the header of the format.
    ["deflate", (body, options) => ((body[0] ?? 0) % 16 === 8 ? zlib.inflateSync : zlib.inflateRawSync)(body, options)],
    // Older versions of Node have none.
    ["zstd", zlib.zstdDecompressSync],
]);

/** The body without the codings of the header `Content-Encoding`, which are in the order in which they were applied. @throws {ConnectionError} */
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

/** The address of a proxy, in the order in which undici reads the names. Without a scheme it is `http:`, as for curl and for the Pulumi CLI. */
function proxyIn(name: string): string {
    const variable = process.env[name.toLowerCase()] === undefined ? name : name.toLowerCase();
    const text = process.env[variable]?.trim() ?? "";
    const address = text === "" || /^[a-z\d+.-]+:\/\//i.test(text) ? text : `http://${text}`;
    const { protocol = "" } = URL.parse(address) ?? {};
    // The address may carry a password, so it is not quoted.
    if (address !== "" && !/^(https?|socks5?):$/.test(protocol))
        throw new LifecycleError(messages.proxyInvalid({ variable }));
    return address;
}

/** The reason of a failure, with the thing to check. It quotes no address, which may contain credentials. */
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
