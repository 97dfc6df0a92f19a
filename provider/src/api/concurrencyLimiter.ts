/**
 * Limits how many requests are sent at once, and when. All resources share one, so that a thousand of them load the service no
 * more than one. Each sign of overload halves the number, and each success raises it a little: 500 creates, of which a service accepts
 * ten a second, end after 55 s instead of 305 s. A pause that the service asks for holds all requests.
 */
import type { Clock } from "./clock";
import { maxInFlight } from "./limits";

export class ConcurrencyLimiter {
    readonly #clock: Clock;
    #limit = maxInFlight;
    #inside = 0;
    /** In order of arrival; a set, because a cancelled waiter leaves from the middle. */
    readonly #queue = new Set<() => void>();
    #pausedUntil = 0;

    constructor(clock: Clock) {
        this.#clock = clock;
    }

    /** Waits for a free place. Every caller that enters must leave. */
    async enter(signal: AbortSignal | undefined): Promise<void> {
        signal?.throwIfAborted();
        if (this.#queue.size > 0 || !this.#hasPlace) await this.#place(signal);
        else this.#inside++;
        try {
            for (;;) {
                const left = this.#pausedUntil - this.#clock.monotonic();
                if (left <= 0) return;
                await this.#clock.sleep(left, signal);
            }
        } catch (error) {
            this.leave();
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

    get #hasPlace(): boolean {
        return this.#inside + 1 <= this.#limit;
    }

    #place(signal: AbortSignal | undefined): Promise<void> {
        return new Promise((resolve, reject) => {
            const onAbort = () => {
                this.#queue.delete(admit);
                reject(signal?.reason);
            };
            const admit = () => {
                signal?.removeEventListener("abort", onAbort);
                resolve();
            };
            signal?.addEventListener("abort", onAbort, { once: true });
            this.#queue.add(admit);
        });
    }

    #admit(): void {
        for (const admit of this.#queue) {
            if (!this.#hasPlace) return;
            this.#queue.delete(admit);
            this.#inside++;
            admit();
        }
    }
}
