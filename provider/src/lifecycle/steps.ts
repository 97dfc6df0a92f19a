/**
 * The steps that bring an object to what is declared, and what each has shown: a failure keeps the facts of the steps before
 * it, and what it has shown itself.
 */
import { ApiError } from "../api";
import type { Listed } from "../evidence/lists";
import type { Definition } from "../inputs/definition";
import { type DueItem, withoutPending } from "../inputs/items";
import type { Meta } from "../inputs/recordedMeta";
import type { Properties } from "../inputs/values";
import { LifecycleError, messageOf, messages } from "../messages";
import { WaitTimeout } from "../wait/watcher";
import { Unusable, type Waiting } from "./resource";

/** The known facts after a step. */
export interface Progress<T> {
    object: Partial<T>;
    /** The inputs that the object has. */
    inputs: Properties;
    meta: Meta;
}

export type Step<T> = (progress: Progress<T>) => Promise<Progress<T>>;

/** Sends the items one by one. The record is updated after each, so that the next update continues where this one failed. */
export function itemSteps<T extends Listed>(
    { name, inputs: table }: Definition,
    { id, operation, redactor, service }: Waiting<T>,
    { due, olds, news }: { due: DueItem[]; olds: Properties; news: Properties },
): Step<T>[] {
    const { signal } = operation;
    const send = async (one: DueItem): Promise<Partial<T> | undefined> => {
        if (isWhenReady(one, table)) return service.setWhenReady?.(id, one.item, { signal, redactor });
        await service.setItem?.(id, one.item, { signal, redactor });
        return undefined;
    };
    return due.map((one, index) => async ({ object, meta }) => {
        const fail = (error: unknown) => {
            const isRefused = !isWhenReady(one, table) && error instanceof ApiError && error.outcome === "refused";
            const what = { object: `${name} ${id}`, item: one.what, error: messageOf(error) };
            return new NotUpdated(
                isRefused
                    ? messages.itemRefused({ ...what, status: object.status ?? "unknown", input: one.name })
                    : messages.itemNotSet(what),
            );
        };
        if (signal.aborted) throw fail(signal.reason);
        const shown = await send(one).catch((error: unknown) => {
            throw fail(error);
        });
        const inputs = withoutPending(table, olds, news, due.slice(index + 1));
        return { object: { ...object, ...shown }, inputs, meta };
    });
}

/** Whether an item is not of the create's own request, and has to wait until the object is as requested. */
export function isWhenReady({ name }: DueItem, table: Definition["inputs"]): boolean {
    return table[name]?.change === "whenReady";
}

/** The object exists, but not with all inputs. */
export class NotUpdated extends LifecycleError {}

/** The facts that a failed step has shown nevertheless. */
export function afterFailure<T>({ object, inputs, meta }: Progress<T>, error: unknown): Progress<T> {
    if (error instanceof Unusable) return { object: { ...object, ...error.object }, inputs, meta: seen(meta) };
    const isSeen = error instanceof WaitTimeout && error.lastStatus !== undefined;
    return { object, inputs, meta: isSeen ? seen(meta) : meta };
}

/** The object was read after its create. */
export function seen(meta: Meta): Meta {
    return { ...meta, unseen: undefined };
}
