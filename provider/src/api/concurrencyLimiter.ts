/**
 * Limits the number of requests that are under way at once, for all resources of the process together. Each sign of overload halves the limit, and
 * each success raises it a little: 500 creates at a service that accepts ten a second take 55 s, and would take 305 s with a fixed limit. A pause
 * that the service asks for holds all requests.
 */
import { type Clock, type Deadline, onAbort } from "./clock";
import { maxInFlight } from "./limits";

export class ConcurrencyLimiter {
    readonly #clock: Clock;
    #limit = maxInFlight;
    #inside = 0;
    /** The waiting callers, in order of arrival. They are in a set, because a caller may give up in the middle of the queue. */
    readonly #queue = new Set<() => void>();
    #pausedUntil = 0;
    /** Cancels the timer that ends the pause. */
    #endPause = () => {};

    constructor(clock: Clock) {
        this.#clock = clock;
    }

    /**
     * Waits until a request may be sent. At the deadline it throws `late()`. Each caller that has entered must call `leave`: otherwise its place is
     * never free again.
     */
    async enter(until: Deadline, signal: AbortSignal | undefined, late: () => unknown): Promise<void> {
        if (until.passed) throw late();
        signal?.throwIfAborted();
        const { promise: place, resolve: admit, reject } = Promise.withResolvers<void>();
        this.#queue.add(admit);
        this.#admit();
        if (!this.#queue.has(admit)) return;
        // `unlessAborted` would do the same with more promises. In a large library nearly every request waits here, and they would cost a tenth of
        // the CPU time.
        const forget = signal && onAbort(signal, () => reject(signal.reason));
        const cancel = until.timer(() => reject(late()));
        try {
            await place;
            signal?.throwIfAborted();
        } catch (error) {
            const isQueued = this.#queue.delete(admit);
            if (isQueued) this.#admit();
            else this.leave();
            throw error;
        } finally {
            forget?.();
            cancel();
        }
    }

    leave(): void {
        this.#inside--;
        this.#admit();
    }

    succeeded(): void {
        this.#limit = Math.min(maxInFlight, this.#limit + 1 / this.#limit);
    }

    /** Halves the limit, and holds all requests for `pauseMs`, or longer if they are held already. */
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
