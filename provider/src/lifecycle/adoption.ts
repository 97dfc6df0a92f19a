/** Adoption (L8): an object that exists becomes a resource's, if no other resource has it and nothing contradicts its inputs. */

import { adopted } from "../create/recorded";
import { adoptionMarker, markerIn, owner, ownerInMarker } from "../evidence/marker";
import { createIdentity } from "../inputs/properties";
import type { Properties } from "../inputs/values";
import { LifecycleError, messages } from "../messages";
import { unlessMissing } from "../operation/notFound";
import type { Operation } from "../operation/operation";
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
    refuseMarked(`importId: ${target.what}`, markerIn(object.metadata), operation.urn);
    const reason = isLeaving(object.status) ? `${target.what} is being deleted.` : whyNot?.(object);
    if (reason !== undefined) throw new LifecycleError(messages.adoptionFailed({ failure: reason }));
    refuseContradictions(target, inputs, object);
    // A new marker: no journal, on whatever machine, knows this object by it.
    const fresh = adoptionMarker(operation, target.kind, createIdentity(target.inputs, inputs));
    const marker = await bringUpToDate(target, inputs, object, fresh);
    await adopted(operation.environment.journal, { urn: operation.urn, kind: target.kind, id: target.id });
    return { object, marker };
}

/** Refuses to adopt an object that a resource of this stack manages. */
function refuseManaged(what: string, id: string, operation: Operation): void {
    const manager = operation.environment.managers.by(id);
    if (manager !== undefined) {
        throw new LifecycleError(
            manager === operation.urn
                ? messages.managedByItself({ object: what })
                : messages.managedHere({ object: what, resource: manager }),
        );
    }
}

/** Refuses an object whose marker names another resource: it is that one's to change and to delete. */
export function refuseMarked(object: string, marker: string | undefined, urn: string | undefined): void {
    const marked = ownerInMarker(marker);
    if (marked !== undefined && marked !== owner(urn)) {
        throw new LifecycleError(messages.managedElsewhere({ object, owner: marked }));
    }
}
