/** Time and randomness as parameters, so that every wait can be tested in milliseconds. */
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

/** Node fires a timer with a longer delay at once. */
const maxTimerMs = 2 ** 31 - 1;

/** The real clock. */
export const systemClock: Clock = {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    async sleep(ms, signal) {
        for (let left = ms; ; left -= maxTimerMs) {
            await timer(Math.min(left, maxTimerMs), signal);
            if (left <= maxTimerMs) return;
        }
    },
};

function timer(ms: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
        if (signal?.aborted) {
            reject(signal.reason);
            return;
        }
        const onAbort = () => {
            clearTimeout(handle);
            reject(signal?.reason);
        };
        const handle = setTimeout(() => {
            // Polling may sleep thousands of times under one signal.
            signal?.removeEventListener("abort", onAbort);
            resolve();
        }, ms);
        signal?.addEventListener("abort", onAbort, { once: true });
    });
}

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
