/**
 * When each wait of this process asks next. It pauses until it is due, longer and longer, and then reads its own content; or all are asked for
 * by one poll of the list of contents (contentList.ts). One loop ends the pauses of all, so that ten thousand waits need one timer.
 */
import { type Clock, type ContentObject, type Deadline, IncompleteListError, onAbort } from "../api";
import { isFinal } from "../api/status";
import type { Redactor } from "../secrets/redactor";
import type { ContentList } from "./contentList";

/** The shortest pause between two requests for one object: a content that takes 3 s is asked for about eight times. */
const minPauseMs = 325;
/** The longest pause: Ready is noticed no later than this, unless the list that is polled shows it late. */
export const maxPauseMs = 5_000;
/** The pause as a share of the time waited so far: so the lag is a share of the processing time. */
const pauseShare = 0.15;
/** The shortest pause for each page of the list: a poll of many pages takes as long as that by itself. */
const pausePerPageMs = 60;

/** The number of processing times that are remembered: of the latest contents, because the next ones are like these. */
const rememberedTimes = 20;
/** The number of processing times that are needed before they count: a single one may be of a video of a second. */
const minProcessingTimes = 3;
/** The share of the shortest processing time in which nothing is asked: no content was Ready so soon. */
const quietShare = 0.8;

/** The shortest time between two rounds, so that waits that are due at about the same time share one. Each wait adds to it: 125 ms for ten thousand. */
const minRoundMs = 25;
const roundMsPerWait = 0.01;

/** The number of waits begun during a poll that shows the list's pages to move faster than they are read. */
const growthPerPoll = 100;

export interface WaitOptions {
    /** The time of the last turn. */
    deadline: Deadline;
    /** Whether the object has changed just now, so that a request would come too early. */
    fresh?: boolean | undefined;
    /** Receives the first status that is seen, and every other one that follows. */
    onStatus?: ((status: string) => void) | undefined;
    redactor?: Redactor | undefined;
}

/** A content that a wait is for. All times are of the monotonic clock, in ms. */
export interface Wait {
    readonly contentId: string;
    readonly options: WaitOptions;
    /** The time when the wait began. */
    readonly since: number;
    /** The time when the next request is due. */
    dueAt: number;
    /** The time when a GET last answered, or the wait began. */
    readAt: number;
    /** The status that the last GET or the list showed. */
    status?: string;
    /** The status that a GET last showed. */
    readStatus?: string;
    /** The error of the last GET, if it failed. */
    error?: string | undefined;
    /** Whether the list last showed a final status: the content is read itself then, whatever else the list shows. */
    isListedFinal: boolean;
    /** Ends the wait for a turn. */
    wake?(): void;
}

/** The pause after a request that showed an object as unfinished, `age` ms after the wait began: longer and longer, within limits. */
export function pauseAfter(age: number, least = 0): number {
    return Math.min(Math.max(age * pauseShare, least, minPauseMs), maxPauseMs);
}

export class Schedule {
    readonly #clock: Clock;
    readonly #list: ContentList;
    /** The waits for a turn. */
    readonly #waiting = new Set<Wait>();
    /** The processing times of the latest contents, from their create on, in ms. */
    readonly #processingMs: number[] = [];
    /** The number of waits that have begun. */
    #begun = 0;
    /** The time of the next round: none is planned while one is under way. */
    #roundAt = Number.POSITIVE_INFINITY;
    #lastRoundAt = Number.NEGATIVE_INFINITY;
    /** Ends the timer of the next round. */
    #cancelRound = () => {};

    /** `signal` ends all waits. */
    constructor(clock: Clock, list: ContentList, signal: AbortSignal) {
        this.#clock = clock;
        this.#list = list;
        onAbort(signal, () => {
            for (const wait of this.#waiting) this.#wake(wait);
            this.#cancelRound();
        });
    }

    begin(contentId: string, options: WaitOptions): Wait {
        const now = this.#clock.monotonic();
        this.#begun++;
        const wait: Wait = { contentId, options, since: now, dueAt: now, readAt: now, isListedFinal: false };
        if (options.fresh) this.#putOff(wait, now);
        return wait;
    }

    /** Resolves when a GET is worthwhile, or the signal is aborted meanwhile. */
    turn(wait: Wait): Promise<void> {
        const { promise, resolve } = Promise.withResolvers<void>();
        wait.wake = resolve;
        this.#waiting.add(wait);
        this.#planRound(wait.dueAt);
        return promise;
    }

    /** Takes the answer to a GET, `undefined` for a failed one, and sets the next turn. */
    answered(wait: Wait, object: ContentObject | undefined): void {
        const now = this.#clock.monotonic();
        this.#list.compare(wait.contentId, wait.isListedFinal, object);
        if (object !== undefined) {
            wait.readStatus = object.status ?? "unknown";
            show(wait, wait.readStatus);
            wait.readAt = now;
            wait.isListedFinal = false;
            const isNew = isFinal(object.status) && wait.options.fresh;
            if (isNew && this.#processingMs.push(now - wait.since) > rememberedTimes) this.#processingMs.shift();
        }
        this.#putOff(wait, now);
    }

    /** Plans a round for when a wait is due. Without the pause after the last one, each of ten thousand waits would have a round, which looks at all. */
    #planRound(dueAt: number): void {
        const at = Math.max(dueAt, this.#lastRoundAt + minRoundMs + roundMsPerWait * this.#waiting.size);
        if (at >= this.#roundAt) return;
        this.#roundAt = at;
        this.#cancelRound();
        this.#cancelRound = this.#clock.timer(Math.max(at - this.#clock.monotonic(), 0), () => void this.#round());
    }

    async #round(): Promise<void> {
        // A timer may fire a moment too early.
        const now = Math.max(this.#clock.monotonic(), this.#roundAt);
        this.#roundAt = Number.NEGATIVE_INFINITY;
        const open = [...this.#waiting].filter(({ isListedFinal }) => !isListedFinal);
        const listed = open.some(({ dueAt }) => dueAt <= now) ? open : [];
        if (this.#list.isCheaperThan(listed.length)) await this.#poll(listed, now);
        for (const wait of this.#waiting) if (wait.dueAt <= now) this.#wake(wait);
        this.#lastRoundAt = this.#waiting.size === 0 ? Number.NEGATIVE_INFINITY : this.#clock.monotonic();
        this.#roundAt = Number.POSITIVE_INFINITY;
        for (const { dueAt } of this.#waiting) this.#planRound(dueAt);
    }

    #wake(wait: Wait): void {
        this.#waiting.delete(wait);
        wait.wake?.();
    }

    /** Polls the list, puts off every wait that it shows as unfinished, and wakes those whose content has to be read nevertheless. */
    async #poll(listed: readonly Wait[], begin: number): Promise<void> {
        const waits = Map.groupBy(listed, ({ contentId }) => contentId);
        const unfinished: Wait[] = [];
        const begunBefore = this.#begun;
        const take = (wait: Wait, status: string) => {
            if (!this.#waiting.has(wait)) return;
            show(wait, status);
            wait.isListedFinal = isFinal(status);
            // A list alone proves nothing: a content that it shows as finished is read at once.
            if (wait.isListedFinal) this.#wake(wait);
            else unfinished.push(wait);
            this.#putOff(wait, begin);
        };
        try {
            for await (const items of this.#list.read(waits))
                for (const { contentId, status = "" } of items)
                    for (const wait of waits.get(contentId) ?? []) take(wait, status);
        } catch (error) {
            const isGrowing = error instanceof IncompleteListError && this.#begun - begunBefore >= growthPerPoll;
            // The creates of a library come faster than the pages: the list is as good as before, only later.
            if (isGrowing) for (const wait of listed) this.#putOff(wait, begin);
            else this.#list.leaveAlone();
        }
        if (unfinished.length === 0 || !this.#list.takesVerification()) return;
        this.#wake(unfinished.reduce((oldest, wait) => (wait.readAt < oldest.readAt ? wait : oldest)));
    }

    /** Sets the next turn. After a poll `from` is its start: else a list of many pages would be late by the time that it takes. */
    #putOff(wait: Wait, from: number): void {
        wait.dueAt = Math.min(from + this.#pauseOf(wait, from), wait.options.deadline.at);
    }

    #pauseOf({ options, since }: Wait, now: number): number {
        const age = now - since;
        const regular = pauseAfter(age, this.#list.pages * pausePerPageMs);
        if (!options.fresh || this.#processingMs.length < minProcessingTimes) return regular;
        const early = quietShare * Math.min(...this.#processingMs) - age;
        return Math.max(regular, Math.min(early, maxPauseMs));
    }
}

function show(wait: Wait, status: string): void {
    if (status !== wait.status) wait.options.onStatus?.(status);
    wait.status = status;
}
