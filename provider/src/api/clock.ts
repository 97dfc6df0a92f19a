/** Time and chance as parameters, so that every wait can be tested in milliseconds. */
export interface Clock {
    /** Milliseconds since the Unix epoch. */
    now(): number;
    /** Resolves after `ms`; rejects with `signal.reason` as soon as the signal is aborted. */
    sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** A number from 0 (inclusive) to 1 (exclusive), as `Math.random` gives. */
export type Random = () => number;

/** Node fires a timer with a longer delay at once. */
const longestTimer = 2 ** 31 - 1;

/** The real clock. */
export const systemClock: Clock = {
    now: () => Date.now(),
    async sleep(ms, signal) {
        for (let left = ms; ; left -= longestTimer) {
            await timer(Math.min(left, longestTimer), signal);
            if (left <= longestTimer) return;
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
