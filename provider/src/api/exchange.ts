/** One try: a request with the credentials, its time limit, and redirects within the same origin. */
import { type Message, messages } from "../messages";
import type { Clock, Deadline } from "./clock";
import { ApiError, ConnectionError, type Outcome, RedirectError, RequestTimeoutError } from "./errors";
import { maxRedirects, requestTimeoutMs } from "./limits";
import type { Redactor } from "./redact";
import { withTimeLimit } from "./timeLimit";
import type { Method, Transport, TransportAnswer } from "./transport";

/** The parts of a request that errors name. */
export interface RequestName {
    /** The method and the path without the id, such as `GET /contents/{id}`. */
    endpoint: string;
    /** The method and the path, such as `GET /contents/5f2a`. */
    requestLine: string;
    /** The object's id, where the request is for one. */
    id?: string | undefined;
    /** Whether every 404 for an object means that it was deleted. */
    trustNotFound?: boolean;
    redactor: Redactor;
}

/** A request as the API's methods describe it. */
export interface ApiRequest extends RequestName {
    method: Method;
    /** Below `/video/services/api/v1`, identifiers encoded. */
    path: string;
    query?: Record<string, string | number | boolean>;
    body?: unknown;
    /** Of a POST: it is idempotent. */
    repeatable?: boolean;
}

export interface Connection {
    baseUrl: string;
    headers: Record<string, string>;
    transport: Transport;
    clock: Clock;
}

const prefix = "/video/services/api/v1";

export interface Limits {
    /** Ends everything at once, with its reason. */
    signal?: AbortSignal | undefined;
    /** Ends the waits before a try, with its reason; a try under way goes on to its answer. In place of `signal`. */
    unlessSent?: AbortSignal | undefined;
    deadline?: Deadline | undefined;
    /** For the tries of this request and the waits between them, in ms. Waiting for its turn does not count. */
    effortMs?: number | undefined;
    /** Tries as long as the connection fails, or something else answers in the service's place. Default: as many as of any request. */
    unreachableTries?: number | undefined;
    /** Runs before each try; when it throws, nothing is sent. */
    beforeTry?: (() => Promise<void>) | undefined;
    /** Until then, a request that gets a 429 is sent again, however often. Default: `deadline`; without any limit, 10 minutes. */
    rateLimitedUntil?: Deadline | undefined;
}

/** Resolves with any answer but a redirect. */
export async function exchange(
    connection: Connection,
    request: ApiRequest,
    { signal, deadline, effortMs = Number.POSITIVE_INFINITY }: Limits,
): Promise<TransportAnswer> {
    const { clock } = connection;
    const { endpoint, requestLine, method } = request;
    const ms = Math.min(requestTimeoutMs[method], deadline?.left ?? Number.POSITIVE_INFINITY, effortMs);
    const tooLate = (outcome: Outcome) =>
        new RequestTimeoutError(messages.noAnswer({ request: requestLine, seconds: Math.ceil(ms / 1000) }), {
            endpoint,
            outcome,
        });
    return withTimeLimit({ clock, ms, signal, reason: () => tooLate("ambiguous") }, async (limited) => {
        try {
            return await sendAndFollow(connection, request, limited);
        } catch (error) {
            signal?.throwIfAborted();
            if (!limited.aborted) throw withRequest(error, request);
            // The transport may know that the request had not even been sent.
            throw tooLate(error instanceof ConnectionError && !error.sent ? "notProcessed" : "ambiguous");
        }
    });
}

async function sendAndFollow(connection: Connection, request: ApiRequest, signal: AbortSignal) {
    const { method, body } = request;
    let url = urlOf(connection.baseUrl, request);
    for (let hops = 0; ; hops++) {
        const answer = await connection.transport.send({
            method,
            url,
            ...(body === undefined
                ? { headers: connection.headers }
                : {
                      headers: { ...connection.headers, "content-type": "application/json" },
                      body: JSON.stringify(body),
                  }),
            signal,
        });
        if (![301, 302, 303, 307, 308].includes(answer.status)) {
            if (hops > 0) refuseElsewhere(request, url, answer);
            return answer;
        }
        url = redirectTarget(request, url, answer, hops);
    }
}

/** A 404 at another path says nothing about the object. */
function refuseElsewhere({ path, endpoint, requestLine }: ApiRequest, url: string, { status }: TransportAnswer): void {
    const { pathname } = new URL(url);
    if ((status !== 404 && status !== 410) || pathname.replace(/\/+$/, "").endsWith(path)) return;
    const message = messages.redirectNotFound({ request: requestLine, path: pathname, status });
    throw new RedirectError(message, { endpoint, status, outcome: "ambiguous" });
}

function urlOf(baseUrl: string, { path, query = {} }: ApiRequest): string {
    const url = new URL(`${baseUrl}${prefix}${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    return url.href;
}

/** The redirect's target. Another origin never gets the credentials; a create is never sent twice. */
function redirectTarget(
    { method, endpoint, requestLine: request }: ApiRequest,
    from: string,
    answer: TransportAnswer,
    hops: number,
): string {
    const { status, headers } = answer;
    // The answer to an accepted create may also be a redirect: to the new object, or to a page that confirms it.
    const outcome = method === "POST" ? "ambiguous" : "refused";
    const refuse = (message: Message) => new RedirectError(message, { endpoint, status, outcome });
    const location = headers.location ?? "";
    if (location === "" || !URL.canParse(location, from)) {
        throw refuse(messages.redirectNowhere({ request, status }));
    }
    const target = new URL(location, from);
    const here = new URL(from);
    if (target.origin !== here.origin) {
        const origin = target.origin === "null" ? "an address that is not HTTP" : target.origin;
        throw refuse(messages.redirectElsewhere({ request, status, origin }));
    }
    if (method === "POST" || (method !== "GET" && status < 307)) {
        throw refuse(messages.redirectTwice({ request, status }));
    }
    if (hops >= maxRedirects) throw refuse(messages.redirectCircle({ request }));
    target.username = "";
    target.password = "";
    target.hash = "";
    return target.href;
}

function withRequest(error: unknown, { endpoint, requestLine }: RequestName): unknown {
    if (error instanceof ConnectionError) {
        const { sent, byProxy } = error;
        const message = byProxy ? messages.proxyFailed : messages.connectionFailed;
        const reason = error.message.replace(/\.$/, "");
        return new ConnectionError(message({ request: requestLine, reason }), { sent, byProxy, endpoint });
    }
    if (error instanceof ApiError) return error;
    // A custom transport: nothing is known about the failure.
    const message = messages.connectionFailed({ request: requestLine, reason: "the connection failed" });
    return new ConnectionError(message, { sent: true, endpoint });
}
