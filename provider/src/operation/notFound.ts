/**
 * Whether a 404 proves that a recorded object was deleted (S2): docs/internals/not-found.md has the rules and their order. `api/client.ts` has already
 * made sure that the answer is JSON and that these credentials can list the collection. That is not enough. With the token of another environment the
 * service answers 404 for every object, and a refresh that believed these answers would empty the stack.
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

/** What the requests of this run have shown about recorded objects. A fingerprint stands for the base URL and access token id of a request. */
export class NotFoundTrust {
    /** The fingerprints of recorded objects that this run has seen. The credentials of this run reach the environments of all of them. */
    readonly #seen = new Set<string>();
    /** The objects that answered 404 in this run. */
    readonly #missing = new Set<string>();
    /** While `confirmEnvironment` reads an object, all creates wait for this one reading. */
    #confirming: Promise<void> | undefined;
    #hasRefused = false;
    /** Whether one of the recorded objects exists. Asked once: a thousand objects may answer 404. */
    #someExists: Promise<boolean> | undefined;

    /** `trustAll`: the user has set `trustNotFound`, so every 404 is believed. */
    constructor(
        readonly services: { api: VideographApi; clock: Clock; claims: ObjectClaims },
        readonly trustAll: boolean,
    ) {}

    /** Whether the credentials of this run surely reach the environment of the objects that were recorded under `fingerprint`. */
    reaches(fingerprint: string): boolean {
        return this.#isCurrent(fingerprint) || this.#isVouchedFor(fingerprint);
    }

    /** Notes that this run has seen an object that was recorded under `fingerprint`. */
    noteSeen(fingerprint: string): void {
        for (const vouched of [fingerprint, this.services.api.fingerprint])
            if (vouched !== noFingerprint) this.#seen.add(vouched);
    }

    /**
     * Reads the object that `olds` records; `undefined` when it surely does not exist. Throws where a 404 cannot be believed. `label`: the object's
     * kind and id, for messages.
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
        // Two environments may have objects with one id. Only the same object proves that the user has changed the token, and not the environment.
        if (!isSame(object, meta, olds) && !(this.trustAll && mayBeSame(object, olds)))
            throw new LifecycleError(messages.notTheSame({ object: label }));
        this.noteSeen(meta.fingerprint);
        return object;
    }

    /** Sends a request for a recorded object; `undefined` when the object surely does not exist. */
    async unlessDeleted<T>(
        label: string,
        { fingerprint, unseenSince }: Meta,
        signal: AbortSignal,
        request: () => Promise<T>,
    ): Promise<T | undefined> {
        const { clock } = this.services;
        /** How long the request is repeated while a list shows an object for which the service answers 404. */
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
            // The service may not show a new object yet. What counts is when the request was sent, because its answer may take longer than the grace.
            // `abs`: the clock of the machine that created the object may be ahead.
            const early = unseenSince !== undefined && Math.abs(askedAt - unseenSince) < consistencyGraceMs;
            // Credentials of another environment are refused at once: no wait would let them see the object.
            if (!early || !this.reaches(fingerprint)) {
                const refusal = await this.#confirmMissing(label, fingerprint, signal);
                if (refusal !== undefined) throw new LifecycleError(refusal);
            }
            if (!early) return undefined;
            await clock.sleep(graceStepMs, signal);
        }
    }

    /**
     * Called before each create. If other credentials have recorded all objects of the state, one of these objects is read, once for all creates. Without
     * that, the token of another environment would create the new object there.
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
     * Returns a refusal if the 404 for the object `label` cannot be believed. It is believed if this run sees another object that was recorded under
     * `fingerprint`: through its other requests, or by reading up to three objects.
     */
    async #confirmMissing(label: string, fingerprint: string, signal: AbortSignal): Promise<Message | undefined> {
        this.#missing.add(label);
        const isCurrent = this.#isCurrent(fingerprint);
        if (!this.#hasRefused && fingerprint !== noFingerprint) await this.#waitForNeighbour(fingerprint, signal);
        // One object may well have been deleted. Where a second one is missing too, the credentials may be those of another environment.
        const isOnlyOne = isCurrent && this.#missing.size === 1;
        if (this.#isVouchedFor(fingerprint) || isOnlyOne) return undefined;
        if (isCurrent) {
            // After a run that was killed while it deleted several objects, the next run asks for these alone. Its other requests see no object, so
            // up to three recorded objects are read.
            this.#someExists ??= this.#someRecordedExists(signal);
            if (await this.#someExists) this.noteSeen(fingerprint);
            if (this.#isVouchedFor(fingerprint)) return undefined;
        }
        this.#hasRefused = true;
        return isCurrent ? messages.allNotFound({ object: label }) : messages.notTrusted({ object: label });
    }

    /** Whether the fingerprint is that of this run's credentials. */
    #isCurrent(fingerprint: string): boolean {
        return fingerprint === this.services.api.fingerprint;
    }

    #isVouchedFor(fingerprint: string): boolean {
        return this.trustAll || this.#seen.has(fingerprint);
    }

    /**
     * Whether one of three recorded objects exists. If none was found and a request failed, its error is thrown: the refusal would tell the user that
     * the objects are missing.
     */
    async #someRecordedExists(signal: AbortSignal): Promise<boolean> {
        const failures: unknown[] = [];
        for (const { id, kind } of this.services.claims.recordedObjects().slice(0, 3)) {
            const found = unlessNotFound(() => this.#get(kind, id, signal));
            if (await found.catch((error: unknown) => void failures.push(error))) return true;
        }
        if (failures.length > 0) throw failures[0];
        return false;
    }

    async #waitForNeighbour(fingerprint: string, signal: AbortSignal): Promise<void> {
        const { clock } = this.services;
        const wait = new Deadline(clock, neighbourWaitMs);
        while (!this.#isVouchedFor(fingerprint) && !wait.passed)
            await clock.sleep(Math.min(wait.left, neighbourStepMs), signal);
    }

    #get(kind: string, id: string, signal: AbortSignal): Promise<ServiceObject> {
        const { contents, livestreams } = this.services.api;
        return (kind === "Livestream" ? livestreams : contents).get(id, { signal });
    }
}

/** Sends a request, and returns `undefined` for a 404. Do not use it for a recorded object: a 404 alone does not prove that the object was deleted. */
export async function unlessNotFound<T>(request: () => Promise<T>): Promise<T | undefined> {
    try {
        return await request();
    } catch (error) {
        if (error instanceof NotFoundError) return undefined;
        throw error;
    }
}

/**
 * Whether the object may be the recorded one: it has no marker, and no other time of creation. That is enough where the user has set `trustNotFound`.
 */
function mayBeSame(object: ServiceObject, { createdOn }: Properties): boolean {
    if (markerTextIn(object.metadata) !== undefined) return false;
    return object.createdOn === undefined || createdOn === undefined || object.createdOn === createdOn;
}

function isSame(object: ServiceObject, meta: Meta, olds: Properties): boolean {
    // If the answer shows metadata, only the marker counts: an object without the recorded marker is another object, even if it was created at the
    // same time.
    if (meta.mark !== undefined && object.metadata !== undefined)
        return isSameMarker(markerTextIn(object.metadata), meta.mark);
    return object.createdOn !== undefined && object.createdOn === olds.createdOn;
}
