/** Adoption by `importId`: an existing object becomes a resource's own, unless another resource has it, or its values contradict the inputs. */

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
    const { claims } = services;
    const other = claims.otherOwnerOf(id, urn);
    if (other !== undefined) throw new LifecycleError(messages.importIdTwice({ other }));
    // The state has this object for this very resource, so there is nothing to adopt. A create that the engine repeats (an `onError` hook) passes
    // this test: the state does not have its object yet.
    if (isSameId(claims.shownRecordOf(urn)?.id ?? "", id))
        throw new LifecycleError(messages.managedByItself({ object: label }));
    // Claimed before any request: meanwhile no other resource of this run can adopt the object.
    claims.claim(id, urn);
    const object = await unlessNotFound(() => subject.get());
    if (object === undefined) throw new LifecycleError(messages.noSuchObject({ object: `importId: ${label}` }));
    // The state tells this stack from another stack of the same name, in another backend or of an earlier time.
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
    // Where the state is not known for certain, or another process has a record of the object, the object must get this resource's marker. The marker
    // protects it from a create that finds it by its old marker, and from the delete of a record that this process does not know.
    const mustMark = state === undefined || holder !== undefined || services.ownState.skipsCheckpoints;
    const own = newAdoptionMarker(subject, state);
    const meta = newMeta(services.api.fingerprint, markerTextIn(object.metadata));
    const draft: Draft = { object, meta, unsentRequests };
    await bringUpToDate(subject, draft, own, mustMark);
    if (meta.mark !== undefined) meta.imported = true;
    // The creates that had this object are over, so their entries go. Where the service shows no marker, an entry is known by the id that it has
    // noted.
    const entries = await services.journal.entriesOf(thisResource.resourceDigest).catch(() => []);
    const ended = entries.flatMap((entry) => (isSameId(entry.id ?? "", id) ? entry.nonce : []));
    await forgetCreates(services.journal, marker === undefined ? ended : [...ended, marker.nonce]);
    return draft;
}
