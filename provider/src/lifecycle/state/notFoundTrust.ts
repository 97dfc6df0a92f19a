/**
 * When a 404 means "gone" (S2). The token of another environment answers 404 for everything, and a refresh that believed
 * it would empty the stack. So a 404 counts only under the credentials the object was recorded with, or once some other
 * object recorded with them was really seen: then the token was merely rotated.
 */
import type { Clock } from "../../api";
import { unknownCredentials } from "./recordedMeta";

/** Siblings are read at the same time: one of them may vouch a moment later. */
const patience = 5_000;

export class NotFoundTrust {
    readonly #fingerprint: string;
    /** The user vouches for the credentials in use. */
    readonly trustAll: boolean;
    readonly #clock: Clock;
    readonly #vouched = new Set<string>();
    readonly #waiting = new Map<string, Set<AbortController>>();

    constructor(options: { fingerprint: string; trustAll: boolean; clock: Clock }) {
        this.#fingerprint = options.fingerprint;
        this.trustAll = options.trustAll;
        this.#clock = options.clock;
    }

    /** Whether an object recorded under `fingerprint` was recorded with the credentials in use now. */
    isCurrent(fingerprint: string): boolean {
        return fingerprint === this.#fingerprint;
    }

    /** Whether the credentials in use are known to reach the environment of what was recorded under `fingerprint`. */
    reaches(fingerprint: string): boolean {
        return this.trustAll || this.isCurrent(fingerprint) || this.#vouched.has(fingerprint);
    }

    /** An object recorded under `fingerprint` was seen with the credentials in use now. */
    vouch(fingerprint: string): void {
        if (fingerprint === unknownCredentials) return;
        this.#vouched.add(fingerprint);
        for (const waiting of this.#waiting.get(fingerprint) ?? []) waiting.abort();
    }

    /** Whether a 404 for an object recorded under `fingerprint` means that it is gone. */
    async believes(fingerprint: string, signal: AbortSignal): Promise<boolean> {
        if (this.reaches(fingerprint)) return true;
        if (fingerprint === unknownCredentials) return false;
        await this.#sibling(fingerprint, signal);
        return this.reaches(fingerprint);
    }

    async #sibling(fingerprint: string, signal: AbortSignal): Promise<void> {
        const seen = new AbortController();
        const waiting = this.#waiting.get(fingerprint) ?? new Set();
        this.#waiting.set(fingerprint, waiting.add(seen));
        try {
            await this.#clock.sleep(patience, AbortSignal.any([seen.signal, signal]));
        } catch {
            signal.throwIfAborted();
        } finally {
            waiting.delete(seen);
        }
    }
}
