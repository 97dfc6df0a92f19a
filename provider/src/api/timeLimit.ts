/** Runs something under a signal that is aborted after a time, or with its parent. */
import type { Clock } from "./clock";

const finished = Symbol("finished");

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
        () => {}, // Ended before its time, by one of the two other ways.
    );
    try {
        return await run(controller.signal);
    } finally {
        parent?.removeEventListener("abort", onAbort);
        controller.abort(finished);
    }
}
