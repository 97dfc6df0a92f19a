/** The owner of an object, by its marker: its own resource, or another one, in this stack or another. */
import { consistencyGraceMs, graceStepMs } from "../api";
import { resourceUrn } from "../evidence/library";
import type { ServiceObject } from "../evidence/lists";
import {
    digestOfResource,
    hasSameNames,
    isSameOwner,
    type Marker,
    markerKey,
    type Owner,
    ownerOf,
    ownerText,
    parseMarker,
    readMarker,
} from "../evidence/marker";
import { observedInputs } from "../inputs/properties";
import { type Meta, metaOf } from "../inputs/recordedMeta";
import type { Properties } from "../inputs/values";
import { messages, moves } from "../messages";
import type { Operation, Services } from "../operation/operation";
import type { Subject } from "../operation/subject";
import { RefusedObject, removalOf } from "../operation/userDecision";
import { isStateless, kindIn, parseUrn } from "../urn";

/** Refuses to adopt an object for `urn` whose marker is another resource's than `thisResource`, unless the user has decided otherwise for this run. */
export function refuseForeignMarker(
    { object, kind, id, urn }: { object: string; kind: string; id: string; urn: string },
    marker: Marker | undefined,
    thisResource: Owner,
    userDecision: Services["userDecision"],
): void {
    if (marker === undefined || isOf(thisResource, marker) || userDecision.mayAdopt(id, urn)) return;
    const owner = ownerText(marker);
    throw new RefusedObject(messages.managedElsewhere({ object, owner, way: moveOf(marker, urn, kind), id }), [id]);
}

/**
 * The way to bring the record of another resource to this one. Where one of them is an entry of a library there is none: an entry has no record of
 * its own, so the command would fail, or move the library with all its contents.
 */
function moveOf({ project, stack, name, resourceDigest }: Owner, urn: string, kind: string): string {
    const own = parseUrn(urn);
    const isHere = own?.project === project && own.stack === stack;
    if (own === undefined || resourceUrn(urn) !== urn) return "";
    // The same kind under parents of the same types: only the name differs.
    const isAlike = digestOfResource(urn.slice(0, -own.name.length) + name, kind) === resourceDigest;
    if (!isAlike && name.includes("/")) return "";
    const alias = isAlike ? moves.byName(name) : moves.byUrn;
    if (isHere) return moves.here(alias);
    const source = own.project === project ? stack : `<organization>/${project}/${stack}`;
    // Whoever can write an object's metadata chooses these names, and a person pastes the command.
    const move = moves.fromStack(/^[\w.<>/-]{1,80}$/.test(source) ? source : "<stack>");
    return isAlike && name === own.name ? move : move + moves.after(alias);
}

/**
 * Reads a recorded object. Soon after a PUT of ours an answer that contradicts the record proves nothing, because a replica of the service may still
 * show the object as it was before: an update of such an answer would put the old values back, and a delete take the old marker for that of a later
 * owner. So the object is read again for as long as it is not as recorded. A delete only compares the marker.
 */
export async function readAfterPut(subject: Subject, { markerOnly = false } = {}): Promise<ServiceObject | undefined> {
    const { resource, olds, operation } = subject;
    const { clock } = operation.services;
    const { mark, putAt } = metaOf(olds);
    const isAsRecorded = (object: ServiceObject) => {
        const inputs = observedInputs(resource.definition.inputs.shape, olds, object, { complete: false });
        return Object.entries(inputs).every(([name, value]) => value === olds[name]);
    };
    for (;;) {
        const object = await subject.readRecorded();
        const isSoon = putAt !== undefined && Math.abs(clock.now() - putAt) < consistencyGraceMs;
        if (object === undefined || !isSoon) return object;
        if (otherMarker(object, mark) === undefined && (markerOnly || isAsRecorded(object))) return object;
        operation.progress("reading the object again: the service may not show its last update yet");
        await clock.sleep(graceStepMs, operation.signal);
    }
}

/** The marker that the object shows in place of the recorded one; `undefined` where it shows that, or none. */
function otherMarker({ metadata }: ServiceObject, markerText: string | undefined): Marker | undefined {
    // Nearly always the marker is unchanged, and a library compares thousands.
    if (metadata?.[markerKey] === markerText) return undefined;
    const shown = readMarker(metadata);
    return shown?.nonce === parseMarker(markerText)?.nonce ? undefined : shown;
}

/**
 * The resource, in this stack or another, that has adopted a recorded object since, if any. `markerText`: the object's recorded marker. An
 * object that shows no marker did not change hands.
 */
export function laterOwnerOf(
    { resource, operation: { urn } }: Pick<Subject, "resource" | "operation">,
    object: ServiceObject,
    markerText: string | undefined,
): string | undefined {
    const shown = otherMarker(object, markerText);
    if (shown === undefined) return undefined;
    const recorded = parseMarker(markerText);
    // An adoption that was killed has left a newer marker of the resource itself.
    const own = { ...ownerOf(urn, resource.definition.name), lineage: recorded?.lineage };
    return isOf(own, shown) || isOf(recorded, shown) ? undefined : ownerText(shown);
}

/** Whether the marker is the resource's. A stack with a copy of this one's state has its lineage, but not its names. */
function isOf(owner: Owner | undefined, marker: Marker): boolean {
    return owner !== undefined && isSameOwner(owner, marker) && hasSameNames(owner, marker);
}

/**
 * Whoever has adopted a recorded object since, also this very resource by another process or machine: the other face, or a run that a state of an
 * hour ago does not know. A delete keeps such an object. Its marker has another nonce than the record, and than the object had when it was adopted.
 */
export function laterAdopterOf(object: ServiceObject, { mark, adoptedNonce }: Meta): string | undefined {
    const shown = otherMarker(object, mark);
    return shown === undefined || shown.nonce === adoptedNonce ? undefined : ownerText(shown);
}

/**
 * Refuses the import of an object that this very resource has in the state under its other URN, in the other face: an import writes no marker, so the
 * removal of that record, in another process, would delete the object.
 */
export async function refuseHeld(
    { id, outputs }: { id: string; outputs: Properties },
    { urn, signal, services }: Operation,
): Promise<void> {
    const kind = kindIn(urn);
    const marker = parseMarker(metaOf(outputs).mark);
    if (
        isStateless(urn) ||
        marker === undefined ||
        !isSameOwner(marker, ownerOf(urn, kind)) ||
        services.userDecision.mayAdopt(id, urn)
    )
        return;
    const holder = await services.ownState.holderOf(id, urn, signal);
    if (holder === undefined) return;
    throw new RefusedObject(messages.importHeld({ object: `${kind} ${id}`, holder, way: removalOf(holder) }), [id]);
}
