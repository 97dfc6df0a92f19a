/** Waits for contents to become Ready. */
import {
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
import { isBeingDeleted, isFinal } from "../api/status";
import { durationText } from "../inputs/duration";
import { advice, asClause, LifecycleError, type Message, messageOf, messages, withoutCodes } from "../messages";
import { ContentList } from "./contentList";
import { Schedule, type Wait, type WaitOptions } from "./schedule";

/** The end of a wait without a content that is Ready or Failed. */
export class WaitFailure extends LifecycleError {
    /** `what`: the message without the content's id and without advice. */
    constructor(
        message: Message,
        readonly what: string,
    ) {
        super(message);
    }
}

/** The content was neither Ready nor Failed in time. */
export class WaitTimeout extends WaitFailure {
    readonly lastStatus: string | undefined;

    constructor({ contentId: id, readStatus, error }: Wait, waitedMs: number) {
        const last = error ?? (readStatus === undefined ? "no answer" : `status ${readStatus}`);
        const time = durationText(waitedMs);
        const what = `not Ready after ${time}: ${withoutCodes(last)}`;
        super(messages.contentTimedOut({ id, time, last, option: advice.moreTime }), what);
        this.lastStatus = readStatus;
    }
}

/** The object was deleted, or these credentials cannot see it. Further waiting is useless; the message says what helps. */
export class Vanished extends WaitFailure {
    constructor(id: string, what: string) {
        super(messages.contentVanished({ id, seen: what }), what);
    }
}

export class Watcher {
    readonly #api: VideographApi;
    readonly #clock: Clock;
    readonly #signal: AbortSignal;
    readonly #schedule: Schedule;

    constructor(api: VideographApi, clock: Clock, signal: AbortSignal) {
        this.#api = api;
        this.#clock = clock;
        this.#signal = signal;
        this.#schedule = new Schedule(clock, new ContentList(api, clock, signal), signal);
    }

    /**
     * Resolves when the content is Ready or Failed. A last read is always made after the deadline, with a separate time limit: the machine may
     * have slept through the whole wait.
     */
    async untilSettled(id: string, options: WaitOptions): Promise<ContentObject> {
        const { deadline, redactor } = options;
        const signal = this.#signal;
        const wait = this.#schedule.begin(id, options);
        /** The end of the time in which the content may exist without being shown. It begins with the first request that does not show it. */
        let hiddenUntil: Deadline | undefined;
        for (;;) {
            signal.throwIfAborted();
            await this.#schedule.turn(wait);
            signal.throwIfAborted();
            const isLast = deadline.passed;
            const limit = isLast ? new Deadline(this.#clock, lastReadMs) : deadline;
            const grace = hiddenUntil ?? new Deadline(this.#clock, consistencyGraceMs);
            const call = this.#api.contents.get(id, { signal, redactor, deadline: limit });
            const object = await call.catch((error: unknown) => {
                signal.throwIfAborted();
                if (error instanceof PermissionError) throw error;
                if (error instanceof ClientError || error instanceof MalformedAnswerError) {
                    hiddenUntil = grace;
                    if (grace.passed && error instanceof NotFoundError) throw new Vanished(id, "missing (HTTP 404)");
                    // A content that was seen exists, so the service may recover. The id of one that was not may be wrong.
                    if (grace.passed && wait.readStatus === undefined) throw error;
                }
                // A timeout says nothing about the content.
                if (!limit.passed) wait.error = asClause(messageOf(error));
                return undefined;
            });
            this.#schedule.answered(wait, object);
            if (object !== undefined) {
                if (isBeingDeleted(object.status)) throw new Vanished(id, `being deleted (status ${object.status})`);
                if (isFinal(object.status)) return object;
                hiddenUntil = wait.error = undefined;
            }
            // The steps before the wait have used a part of the time; a machine that slept has used more.
            if (isLast) throw new WaitTimeout(wait, Math.max(deadline.ms, this.#clock.monotonic() - wait.since));
        }
    }
}
