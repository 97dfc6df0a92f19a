/**
 * Sends a request until it succeeds or retrying is pointless. One policy for all requests: the ones that may be sent again, the number of
 * tries, and the failures of one request that stop the others.
 */
import { advice, messages } from "../messages";
import { type Answer, failureOf } from "./answer";
import { type Clock, Deadline, type Random, withTimeLimit } from "./clock";
import { ConcurrencyLimiter } from "./concurrencyLimiter";
import { ApiError, AuthenticationError, ClientError, ConnectionError, UnconfirmedNotFoundError } from "./errors";
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
        const { requestLine, signal, tries = maxTries } = request;
        const { deadline: until = new Deadline(clock, maxRateLimitedMs) } = request;
        const begun = clock.monotonic();
        let last: ApiError | undefined;
        let counted = 0;
        const option = until.option ?? advice.moreTime;
        const noTurn = messages.noTurn({ request: requestLine, option });
        for (let sent = 1; ; sent++) {
            await this.#limiter.enter(until, signal, () => last ?? new ApiError(noTurn, { outcome: "notProcessed" }));
            try {
                this.#refuseAgain(requestLine);
                const received = await this.#exchange(request);
                const answer = { ...received, request, json: parseJson(received.body) };
                if (answer.status < 200 || answer.status >= 300)
                    throw failureOf(answer, parseRetryAfter(answer.headers, clock.now()), clock.monotonic() - begun);
                this.#limiter.succeeded();
                return read(answer);
            } catch (error) {
                if (error instanceof AuthenticationError) this.#unauthorized ??= error;
                if (!mayRepeat(request, error)) throw error;
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

    #refuseAgain(request: string): void {
        if (this.#unauthorized === undefined) return;
        const { message: earlier } = this.#unauthorized;
        throw new AuthenticationError(messages.refusedBefore({ request, earlier }), this.#unauthorized);
    }

    #exchange({ method, path, query, body, requestLine, creates, signal, deadline }: ApiRequest) {
        const { baseUrl, headers, transport, clock } = this.#connection;
        const search = query && String(new URLSearchParams(query as Record<string, string>));
        const url = `${baseUrl}/video/services/api/v1${path}${search ? `?${search}` : ""}`;
        // A create under way goes on to its answer.
        const longest = requestTimeoutMs[method];
        const ms = creates ? longest : Math.min(longest, deadline?.left ?? longest);
        // A slow service is not at fault where the time of the whole operation has ended.
        const option = ms < longest ? deadline?.option : undefined;
        const late = { request: requestLine, seconds: Math.ceil(ms / 1000) };
        const noAnswer = option === undefined ? messages.noAnswer(late) : messages.noTimeLeft({ ...late, option });
        const sent = {
            method,
            url,
            headers: body === undefined ? headers : { ...headers, "content-type": "application/json" },
            body: JSON.stringify(body),
        };
        const parent = creates ? undefined : signal;
        return withTimeLimit(new Deadline(clock, ms), parent, (limited) =>
            transport.send({ ...sent, signal: limited }).catch((error: unknown) => {
                parent?.throwIfAborted();
                if (!(error instanceof ConnectionError)) throw error;
                const { outcome, message } = error;
                if (limited.aborted) throw new ApiError(noAnswer, { outcome });
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

/** Whether a request may be sent again: a create only if it surely was not processed. All other requests are idempotent. */
function mayRepeat({ creates, query }: ApiRequest, error: unknown): error is ApiError {
    if (!(error instanceof ApiError) || error instanceof ClientError) return false;
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
