/**
 * Finds the objects of a create by their marker: candidates in the lists by title, then each candidate by a GET, because the
 * service cannot be asked for metadata and its lists may not show it. Never other titles, and never the whole account: `evidence/lists.ts` says
 * how far a list is read.
 */
import type { CallOptions } from "../api";
import { titleDigest } from "../evidence/digest";
import type { Listed, ObjectList } from "../evidence/lists";
import { type Marker, markerOf } from "../evidence/marker";
import { LifecycleError, messages } from "../messages";
import { unlessMissing } from "../operation/notFound";
import type { Operation } from "../operation/operation";
import { isLeaving } from "../wait/status";

/** One kind of object, as creates and searches handle it. */
export interface Kind<T extends Listed> {
    name: string;
    idOf(object: T): string;
    get(id: string, options: CallOptions): Promise<T>;
    post(body: object, options: CallOptions): Promise<T>;
    lists(): ObjectList<T>[];
    remove(id: string, options: CallOptions): Promise<void>;
}

export interface Query<T extends Listed> {
    kind: Kind<T>;
    /** Digests of the titles that it may have. */
    titles: readonly string[];
    /** It was not created before this, in ms since the epoch. */
    since: number;
    isIt(marker: Marker): boolean;
    /** The items to look through, where they were read already. */
    items?: readonly T[];
    options: CallOptions;
}

/** The objects that are there and not being deleted. @throws {LifecycleError} where what was read does not show it. */
export async function look<T extends Listed>(operation: Operation, query: Query<T>): Promise<T[]> {
    const { kind, since } = query;
    const found = new Map<string, T>();
    let doubt: LifecycleError | undefined;
    for (const list of kind.lists()) {
        const { items, complete } = query.items
            ? { items: query.items, complete: true }
            : await operation.environment.lists.read(list, since, operation.signal);
        if (!complete) doubt = new LifecycleError(messages.listTooLong({ list: list.name }));
        for (const item of items) {
            if (!isCandidate(item, query)) continue;
            const object = await unlessMissing(() => kind.get(kind.idOf(item), query.options));
            // A service may list a new object before it can be read, so its owner is unknown.
            if (object === undefined && !isLeaving(item.status))
                doubt = new LifecycleError(messages.listedUnreadable({ object: `${kind.name} ${kind.idOf(item)}` }));
            if (object !== undefined && isFound(object, query)) found.set(kind.idOf(object), object);
        }
    }
    if (found.size === 0 && doubt !== undefined) throw doubt;
    return [...found.values()];
}

/** The object with this id, if it is there and not being deleted, whatever marker it has. */
export async function lookAt<T extends Listed>(id: string, { kind, options }: Query<T>): Promise<T[]> {
    const object = await unlessMissing(() => kind.get(id, options));
    return object === undefined || isLeaving(object.status) ? [] : [object];
}

function isCandidate<T extends Listed>(item: T, { titles, isIt }: Query<T>): boolean {
    const shown = markerOf(item.metadata);
    if (shown !== undefined) return isIt(shown);
    return item.title === undefined || titles.includes(titleDigest(item.title));
}

function isFound<T extends Listed>(object: T, { isIt }: Query<T>): boolean {
    const marker = markerOf(object.metadata);
    return marker !== undefined && isIt(marker) && !isLeaving(object.status);
}
