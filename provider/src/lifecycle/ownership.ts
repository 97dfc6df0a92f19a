/** Whose an object is, by its marker: its own resource's, or that of another one, in this stack or another. */
import type { Listed } from "../evidence/lists";
import {
    hasChangedHands,
    isSameOwner,
    type Marker,
    markerKey,
    type Owner,
    ownerOf,
    ownerText,
    parseMarker,
    readMarker,
} from "../evidence/marker";
import { LifecycleError, messages } from "../messages";
import type { Services } from "../operation/operation";
import { parseUrn } from "../urn";
import type { Subject } from "./resource";

/** Refuses to adopt an object for `urn` whose marker is another resource's than `thisResource`, unless the user has named its id for this run. */
export function refuseForeignMarker(
    { object, id, urn }: { object: string; id: string; urn: string },
    marker: Marker | undefined,
    thisResource: Owner,
    userDecision: Services["userDecision"],
): void {
    if (marker === undefined || isSameOwner(marker, thisResource) || userDecision.mayAdopt(id)) return;
    throw new LifecycleError(
        messages.managedElsewhere({ object, owner: ownerText(marker), way: moveOf(marker, urn), id }),
    );
}

/** What brings the record of another resource to this one. Its URN is a guess in one thing: that it has the same parents. */
function moveOf({ project, stack, name }: Owner, urn: string): string {
    const own = parseUrn(urn);
    // Whoever can write an object's metadata chooses these names, and a person pastes the command.
    if (![project, stack, name].every((one) => /^[\w.-]+( [\w.-]+)*$/.test(one))) return "`pulumi state move`";
    if (own?.project === project && own.stack === stack)
        return `the resource option \`aliases: [{ name: ${JSON.stringify(name)} }]\``;
    const source = own?.project === project ? stack : `<organization>/${project}/${stack}`;
    return `\`pulumi state move --source ${source} 'urn:pulumi:${stack}::${project}::${own?.types}::${name}'\``;
}

/** The resource that has adopted a recorded object since, if one has. `mark`: its recorded marker. */
export function newOwnerOf<T extends Listed>(
    { resource, operation: { urn } }: Subject<T>,
    object: T,
    mark: string | undefined,
): string | undefined {
    // As nearly always.
    if (object.metadata?.[markerKey] === mark) return undefined;
    const marker = readMarker(object.metadata);
    const thisResource = urn === undefined ? undefined : ownerOf(urn, resource.definition.name);
    return marker && hasChangedHands(marker, parseMarker(mark), thisResource) ? ownerText(marker) : undefined;
}
