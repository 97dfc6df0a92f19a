/** Whose an object is, by its marker: the resource that has recorded it, or another one, in this stack or another. */
import { consistencyGraceMs, graceStepMs } from "../api";
import { disownCreate } from "../create/ledger";
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

/** Refuses to adopt an object with another resource's marker, unless the user allows it for this run (VIDEOGRAPH_UNRECORDED). */
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
 * The command, for a message, that moves the record of another resource to this one. There is none for an entry of a library, which has no record of
 * its own: the command would fail, or move the library with all its contents.
 */
function moveOf({ project, stack, name, resourceDigest }: Owner, urn: string, kind: string): string {
    const own = parseUrn(urn);
    const isHere = own?.project === project && own.stack === stack;
    if (own === undefined || resourceUrn(urn) !== urn) return "";
    // Whether only the name differs: the digest has the kind, and the types of the parents, too.
    const isAlike = digestOfResource(urn.slice(0, -own.name.length) + name, kind) === resourceDigest;
    if (!isAlike && name.includes("/")) return "";
    const alias = isAlike ? moves.byName(name) : moves.byUrn;
    if (isHere) return moves.here(alias);
    const source = own.project === project ? stack : `<organization>/${project}/${stack}`;
    // A person pastes this command into a shell, and anybody who can write the object's metadata has chosen these names.
    const move = moves.fromStack(/^[\w.<>/-]{1,80}$/.test(source) ? source : "<stack>");
    return isAlike && name === own.name ? move : move + moves.after(alias);
}

/**
 * Reads a recorded object. Soon after a PUT, a replica of the service may still show the object as it was before. An update would then put the old
 * values back, and a delete would take the old marker for another owner's. So for a while, an object that is not as recorded is read again.
 * `markerOnly`: for a delete, to which the values mean nothing.
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

/** The marker that the object shows in place of the recorded marker; `undefined` where it shows the recorded one, or no marker. */
function otherMarker({ metadata }: ServiceObject, markerText: string | undefined): Marker | undefined {
    // Nearly always the texts are equal. To parse both for each of a library's thousands of objects would cost more than the comparison.
    if (metadata?.[markerKey] === markerText) return undefined;
    const shown = readMarker(metadata);
    return shown?.nonce === parseMarker(markerText)?.nonce ? undefined : shown;
}

/**
 * The other resource, in this stack or another, that has adopted a recorded object since; `undefined` where none has. `markerText`: the recorded
 * marker. An object that shows no marker counts as unchanged.
 */
export function laterOwnerOf(
    { resource, operation: { urn } }: Pick<Subject, "resource" | "operation">,
    object: ServiceObject,
    markerText: string | undefined,
): string | undefined {
    const shown = otherMarker(object, markerText);
    if (shown === undefined) return undefined;
    const recorded = parseMarker(markerText);
    // This resource may have set the marker itself: an adoption was killed after its PUT, before its answer left. Then the record is older than the
    // marker.
    const own = { ...ownerOf(urn, resource.definition.name), lineage: recorded?.lineage };
    return isOf(own, shown) || isOf(recorded, shown) ? undefined : ownerText(shown);
}

/** Whether the marker is this owner's. A stack with a copy of this one's state has the same digests: only the names tell them apart. */
function isOf(owner: Owner | undefined, marker: Marker): boolean {
    return owner !== undefined && isSameOwner(owner, marker) && hasSameNames(owner, marker);
}

/**
 * The resource that has adopted a recorded object since. Unlike `laterOwnerOf`, this counts the resource itself, if another provider or another
 * machine has adopted the object for it: a delete by an older record must not remove what a newer record has. `adoptedNonce`: the nonce that the
 * object still has where the PUT of its adoption failed.
 */
export function laterAdopterOf(object: ServiceObject, { mark, adoptedNonce }: Meta): string | undefined {
    const shown = otherMarker(object, mark);
    return shown === undefined || shown.nonce === adoptedNonce ? undefined : ownerText(shown);
}

/** Checks that nobody else has the object of an import: neither the resource that its marker names, nor another resource in the state. */
export async function checkImport(
    id: string,
    outputs: Properties,
    { urn, signal, services }: Operation,
): Promise<void> {
    const { journal, ownState, userDecision } = services;
    const kind = kindIn(urn);
    const object = `${kind} ${id}`;
    const marker = parseMarker(metaOf(outputs).mark);
    if (marker === undefined) return;
    refuseForeignMarker({ object, kind, id, urn }, marker, ownerOf(urn, kind), userDecision);
    // An import writes no marker. In a stack that moves to the other provider's types, another process deletes the older record: without this check,
    // it would delete the object too.
    const isAsked = !isStateless(urn) && !userDecision.mayAdopt(id, urn);
    const holder = isAsked ? await ownState.holderOf(id, urn, signal) : undefined;
    if (holder !== undefined)
        throw new RefusedObject(messages.importHeld({ object, holder, way: removalOf(holder) }), [id]);
    // This may be a preview, after which nobody imports. So the create of the object stays in the journal, with a note that a state may have the object:
    // no later run adopts or deletes it.
    await disownCreate(journal, marker.nonce);
}
