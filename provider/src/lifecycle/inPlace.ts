/** Brings an existing object to the declared inputs with at most one PUT. What the program does not declare stays as it is. */

import type { ServiceObject } from "../evidence/lists";
import { isSameMarker, markerKey, markerTextIn, newIdentity, newMarker } from "../evidence/marker";
import { dueRequests } from "../inputs/ownRequests";
import { changedInputs, compareInputs, createOnlyInputs } from "../inputs/properties";
import { type Meta, metaOf, wasAdopted } from "../inputs/recordedMeta";
import type { Properties } from "../inputs/values";
import { LifecycleError, messages } from "../messages";
import type { Draft, Subject } from "../operation/subject";
import { RefusedObject } from "../operation/userDecision";
import { laterOwnerOf, readAfterPut } from "./ownership";

/** Updates a recorded object. The draft has the object as it was read, and the new `__meta`. Without a change, nothing is sent. */
export async function updateInPlace(subject: Subject): Promise<Draft> {
    const { id, label, resource, olds, inputs: news, operation } = subject;
    const { shape: fields } = resource.definition.inputs;
    const unsentRequests = dueRequests({ olds, news });
    const changed = changedInputs(fields, olds, news);
    const recorded = metaOf(olds);
    // The record of an adopted object lacks the inputs of its create. A program may declare them later, if the object has these values.
    const declared = changed.createOnly.filter((name) => wasAdopted(recorded) && news[name] !== undefined);
    if (changed.inPlace.length === 0 && declared.length === 0 && unsentRequests.length === 0)
        return { object: olds as ServiceObject, meta: recorded };
    const { api, userDecision } = operation.services;
    const object = await readAfterPut(subject);
    if (object === undefined) throw new LifecycleError(messages.notUpdatable({ object: label }));
    const owner = laterOwnerOf(subject, object, recorded.mark);
    if (owner !== undefined && !userDecision.mayAdopt(id, operation.urn))
        throw new RefusedObject(messages.changedHands({ object: label, owner, id }), [id]);
    const { contradicted, body } = compareInputs(fields, olds, news, object);
    refuseContradicted(
        subject,
        contradicted.filter((name) => declared.includes(name)),
    );
    const meta: Meta = { ...recorded, fingerprint: api.fingerprint, unseenSince: undefined };
    const draft: Draft = { object, meta, unsentRequests };
    if (changed.inPlace.length === 0) return draft;
    // An import sends no PUT, so the recorded marker of an imported object may be another owner's. No PUT may send that marker as this resource's
    // own.
    const isOwn =
        owner === undefined && (!wasAdopted(recorded) || laterOwnerOf(subject, object, undefined) === undefined);
    const ownMarker = isOwn ? (markerTextIn(object.metadata) ?? recorded.mark) : undefined;
    if (ownMarker === undefined || recorded.mark === undefined) meta.imported = true;
    // The first PUT of an object that others have made, or that the user takes back from another owner, marks it as this resource's.
    await putMarked(subject, draft, body, ownMarker ?? newAdoptionMarker(subject));
    return draft;
}

export function newAdoptionMarker(
    { resource: { definition }, operation: { urn, services }, inputs }: Subject,
    state?: { birth: string },
): string {
    const createOnly = createOnlyInputs(definition.inputs.shape, inputs);
    // No attempt is given: an attempt in the marker would say that a create of this resource has made the object.
    return newMarker(newIdentity(services.random, urn, definition.name, createOnly), state);
}

/** Sends one PUT if the object is not as declared, or has another marker. `mustMark`: also if it has no marker. */
export async function bringUpToDate(
    subject: Subject,
    draft: Draft,
    markerText: string,
    mustMark = false,
): Promise<void> {
    const fields = subject.resource.definition.inputs.shape;
    const { isEqual, body } = compareInputs(fields, undefined, subject.inputs, draft.object);
    const current = markerTextIn(draft.object.metadata);
    const isUnmarked = current === undefined && !(mustMark && body.metadata !== undefined);
    if (!isEqual || !(isUnmarked || isSameMarker(current, markerText)))
        await putMarked(subject, draft, body, markerText);
}

export function refuseContradicted({ label }: Subject, contradicted: string[]): void {
    if (contradicted.length === 0) return;
    throw new LifecycleError(messages.otherValues({ object: label, properties: contradicted.join(", ") }));
}

/** Sends a PUT, and notes its time and its marker in the draft. */
async function putMarked(subject: Subject, { meta }: Draft, body: Properties, markerText: string): Promise<void> {
    const isMarked = body.metadata !== undefined;
    // No marker is sent where the service shows no metadata and the program declares none: the marker alone could remove what is there.
    const metadata = { ...(body.metadata as Properties | undefined), [markerKey]: markerText };
    await subject.put(isMarked ? { ...body, metadata } : body);
    meta.putAt = subject.operation.services.clock.now();
    if (isMarked) Object.assign(meta, { mark: markerText, adoptedNonce: undefined });
}
