/**
 * Decides when each wait of the process reads its content again: after pauses that grow with the time waited. If there are many waits, one poll of
 * the list (`contentList.ts`) replaces their GETs. All pauses end in common rounds, so that ten thousand waits need one timer.
 */
import {
    type Clock,
    type ContentObject,
    type Deadline,
    IncompleteListError,
    onAbort,
    type VideographApi,
} from "../api";
import { isFinal } from "../api/status";
import type { Redactor } from "../secrets/redactor";
import { ContentList } from "./contentList";

/** The shortest pause between two requests for one object. A content that is Ready after 3 s is read about eight times. */
const minPauseMs = 325;
/** The longest pause. With it, Ready is noticed within 5 s, unless the list shows it late. */
export const maxPauseMs = 5_000;
/** The pause as a share of the time waited so far: Ready is noticed late by at most this share of the processing time. */
const pauseShare = 0.15;
/** If a poll of the list reads many pages, it takes long by itself. So a pause is at least this long for each page of the last poll. */
const pausePerPageMs = 60;

/** How many processing times are remembered. These are the latest ones, because the next contents are probably like the latest. */
const rememberedTimes = 20;
/** Processing times are used only once so many are known: a single one may be that of a video of one second. */
const minProcessingTimes = 3;
/** No content was Ready before the shortest processing time. So for this share of that time, a new content is read only every `maxPauseMs`. */
const quietShare = 0.8;

/**
 * The shortest time between two rounds, and what each wait adds to it: 125 ms for ten thousand waits. A round looks at all waits. If each wait had a
 * round of its own, the work would grow with the square of their number.
 */
const minRoundMs = 25;
const roundMsPerWait = 0.01;

/**
 * If so many waits begin during a poll, new contents move the pages of the list faster than they are read, and the poll may fail without a fault of
 * the list.
 */
const growthPerPoll = 100;

export interface WaitOptions {
    /** The end of the wait. At that time the content is read once more. */
    deadline: Deadline;
    /** Whether this run has just created the object: an early GET would be wasted. */
    fresh?: boolean | undefined;
    /** Is called with the first status, and with each later one that differs from the one before. */
    onStatus?: ((status: string) => void) | undefined;
    redactor?: Redactor | undefined;
}

/** A wait for one content. All times are in ms of `Clock.monotonic`. */
export interface Wait {
    readonly contentId: string;
    readonly options: WaitOptions;
    /** The time when the wait began. */
    readonly since: number;
    /** The time when the next request is due. */
    dueAt: number;
    /** The time when a GET last showed the content. Until then, the time when the wait began. */
    readAt: number;
    /** The status that a GET or the list has shown last. */
    status?: string;
    /** The status that a GET has shown last. A status in the list does not count, because it does not prove that a GET finds the content. */
    readStatus?: string;
    /** The error of the last GET; `undefined` if it succeeded. */
    error?: string | undefined;
    /** Whether the list has shown the content as finished. Then only a GET counts, because the list may be wrong. */
    isListedFinal: boolean;
    /** Ends the pause, so that the content is read. */
    wake?(): void;
}

/** The pause before the next request for an object that is not ready yet, but at least `least` ms. `age`: the time since the wait began, in ms. */
export function pauseAfter(age: number, least = 0): number {
    return Math.min(Math.max(age * pauseShare, least, minPauseMs), maxPauseMs);
}

export class Schedule {
    readonly #list: ContentList;
    /** The waits that pause before their next request. */
    readonly #waiting = new Set<Wait>();
    /** The time that each of the latest contents took from its create to its final status, in ms. */
    readonly #processingMs: number[] = [];
    /** The number of all waits that have begun so far. */
    #begun = 0;
    /** The time of the next round. During a round it lies in the past, so that `#planRound` plans no second round. */
    #roundAt = Number.POSITIVE_INFINITY;
    #lastRoundAt = Number.NEGATIVE_INFINITY;
    /** Cancels the timer of the next round. */
    #cancelRound = () => {};

    /** `signal`: ends all pauses at once when it is aborted. */
    constructor(
        readonly api: VideographApi,
        readonly clock: Clock,
        readonly signal: AbortSignal,
    ) {
        this.#list = new ContentList(api, clock, signal);
        onAbort(signal, () => {
            for (const wait of this.#waiting) this.#wake(wait);
            this.#cancelRound();
        });
    }

    begin(contentId: string, options: WaitOptions): Wait {
        const now = this.clock.monotonic();
        this.#begun++;
        const wait: Wait = { contentId, options, since: now, dueAt: now, readAt: now, isListedFinal: false };
        if (options.fresh) this.#putOff(wait, now);
        return wait;
    }

    /** Resolves when the content should be read next, or when the signal is aborted. */
    turn(wait: Wait): Promise<void> {
        const { promise, resolve } = Promise.withResolvers<void>();
        wait.wake = resolve;
        this.#waiting.add(wait);
        this.#planRound(wait.dueAt);
        return promise;
    }

    /** Notes the answer to a GET, and plans the next one. `object`: `undefined` if the GET failed. */
    answered(wait: Wait, object: ContentObject | undefined): void {
        const now = this.clock.monotonic();
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

    /**
     * Plans a round for `dueAt`, but not before `minRoundMs` (more with many waits) have passed since the last round. It changes nothing if an
     * earlier round is planned.
     */
    #planRound(dueAt: number): void {
        const at = Math.max(dueAt, this.#lastRoundAt + minRoundMs + roundMsPerWait * this.#waiting.size);
        if (at >= this.#roundAt) return;
        this.#roundAt = at;
        this.#cancelRound();
        this.#cancelRound = this.clock.timer(Math.max(at - this.clock.monotonic(), 0), () => void this.#round());
    }

    async #round(): Promise<void> {
        // Node may fire a timer a moment too early. Without the planned time, the wait would not count as due yet.
        const now = Math.max(this.clock.monotonic(), this.#roundAt);
        this.#roundAt = Number.NEGATIVE_INFINITY;
        const open = [...this.#waiting].filter(({ isListedFinal }) => !isListedFinal);
        const listed = open.some(({ dueAt }) => dueAt <= now) ? open : [];
        if (this.#list.isCheaperThan(listed.length)) await this.#poll(listed, now);
        for (const wait of this.#waiting) if (wait.dueAt <= now) this.#wake(wait);
        this.#lastRoundAt = this.#waiting.size === 0 ? Number.NEGATIVE_INFINITY : this.clock.monotonic();
        this.#roundAt = Number.POSITIVE_INFINITY;
        for (const { dueAt } of this.#waiting) this.#planRound(dueAt);
    }

    #wake(wait: Wait): void {
        this.#waiting.delete(wait);
        wait.wake?.();
    }

    /**
     * Reads the list once for these waits. It wakes a wait whose content seems to be finished, and puts off the others. `begin`: the time of the
     * round.
     */
    async #poll(listed: readonly Wait[], begin: number): Promise<void> {
        const waits = Map.groupBy(listed, ({ contentId }) => contentId);
        const unfinished: Wait[] = [];
        const begunBefore = this.#begun;
        const take = (wait: Wait, status: string) => {
            if (!this.#waiting.has(wait)) return;
            show(wait, status);
            wait.isListedFinal = isFinal(status);
            // Ends the pause, so that a GET confirms that the content is finished: the list may be wrong.
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
            // While a library creates its contents, they move the pages of the list, and a poll fails. The list is not wrong, so a later round reads
            // it again.
            if (isGrowing) for (const wait of listed) this.#putOff(wait, begin);
            else this.#list.leaveAlone();
        }
        if (unfinished.length === 0 || !this.#list.takesVerification()) return;
        this.#wake(unfinished.reduce((oldest, wait) => (wait.readAt < oldest.readAt ? wait : oldest)));
    }

    /**
     * Sets the time of the next request, a pause after `from`. After a poll, `from` is the time when the poll began, because a poll of many pages
     * takes long.
     */
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
