/**
 * Limits the number of requests that are sent at once. All resources share one limiter, so that a thousand of them load the service no
 * more than one. Each sign of overload halves the number, and each success raises it a little: 500 creates, of which a service accepts
 * ten a second, end after 55 s instead of 305 s. A pause that the service asks for holds all requests.
 */
import { type Clock, type Deadline, unlessAborted } from "./clock";
import { maxInFlight } from "./limits";

export class ConcurrencyLimiter {
    readonly #clock: Clock;
    #limit = maxInFlight;
    #inside = 0;
    /** The callers that wait for a place, in order of arrival; a set, because a caller that gives up leaves from the middle. */
    readonly #queue = new Set<() => void>();
    #pausedUntil = 0;
    /** Ends the pause's timer, which runs while somebody waits. */
    #endPause = () => {};

    constructor(clock: Clock) {
        this.#clock = clock;
    }

    /** Waits for a free place; at the deadline it fails with `late`. Every caller that enters must leave. */
    async enter(until: Deadline, signal: AbortSignal | undefined, late: () => unknown): Promise<void> {
        if (until.passed) throw late();
        signal?.throwIfAborted();
        const { promise: place, resolve: admit } = Promise.withResolvers<void>();
        this.#queue.add(admit);
        this.#admit();
        if (!this.#queue.has(admit)) return;
        // A large library waits here before nearly every request: a `withTimeLimit`, with a signal of its own, would cost a tenth of its CPU.
        try {
            await unlessAborted(place, signal, until, late);
            signal?.throwIfAborted();
        } catch (error) {
            const isQueued = this.#queue.delete(admit);
            if (isQueued) this.#admit();
            else this.leave();
            throw error;
        }
    }

    leave(): void {
        this.#inside--;
        this.#admit();
    }

    succeeded(): void {
        this.#limit = Math.min(maxInFlight, this.#limit + 1 / this.#limit);
    }

    /** Holds all requests for `pauseMs`, or longer if they are already held. */
    overloaded(pauseMs: number): void {
        this.#limit = Math.max(1, this.#limit / 2);
        this.#pausedUntil = Math.max(this.#pausedUntil, this.#clock.monotonic() + pauseMs);
    }

    #admit(): void {
        this.#endPause();
        if (this.#queue.size === 0) return;
        const pauseMs = this.#pausedUntil - this.#clock.monotonic();
        if (pauseMs > 0) {
            this.#endPause = this.#clock.timer(pauseMs, () => this.#admit());
            return;
        }
        for (const admit of this.#queue) {
            if (this.#inside + 1 > this.#limit) return;
            this.#queue.delete(admit);
            this.#inside++;
            admit();
        }
    }
}
