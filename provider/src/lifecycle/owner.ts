/** Whose an object is, by its marker: its own resource's, or that of another one, in this stack or another. */
import type { Listed } from "../evidence/lists";
import {
    hasChangedHands,
    isSameOwner,
    type Marker,
    markerOf,
    type Owner,
    ownerOf,
    ownerText,
    parseMarker,
} from "../evidence/marker";
import { LifecycleError, messages } from "../messages";
import type { Environment } from "../operation/operation";
import type { Subject } from "./resource";

/** Refuses to adopt an object whose marker is another resource's than `own`, unless the user has named its id for this run. */
export function refuseMarked(
    { object, id }: { object: string; id: string },
    marker: Marker | undefined,
    own: Owner,
    unrecorded: Environment["unrecorded"],
): void {
    if (marker === undefined || isSameOwner(marker, own) || unrecorded.adopt(id)) return;
    throw new LifecycleError(messages.managedElsewhere({ object, owner: ownerText(marker), id }));
}

/** The resource that has adopted a recorded object since, if one has. `mark`: its recorded marker. */
export function newOwnerOf<T extends Listed>(
    { definition, operation: { urn } }: Subject<T>,
    object: T,
    mark: string | undefined,
): string | undefined {
    const shown = markerOf(object.metadata);
    const own = urn === undefined ? undefined : ownerOf(urn, definition.name);
    return shown && hasChangedHands(shown, parseMarker(mark), own) ? ownerText(shown) : undefined;
}
