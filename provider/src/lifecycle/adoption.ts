/** Adoption (L8): an existing object becomes a resource's own, if no other resource has it and nothing contradicts the resource's inputs. */

import { isSameId } from "../api";
import { isBeingDeleted } from "../api/status";
import { forgetCreates } from "../create/ledger";
import { markerTextIn, ownerOf, readMarker } from "../evidence/marker";
import { dueRequests } from "../inputs/ownRequests";
import { compareInputs } from "../inputs/properties";
import { newMeta } from "../inputs/recordedMeta";
import { LifecycleError, messages } from "../messages";
import { unlessNotFound } from "../operation/notFound";
import type { Draft, Subject } from "../operation/subject";
import { RefusedObject, removalOf } from "../operation/userDecision";
import { bringUpToDate, newAdoptionMarker, refuseContradicted } from "./inPlace";
import { refuseForeignMarker } from "./ownership";

export async function adopt(subject: Subject): Promise<Draft> {
    const { id, label, resource, operation } = subject;
    const { definition } = resource;
    const { urn, services } = operation;
    const unsentRequests = dueRequests({ olds: {}, news: subject.inputs });
    refuseManaged(subject);
    // From here on no other resource of this run can adopt it.
    services.claims.claim(id, urn);
    const object = await unlessNotFound(() => subject.get());
    if (object === undefined) throw new LifecycleError(messages.noSuchObject({ object: `importId: ${label}` }));
    // A stack of the same name, elsewhere or earlier, is another one.
    const state = await services.ownState.of(urn, definition.name, operation);
    const holder = state?.holderElsewhere(id);
    if (holder !== undefined && !services.userDecision.mayAdopt(id, urn))
        throw new RefusedObject(messages.heldElsewhere({ object: label, holder, way: removalOf(holder), id }), [id]);
    const thisResource = ownerOf(urn, definition.name, state?.birth);
    const marker = readMarker(object.metadata);
    const asked = { object: `importId: ${label}`, kind: definition.name, id, urn };
    refuseForeignMarker(asked, marker, thisResource, services.userDecision);
    const phase = resource.phase(id, object);
    const status = isBeingDeleted(object.status) ? object.status : phase.is === "failed" && phase.status;
    if (status) throw new LifecycleError(messages.adoptionFailed({ object: label, status }));
    refuseContradicted(subject, compareInputs(definition.inputs.shape, undefined, subject.inputs, object).contradicted);
    // With a new marker, no journal entry of an earlier create fits the object any more.
    // A record that this process does not know would be deleted with the object, unless the object shows who has it now.
    const mustMark = state === undefined || holder !== undefined || services.ownState.skipsCheckpoints;
    const own = newAdoptionMarker(subject, state);
    const meta = newMeta(services.api.fingerprint, markerTextIn(object.metadata));
    const draft: Draft = { object, meta, unsentRequests };
    await bringUpToDate(subject, draft, own, mustMark);
    if (meta.mark !== undefined) meta.imported = true;
    // Entries are found by id too: the service may not show the object's marker.
    const entries = await services.journal.entriesOf(thisResource.resourceDigest).catch(() => []);
    const ended = entries.flatMap((entry) => (isSameId(entry.id ?? "", id) ? entry.nonce : []));
    await forgetCreates(services.journal, marker === undefined ? ended : [...ended, marker.nonce]);
    return draft;
}

function refuseManaged({ id, label: object, operation: { services, urn } }: Subject): void {
    const { claims } = services;
    const owner = claims.ownerOf(id, urn);
    if (owner === undefined) return;
    if (owner !== urn) throw new LifecycleError(messages.importIdTwice({ other: owner }));
    // An object that is not recorded yet is this resource's own: the engine is repeating a create in this process (an `onError` hook).
    if (isSameId(claims.shownRecordOf(urn)?.id ?? "", id))
        throw new LifecycleError(messages.managedByItself({ object }));
}
