/**
 * Bringing an existing object to the declared inputs: one PUT at most, and nothing that is not managed is touched. Items of
 * `perItem` lists are sent afterwards.
 */
import { messages } from "../../messages";
import { isSameMarker, markerIn, markerKey, renamedMarker, visible } from "../create/marker";
import type { Definition } from "../definition";
import { LifecycleError, type Operation, type Properties } from "../resource";
import { dueItems } from "./items";
import { changedInputs, contradictions, putBody, undeclaredOrEqual } from "./properties";
import { readPresent } from "./readManaged";
import { metaOf, wasAdopted } from "./recordedMeta";

export interface Described {
    status?: string | undefined;
    metadata?: Record<string, string> | undefined;
    createdOn?: number | undefined;
}

/** One object of the service and how it is reached. */
export interface Target<T extends Described> {
    inputs: Definition["inputs"];
    /** Such as `Content 5f2a`. */
    what: string;
    id: string;
    get(): Promise<T>;
    put(body: Properties): Promise<unknown>;
}

/**
 * Updates a managed object; gives the object as it was before, and its marker now. Sends nothing, and gives nothing, when no
 * request is due, here or afterwards.
 */
export async function updateInPlace<T extends Described>(
    target: Target<T>,
    olds: Properties,
    news: Properties,
    operation: Operation,
): Promise<{ object: T; marker: string | undefined } | undefined> {
    const changed = changedInputs(target.inputs, olds, news);
    const meta = metaOf(olds);
    // Only an object that was adopted can be declared bit by bit: what it was created with is not recorded.
    const declared = changed.createOnly.filter((name) => wasAdopted(meta) && news[name] !== undefined);
    const due = dueItems(target.inputs, olds, news);
    if (changed.inPlace.length === 0 && declared.length === 0 && due.length === 0) return undefined;
    const object = await readPresent(target.what, olds, operation, target.get);
    refuseContradictions(target, Object.fromEntries(declared.map((name) => [name, news[name]])), object);
    if (changed.inPlace.length === 0) return { object, marker: meta.marker };
    // `orphans` goes by the marker's name, so it follows the resource (S9).
    const shown = markerIn(object.metadata);
    const own = shown === undefined || isSameMarker(shown, meta.marker) ? meta.marker : undefined;
    const marker = own === undefined ? shown : renamedMarker(own, operation.urn);
    const isSent = await put(target, olds, news, object, marker);
    return { object, marker: isSent && own !== undefined ? marker : meta.marker };
}

/** One PUT, if the object differs from what is declared. */
export async function bringUpToDate<T extends Described>(
    target: Target<T>,
    inputs: Properties,
    object: T,
): Promise<void> {
    if (undeclaredOrEqual(target.inputs, inputs, visible(object))) return;
    await put(target, {}, inputs, object, markerIn(object.metadata));
}

/** What only a create can set cannot be declared otherwise than it is. */
export function refuseContradictions(target: Target<Described>, declared: Properties, object: Described): void {
    const names = contradictions(target.inputs, declared, object);
    if (names.length === 0) return;
    const them = names.length === 1 ? "it" : "them";
    throw new LifecycleError(messages.otherValues({ object: target.what, properties: names.join(", "), them }));
}

/** Whether the marker was sent with it. */
async function put<T extends Described>(
    target: Target<T>,
    olds: Properties,
    news: Properties,
    object: T,
    marker: string | undefined,
): Promise<boolean> {
    const body = putBody(target.inputs, olds, news, visible(object));
    const isMarked = body.metadata !== undefined && marker !== undefined;
    // Where the service does not tell the metadata and the program does not declare it, it is left alone.
    if (isMarked) body.metadata = { ...(body.metadata as Properties), [markerKey]: marker };
    await target.put(body);
    return isMarked;
}
