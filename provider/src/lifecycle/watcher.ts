/** Waits for contents to become Ready and for livestreams to disappear. */
import {
    AuthenticationError,
    type Clock,
    ConfigurationError,
    type ContentObject,
    NotFoundError,
    PermissionError,
    type Redactor,
    type VideographApi,
} from "../api";
import { durationText } from "./duration";
import { LifecycleError, messageOf } from "./resource";

export interface WaitOptions {
    signal: AbortSignal;
    /** When the wait ends with an error, in ms since the epoch. */
    deadline: number;
    redactor?: Redactor;
    /** Called with every status seen. */
    onStatus?(status: string): void;
}

/** The object was Ready neither in time nor Failed. */
export class WaitTimeout extends LifecycleError {}

/** The object is not there (any more). */
export class Vanished extends LifecycleError {}

/** Not known to the list yet: a 404 so soon after a create is no news, in ms. */
const notFoundGrace = 30_000;
const shortest = 250;
const longest = 5_000;
/** The share of the time waited so far that the next pause takes: keeps the lag below a tenth of the processing time. */
const share = 0.15;

export function isReady(status: string | undefined): boolean {
    return status?.toLowerCase() === "ready";
}

export function isFailed(status: string | undefined): boolean {
    return status?.toLowerCase() === "failed";
}

/** The object is on its way out, or out. */
export function isLeaving(status: string | undefined): boolean {
    return /^delet/i.test(status ?? "");
}

export class Watcher {
    readonly #api: VideographApi;
    readonly #clock: Clock;

    constructor(api: VideographApi, clock: Clock) {
        this.#api = api;
        this.#clock = clock;
    }

    /** Resolves when the content is Ready or Failed. */
    async untilSettled(id: string, options: WaitOptions): Promise<ContentObject> {
        const start = this.#clock.now();
        let last = "nothing was answered";
        let missingSince: number | undefined;
        for (;;) {
            try {
                const object = await this.#api.getContent(id, options);
                if (isLeaving(object.status)) throw new Vanished(`Content ${id} is being deleted.`);
                options.onStatus?.(object.status ?? "unknown");
                if (isReady(object.status) || isFailed(object.status)) return object;
                last = `its status is ${object.status ?? "unknown"}`;
                missingSince = undefined;
            } catch (error) {
                this.#rethrowFinal(error, options);
                // That the time is over is no news of the object.
                if (this.#clock.now() < options.deadline) last = messageOf(error).replace(/\.$/, "");
                if (error instanceof NotFoundError) {
                    missingSince ??= this.#clock.now();
                    if (this.#clock.now() - missingSince >= notFoundGrace) {
                        throw new Vanished(`Content ${id} is not there any more: GET answers 404.`);
                    }
                }
            }
            await this.#pause(start, options, `Content ${id} is not Ready after ${this.#since(start)}: ${last}.`);
        }
    }

    /** Resolves with true when the livestream is gone, with false when the deadline passed. */
    async untilGone(id: string, options: WaitOptions): Promise<boolean> {
        const start = this.#clock.now();
        for (;;) {
            try {
                const object = await this.#api.getLivestream(id, options);
                options.onStatus?.(object.status ?? "unknown");
                if (/^deleted$/i.test(object.status ?? "")) return true;
            } catch (error) {
                if (error instanceof NotFoundError) return true;
                this.#rethrowFinal(error, options);
            }
            try {
                await this.#pause(start, options, "");
            } catch (error) {
                if (error instanceof WaitTimeout) return false;
                throw error;
            }
        }
    }

    /** What no further try can mend. */
    #rethrowFinal(error: unknown, { signal }: WaitOptions): void {
        signal.throwIfAborted();
        const final = [AuthenticationError, PermissionError, ConfigurationError, Vanished];
        if (final.some((kind) => error instanceof kind)) throw error;
    }

    async #pause(start: number, { signal, deadline }: WaitOptions, late: string): Promise<void> {
        const now = this.#clock.now();
        if (now >= deadline) throw new WaitTimeout(late);
        const pause = Math.min(Math.max((now - start) * share, shortest), longest);
        await this.#clock.sleep(Math.min(pause, deadline - now), signal);
    }

    #since(start: number): string {
        return durationText(this.#clock.now() - start);
    }
}
