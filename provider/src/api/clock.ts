/** Time and randomness are parameters: a test passes a clock of its own, and a wait of hours takes milliseconds. */
export interface Clock {
    /**
     * The wall clock, in ms since the Unix epoch. It jumps when somebody sets it. Use it only for times that are recorded, or compared with the
     * service's.
     */
    now(): number;
    /** For durations: milliseconds since some moment of this process. Nobody can set this clock, but it may stop while the machine sleeps. */
    monotonic(): number;
    /** Calls `onTime` after `ms`. The returned function cancels that. */
    timer(ms: number, onTime: () => void): () => void;
    /** Resolves after `ms`; rejects with `signal.reason` as soon as the signal is aborted. */
    sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Draws a number from 0 (inclusive) to 1 (exclusive), as `Math.random` does. */
export type Random = () => number;

/** A deadline on the monotonic clock: setting the machine's clock does not move it. */
export class Deadline {
    readonly #clock: Clock;
    /** The end, in the milliseconds of `Clock.monotonic`. */
    readonly at: number;

    /** `ms`: the time until the deadline. `option`: the resource option that gives the user more time, as a program writes it, for messages. */
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

    /** Calls `onTime` at the deadline. The returned function cancels that. */
    timer(onTime: () => void): () => void {
        return this.#clock.timer(this.left, onTime);
    }
}

/** The longest delay of a timer, some 24 days. Node fires a timer with a longer delay at once. */
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

/** Implements `sleep` of a clock with its `timer`. */
export function sleepBy(timer: Clock["timer"], ms: number, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = timer(ms, resolve);
    return unlessAborted(promise, signal).finally(cancel);
}

const listeners = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `listener` when the signal is aborted. The returned function cancels that. Node walks all listeners of a signal whenever one is added or
 * removed, which is slow for the thousands of requests that wait under one signal. So the signal gets only one listener, and this one calls all the
 * others.
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

/** Calls `run` with a signal that is aborted at the deadline, or when `parent` is aborted. Even then it waits for `run`, and returns its result. */
export async function withTimeLimit<T>(
    deadline: Deadline,
    parent: AbortSignal | undefined,
    run: (signal: AbortSignal) => Promise<T>,
    late?: () => unknown,
): Promise<T> {
    parent?.throwIfAborted();
    const controller = new AbortController();
    const forget = parent && onAbort(parent, () => controller.abort(parent.reason));
    const cancel = deadline.timer(() => controller.abort(late?.()));
    try {
        return await run(controller.signal);
    } finally {
        forget?.();
        cancel();
    }
}

/**
 * Waits for the promise. It throws the signal's reason as soon as the signal is aborted, or `late()` at the deadline. The work behind the promise
 * goes on.
 */
export async function unlessAborted<T>(
    promise: Promise<T>,
    signal: AbortSignal | undefined,
    deadline?: Deadline,
    late?: () => unknown,
): Promise<T> {
    const { promise: first, resolve, reject } = Promise.withResolvers<T>();
    if (signal?.aborted) reject(signal.reason);
    const forget = signal && onAbort(signal, () => reject(signal.reason));
    const cancel = deadline?.timer(() => reject(late?.()));
    promise.then(resolve, reject);
    try {
        return await first;
    } finally {
        forget?.();
        cancel?.();
    }
}
