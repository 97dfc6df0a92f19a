/** Sends a request, and sends it again while that may help. The same rules for all requests say which may be sent again, when, and how often. */
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
    /**
     * The error of the first 401. Later requests are not sent and throw it again: otherwise a library would send thousands of requests with wrong
     * credentials.
     */
    #unauthorized: AuthenticationError | undefined;

    constructor(connection: Connection) {
        this.#connection = connection;
        this.#limiter = new ConcurrencyLimiter(connection.clock);
    }

    /** Sends a request, and returns what `read` makes of an answer of status 2xx. If `read` throws an `ApiError`, the request may be sent again. */
    async send<T>(request: ApiRequest, read: (answer: Answer) => T): Promise<T> {
        const { clock, random } = this.#connection;
        const { requestLine, signal, tries = maxTries } = request;
        const { deadline: until = new Deadline(clock, maxRateLimitedMs) } = request;
        const begun = clock.monotonic();
        let last: ApiError | undefined;
        let counted = 0;
        const option = until.option ?? advice.moreTime;
        const noTurn = () =>
            new ApiError(messages.noTurn({ request: requestLine, option }), { outcome: "notProcessed" });
        for (let sent = 1; ; sent++) {
            await this.#limiter.enter(until, signal, () => last ?? noTurn());
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
            // A 429 does not count as a try: a rate limit passes, and the request waits for that until its deadline.
            if (last.status !== 429) counted++;
            if (counted >= tries || pauseMs >= until.left) throw last;
            // After a 429 or 503 there is no pause here: in `enter`, the limiter makes all requests wait, this one too.
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
        // A create that is under way is not ended at the deadline: its answer has the id of the new object.
        const longest = requestTimeoutMs[method];
        const ms = creates ? longest : Math.min(longest, deadline?.left ?? longest);
        // When the operation has no time left, the message names the resource option for more time, and does not blame the service.
        const option = ms < longest ? deadline?.option : undefined;
        const late = { request: requestLine, seconds: Math.ceil(ms / 1000) };
        const noAnswer = () =>
            option === undefined ? messages.noAnswer(late) : messages.noTimeLeft({ ...late, option });
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
                if (limited.aborted) throw new ApiError(noAnswer(), { outcome });
                const text = messages.connectionFailed({ request: requestLine, reason: message });
                throw new ConnectionError(text, outcome);
            }),
        );
    }
}

/**
 * The pause before a request is sent again: 0.25 to 0.5 s after the first try, then twice as long each time, up to 10 s. So five tries outlast a short
 * restart of the service. A random part keeps the requests of many resources apart: otherwise all would return at the same moment.
 */
function backoff(sent: number, random: Random): number {
    return ((1 + random()) / 2) * Math.min(maxBackoffMs, maxFirstBackoffMs * 2 ** (sent - 1));
}

/**
 * Whether a request may be sent again. A create may only if it was surely not processed: otherwise it would make a second object. Any other request
 * changes nothing the second time.
 */
function mayRepeat({ creates, query }: ApiRequest, error: unknown): error is ApiError {
    if (!(error instanceof ApiError) || error instanceof ClientError) return false;
    if (creates) return error.outcome === "notProcessed";
    // A position beyond the end of a list may get a 404 that looks like a gateway's. `pages.ts` finds out whether the list ends there: five tries
    // would waste time.
    return !(error instanceof UnconfirmedNotFoundError && query?.start !== undefined);
}

/**
 * The pause in ms that the header `Retry-After` asks for; `undefined` if it is missing or unreadable. A date is counted from the answer's own `Date`
 * header, because this machine's clock may be wrong.
 */
export function parseRetryAfter(headers: TransportAnswer["headers"], now: number): number | undefined {
    const text = String(headers["retry-after"] ?? "").trim();
    if (/^\d{1,15}$/.test(text)) return Number(text) * 1000;
    const until = parseHttpDate(text);
    if (until === undefined) return undefined;
    return Math.max(until - (parseHttpDate(headers.date) ?? now), 0);
}

/** An HTTP date such as `Tue, 29 Oct 2024 16:56:32 GMT`, in ms since the epoch. `Date.parse` alone would read a date in almost any text. */
export function parseHttpDate(header: string | string[] | undefined): number | undefined {
    const text = String(header ?? "").trim();
    const time = /^[A-Z][a-z]{2,8}, .*\d{2}:\d{2}:\d{2} GMT$/.test(text) ? Date.parse(text) : Number.NaN;
    return Number.isNaN(time) ? undefined : time;
}
