/**
 * The proof by a 404 that a recorded object was deleted (S2): docs/internals/not-found.md has the rules and their order. `api/client.ts`
 * has already made sure that the answer is JSON and that the credentials can list the collection. That is not enough: with the token or
 * the address of another environment, requests return 404 for every object, and a refresh that believed it would empty the stack.
 */
import { ApiError, consistencyGraceMs, Deadline, graceStepMs, ListedNotFoundError, NotFoundError } from "../api";
import { isBeingDeleted } from "../api/status";
import type { ServiceObject } from "../evidence/lists";
import { isSameMarker, markerTextIn } from "../evidence/marker";
import { type Meta, metaOf, noFingerprint } from "../inputs/recordedMeta";
import type { Properties } from "../inputs/values";
import { LifecycleError, messages } from "../messages";
import { getter } from "./notFoundTrust";
import type { Operation } from "./operation";
import type { Neighbour } from "./ownState";
import type { Subject } from "./subject";

/** Reads a recorded object; `undefined` when it surely does not exist. Throws where a 404 cannot be believed. */
export function readRecorded<T extends ServiceObject>(
    subject: Subject<T>,
    olds = subject.olds,
): Promise<T | undefined> {
    return readAs(subject.label, olds, subject.operation, () => subject.get());
}

/** `label`: the object's kind and id, such as `Content 5f2a`. `olds`: its recorded outputs. */
async function readAs<T extends ServiceObject>(
    label: string,
    olds: Properties,
    operation: Operation,
    get: () => Promise<T>,
): Promise<T | undefined> {
    const { trust } = operation.services;
    const meta = metaOf(olds);
    const object = await unlessProvenDeleted(label, meta, operation, get);
    if (object === undefined || trust.isCurrent(meta.fingerprint)) return object;
    // Two environments may use the same id: only the same object proves that the token was merely rotated.
    if (!isSame(object, meta, olds) && !(trust.trustAll && mayBeSame(object, olds)))
        throw new LifecycleError(messages.notTheSame({ object: label }));
    trust.noteSeen(meta.fingerprint);
    return object;
}

/**
 * Confirms the environment before the first create of a run: if the state has only objects of other credentials, one of them is read.
 * Otherwise the token of another environment would create the new object there.
 */
export async function confirmEnvironment(operation: Operation, neighbours: readonly Neighbour[]): Promise<void> {
    const { services, signal } = operation;
    const { api, trust } = services;
    const fingerprintIn = ({ olds }: Neighbour) => metaOf(olds).fingerprint;
    const one = neighbours.find((neighbour) => fingerprintIn(neighbour) !== noFingerprint) ?? neighbours[0];
    if (one === undefined || neighbours.some((neighbour) => trust.reaches(fingerprintIn(neighbour)))) return;
    const get = () => getter(api, one.kind)(one.id, { signal });
    const label = `${one.kind} ${one.id}`;
    await trust.confirmOnce(fingerprintIn(one), async () => {
        if ((await readAs(label, one.olds, operation, get)) !== undefined) return;
        throw new LifecycleError(messages.notTrusted({ object: label }));
    });
}

/** Deletes a recorded object; false if it did not exist. A refusal is no error if the object is being deleted. */
export async function removeRecorded<T extends ServiceObject>(subject: Subject<T>): Promise<boolean> {
    const { id, label, olds, operation, options, requests } = subject;
    const ask = <A>(request: () => Promise<A>) => unlessProvenDeleted(label, metaOf(olds), operation, request);
    try {
        return (await ask(() => requests.remove(id, options).then(() => true))) ?? false;
    } catch (error) {
        if (!(error instanceof ApiError) || error.outcome !== "refused") throw error;
        const object = await ask(() => subject.get());
        if (object === undefined) return false;
        if (!isBeingDeleted(object.status)) throw error;
        return true;
    }
}

/** Runs a request for a recorded object; `undefined` when the object surely does not exist. */
async function unlessProvenDeleted<T>(
    label: string,
    { fingerprint, unseenSince }: Meta,
    operation: Operation,
    request: () => Promise<T>,
): Promise<T | undefined> {
    const { services, signal } = operation;
    const { clock, trust } = services;
    /** The time for which a 404 and a list may contradict each other. */
    const contradicted = new Deadline(clock, consistencyGraceMs);
    for (;;) {
        const askedAt = clock.now();
        try {
            const answer = await request();
            if (trust.isCurrent(fingerprint)) trust.noteSeen(fingerprint);
            return answer;
        } catch (error) {
            if (!(error instanceof NotFoundError)) throw error;
            if (error instanceof ListedNotFoundError) {
                if (contradicted.passed) throw new LifecycleError(messages.notFoundButListed({ object: label }));
                await clock.sleep(graceStepMs, signal);
                continue;
            }
        }
        // The object may not be shown yet: the answer, or the list that confirms it, may have taken longer than the grace, and the clocks of
        // two machines may differ.
        const early = unseenSince !== undefined && Math.abs(askedAt - unseenSince) < consistencyGraceMs;
        // With other credentials, waiting would show nothing.
        if (!early || !trust.reaches(fingerprint)) {
            const refusal = await trust.confirmMissing(label, fingerprint, signal);
            if (refusal !== undefined) throw new LifecycleError(refusal);
        }
        if (!early) return undefined;
        await clock.sleep(graceStepMs, signal);
    }
}

/** Whether an object may be the recorded one if the user vouches for the credentials: not with another marker, or another time of creation. */
function mayBeSame(object: ServiceObject, { createdOn }: Properties): boolean {
    if (markerTextIn(object.metadata) !== undefined) return false;
    return object.createdOn === undefined || createdOn === undefined || object.createdOn === createdOn;
}

function isSame(object: ServiceObject, meta: Meta, olds: Properties): boolean {
    // An object with our marker recorded but other metadata shown is a different object, whatever else matches.
    if (meta.mark !== undefined && object.metadata !== undefined)
        return isSameMarker(markerTextIn(object.metadata), meta.mark);
    return object.createdOn !== undefined && object.createdOn === olds.createdOn;
}
