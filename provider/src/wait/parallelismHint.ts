/** Says once that the engine creates only a few contents at a time, and what to do about it. */

import type { Clock } from "../api";
import { messages, type Row } from "../messages";

/** A stack that finishes sooner needs no advice. */
const minWaitMs = 60_000;

export class ParallelismHint {
    readonly #clock: Clock;
    #begun = 0;
    #waiting = 0;
    #most = 0;
    #since: number | undefined;
    #isShown = false;

    constructor(clock: Clock) {
        this.#clock = clock;
    }

    /** Watches a content's wait. */
    async during<T>(row: Row, wait: () => Promise<T>): Promise<T> {
        this.#since ??= this.#clock.monotonic();
        this.#begun++;
        this.#waiting++;
        this.#most = Math.max(this.#most, this.#waiting);
        // If all were created in parallel, most of them would wait at the same time.
        const inTurns = this.#most > 1 && this.#begun > 2 * this.#most;
        if (inTurns && !this.#isShown && this.#clock.monotonic() - this.#since >= minWaitMs) {
            this.#isShown = true;
            row.info(messages.waitsInTurns({ number: this.#most }));
        }
        try {
            return await wait();
        } finally {
            this.#waiting--;
        }
    }
}
