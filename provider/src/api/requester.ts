/**
 * Sends a request until it succeeds or retrying is pointless. One policy for all requests: the ones that may be sent again, the number of
 * tries, and the failures of one request that stop the others.
 */
import { advice, messages } from "../messages";
import { type Answer, failureOf } from "./answer";
import { type Clock, Deadline, type Random, withTimeLimit } from "./clock";
import { ConcurrencyLimiter } from "./concurrencyLimiter";
import {
    ApiError,
    AuthenticationError,
    ClientError,
    ConnectionError,
    type Outcome,
    UnconfirmedNotFoundError,
} from "./errors";
import { parseJson } from "./json";
import { maxBackoffMs, maxFirstBackoffMs, maxRateLimitedMs, maxTries, requestTimeoutMs } from "./limits";
import type { ApiRequest } from "./request";
import type { Transport, TransportAnswer } from "./transport";

export interface Connection {
    baseUrl: string;
    headers: Record<string, string>;
    transport: Transport;
    clock: Clock;
    random: Random;
}

export class Requester {
    readonly #connection: Connection;
    readonly #limiter: ConcurrencyLimiter;
    /** The first 401. No further request is sent after it: a library would send thousands. */
    #unauthorized: AuthenticationError | undefined;

    constructor(connection: Connection) {
        this.#connection = connection;
        this.#limiter = new ConcurrencyLimiter(connection.clock);
    }

    /** Sends a request. `read` reads an answer of status 2xx; when it throws, the try has failed. */
    async send<T>(request: ApiRequest, read: (answer: Answer) => T): Promise<T> {
        const { clock, random } = this.#connection;
        const { signal, tries = maxTries, deadline: until = new Deadline(clock, maxRateLimitedMs) } = request;
        const begun = clock.monotonic();
        let last: ApiError | undefined;
        let counted = 0;
        const option = until.option ?? advice.moreTime;
        const late = () =>
            last ??
            new ApiError(messages.noTurn({ request: request.requestLine, option }), { outcome: "notProcessed" });
        for (let sent = 1; ; sent++) {
            await this.#limiter.enter(until, signal, late);
            try {
                return read(await this.#try(request, begun));
            } catch (error) {
                if (!isTransient(error) || !mayRepeat(request, error)) throw error;
                last = error;
            } finally {
                this.#limiter.leave();
            }
            const pauseMs = Math.max(backoff(sent, random), last.retryAfter ?? 0);
            const isHeld = last.status === 429 || last.status === 503;
            if (isHeld) this.#limiter.overloaded(pauseMs);
            // Rate limits pass, so a request waits for them as long as it has time.
            if (last.status !== 429) counted++;
            if (counted >= tries || pauseMs >= until.left) throw last;
            // The limiter holds all requests.
            await clock.sleep(isHeld ? 0 : pauseMs, signal);
        }
    }

    /** Resolves with an answer of status 2xx. */
    async #try(request: ApiRequest, begun: number): Promise<Answer> {
        const { requestLine } = request;
        const earlier = this.#unauthorized;
        if (earlier !== undefined)
            throw new AuthenticationError(
                messages.refusedBefore({ request: requestLine, earlier: earlier.message }),
                earlier,
            );
        const received = await this.#exchange(request);
        const answer = { ...received, request, json: parseJson(received.body) };
        if (answer.status >= 200 && answer.status < 300) {
            this.#limiter.succeeded();
            return answer;
        }
        const { clock } = this.#connection;
        const error = failureOf(answer, parseRetryAfter(answer.headers, clock.now()), clock.monotonic() - begun);
        if (error instanceof AuthenticationError) this.#unauthorized = error;
        throw error;
    }

    #exchange({ method, path, query, body, requestLine, creates, signal, deadline }: ApiRequest) {
        const { baseUrl, headers, transport, clock } = this.#connection;
        const search = query && String(new URLSearchParams(query as Record<string, string>));
        const url = `${baseUrl}/video/services/api/v1${path}${search ? `?${search}` : ""}`;
        const content =
            body === undefined
                ? { headers }
                : { headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(body) };
        // A create under way goes on to its answer.
        const longest = requestTimeoutMs[method];
        const ms = creates ? longest : Math.min(longest, deadline?.left ?? longest);
        // A slow service is not at fault where the time of the whole operation has ended.
        const option = ms < longest ? deadline?.option : undefined;
        const seconds = Math.ceil(ms / 1000);
        const tooLate = (outcome: Outcome) =>
            new ApiError(
                option === undefined
                    ? messages.noAnswer({ request: requestLine, seconds })
                    : messages.noTimeLeft({ request: requestLine, seconds, option }),
                { outcome },
            );
        const parent = creates ? undefined : signal;
        return withTimeLimit(new Deadline(clock, ms), parent, (limited) =>
            transport.send({ method, url, ...content, signal: limited }).catch((error: unknown) => {
                parent?.throwIfAborted();
                if (!(error instanceof ConnectionError)) throw error;
                const { outcome, message } = error;
                if (limited.aborted) throw tooLate(outcome);
                const text = messages.connectionFailed({ request: requestLine, reason: message });
                throw new ConnectionError(text, outcome);
            }),
        );
    }
}

/**
 * The pause before a request is sent again: up to 0.5 s after the first try, doubling to 10 s, and at least half of that, so
 * that five tries outlast a restart of the service. The other half is random, so that resources do not retry in step.
 */
function backoff(sent: number, random: Random): number {
    return ((1 + random()) / 2) * Math.min(maxBackoffMs, maxFirstBackoffMs * 2 ** (sent - 1));
}

function isTransient(error: unknown): error is ApiError {
    return error instanceof ApiError && !(error instanceof ClientError);
}

/** Whether a request may be sent again: a create only if it surely was not processed. All other requests are idempotent. */
function mayRepeat({ creates, query }: ApiRequest, error: ApiError): boolean {
    if (creates) return error.outcome === "notProcessed";
    // The position may be beyond the end of a list: pages.ts finds out.
    return !(error instanceof UnconfirmedNotFoundError && query?.start !== undefined);
}

/**
 * The `Retry-After` header: the time that the service asks clients to wait, in ms; `undefined` when it is absent,
 * negative or unreadable. A date is measured against the answer's own `Date` header, so that a wrong clock on either side has no effect.
 */
export function parseRetryAfter(headers: TransportAnswer["headers"], now: number): number | undefined {
    const text = String(headers["retry-after"] ?? "").trim();
    if (/^\d{1,15}$/.test(text)) return Number(text) * 1000;
    const until = parseHttpDate(text);
    if (until === undefined) return undefined;
    return Math.max(until - (parseHttpDate(headers.date) ?? now), 0);
}

/** An HTTP date such as `Tue, 29 Oct 2024 16:56:32 GMT`, in ms since the epoch. `Date.parse` alone takes almost anything. */
export function parseHttpDate(header: string | string[] | undefined): number | undefined {
    const text = String(header ?? "").trim();
    const time = /^[A-Z][a-z]{2,8}, .*\d{2}:\d{2}:\d{2} GMT$/.test(text) ? Date.parse(text) : Number.NaN;
    return Number.isNaN(time) ? undefined : time;
}
