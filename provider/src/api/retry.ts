/**
 * Sends a request until it succeeds or there is no point in going on. One policy for all: what may be sent again and how
 * often, and which failures of one request stop the others.
 */
import { messages } from "../messages";
import { backoff } from "./backoff";
import { Deadline, type Random } from "./clock";
import { ConcurrencyLimiter, type RequestEnd } from "./concurrencyLimiter";
import {
    ApiError,
    AuthenticationError,
    ConnectionError,
    MalformedAnswerError,
    RateLimitError,
    RequestTimeoutError,
    ServerError,
    UnconfirmedNotFoundError,
} from "./errors";
import { type ApiRequest, type Connection, exchange, type Limits } from "./exchange";
import { failureOf } from "./failure";
import { maxEffortMs, maxInFlight, maxRateLimitedMs, maxTries } from "./limits";
import { parseRetryAfter } from "./retryAfter";
import { withTimeLimit } from "./timeLimit";
import type { TransportAnswer } from "./transport";

export class Requester {
    readonly #connection: Connection;
    readonly #random: Random;
    readonly #limiter: ConcurrencyLimiter;
    /** After a 401 no further request is sent. */
    #unauthorized: AuthenticationError | undefined;

    constructor(connection: Connection, random: Random) {
        this.#connection = connection;
        this.#random = random;
        this.#limiter = new ConcurrencyLimiter(connection.clock, maxInFlight);
    }

    /** `parse` reads an answer of status 2xx; when it throws, the try has failed. */
    async send<T>(request: ApiRequest, given: Limits, parse: (answer: TransportAnswer) => T): Promise<T> {
        const { clock } = this.#connection;
        const { signal, unlessSent = signal, deadline, effortMs = maxEffortMs } = given;
        const isBounded = given.effortMs !== undefined;
        const patience = deadline ?? (isBounded ? undefined : Deadline.after(clock, maxRateLimitedMs));
        const limits = { ...given, rateLimitedUntil: given.rateLimitedUntil ?? patience };
        let last: ApiError | undefined;
        let effort = 0;
        let turnedAway = 0;
        for (let tries = 1; ; tries++) {
            await this.#enter(request, limits, last);
            const begin = clock.monotonic();
            try {
                const left = limits.effortMs === undefined ? undefined : limits.effortMs - effort;
                return await this.#try(request, { ...limits, effortMs: left }, parse);
            } catch (error) {
                if (signal?.aborted || !(error instanceof ApiError)) throw error;
                const pause = pauseFor(error, backoff(tries, this.#random));
                this.#limiter.pause(pause);
                if (isPatient(error, limits)) {
                    if (pause >= (limits.rateLimitedUntil?.left ?? 0)) throw error;
                    last = error;
                    turnedAway++;
                    await clock.sleep(0, unlessSent);
                    continue;
                }
                if (tries - turnedAway >= mostTries(error, limits) || !mayRepeat(request, error)) throw error;
                // A try that the call's own deadline cut short says less than the one before it.
                const isCut = limits.effortMs !== undefined && error instanceof RequestTimeoutError;
                last = isCut ? (last ?? error) : error;
                const delay = this.#delay(error, tries);
                effort += clock.monotonic() - begin + delay;
                if (effort >= effortMs || (deadline && Math.max(pause, delay) >= deadline.left)) throw last;
                await clock.sleep(delay, unlessSent);
            }
        }
    }

    async #enter(request: ApiRequest, limits: Limits, last: ApiError | undefined): Promise<void> {
        const { clock } = this.#connection;
        // The first try is sent however late it is: its answer is the object's id.
        const until = last === undefined ? undefined : limits.rateLimitedUntil;
        const { deadline = until, unlessSent: signal = limits.signal } = limits;
        this.#assertNotRefused(request);
        if (deadline === undefined) {
            await this.#limiter.enter(signal);
        } else {
            const reason = () => last ?? noTurn(request);
            if (deadline.passed) throw reason();
            await withTimeLimit({ clock, ms: deadline.left, signal, reason }, (limited) =>
                this.#limiter.enter(limited),
            );
        }
        try {
            this.#assertNotRefused(request);
        } catch (error) {
            this.#limiter.cancel();
            throw error;
        }
    }

    async #try<T>(request: ApiRequest, limits: Limits, parse: (answer: TransportAnswer) => T): Promise<T> {
        let end: RequestEnd = "noAnswer";
        try {
            await limits.beforeTry?.();
            const answer = await exchange(this.#connection, request, limits);
            end = endOf(answer.status);
            if (end !== "success") throw this.#refusal(request, answer);
            return parse(answer);
        } finally {
            this.#limiter.leave(end);
        }
    }

    #refusal(request: ApiRequest, { status, headers, body }: TransportAnswer): ApiError {
        const retryAfter = parseRetryAfter(headers, this.#connection.clock.now());
        const error = failureOf({ ...request, status, body, retryAfter });
        if (error instanceof AuthenticationError) this.#unauthorized = error;
        return error;
    }

    #assertNotRefused({ requestLine: request }: ApiRequest): void {
        const earlier = this.#unauthorized;
        if (earlier === undefined) return;
        throw new AuthenticationError(messages.refusedBefore({ request, earlier: earlier.message }), earlier);
    }

    /** How long this request waits, in addition to the pause of all. */
    #delay({ status, retryAfter }: ApiError, tries: number): number {
        if (status === 429) return 0;
        const delay = backoff(tries, this.#random);
        return status === 503 ? delay : Math.max(delay, retryAfter ?? 0);
    }
}

function mostTries(error: ApiError, { unreachableTries = maxTries }: Limits): number {
    const isUnreachable = error instanceof ConnectionError || error instanceof UnconfirmedNotFoundError;
    return isUnreachable ? unreachableTries : maxTries;
}

/** Rate limits pass, so a request waits for them as long as it has time. */
function isPatient(error: ApiError, { rateLimitedUntil }: Limits): boolean {
    return error instanceof RateLimitError && error.outcome === "notProcessed" && rateLimitedUntil !== undefined;
}

/** How long all requests wait because one was rejected. */
function pauseFor({ status, retryAfter }: ApiError, jitter: number): number {
    if (status === 429) return Math.max(jitter, retryAfter ?? 0);
    return status === 503 ? (retryAfter ?? 0) : 0;
}

/** A creation is sent again only if it surely was not processed. All other requests are idempotent. */
function mayRepeat({ method, query, repeatable }: ApiRequest, error: ApiError): boolean {
    if (method === "POST" && !repeatable) return error.outcome === "notProcessed";
    // Beyond the end of a list; pages.ts finds out whether it is the end.
    if (error instanceof UnconfirmedNotFoundError && query?.start !== undefined) return false;
    return transient.some((kind) => error instanceof kind) || error.status === 408;
}

const transient = [
    UnconfirmedNotFoundError,
    ConnectionError,
    RequestTimeoutError,
    MalformedAnswerError,
    RateLimitError,
    ServerError,
];

function endOf(status: number): RequestEnd {
    if (status === 429 || status === 503) return "overload";
    return status >= 200 && status < 300 ? "success" : "otherAnswer";
}

function noTurn({ endpoint, requestLine }: ApiRequest): RequestTimeoutError {
    return new RequestTimeoutError(messages.noTurn({ request: requestLine }), { endpoint, outcome: "notProcessed" });
}
