/** A service may show an object a moment later than it accepted its create. */
import { NotFoundError } from "../api";
import { metaOf } from "./hidden";
import type { Operation, Properties } from "./resource";

/** For so long after a create a 404 proves nothing, in ms. */
const grace = 30_000;
const pause = 2_000;

/**
 * Runs a request for a recorded object, and again as long as it answers 404 for one that was only just created. Under other
 * credentials than it was created with, a 404 is judged by those (S2).
 */
export async function patiently<T>(
    olds: Properties,
    { environment: { clock, trust }, signal }: Operation,
    request: () => Promise<T>,
): Promise<T> {
    const { env, unseen } = metaOf(olds);
    for (;;) {
        try {
            return await request();
        } catch (error) {
            // The clocks of two machines may differ.
            const isNew = trust.isCurrent(env) && unseen !== undefined && Math.abs(clock.now() - unseen) < grace;
            if (!(error instanceof NotFoundError) || !isNew) throw error;
        }
        await clock.sleep(pause, signal);
    }
}
