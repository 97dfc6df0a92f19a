/**
 * The proof by a 404 that a recorded object was deleted (S2): docs/internals/not-found.md has the rules and their order. `api/client.ts`
 * has already made sure that the answer is JSON and that the credentials can list the collection. That is not enough: with the token or
 * the address of another environment, requests return 404 for every object, and a refresh that believed it would empty the stack.
 */
import {
    type Clock,
    consistencyGraceMs,
    Deadline,
    graceStepMs,
    ListedNotFoundError,
    NotFoundError,
    neighbourStepMs,
    neighbourWaitMs,
    type VideographApi,
} from "../api";
import type { ServiceObject } from "../evidence/lists";
import { isSameMarker, markerTextIn } from "../evidence/marker";
import { type Meta, metaOf, noFingerprint } from "../inputs/recordedMeta";
import type { Properties } from "../inputs/values";
import { LifecycleError, type Message, messages } from "../messages";
import type { ObjectClaims } from "./objectClaims";
import type { Neighbour } from "./ownState";

/** The answers of one run's requests for recorded objects. */
export class NotFoundTrust {
    readonly #services: { api: VideographApi; clock: Clock; claims: ObjectClaims };
    /** Whether the user vouches for the credentials in use. */
    readonly #trustAll: boolean;
    /** The fingerprints whose objects were seen with the credentials in use. */
    readonly #seen = new Set<string>();
    /** The objects that answered 404 while none was seen. */
    readonly #missing = new Set<string>();
    /** The reading of one object for all creates that wait for it. */
    #confirming: Promise<void> | undefined;
    #hasRefused = false;
    /** Whether one of the recorded objects exists: asked once, whatever the number of objects that answer 404. */
    #someExists: Promise<boolean> | undefined;

    constructor(services: { api: VideographApi; clock: Clock; claims: ObjectClaims }, trustAll: boolean) {
        this.#services = services;
        this.#trustAll = trustAll;
    }

    /** Whether the credentials in use are known to reach the environment of the objects recorded under `fingerprint`. */
    reaches(fingerprint: string): boolean {
        return this.#isCurrent(fingerprint) || this.#isVouchedFor(fingerprint);
    }

    /** Notes that an object recorded under `fingerprint` was seen with the credentials in use now. */
    noteSeen(fingerprint: string): void {
        for (const vouched of [fingerprint, this.#services.api.fingerprint])
            if (vouched !== noFingerprint) this.#seen.add(vouched);
    }

    /**
     * Reads a recorded object, as `olds` record it; `undefined` when it surely does not exist. Throws where a 404 cannot be believed. `label`: the
     * object's kind and id.
     */
    async read(
        label: string,
        olds: Properties,
        signal: AbortSignal,
        get: () => Promise<ServiceObject>,
    ): Promise<ServiceObject | undefined> {
        const meta = metaOf(olds);
        const object = await this.unlessDeleted(label, meta, signal, get);
        if (object === undefined || this.#isCurrent(meta.fingerprint)) return object;
        // Two environments may use the same id: only the same object proves that the token was merely rotated.
        if (!isSame(object, meta, olds) && !(this.#trustAll && mayBeSame(object, olds)))
            throw new LifecycleError(messages.notTheSame({ object: label }));
        this.noteSeen(meta.fingerprint);
        return object;
    }

    /** Runs a request for a recorded object; `undefined` when the object surely does not exist. */
    async unlessDeleted<T>(
        label: string,
        { fingerprint, unseenSince }: Meta,
        signal: AbortSignal,
        request: () => Promise<T>,
    ): Promise<T | undefined> {
        const { clock } = this.#services;
        /** The time for which a 404 and a list may contradict each other. */
        const contradicted = new Deadline(clock, consistencyGraceMs);
        for (;;) {
            const askedAt = clock.now();
            try {
                const answer = await request();
                if (this.#isCurrent(fingerprint)) this.noteSeen(fingerprint);
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
            if (!early || !this.reaches(fingerprint)) {
                const refusal = await this.#confirmMissing(label, fingerprint, signal);
                if (refusal !== undefined) throw new LifecycleError(refusal);
            }
            if (!early) return undefined;
            await clock.sleep(graceStepMs, signal);
        }
    }

    /**
     * Confirms the environment before the first create of a run: if the state has only objects of other credentials, one of them is read, once for
     * all creates that ask. Otherwise the token of another environment would create the new object there.
     */
    async confirmEnvironment(neighbours: readonly Neighbour[], signal: AbortSignal): Promise<void> {
        const fingerprintIn = ({ olds }: Neighbour) => metaOf(olds).fingerprint;
        const one = neighbours.find((neighbour) => fingerprintIn(neighbour) !== noFingerprint) ?? neighbours[0];
        if (one === undefined || neighbours.some((neighbour) => this.reaches(fingerprintIn(neighbour)))) return;
        this.#confirming ??= this.#confirm(one, signal).finally(() => {
            this.#confirming = undefined;
        });
        await this.#confirming;
    }

    async #confirm({ kind, id, olds }: Neighbour, signal: AbortSignal): Promise<void> {
        const object = `${kind} ${id}`;
        const found = await this.read(object, olds, signal, () => this.#get(kind, id, signal));
        if (found === undefined) throw new LifecycleError(messages.notTrusted({ object }));
    }

    /**
     * Waits for another object recorded under `fingerprint` to be seen, and reads up to three. Returns the refusal if the 404 for the object
     * `label` cannot be believed.
     */
    async #confirmMissing(label: string, fingerprint: string, signal: AbortSignal): Promise<Message | undefined> {
        this.#missing.add(label);
        const isCurrent = this.#isCurrent(fingerprint);
        if (!this.#hasRefused && fingerprint !== noFingerprint) await this.#waitForNeighbour(fingerprint, signal);
        // One deleted object is usual; with a second one, the environment has to be confirmed.
        const isOnlyOne = isCurrent && this.#missing.size === 1;
        if (this.#isVouchedFor(fingerprint) || isOnlyOne) return undefined;
        if (isCurrent) {
            // After a run that was killed while it deleted several objects, the engine asks for no other object.
            this.#someExists ??= this.#someRecordedExists(signal);
            if (await this.#someExists) this.noteSeen(fingerprint);
            if (this.#isVouchedFor(fingerprint)) return undefined;
        }
        this.#hasRefused = true;
        return isCurrent ? messages.allNotFound({ object: label }) : messages.notTrusted({ object: label });
    }

    /** Whether an object recorded under `fingerprint` was recorded with the credentials in use now. */
    #isCurrent(fingerprint: string): boolean {
        return fingerprint === this.#services.api.fingerprint;
    }

    #isVouchedFor(fingerprint: string): boolean {
        return this.#trustAll || this.#seen.has(fingerprint);
    }

    /**
     * Whether one of the objects that the engine has shown exists. Three requests are enough to know an environment again. A failed request shows
     * nothing: where no object is found, its error is thrown, because the advice about missing objects would be wrong.
     */
    async #someRecordedExists(signal: AbortSignal): Promise<boolean> {
        const failures: unknown[] = [];
        for (const { id, kind } of this.#services.claims.recordedObjects().slice(0, 3)) {
            const found = unlessNotFound(() => this.#get(kind, id, signal));
            if (await found.catch((error: unknown) => void failures.push(error))) return true;
        }
        if (failures.length > 0) throw failures[0];
        return false;
    }

    async #waitForNeighbour(fingerprint: string, signal: AbortSignal): Promise<void> {
        const { clock } = this.#services;
        const wait = new Deadline(clock, neighbourWaitMs);
        while (!this.#isVouchedFor(fingerprint) && !wait.passed)
            await clock.sleep(Math.min(wait.left, neighbourStepMs), signal);
    }

    #get(kind: string, id: string, signal: AbortSignal): Promise<ServiceObject> {
        const { contents, livestreams } = this.#services.api;
        return (kind === "Livestream" ? livestreams : contents).get(id, { signal });
    }
}

/** Runs a request; `undefined` for a 404. Not for recorded objects. */
export async function unlessNotFound<T>(request: () => Promise<T>): Promise<T | undefined> {
    try {
        return await request();
    } catch (error) {
        if (error instanceof NotFoundError) return undefined;
        throw error;
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
