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
} from "../../api";
import { LifecycleError, messageOf } from "../resource";
import { ContentList } from "./contentList";
import { durationText } from "./duration";
import { Polling, type PollOptions } from "./polling";
import { isFailed, isLeaving, isReady } from "./status";

export interface WaitOptions extends PollOptions {
    redactor?: Redactor | undefined;
}

/** The object was Ready neither in time nor Failed. */
export class WaitTimeout extends LifecycleError {}

/** The object is not there (any more). */
export class Vanished extends LifecycleError {}

/** Not known to the list yet: a 404 so soon after a create is no news, in ms. */
const notFoundGrace = 30_000;

export class Watcher {
    readonly #api: VideographApi;
    readonly #clock: Clock;
    readonly #polling: Polling;

    constructor(api: VideographApi, clock: Clock) {
        this.#api = api;
        this.#clock = clock;
        this.#polling = new Polling(new ContentList(api, clock), clock);
    }

    /** Resolves when the content is Ready or Failed. */
    async untilSettled(id: string, options: WaitOptions): Promise<ContentObject> {
        const wait = this.#polling.begin(id, options);
        let last = "nothing was answered";
        let missingSince: number | undefined;
        for (;;) {
            await this.#polling.turn(wait);
            try {
                const object = await this.#api.getContent(id, options);
                this.#polling.seen(wait, object.status);
                if (isLeaving(object.status)) throw new Vanished(`Content ${id} is being deleted.`);
                if (isReady(object.status) || isFailed(object.status)) return object;
                last = `its status is ${object.status ?? "unknown"}`;
                missingSince = undefined;
            } catch (error) {
                this.#polling.read(wait);
                rethrowFinal(error, options);
                // That the time is over is no news of the object.
                if (!options.deadline.passed) last = messageOf(error).replace(/\.$/, "");
                if (error instanceof NotFoundError) {
                    missingSince ??= this.#clock.monotonic();
                    if (this.#clock.monotonic() - missingSince >= notFoundGrace) {
                        throw new Vanished(`Content ${id} is not there any more: GET answers 404.`);
                    }
                }
            }
            if (options.deadline.passed) {
                const waited = durationText(this.#clock.monotonic() - wait.since);
                throw new WaitTimeout(`Content ${id} is not Ready after ${waited}: ${last}.`);
            }
        }
    }

    /** Resolves with true when the livestream is gone, with false when the deadline passed. */
    async untilGone(id: string, options: WaitOptions): Promise<boolean> {
        const wait = this.#polling.begin(undefined, options);
        do {
            await this.#polling.turn(wait);
            try {
                const object = await this.#api.getLivestream(id, options);
                this.#polling.seen(wait, object.status);
                if (/^deleted$/i.test(object.status ?? "")) return true;
            } catch (error) {
                this.#polling.read(wait);
                if (error instanceof NotFoundError) return true;
                rethrowFinal(error, options);
            }
        } while (!options.deadline.passed);
        return false;
    }
}

/** What no further try can mend. */
function rethrowFinal(error: unknown, { signal }: WaitOptions): void {
    signal.throwIfAborted();
    const final = [AuthenticationError, PermissionError, ConfigurationError, Vanished];
    if (final.some((kind) => error instanceof kind)) throw error;
}
