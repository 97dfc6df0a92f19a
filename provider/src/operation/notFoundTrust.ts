/** Whether a 404 for a recorded object may be believed: docs/internals/not-found.md has the rules and their order. */
import {
    type CallOptions,
    type Clock,
    Deadline,
    NotFoundError,
    neighbourStepMs,
    neighbourWaitMs,
    type VideographApi,
} from "../api";
import type { ServiceObject } from "../evidence/lists";
import { noFingerprint } from "../inputs/recordedMeta";
import { type Message, messages } from "../messages";
import type { ObjectClaims } from "./objectClaims";

/** The answers of one run's requests for recorded objects. */
export class NotFoundTrust {
    readonly #services: { api: VideographApi; clock: Clock; claims: ObjectClaims };
    /** Whether the user vouches for the credentials in use. */
    readonly trustAll: boolean;
    /** The fingerprints whose objects were seen with the credentials in use. */
    readonly #seen = new Set<string>();
    /** The objects that answered 404 while none was seen. */
    readonly #missing = new Set<string>();
    readonly #confirming = new Map<string, Promise<void>>();
    #hasRefused = false;
    /** Whether one of the recorded objects exists: asked once, whatever the number of objects that answer 404. */
    #someExists: Promise<boolean> | undefined;

    constructor(services: { api: VideographApi; clock: Clock; claims: ObjectClaims }, trustAll: boolean) {
        this.#services = services;
        this.trustAll = trustAll;
    }

    /** Whether an object recorded under `fingerprint` was recorded with the credentials in use now. */
    isCurrent(fingerprint: string): boolean {
        return fingerprint === this.#services.api.fingerprint;
    }

    /** Whether the credentials in use are known to reach the environment of the objects recorded under `fingerprint`. */
    reaches(fingerprint: string): boolean {
        return this.isCurrent(fingerprint) || this.#isVouchedFor(fingerprint);
    }

    /** Notes that an object recorded under `fingerprint` was seen with the credentials in use now. */
    noteSeen(fingerprint: string): void {
        for (const vouched of [fingerprint, this.#services.api.fingerprint])
            if (vouched !== noFingerprint) this.#seen.add(vouched);
    }

    /**
     * Waits for another object recorded under `fingerprint` to be seen, and reads up to three. Returns the refusal if the 404 for the object
     * `label` cannot be believed.
     */
    async confirmMissing(label: string, fingerprint: string, signal: AbortSignal): Promise<Message | undefined> {
        this.#missing.add(label);
        const isCurrent = this.isCurrent(fingerprint);
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

    /** Runs `confirm` once for all that ask about a fingerprint at the same time. */
    confirmOnce(fingerprint: string, confirm: () => Promise<void>): Promise<void> {
        const known = this.#confirming.get(fingerprint) ?? confirm();
        this.#confirming.set(fingerprint, known);
        return known.finally(() => this.#confirming.delete(fingerprint));
    }

    #isVouchedFor(fingerprint: string): boolean {
        return this.trustAll || this.#seen.has(fingerprint);
    }

    /**
     * Whether one of the objects that the engine has shown exists. Three requests are enough to know an environment again. A failed request shows
     * nothing: where no object is found, its error is thrown, because the advice about missing objects would be wrong.
     */
    async #someRecordedExists(signal: AbortSignal): Promise<boolean> {
        const { api, claims } = this.#services;
        const failures: unknown[] = [];
        for (const { id, kind } of claims.recordedObjects().slice(0, 3)) {
            const found = unlessNotFound(() => getter(api, kind)(id, { signal }));
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

export function getter(api: VideographApi, kind: string): (id: string, options: CallOptions) => Promise<ServiceObject> {
    return kind === "Livestream" ? api.livestreams.get : api.contents.get;
}
