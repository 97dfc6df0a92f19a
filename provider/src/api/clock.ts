/** Time and randomness as parameters, so that every wait can be tested in milliseconds. */
export interface Clock {
    /** Wall clock: milliseconds since the Unix epoch. It jumps. Only for times that are recorded or compared with the service. */
    now(): number;
    /** Milliseconds since some moment of this process. Never jumps; may stop while the machine sleeps. */
    monotonic(): number;
    /** Calls `onTime` after `ms`, unless the returned function is called before. */
    timer(ms: number, onTime: () => void): () => void;
    /** Resolves after `ms`; rejects with `signal.reason` as soon as the signal is aborted. */
    sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** A number from 0 (inclusive) to 1 (exclusive), like `Math.random`. */
export type Random = () => number;

/** A deadline on the monotonic clock: setting the machine's clock does not move it. */
export class Deadline {
    readonly #clock: Clock;
    /** The end, as `Clock.monotonic` counts. */
    readonly at: number;

    /** `ms`: the time that is left at the beginning. `option`: the resource option that the user can give it more time by, as a program writes it. */
    constructor(
        clock: Clock,
        readonly ms: number,
        readonly option?: string,
    ) {
        this.#clock = clock;
        this.at = clock.monotonic() + ms;
    }

    /** The time that is left, in ms; 0 once the deadline has passed. */
    get left(): number {
        return Math.max(0, this.at - this.#clock.monotonic());
    }

    get passed(): boolean {
        return this.left === 0;
    }

    /** Calls `onTime` when it passes, unless the returned function is called before. */
    timer(onTime: () => void): () => void {
        return this.#clock.timer(this.left, onTime);
    }
}

/** The longest delay of a timer: with a longer one, of more than 24 days, Node fires it at once. */
const maxTimerMs = 2 ** 31 - 1;

export const systemClock: Clock = {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    timer: (ms, onTime) => {
        const timer = setTimeout(onTime, Math.min(ms, maxTimerMs));
        return () => clearTimeout(timer);
    },
    sleep: (ms, signal) => sleepBy(systemClock.timer, ms, signal),
};

/** A clock's `sleep`, by its timers. */
export function sleepBy(timer: Clock["timer"], ms: number, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = timer(ms, resolve);
    return unlessAborted(promise, signal).finally(cancel);
}

const listeners = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `listener` when the signal is aborted, unless the returned function is called before. All share one listener of the signal: a signal
 * walks its list of listeners at each addition and removal, and thousands of requests wait under the same signal.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
    let all = listeners.get(signal);
    if (all === undefined) {
        const first = new Set<() => void>();
        signal.addEventListener("abort", () => first.forEach((one) => void one()), { once: true });
        listeners.set(signal, first);
        all = first;
    }
    const known = all.add(listener);
    return () => known.delete(listener);
}

/** Runs something under a signal that is aborted at the deadline, or with its parent. */
export async function withTimeLimit<T>(
    deadline: Deadline,
    parent: AbortSignal | undefined,
    run: (signal: AbortSignal) => Promise<T>,
    late?: () => unknown,
): Promise<T> {
    parent?.throwIfAborted();
    const controller = new AbortController();
    const work = run(controller.signal);
    return unlessAborted(work, parent, deadline, late).catch((reason: unknown) => {
        controller.abort(reason);
        return work;
    });
}

/** The promise, but rejected with the signal's reason once the signal is aborted, and with `late()` at the deadline; the work continues. */
export async function unlessAborted<T>(
    promise: Promise<T>,
    signal: AbortSignal | undefined,
    deadline?: Deadline,
    late?: () => unknown,
): Promise<T> {
    const { promise: end, reject } = Promise.withResolvers<never>();
    if (signal?.aborted) reject(signal.reason);
    const forget = signal && onAbort(signal, () => reject(signal.reason));
    const cancel = deadline?.timer(() => reject(late?.()));
    try {
        return await Promise.race([promise, end]);
    } finally {
        forget?.();
        cancel?.();
    }
}
