/** What is known of an object while it is brought to what is declared. A failure keeps all of it. */
import { ApiError } from "../api";
import type { Listed } from "../evidence/lists";
import { type DueItem, withoutPending } from "../inputs/items";
import type { Meta } from "../inputs/recordedMeta";
import type { Properties } from "../inputs/values";
import { LifecycleError, messageOf, messages } from "../messages";
import type { Subject } from "./resource";

export interface Progress<T> {
    object: Partial<T>;
    /** The inputs that the object has. */
    inputs: Properties;
    meta: Meta;
}

/** The object exists, but not with all inputs. */
export class NotUpdated extends LifecycleError {}

/** The items that have separate requests, and both sides of the comparison that they come from. */
export interface Items {
    due: readonly DueItem[];
    olds: Properties;
    news: Properties;
}

/** Sends the items one by one, and records each, so that the next update continues where this one failed. */
export async function sendItems<T extends Listed>(
    { id, what: object, definition, operation: { signal }, redactor, service }: Subject<T>,
    progress: Progress<T>,
    { due, olds, news }: Items,
): Promise<void> {
    const options = { signal, redactor };
    for (const [index, { name, item, what, isWhenReady }] of due.entries()) {
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
        progress.inputs = withoutPending(definition.inputs, olds, news, due.slice(index + 1));
    }
}
