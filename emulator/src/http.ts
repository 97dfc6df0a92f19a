/** Requests after they were read, and answers before they are sent: what the routes get and return. */
import type { IncomingMessage, ServerResponse } from "node:http";

/** The headers by lower-case name, as Node gives them. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** A request whose body has been read. */
export interface ApiRequest {
    readonly method: string;
    /** Path without the query, as sent, e.g. "/video/services/api/v1/contents". */
    readonly path: string;
    readonly query: URLSearchParams;
    readonly headers: Headers;
    /** The raw body; empty when there was none. */
    readonly text: string;
}

/** An answer as the routes decide it; faults may still corrupt, delay or drop it. */
export interface Reply {
    readonly status: number;
    readonly headers: Record<string, string>;
    readonly body: string;
}

/** A refusal by the service. */
export class ServiceError extends Error {
    override readonly name = "ServiceError";
    constructor(
        readonly status: number,
        message: string,
        readonly headers: Record<string, string> = {},
        /** Problems by field, for requests that fail validation. */
        readonly problems: readonly string[] = [],
    ) {
        super(message);
    }
}

export function jsonReply(status: number, value: unknown, headers: Record<string, string> = {}): Reply {
    return {
        status,
        headers: { "content-type": "application/json; charset=utf-8", ...headers },
        body: JSON.stringify(value),
    };
}

/** The form of a refusal. */
export type ErrorForm = "envelope" | "json" | "html" | "empty";

export function errorReply(error: ServiceError, form: ErrorForm = "envelope"): Reply {
    const { status, message, headers, problems } = error;
    if (form === "empty") return { status, headers, body: "" };
    if (form === "json") return jsonReply(status, { error: message }, headers);
    if (form === "html") {
        const body = `<html><head><title>${status}</title></head><body><h1>${status}</h1><hr>gateway</body></html>`;
        return { status, headers: { "content-type": "text/html", ...headers }, body };
    }
    const data = problems.length > 0 ? { errors: problems } : null;
    return jsonReply(status, { status: "Error", code: status, message, data }, headers);
}

/** A route's answer; present.ts makes its body. */
export function success(code: number, message: string, data: unknown) {
    return { code, message, data };
}

/** Splits a request's target, which may be a whole URL or a path; refuses one that is neither. */
export function parseTarget(target: string): { path: string; query: URLSearchParams } {
    // `//a` would be read as the host `a`.
    const url = URL.parse(target.replace(/^\/+/, "/"), "http://emulator");
    if (url === null) throw new ServiceError(400, "The request's target is not a URL");
    return { path: url.pathname, query: url.searchParams };
}

/** The value of a JSON text; any other text as it is. */
export function jsonOrText(text: string): unknown {
    try {
        return JSON.parse(text);
    } catch {
        return text;
    }
}

export function header(headers: Headers, name: string): string | undefined {
    const value = headers[name];
    return typeof value === "object" ? value.join(", ") : value;
}

/** Reads a request body; a body over `limit` bytes is refused with 413 without being kept. */
export async function readBody(request: IncomingMessage, limit: number): Promise<string> {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of request as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size <= limit) chunks.push(chunk);
    }
    if (size > limit) throw new ServiceError(413, `The request body is larger than ${limit} bytes`);
    return Buffer.concat(chunks).toString("utf8");
}

export function send(response: ServerResponse, reply: Reply): void {
    // A 204 must not carry a length; everything else states its length exactly.
    const length = reply.status === 204 ? {} : { "content-length": Buffer.byteLength(reply.body) };
    response.writeHead(reply.status, { ...length, ...reply.headers });
    response.end(reply.body);
}
