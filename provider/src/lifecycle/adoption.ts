/** Adoption (L8): an object that exists becomes a resource's, if no other resource has it and nothing contradicts its inputs. */

import { isSameId } from "../api";
import { adopted } from "../create/recorded";
import type { Listed } from "../evidence/lists";
import { markerIn, owner, ownerInMarker, visible } from "../evidence/marker";
import { compared } from "../inputs/properties";
import { LifecycleError, messages } from "../messages";
import { unlessMissing } from "../operation/notFound";
import type { Environment } from "../operation/operation";
import { isLeaving } from "../wait/status";
import { bringUpToDate, newMark, refuseContradicted } from "./inPlace";
import type { Resource, Subject } from "./resource";

interface Adopted<T> {
    object: T;
    /** Its marker, if it has one by now. */
    mark: string | undefined;
}

export async function adopt<T extends Listed>(
    subject: Subject<T>,
    whyNot: Resource<T>["whyNotAdopted"],
): Promise<Adopted<T>> {
    const { id, what, definition, operation } = subject;
    const { urn, environment } = operation;
    refuseManaged(subject);
    // From here on no other resource of this run can adopt it.
    environment.managers.note(id, urn);
    const object = await unlessMissing(subject.get);
    if (object === undefined) throw new LifecycleError(messages.noSuchObject({ object: `importId: ${what}` }));
    refuseMarked({ object: `importId: ${what}`, id, urn }, markerIn(object.metadata), environment.unrecorded);
    const status = isLeaving(object.status) ? object.status : whyNot?.(object);
    if (status !== undefined) throw new LifecycleError(messages.adoptionFailed({ object: what, status }));
    const comparison = compared(definition.inputs, {}, subject.inputs, visible(object));
    refuseContradicted(subject, comparison.contradicted);
    // A new marker: no journal, on whatever machine, knows this object by it.
    const mark = await bringUpToDate(subject, object, newMark(subject), comparison);
    await adopted(environment.journal, { urn, kind: definition.name, id });
    return { object, mark };
}

/** Refuses to adopt an object that a resource of this stack manages. */
function refuseManaged<T extends Listed>({ id, what: object, operation: { environment, urn } }: Subject<T>): void {
    const { managers } = environment;
    const manager = managers.by(id, urn);
    if (manager === undefined) return;
    if (manager !== urn) throw new LifecycleError(messages.importIdTwice({ other: manager }));
    // Otherwise the engine is repeating a create in this process (an `onError` hook).
    if (isSameId(managers.predecessorOf(urn)?.id ?? "", id))
        throw new LifecycleError(messages.managedByItself({ object }));
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
