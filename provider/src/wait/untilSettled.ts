/** Waits until a content is Ready or Failed. */
import {
    ClientError,
    type ContentObject,
    consistencyGraceMs,
    Deadline,
    lastReadMs,
    MalformedAnswerError,
    NotFoundError,
    PermissionError,
} from "../api";
import { isBeingDeleted, isFinal } from "../api/status";
import { durationText } from "../inputs/duration";
import { advice, asClause, LifecycleError, type Message, messageOf, messages, withoutCodes } from "../messages";
import type { Schedule, Wait, WaitOptions } from "./schedule";

/** The wait is over, and the content is neither Ready nor Failed. */
export class WaitFailure extends LifecycleError {
    /** `what`: only the reason, for a list of several contents. `message` has the content's id and advice as well. */
    constructor(
        message: Message,
        readonly what: string,
    ) {
        super(message);
    }
}

/** The time limit of the wait has passed. */
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

/** The content was deleted, or these credentials cannot see it: waiting longer would not help. */
export class Vanished extends WaitFailure {
    constructor(id: string, what: string) {
        super(messages.contentVanished({ id, seen: what }), what);
    }
}

/**
 * Resolves when the content is Ready or Failed. After the deadline it reads the content once more: if the machine has slept until then, the content
 * may be Ready although no answer has shown it.
 *
 * @throws {WaitFailure}
 */
export async function untilSettled(schedule: Schedule, id: string, options: WaitOptions): Promise<ContentObject> {
    const { api, clock, signal } = schedule;
    const { deadline, redactor } = options;
    const wait = schedule.begin(id, options);
    /** Until this time, the service may have the content and not show it. It is set by the first answer that does not show the content. */
    let hiddenUntil: Deadline | undefined;
    for (;;) {
        signal.throwIfAborted();
        await schedule.turn(wait);
        signal.throwIfAborted();
        const isLast = deadline.passed;
        const limit = isLast ? new Deadline(clock, lastReadMs) : deadline;
        const grace = hiddenUntil ?? new Deadline(clock, consistencyGraceMs);
        const call = api.contents.get(id, { signal, redactor, deadline: limit });
        const object = await call.catch((error: unknown) => {
            signal.throwIfAborted();
            if (error instanceof PermissionError) throw error;
            if (error instanceof ClientError || error instanceof MalformedAnswerError) {
                hiddenUntil = grace;
                if (grace.passed && error instanceof NotFoundError) throw new Vanished(id, "missing (HTTP 404)");
                // If no answer has ever shown the content, its id may be wrong, and the wait ends. Otherwise the content exists, and the wait goes
                // on: the service may recover.
                if (grace.passed && wait.readStatus === undefined) throw error;
            }
            // If the time limit has ended this GET, its error says less than that of the GET before, which is kept.
            if (!limit.passed) wait.error = asClause(messageOf(error));
            return undefined;
        });
        schedule.answered(wait, object);
        if (object !== undefined) {
            if (isBeingDeleted(object.status)) throw new Vanished(id, `being deleted (status ${object.status})`);
            if (isFinal(object.status)) return object;
            hiddenUntil = wait.error = undefined;
        }
        // The message names the whole time limit, although the create has taken a part of it. If the machine has slept, it names the longer time that
        // has passed.
        if (isLast) throw new WaitTimeout(wait, Math.max(deadline.ms, clock.monotonic() - wait.since));
    }
}
