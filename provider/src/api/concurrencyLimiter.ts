/**
 * Limits how many requests are sent at once, and when. All resources share one, so that a thousand of them load the
 * service no more than one.
 *
 * - The first request goes alone until it is answered, or for 5 s: wrong credentials then cost one request, not one per
 *   resource.
 * - After that up to `maxInFlight`. Each sign of overload halves it, each success opens it a little.
 * - A pause that the service asks for holds all requests.
 */
import type { Clock } from "./clock";
import { maxAloneMs } from "./limits";

/** How a request ended, as far as it concerns the others. */
export type RequestEnd = "success" | "otherAnswer" | "noAnswer" | "overload";

/** Requests to an unreachable service must not wait for each other for ever: each failure may take nearly as long. */
const failuresToOpen = 3;

interface Waiter {
    admit(): void;
}

export class ConcurrencyLimiter {
    readonly #clock: Clock;
    readonly #most: number;
    #limit = 1;
    #opened = false;
    /** Ends the time for which the first request runs alone. */
    #answered = new AbortController();
    #failures = 0;
    #inside = 0;
    /** In order of arrival; a set, because a cancelled waiter leaves from the middle. */
    readonly #queue = new Set<Waiter>();
    #pausedUntil = 0;

    constructor(clock: Clock, maxInFlight: number) {
        this.#clock = clock;
        this.#most = maxInFlight;
    }

    /** Waits for a free slot. Every caller that enters must leave. */
    async enter(signal: AbortSignal | undefined): Promise<void> {
        signal?.throwIfAborted();
        if (this.#inside < this.#limit && this.#queue.size === 0) this.#inside++;
        else await this.#wait(signal);
        try {
            for (;;) {
                const left = this.#pausedUntil - this.#clock.monotonic();
                if (left <= 0) break;
                await this.#clock.sleep(left, signal);
            }
        } catch (error) {
            this.#release();
            throw error;
        }
        if (!this.#opened) this.#openInTime();
    }

    leave(end: RequestEnd): void {
        this.#adjust(end);
        this.#release();
    }

    /** Returns an unused slot. */
    cancel(): void {
        this.#release();
    }

    /** Holds all requests for this long, or longer if they are already held. */
    pause(ms: number): void {
        this.#pausedUntil = Math.max(this.#pausedUntil, this.#clock.monotonic() + ms);
    }

    #openInTime(): void {
        this.#answered = new AbortController();
        this.#clock.sleep(maxAloneMs, this.#answered.signal).then(
            () => {
                this.#open();
                this.#admit();
            },
            () => {}, // It was answered, or failed, before that.
        );
    }

    #open(): void {
        if (this.#opened) return;
        this.#opened = true;
        this.#limit = this.#most;
    }

    #adjust(end: RequestEnd): void {
        if (end === "noAnswer" && ++this.#failures < failuresToOpen) return;
        this.#open();
        if (end === "success") {
            this.#limit = Math.min(this.#most, this.#limit + 1 / this.#limit);
        } else if (end === "overload") {
            this.#limit = Math.max(1, this.#limit / 2);
        }
    }

    #wait(signal: AbortSignal | undefined): Promise<void> {
        return new Promise((resolve, reject) => {
            const waiter: Waiter = {
                admit: () => {
                    signal?.removeEventListener("abort", onAbort);
                    resolve();
                },
            };
            const onAbort = () => {
                this.#queue.delete(waiter);
                reject(signal?.reason);
            };
            signal?.addEventListener("abort", onAbort, { once: true });
            this.#queue.add(waiter);
        });
    }

    #release(): void {
        this.#inside--;
        this.#answered.abort();
        this.#admit();
    }

    #admit(): void {
        for (const waiter of this.#queue) {
            if (this.#inside + 1 > this.#limit) return;
            this.#queue.delete(waiter);
            this.#inside++;
            waiter.admit();
        }
    }
}
