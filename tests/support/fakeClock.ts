/**
 * Virtual time. Sleeps end in the order of their time, then of their start, and only when the event loop has nothing else
 * to do; so a program of any number of waits runs in as many turns of the loop, and always in the same order.
 */
import { type Clock, sleepBy } from "../../provider/dist/api/clock.js";

export { seededRandom } from "../../emulator/dist/clock.js";

interface Sleeper {
    at: number;
    wake(): void;
}

interface FakeClockOptions {
    /** The first `now()`, in ms since the epoch. `monotonic()` begins at 0. */
    start?: number;
    /** False while something real is under way (a request to a real server): time stands still meanwhile. */
    idle?: () => boolean;
}

export class FakeClock implements Clock {
    /** The wall clock, when monotonic time began. */
    #epoch: number;
    #now = 0;
    /** In the order of their time, then of their start. */
    readonly #sleepers: Sleeper[] = [];
    readonly #idle: () => boolean;

    constructor(options: FakeClockOptions = {}) {
        this.#epoch = options.start ?? Date.UTC(2026, 0, 1);
        this.#idle = options.idle ?? (() => true);
    }

    now(): number {
        return this.#epoch + this.#now;
    }

    monotonic(): number {
        return this.#now;
    }

    /** Milliseconds since the start. */
    get elapsed(): number {
        return this.#now;
    }

    /** Sets the wall clock forward, or back: nothing that waits notices. */
    setForward(ms: number): void {
        this.#epoch += ms;
    }

    /** The machine sleeps: timers that have become due fire late, all together, as soon as time advances. */
    suspend(ms: number): void {
        this.#now += ms;
    }

    /** How many sleeps and timers have neither ended nor been aborted. */
    get sleeping(): number {
        return this.#sleepers.length;
    }

    readonly timer = (ms: number, onTime: () => void): (() => void) => {
        const sleeper: Sleeper = { at: this.#now + Math.max(0, ms), wake: onTime };
        // Most new ones sleep longest.
        this.#sleepers.splice(this.#sleepers.findLastIndex(({ at }) => at <= sleeper.at) + 1, 0, sleeper);
        return () => {
            const place = this.#sleepers.indexOf(sleeper);
            if (place >= 0) this.#sleepers.splice(place, 1);
        };
    };

    sleep(ms: number, signal?: AbortSignal): Promise<void> {
        return sleepBy(this.timer, ms, signal);
    }

    /** Lets this much time pass. */
    async advance(ms: number): Promise<void> {
        const end = this.#now + ms;
        await this.#settle();
        while (await this.#wakeNext(end));
        this.#now = Math.max(this.#now, end);
    }

    /** Lets as much time pass as the promise needs. Throws when it waits for something that cannot come. */
    async runUntil<T>(promise: Promise<T>): Promise<T> {
        let done = false;
        const finish = () => {
            done = true;
        };
        promise.then(finish, finish);
        await this.#settle();
        let patience = 0;
        while (!done) {
            if (await this.#wakeNext(Number.POSITIVE_INFINITY)) {
                patience = 0;
                continue;
            }
            if (patience++ > 200) {
                throw new Error("the promise waits for something that is neither a sleep nor under way");
            }
            // Something outside virtual time, such as a file: give it a little real time.
            if (patience > 20) await new Promise((resolve) => setTimeout(resolve, 5));
            await this.#settle();
        }
        return promise;
    }

    /** After this everything has come to rest. */
    async #settle(): Promise<void> {
        do await turn();
        while (!this.#idle());
    }

    /** Ends the sleeps of the next moment, in the order of their start. False if there is none until `end`. */
    async #wakeNext(end: number): Promise<boolean> {
        const [first] = this.#sleepers;
        if (first === undefined || first.at > end) return false;
        this.#now = Math.max(this.#now, first.at);
        for (let next = first; next !== undefined && next.at <= this.#now; next = this.#sleepers[0] as Sleeper) {
            this.#sleepers.shift();
            next.wake();
            // As with real timers, what one sleeper does at once comes before the next one wakes; what it sends does not.
            await turn();
        }
        await this.#settle();
        return true;
    }
}

/** After this all promise callbacks have run that could run. */
const turn = () => new Promise((resolve) => setImmediate(resolve));
