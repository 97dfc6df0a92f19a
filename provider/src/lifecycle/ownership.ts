/** The owner of an object, by its marker: its own resource, or another one, in this stack or another. */
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
    // A stack with a copy of this one's state has its lineage, but not its names.
    const isOwn = marker !== undefined && isSameOwner(marker, thisResource) && hasSameNames(marker, thisResource);
    if (marker === undefined || isOwn || userDecision.mayAdopt(id, urn)) return;
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
 * The resource, in this stack or another, that has adopted a recorded object since, if any. `markerText`: the object's recorded marker. An
 * object that shows no marker did not change hands.
 */
export function laterOwnerOf(
    { resource, operation: { urn } }: Pick<Subject, "resource" | "operation">,
    object: ServiceObject,
    markerText: string | undefined,
): string | undefined {
    // Nearly always, the marker is unchanged.
    if (object.metadata?.[markerKey] === markerText) return undefined;
    const [shown, recorded] = [readMarker(object.metadata), parseMarker(markerText)];
    if (shown === undefined || shown.nonce === recorded?.nonce) return undefined;
    const { name } = resource.definition;
    // An adoption that was killed has left a newer marker of the resource itself.
    const own = urn === "" ? [] : [{ ...ownerOf(urn, name), lineage: recorded?.lineage }];
    const owners = [...(recorded ? [recorded] : []), ...own];
    const isOwn = (one: Owner) => isSameOwner(one, shown) && hasSameNames(one, shown);
    const isOther = owners.length > 0 && !owners.some(isOwn);
    return isOther ? ownerText(shown) : undefined;
}

/**
 * Whoever has adopted a recorded object since, also this very resource by another process or machine: the other face, or a run that a state of an
 * hour ago does not know. A delete keeps such an object. Its marker has another nonce than the record, and than the object had when it was adopted.
 */
export function laterAdopterOf(
    subject: Pick<Subject, "resource" | "operation">,
    object: ServiceObject,
    { mark, adoptedNonce }: Meta,
): string | undefined {
    // Nearly always, the marker is unchanged.
    if (object.metadata?.[markerKey] === mark) return undefined;
    const shown = readMarker(object.metadata);
    if (shown === undefined || shown.nonce === parseMarker(mark)?.nonce || shown.nonce === adoptedNonce)
        return undefined;
    return laterOwnerOf(subject, object, mark) ?? ownerText(shown);
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
