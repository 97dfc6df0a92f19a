/** Objects that already exist: reading them under the 404 rule (S2), recognising them, taking them over. */

import { NotFoundError } from "../../api";
import { messages } from "../../messages";
import { isSameMarker, markerIn, owner, ownerInMarker } from "../create/marker";
import { LifecycleError, type Operation, type Properties } from "../resource";
import { isTooEarly } from "./consistencyGrace";
import { type Meta, metaOf } from "./recordedMeta";

interface Recognisable {
    metadata?: Record<string, string> | undefined;
    createdOn?: number | undefined;
}

/** Reads a recorded object; `undefined` when it is surely gone. Throws where a 404 cannot be believed. */
export async function readRecorded<T extends Recognisable>(
    what: string,
    olds: Properties,
    operation: Operation,
    get: () => Promise<T>,
): Promise<T | undefined> {
    const { clock, trust } = operation.environment;
    const meta = metaOf(olds);
    let askedAt = clock.now();
    let object = await unlessMissing(get);
    while (object === undefined) {
        if (!(await trust.believes(meta.env, operation.signal)))
            throw new LifecycleError(messages.notTrusted({ object: what }));
        if (!(await isTooEarly(olds, askedAt, operation))) return undefined;
        askedAt = clock.now();
        object = await unlessMissing(get);
    }
    if (trust.isCurrent(meta.env)) return object;
    // Ids of two environments may coincide: only the very same object proves that the token was merely rotated.
    if (!isSame(object, meta, olds) && !(trust.trustAll && mayBeSame(object, olds))) {
        throw new LifecycleError(messages.notTheSame({ object: what }));
    }
    trust.vouch(meta.env);
    return object;
}

/** For an update: the object must be there. */
export async function readPresent<T extends Recognisable>(
    what: string,
    olds: Properties,
    operation: Operation,
    get: () => Promise<T>,
): Promise<T> {
    const object = await readRecorded(what, olds, operation, get);
    if (object !== undefined) return object;
    throw new LifecycleError(messages.notUpdatable({ object: what }));
}

/** Runs a request; `undefined` for a 404. */
export async function unlessMissing<T>(request: () => Promise<T>): Promise<T | undefined> {
    try {
        return await request();
    } catch (error) {
        if (error instanceof NotFoundError) return undefined;
        throw error;
    }
}

/** Refuses to adopt an object that a resource of this stack manages. */
export function refuseManaged(what: string, id: string, operation: Operation): void {
    const manager = operation.environment.managed.by(id);
    if (manager !== undefined) {
        throw new LifecycleError(
            manager === operation.urn
                ? messages.managedByItself({ object: what })
                : messages.managedHere({ object: what, resource: manager }),
        );
    }
}

/** Refuses to adopt an object whose marker names another resource. */
export function refuseMarked(what: string, marker: string | undefined, operation: Operation): void {
    const marked = ownerInMarker(marker);
    if (marked !== undefined && marked !== owner(operation.urn)) {
        throw new LifecycleError(messages.managedElsewhere({ object: `importId: ${what}`, owner: marked }));
    }
}

/** The user vouches for the credentials. Another marker, or another time of creation, is another object all the same. */
function mayBeSame(object: Recognisable, { createdOn }: Properties): boolean {
    if (markerIn(object.metadata) !== undefined) return false;
    return object.createdOn === undefined || createdOn === undefined || object.createdOn === createdOn;
}

function isSame(object: Recognisable, meta: Meta, olds: Properties): boolean {
    // What we marked and shows other metadata is another object, whatever else coincides.
    if (meta.marker !== undefined && object.metadata !== undefined)
        return isSameMarker(markerIn(object.metadata), meta.marker);
    return object.createdOn !== undefined && object.createdOn === olds.createdOn;
}
