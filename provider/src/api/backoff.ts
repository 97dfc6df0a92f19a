/** How long to wait before a request is sent again. */
import type { Clock, Random } from "./clock";

const firstMaxDelayMs = 500;
const maxDelayMs = 10_000;

/** Full jitter: anything up to 0.5 s after the first try, doubling to 10 s, so that resources do not come back in step. */
export function backoff(tries: number, random: Random): number {
    return random() * Math.min(maxDelayMs, firstMaxDelayMs * 2 ** (tries - 1));
}

/**
 * The retries of all resources together: 100 at once, then 25 per second. An outage is then not answered with a multiple of
 * the load that came before it, yet every retry gets its turn.
 */
export class RetryBudget {
    static readonly burst = 100;
    static readonly perSecond = 25;

    readonly #clock: Clock;
    /** When the next retry is paid for, if retries came at the steady rate. */
    #next = Number.NEGATIVE_INFINITY;

    constructor(clock: Clock) {
        this.#clock = clock;
    }

    /** Takes the next place; in how many ms it comes. */
    reserve(): number {
        const now = this.#clock.monotonic();
        const interval = 1000 / RetryBudget.perSecond;
        this.#next = Math.max(this.#next, now - RetryBudget.burst * interval) + interval;
        return Math.max(0, this.#next - now);
    }
}
