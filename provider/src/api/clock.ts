/** Time and randomness as parameters, so that every wait can be tested in milliseconds. */
import { setTimeout } from "node:timers/promises";

export interface Clock {
    /** Wall clock: milliseconds since the Unix epoch. It jumps. Only for what is recorded or compared with the service. */
    now(): number;
    /** Milliseconds since some moment of this process. Never jumps; may stop while the machine sleeps. */
    monotonic(): number;
    /** Resolves after `ms`; rejects with `signal.reason` as soon as the signal is aborted. */
    sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** A number from 0 (inclusive) to 1 (exclusive), like `Math.random`. */
export type Random = () => number;

/** A deadline on the monotonic clock: setting the machine's clock does not move it. */
export class Deadline {
    readonly #clock: Clock;
    /** As `Clock.monotonic` counts. */
    readonly at: number;

    private constructor(clock: Clock, at: number) {
        this.#clock = clock;
        this.at = at;
    }

    static after(clock: Clock, ms: number): Deadline {
        return new Deadline(clock, clock.monotonic() + ms);
    }

    /** In ms; 0 once it has passed. */
    get left(): number {
        return Math.max(0, this.at - this.#clock.monotonic());
    }

    get passed(): boolean {
        return this.left === 0;
    }
}

/** Node fires a timer with a longer delay, of more than 24 days, at once. */
const maxTimerMs = 2 ** 31 - 1;

/** The real clock. */
export const systemClock: Clock = {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    sleep: (ms, signal) =>
        setTimeout(Math.min(ms, maxTimerMs), undefined, { signal }).catch(() => {
            throw signal?.reason;
        }),
};

/** Runs something under a signal that is aborted after a time, with `reason`, or with its parent. */
export async function withTimeLimit<T>(
    limit: { clock: Clock; ms: number; signal: AbortSignal | undefined; reason: () => unknown },
    run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
    const { clock, ms, signal: parent, reason } = limit;
    parent?.throwIfAborted();
    const controller = new AbortController();
    const onAbort = () => controller.abort(parent?.reason);
    parent?.addEventListener("abort", onAbort, { once: true });
    clock.sleep(ms, controller.signal).then(
        () => controller.abort(reason()),
        () => {}, // Aborted early, by the parent or because `run` has ended.
    );
    try {
        return await run(controller.signal);
    } finally {
        parent?.removeEventListener("abort", onAbort);
        controller.abort(finished);
    }
}

const finished = Symbol("finished");

/** The promise, or the reason of the signal once it is aborted: its work goes on. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
    let stop = () => {};
    const aborted = new Promise<never>((_, reject) => {
        stop = () => reject(signal.reason);
    });
    signal.addEventListener("abort", stop);
    try {
        signal.throwIfAborted();
        return await Promise.race([promise, aborted]);
    } finally {
        signal.removeEventListener("abort", stop);
        promise.catch(() => {});
    }
}
