/** Adoption (L8): an object that exists becomes a resource's, if no other resource has it and nothing contradicts its inputs. */

import { isSameId } from "../api";
import { adopted } from "../create/recorded";
import { adoptionMarker, markerIn, owner, ownerInMarker } from "../evidence/marker";
import { createIdentity } from "../inputs/properties";
import type { Properties } from "../inputs/values";
import { LifecycleError, messages } from "../messages";
import { unlessMissing } from "../operation/notFound";
import type { Environment, Operation } from "../operation/operation";
import { isLeaving } from "../wait/status";
import { bringUpToDate, type Described, refuseContradictions, type Target } from "./inPlace";

export interface Adopted<T> {
    object: T;
    /** Its marker, if it has one by now. */
    marker: string | undefined;
}

export async function adopt<T extends Described>(
    target: Target<T>,
    inputs: Properties,
    operation: Operation,
    whyNot: ((object: T) => string | undefined) | undefined,
): Promise<Adopted<T>> {
    const { managers } = operation.environment;
    refuseManaged(target.what, target.id, operation);
    // From here on no other resource of this run can adopt it.
    managers.note(target.id, operation.urn);
    try {
        return await adoptClaimed(target, inputs, operation, whyNot);
    } catch (error) {
        managers.forget(target.id);
        throw error;
    }
}

async function adoptClaimed<T extends Described>(
    target: Target<T>,
    inputs: Properties,
    operation: Operation,
    whyNot: ((object: T) => string | undefined) | undefined,
): Promise<Adopted<T>> {
    const object = await unlessMissing(target.get);
    if (object === undefined) {
        throw new LifecycleError(messages.notAdoptable({ object: target.what }));
    }
    const asked = { object: `importId: ${target.what}`, id: target.id, urn: operation.urn };
    refuseMarked(asked, markerIn(object.metadata), operation.environment.unrecorded);
    const status = isLeaving(object.status) ? object.status : whyNot?.(object);
    if (status !== undefined) throw new LifecycleError(messages.adoptionFailed({ object: target.what, status }));
    refuseContradictions(target, inputs, object);
    // A new marker: no journal, on whatever machine, knows this object by it.
    const fresh = adoptionMarker(operation, target.kind, createIdentity(target.inputs, inputs));
    const marker = await bringUpToDate(target, inputs, object, fresh);
    await adopted(operation.environment.journal, { urn: operation.urn, kind: target.kind, id: target.id });
    return { object, marker };
}

/** Refuses to adopt an object that a resource of this stack manages. */
function refuseManaged(what: string, id: string, { environment, urn }: Operation): void {
    const { managers } = environment;
    const manager = managers.by(id);
    if (manager === undefined) return;
    if (manager !== urn) throw new LifecycleError(messages.managedHere({ object: what, resource: manager }));
    // Else the engine repeats a create in this process (an `onError` hook).
    if (managers.predecessorOf(urn)?.id === id) throw new LifecycleError(messages.managedByItself({ object: what }));
}

/** Refuses to adopt an object whose marker names another resource, unless the user has named its id for this run. */
export function refuseMarked(
    { object, id, urn }: { object: string; id: string; urn: string | undefined },
    marker: string | undefined,
    unrecorded: Environment["unrecorded"],
): void {
    const marked = ownerInMarker(marker);
    if (marked === undefined || marked === owner(urn)) return;
    if (unrecorded !== "create" && unrecorded.some((one) => isSameId(one, id))) return;
    throw new LifecycleError(messages.managedElsewhere({ object, owner: marked, id }));
}
