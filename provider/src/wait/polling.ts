/**
 * The requests of all waits of this process. Each wait pauses until it is due, and then reads its own object; or the list of
 * contents is polled in place of many GETs, where that takes fewer requests.
 */
import { type Clock, type Deadline, type Redactor, unlessAborted } from "../api";
import type { ContentList } from "./contentList";
import { isFinal } from "./status";

const minPauseMs = 325;
/** Ready is noticed no later than this, unless the list that is polled shows it late. */
export const maxPauseMs = 5_000;
/** The share of the time waited so far that a pause takes: so the lag is a share of the processing time. */
const pauseShare = 0.15;
/** How long a pause is at least for each page of the list: a poll of many pages takes as long as that by itself. */
const pausePerPageMs = 60;

/** How many processing times are remembered, and from how many on they count. */
const memory = 20;
const minProcessingTimes = 3;
/** None is likely to be Ready much sooner than all before it: this share of the shortest processing time is not polled. */
const certainShare = 0.8;

/** A list that shows final statuses too late, or never, is detected by GETs, one for this many requests: a tenth of all. */
const requestsPerVerification = 10;

/** Each saves requests or detects a wrong list; `bench/waiting.ts` switches them off. */
export const rules = ["list", "verification", "memory", "growth"] as const;
export type Rule = (typeof rules)[number];

export interface WaitOptions {
    /** When the last turn comes. */
    deadline: Deadline;
    /** Whether the object has changed just now, so that a request would come too early. */
    fresh?: boolean | undefined;
    /** Called with the first status that is seen, and with every other one that follows. */
    onStatus?: ((status: string) => void) | undefined;
    /** The secrets of the resource. */
    redactor?: Redactor | undefined;
}

/** One object that a wait is for. All times are of the monotonic clock, in ms. */
export interface Wait {
    /** The content's id; `undefined` for something that the list of contents does not show. */
    readonly contentId: string | undefined;
    readonly options: WaitOptions;
    /** When the wait began. */
    readonly since: number;
    /** When the next request is due. */
    dueAt: number;
    /** When a GET last answered, or the wait began. */
    readAt: number;
    /** The status that the list or the object itself last showed. */
    status: string | undefined;
    /** The status that the list last showed. */
    listed: string | undefined;
    /** Aborted when the object itself has to be read now. */
    alarm: AbortController;
}

export class Polling {
    readonly #list: ContentList;
    readonly #clock: Clock;
    readonly #signal: AbortSignal;
    readonly #switchedOff: ReadonlySet<Rule>;
    /** Those that wait for their turn. */
    readonly #waiting = new Set<Wait>();
    /** How long the latest contents took from their create on, in ms. */
    readonly #processingMs: number[] = [];
    /** Requests for which no content was yet read only to verify the list. */
    #unverified = 0;
    /** The poll of the list that is under way. */
    #poll: Promise<void> | undefined;

    /** `signal` ends all waits. */
    constructor(list: ContentList, clock: Clock, signal: AbortSignal, switchedOff: ReadonlySet<Rule>) {
        this.#list = list;
        this.#clock = clock;
        this.#signal = signal;
        this.#switchedOff = switchedOff;
        const onAbort = () => {
            for (const { alarm } of this.#waiting) alarm.abort();
        };
        signal.addEventListener("abort", onAbort, { once: true });
    }

    begin(contentId: string | undefined, options: WaitOptions): Wait {
        const now = this.#clock.monotonic();
        const wait: Wait = {
            contentId,
            options,
            since: now,
            dueAt: now,
            readAt: now,
            status: undefined,
            listed: undefined,
            alarm: new AbortController(),
        };
        if (options.fresh) wait.dueAt += this.#pauseOf(wait, now);
        return wait;
    }

    /** Resolves when a GET is worthwhile. */
    async turn(wait: Wait): Promise<void> {
        this.#signal.throwIfAborted();
        wait.dueAt = Math.min(wait.dueAt, wait.options.deadline.at);
        wait.alarm = new AbortController();
        const { signal } = wait.alarm;
        this.#waiting.add(wait);
        while (!signal.aborted) {
            // Also where it is due at once: those who begin at the same time share a poll.
            const left = Math.max(wait.dueAt - this.#clock.monotonic(), 0);
            await this.#clock.sleep(left, signal).catch(() => undefined);
            if (signal.aborted || wait.dueAt > this.#clock.monotonic()) continue;
            if (!isInList(wait) || (this.#poll === undefined && !this.#isListCheaper)) break;
            this.#poll ??= this.#pollList().finally(() => {
                this.#poll = undefined;
            });
            await unlessAborted(this.#poll, signal).catch(() => undefined);
        }
        this.#waiting.delete(wait);
        this.#signal.throwIfAborted();
    }

    /** A GET showed this status: the next turn comes accordingly. */
    answered(wait: Wait, status: string | undefined): void {
        const { contentId, options, since } = wait;
        const now = this.#clock.monotonic();
        show(wait, status ?? "unknown");
        wait.readAt = now;
        if (!isFinal(status)) {
            if (isFinal(wait.listed)) this.#list.leaveAlone();
            wait.listed = undefined;
        } else if (contentId !== undefined) {
            this.#list.settled(contentId);
            if (options.fresh && this.#processingMs.push(now - since) > memory) this.#processingMs.shift();
        }
    }

    /** A GET has ended, in whatever way. */
    ended(wait: Wait): void {
        const now = this.#clock.monotonic();
        this.#unverified++;
        wait.dueAt = now + this.#pauseOf(wait, now);
    }

    get #isListCheaper(): boolean {
        return this.#isOn("list") && this.#list.isUsable && 2 * this.#list.pages <= this.#waiting.size;
    }

    /** Polls the list, puts off every wait that it shows as unfinished, and wakes those that have to be read nevertheless. */
    async #pollList(): Promise<void> {
        const begin = this.#clock.monotonic();
        const contentIds = new Set([...this.#waiting].filter(isInList).map(({ contentId }) => contentId ?? ""));
        const unfinished: Wait[] = [];
        for await (const statuses of this.#list.poll(contentIds, this.#signal)) {
            this.#unverified++;
            for (const wait of this.#waiting) {
                const status = statuses.get(wait.contentId ?? "");
                if (status === undefined) continue;
                wait.listed = status;
                show(wait, status);
                // A list alone proves nothing: what it shows as finished is read at once.
                if (isFinal(status)) wait.alarm.abort();
                else unfinished.push(wait);
                // From the begin of the poll, or a list of many pages would be late by the time that it takes.
                wait.dueAt = Math.min(begin + this.#pauseOf(wait, begin), wait.options.deadline.at);
            }
        }
        this.#verify(unfinished);
        for (const { dueAt, alarm } of this.#waiting) {
            if (dueAt <= begin) alarm.abort();
        }
    }

    /** Has one content read although the list shows it as unfinished: the one that was read longest ago. */
    #verify(unfinished: readonly Wait[]): void {
        if (this.#unverified < requestsPerVerification || !this.#isOn("verification") || unfinished.length === 0)
            return;
        const oldest = unfinished.reduce((old, wait) => (wait.readAt < old.readAt ? wait : old));
        const now = this.#clock.monotonic();
        if (now - oldest.readAt < this.#pauseOf(oldest, now)) return;
        this.#unverified -= requestsPerVerification;
        oldest.alarm.abort();
    }

    /** How long after an answer that showed a pending status the next request comes: later and later, within limits. */
    #pauseOf({ contentId, options, since }: Wait, now: number): number {
        const age = now - since;
        const grown = this.#isOn("growth") ? Math.max(age * pauseShare, this.#list.pages * pausePerPageMs) : 0;
        const regular = Math.min(Math.max(grown, minPauseMs), maxPauseMs);
        const isNew = contentId !== undefined && options.fresh;
        if (!isNew || this.#processingMs.length < minProcessingTimes || !this.#isOn("memory")) return regular;
        const early = certainShare * Math.min(...this.#processingMs) - age;
        return Math.max(regular, Math.min(early, maxPauseMs));
    }

    #isOn(rule: Rule): boolean {
        return !this.#switchedOff.has(rule);
    }
}

function show(wait: Wait, status: string): void {
    if (status !== wait.status) wait.options.onStatus?.(status);
    wait.status = status;
}

/** What the list showed as finished is read itself, whatever else the list shows. */
function isInList({ contentId, listed }: Wait): boolean {
    return contentId !== undefined && !isFinal(listed);
}
