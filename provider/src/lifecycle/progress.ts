/**
 * The known facts about an object while it is brought to its declared form. A failure keeps all of them. The request for an item, such
 * as a subtitle, is part of the resource: `setItem` in `resources/content/lifecycle.ts`.
 */
import { ApiError } from "../api";
import type { Listed } from "../evidence/lists";
import type { DueItem } from "../inputs/items";
import type { Meta } from "../inputs/recordedMeta";
import type { Properties } from "../inputs/values";
import { LifecycleError, messageOf, messages } from "../messages";
import type { Subject } from "./resource";

export interface Progress<T> {
    object: Partial<T>;
    /** The inputs that the object has as soon as nothing is pending. */
    inputs: Properties;
    /** The items that it does not have yet: each needs a separate request. */
    pending: readonly DueItem[];
    meta: Meta;
    /** The outputs as they were recorded before. */
    olds: Properties;
}

/** The object exists, but is not as declared. The message says all that is to be done. */
export class NotUpdated extends LifecycleError {}

/** Sends the items one by one, so that the next update continues where this one failed. */
export async function sendItems<T extends Listed>(
    { id, what: object, operation: { signal }, redactor, service }: Subject<T>,
    progress: Progress<T>,
): Promise<void> {
    const options = { signal, redactor };
    for (const due of progress.pending) {
        const { name, item, what, isWhenReady } = due;
        try {
            signal.throwIfAborted();
            if (isWhenReady) Object.assign(progress.object, await service.setWhenReady?.(id, item, options));
            else await service.setItem?.(id, item, options);
        } catch (error) {
            const { status = "unknown" } = progress.object as Listed;
            const failed = { object, item: what, error: messageOf(error) };
            const isRefused = !isWhenReady && error instanceof ApiError && error.outcome === "refused";
            throw new NotUpdated(
                isRefused ? messages.itemRefused({ ...failed, status, input: name }) : messages.itemNotSet(failed),
            );
        }
        progress.pending = progress.pending.filter((one) => one !== due);
    }
}
