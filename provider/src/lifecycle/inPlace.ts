/**
 * Brings an existing object to the declared inputs with at most one PUT, and leaves everything unmanaged alone. Items of
 * `perItem` lists are sent afterwards.
 */

import { adoptionMarker, isSameMarker, markerIn, markerKey, visible } from "../evidence/marker";
import type { Definition } from "../inputs/definition";
import { dueItems } from "../inputs/items";
import { changedInputs, contradictions, createIdentity, putBody, undeclaredOrEqual } from "../inputs/properties";
import { metaOf, wasAdopted } from "../inputs/recordedMeta";
import type { Properties } from "../inputs/values";
import { LifecycleError, messages } from "../messages";
import { readPresent } from "../operation/notFound";
import type { Operation } from "../operation/operation";

export interface Described {
    status?: string | undefined;
    metadata?: Record<string, string> | undefined;
    createdOn?: number | undefined;
}

/** One object of the service and how it is reached. */
export interface Target<T extends Described> {
    inputs: Definition["inputs"];
    /** Such as `Content`. */
    kind: string;
    /** Such as `Content 5f2a`. */
    what: string;
    id: string;
    get(): Promise<T>;
    put(body: Properties): Promise<unknown>;
}

/**
 * Updates a managed object; gives the object as it was before, and the marker that it has now if that is a new one. Sends
 * nothing, and gives nothing, when no request is due, here or afterwards.
 */
export async function updateInPlace<T extends Described>(
    target: Target<T>,
    olds: Properties,
    news: Properties,
    operation: Operation,
): Promise<{ object: T; marked?: { marker: string; imported: true } } | undefined> {
    const changed = changedInputs(target.inputs, olds, news);
    const meta = metaOf(olds);
    // Only an object that was adopted can be declared bit by bit: what it was created with is not recorded.
    const declared = changed.createOnly.filter((name) => wasAdopted(meta) && news[name] !== undefined);
    const due = dueItems(target.inputs, olds, news);
    if (changed.inPlace.length === 0 && declared.length === 0 && due.length === 0) return undefined;
    const object = await readPresent({ what: target.what, olds, operation }, target.get);
    refuseContradictions(target, Object.fromEntries(declared.map((name) => [name, news[name]])), object);
    if (changed.inPlace.length === 0) return { object };
    const kept = markerIn(object.metadata) ?? meta.marker;
    // From its first PUT on, an adopted object shows its owner.
    const marker = kept ?? adoptionMarker(operation, target.kind, createIdentity(target.inputs, news));
    const isSent = await put(target, olds, news, object, marker);
    return isSent && kept === undefined ? { object, marked: { marker, imported: true } } : { object };
}

/** One PUT, if the object differs from what is declared, or has another marker. Gives the marker that it has then. */
export async function bringUpToDate<T extends Described>(
    target: Target<T>,
    inputs: Properties,
    object: T,
    marker: string,
): Promise<string | undefined> {
    const shown = markerIn(object.metadata);
    const isMarked = shown === undefined || isSameMarker(shown, marker);
    if (isMarked && undeclaredOrEqual(target.inputs, inputs, visible(object))) return shown;
    return (await put(target, {}, inputs, object, marker)) ? marker : shown;
}

/** Refuses other values of inputs that only a create can set. */
export function refuseContradictions(target: Target<Described>, declared: Properties, object: Described): void {
    const names = contradictions(target.inputs, declared, object);
    if (names.length === 0) return;
    throw new LifecycleError(messages.otherValues({ object: target.what, properties: names.join(", ") }));
}

/** Whether the marker was sent with it. */
async function put<T extends Described>(
    target: Target<T>,
    olds: Properties,
    news: Properties,
    object: T,
    marker: string,
): Promise<boolean> {
    const body = putBody(target.inputs, olds, news, visible(object));
    const isMarked = body.metadata !== undefined;
    // Metadata that the service does not return and the program does not declare is left alone.
    if (isMarked) body.metadata = { ...(body.metadata as Properties), [markerKey]: marker };
    await target.put(body);
    return isMarked;
}
