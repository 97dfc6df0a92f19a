/** Waits for contents to become Ready and for livestreams to disappear. */
import {
    AuthenticationError,
    type CallOptions,
    ClientError,
    type Clock,
    type ContentObject,
    consistencyGraceMs,
    Deadline,
    lastReadMs,
    MalformedAnswerError,
    NotFoundError,
    PermissionError,
    type VideographApi,
} from "../api";
import { isBeingDeleted, isSettled } from "../api/status";
import { durationText } from "../inputs/duration";
import { advice, asClause, LifecycleError, messageOf, messages, withoutCodes } from "../messages";
import { Polling, type Wait, type WaitOptions } from "./polling";

/** The last status that a wait has seen, and the error of its last request, if it failed. */
interface LastSeen {
    status?: string | undefined;
    error?: string | undefined;
    /** The answer after which further requests are useless. */
    refusal?: unknown;
}

/** The content was neither Ready nor Failed in time. */
export class WaitTimeout extends LifecycleError {
    /** The message without the content's id. */
    readonly what: string;
    readonly lastStatus: string | undefined;

    constructor(contentId: string, { status, error }: LastSeen, waitedMs: number) {
        const last = error ?? (status === undefined ? "no answer" : `status ${status}`);
        const time = durationText(waitedMs);
        super(messages.contentTimedOut({ id: contentId, time, last, option: advice.moreTime }));
        this.what = `not Ready after ${time}: ${withoutCodes(last)}`;
        this.lastStatus = status;
    }
}

/** The object was deleted, or these credentials cannot see it. Further waiting is useless; the message says what helps. */
export class Vanished extends LifecycleError {
    /** The message without the content's id and without advice. */
    readonly what: string;

    constructor(contentId: string, what: string) {
        super(messages.contentVanished({ id: contentId, seen: what }));
        this.what = what;
    }
}

export class Watcher {
    readonly #api: VideographApi;
    readonly #clock: Clock;
    readonly #signal: AbortSignal;
    readonly #polling: Polling;

    constructor(api: VideographApi, clock: Clock, signal: AbortSignal) {
        this.#api = api;
        this.#clock = clock;
        this.#signal = signal;
        this.#polling = new Polling(api, clock, signal);
    }

    /** Resolves when the content is Ready or Failed. */
    untilSettled(id: string, options: WaitOptions): Promise<ContentObject> {
        const wait = this.#polling.begin(id, options);
        const last: LastSeen = {};
        /** The end of the time in which the object may exist without being shown. It begins with the first answer without the object. */
        let hiddenUntil: Deadline | undefined;
        const read = async (limits: CallOptions) => {
            const grace = hiddenUntil ?? new Deadline(this.#clock, consistencyGraceMs);
            const object = await this.#api.contents.get(id, limits).catch((error: unknown) => {
                if (!(error instanceof ClientError || error instanceof MalformedAnswerError)) throw error;
                hiddenUntil = grace;
                const isMissing = error instanceof NotFoundError;
                if (grace.passed && isMissing) throw new Vanished(id, "missing (HTTP 404)");
                // An object that was seen exists, so the service may recover. An id without a seen object may be wrong.
                if (grace.passed && last.status === undefined) last.refusal = error;
                throw error;
            });
            hiddenUntil = undefined;
            this.#polling.answered(wait, object.status);
            last.status = object.status ?? "unknown";
            if (isBeingDeleted(object.status)) throw new Vanished(id, `being deleted (status ${object.status})`);
            return isSettled(object.status) ? object : undefined;
        };
        return this.#until(wait, last, read, () => {
            // The steps before the wait have used a part of the time; a machine that slept has used more.
            throw new WaitTimeout(id, last, Math.max(options.deadline.ms, this.#clock.monotonic() - wait.since));
        });
    }

    /** Resolves with true when the livestream was deleted, with false when the deadline passed. */
    untilGone(id: string, options: WaitOptions): Promise<boolean> {
        const wait = this.#polling.begin(undefined, options);
        const read = async (limits: CallOptions) => {
            try {
                const { status } = await this.#api.livestreams.get(id, limits);
                this.#polling.answered(wait, status);
                return status?.toLowerCase() === "deleted" || undefined;
            } catch (error) {
                if (error instanceof NotFoundError) return true;
                throw error;
            }
        };
        return this.#until(wait, {}, read, () => false);
    }

    /**
     * Reads at each turn until `read` has a result; `late` gives the result when the time is over. A last read is always made
     * after the deadline, with a separate time limit: the machine may have slept through the whole wait.
     */
    async #until<T>(
        wait: Wait,
        last: LastSeen,
        read: (limits: CallOptions) => Promise<T | undefined>,
        late: () => T,
    ): Promise<T> {
        const { deadline, redactor } = wait.options;
        const signal = this.#signal;
        for (;;) {
            signal.throwIfAborted();
            await this.#polling.turn(wait);
            signal.throwIfAborted();
            const isLast = deadline.passed;
            const limit = isLast ? new Deadline(this.#clock, lastReadMs) : deadline;
            try {
                const found = await read({ signal, redactor, deadline: limit });
                last.error = undefined;
                if (found !== undefined) return found;
            } catch (error) {
                signal.throwIfAborted();
                if (isDefinite(error) || error === last.refusal) throw error;
                // A timeout says nothing about the object.
                if (!limit.passed) last.error = asClause(messageOf(error));
            } finally {
                this.#polling.ended(wait);
            }
            if (isLast) return late();
        }
    }
}

/** Whether no further request can change the failure. */
function isDefinite(error: unknown): boolean {
    return [AuthenticationError, PermissionError, Vanished].some((kind) => error instanceof kind);
}
