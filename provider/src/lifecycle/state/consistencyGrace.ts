/** A service may show an object a moment later than it accepted its create. */
import { consistencyGraceMs, NotFoundError } from "../../api";
import type { Operation, Properties } from "../resource";
import { metaOf } from "./recordedMeta";

const pauseMs = 2_000;

/**
 * Whether the recorded object had been created so recently when it was asked for that a 404 proves nothing; waits a little if
 * so. `askedAt` is when the request began: its answer, or the list that confirms it, may take longer than the grace.
 */
export async function isTooEarly(
    olds: Properties,
    askedAt: number,
    { environment: { clock }, signal }: Operation,
): Promise<boolean> {
    const { unseen } = metaOf(olds);
    // The clocks of two machines may differ.
    if (unseen === undefined || Math.abs(askedAt - unseen) >= consistencyGraceMs) return false;
    await clock.sleep(pauseMs, signal);
    return true;
}

/** Runs a request for a recorded object, and again as long as its 404 proves nothing. */
export async function patiently<T>(olds: Properties, operation: Operation, request: () => Promise<T>): Promise<T> {
    for (;;) {
        const askedAt = operation.environment.clock.now();
        try {
            return await request();
        } catch (error) {
            if (!(error instanceof NotFoundError) || !(await isTooEarly(olds, askedAt, operation))) throw error;
        }
    }
}
