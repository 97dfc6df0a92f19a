/**
 * The requests of all waits of this process. Each wait pauses until it is due, and then reads its own object; or the list of
 * contents is polled in place of many GETs: a page shows a hundred statuses for one request. A list alone proves nothing, because it is
 * undocumented how fresh it is, how it is sorted, and whether it is complete. So it is compared with single answers, and not read for a
 * while when it contradicts them, fails or shows too little.
 */
import {
    type Clock,
    type ContentObject,
    Deadline,
    IncompleteListError,
    listDisuseMs,
    listPageMs,
    type Redactor,
    type VideographApi,
} from "../api";
import { isFinal } from "./status";

/** The shortest pause between two requests for one object. */
const minPauseMs = 325;
/** Ready is noticed no later than this, unless the list that is polled shows it late. */
export const maxPauseMs = 5_000;

/** A poll of the list takes at most this share of the GETs that it takes the place of. */
const listShare = 0.5;
/** A list that shows final statuses too late, or never, is detected by GETs, one for this many requests: a tenth of all. */
const requestsPerVerification = 10;
/** How many processing times are needed before they count. */
const minProcessingTimes = 3;
/** The share of the time waited so far that a pause takes: so the lag is a share of the processing time. */
const pauseShare = 0.15;
/** How long a pause is at least for each page of the list: a poll of many pages takes as long as that by itself. */
const pausePerPageMs = 60;

/** When this many waits begin while the list is read, its pages move faster than they are read. */
const growthPerPoll = 100;

/** The shortest time between two rounds, so that waits that are due at about the same time share one; for ten thousand it is four times that. */
const minRoundMs = 25;
const roundMsPerWait = 0.01;

/** How many processing times are remembered. */
const rememberedTimes = 20;
/** No polling during this share of the shortest processing time. */
const quietShare = 0.8;

export interface WaitOptions {
    /** When the last turn comes. */
    deadline: Deadline;
    /** Whether the object has changed just now, so that a request would come too early. */
    fresh?: boolean | undefined;
    /** Called with the first status that is seen, and with every other one that follows. */
    onStatus?: ((status: string) => void) | undefined;
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
    /** Whether the list last showed a final status. */
    isListedFinal: boolean;
    /** Ends the turn that is waited for. */
    wake(): void;
}

export class Polling {
    readonly #api: VideographApi;
    readonly #clock: Clock;
    readonly #signal: AbortSignal;
    /** Those that wait for their turn. */
    readonly #waiting = new Set<Wait>();
    /** How long the latest contents took from their create on, in ms. */
    readonly #processingMs: number[] = [];
    /** Requests for which no content was yet read only to verify the list. */
    #unverified = 0;
    /** When single answers showed contents Ready, Failed or leaving: every later list has to say so too. */
    readonly #final = new Map<string, number>();
    #listUnusedUntil = Number.NEGATIVE_INFINITY;
    /** How many waits have begun. */
    #begun = 0;
    /** How many requests a poll of the list takes, as far as the last one has shown. */
    #pages = 1;
    #running: Promise<void> | undefined;
    /** Ends the sleep until the next round. */
    #alarm = new AbortController();
    #sleepsUntil = 0;

    /** `signal` ends all waits. */
    constructor(api: VideographApi, clock: Clock, signal: AbortSignal) {
        this.#api = api;
        this.#clock = clock;
        this.#signal = signal;
        const onAbort = () => {
            for (const wait of this.#waiting) this.#wake(wait);
            this.#alarm.abort();
        };
        signal.addEventListener("abort", onAbort, { once: true });
    }

    begin(contentId: string | undefined, options: WaitOptions): Wait {
        const now = this.#clock.monotonic();
        this.#begun++;
        const wait: Wait = {
            contentId,
            options,
            since: now,
            dueAt: now,
            readAt: now,
            status: undefined,
            isListedFinal: false,
            wake: () => undefined,
        };
        if (options.fresh) wait.dueAt += this.#pauseOf(wait, now);
        return wait;
    }

    /** Resolves when a GET is worthwhile, or the signal is aborted meanwhile. */
    turn(wait: Wait): Promise<void> {
        wait.dueAt = Math.min(wait.dueAt, wait.options.deadline.at);
        const { promise, resolve } = Promise.withResolvers<void>();
        wait.wake = resolve;
        this.#waiting.add(wait);
        this.#running ??= this.#run();
        if (wait.dueAt < this.#sleepsUntil) this.#alarm.abort();
        return promise;
    }

    /** Ends turns as they are due: one loop for all, so that ten thousand waits need one timer. */
    async #run(): Promise<void> {
        let lastRoundAt = Number.NEGATIVE_INFINITY;
        while (this.#waiting.size > 0) {
            await this.#sleep(lastRoundAt + minRoundMs + roundMsPerWait * this.#waiting.size);
            const now = this.#clock.monotonic();
            const due = [...this.#waiting].filter(({ dueAt }) => dueAt <= now);
            if (due.length === 0) continue;
            if (due.some(isInList) && this.#isListCheaper) await this.#pollList(now);
            else for (const wait of due) this.#wake(wait);
            lastRoundAt = this.#clock.monotonic();
        }
        this.#running = undefined;
    }

    /** Until one is due, but not before this time; also where one is due at once: those who begin together share a round. */
    async #sleep(earliest: number): Promise<void> {
        this.#alarm = new AbortController();
        this.#sleepsUntil = Number.POSITIVE_INFINITY;
        for (const { dueAt } of this.#waiting) this.#sleepsUntil = Math.min(this.#sleepsUntil, dueAt);
        const left = Math.max(this.#sleepsUntil, earliest) - this.#clock.monotonic();
        await this.#clock.sleep(Math.max(left, 0), this.#alarm.signal).catch(() => undefined);
        this.#sleepsUntil = 0;
    }

    #wake(wait: Wait): void {
        this.#waiting.delete(wait);
        wait.wake();
    }

    /** A GET showed this status: the next turn comes accordingly. */
    answered(wait: Wait, status: string | undefined): void {
        const { contentId, options, since } = wait;
        const now = this.#clock.monotonic();
        show(wait, status ?? "unknown");
        wait.readAt = now;
        if (!isFinal(status)) {
            if (wait.isListedFinal) this.#leaveListAlone();
            wait.isListedFinal = false;
        } else if (contentId !== undefined) {
            this.#final.set(contentId, now);
            if (options.fresh && this.#processingMs.push(now - since) > rememberedTimes) this.#processingMs.shift();
        }
    }

    /** A GET has ended, in whatever way. */
    ended(wait: Wait): void {
        const now = this.#clock.monotonic();
        this.#unverified++;
        wait.dueAt = now + this.#pauseOf(wait, now);
    }

    get #isListCheaper(): boolean {
        if (this.#clock.monotonic() < this.#listUnusedUntil) return false;
        return this.#pages <= listShare * [...this.#waiting].filter(isInList).length;
    }

    /** Polls the list, puts off every wait that it shows as unfinished, and wakes those that have to be read nevertheless. */
    async #pollList(begin: number): Promise<void> {
        const wanted = Map.groupBy([...this.#waiting].filter(isInList), ({ contentId }) => contentId ?? "");
        const unfinished: Wait[] = [];
        const before = this.#begun;
        let isGrowing = false;
        const isUseful = await this.#readList(wanted, (wait, status) => {
            if (!this.#waiting.has(wait)) return;
            wait.isListedFinal = isFinal(status);
            show(wait, status);
            // A list alone proves nothing: what it shows as finished is read at once.
            if (wait.isListedFinal) this.#wake(wait);
            else unfinished.push(wait);
            this.#putOff(wait, begin);
        }).catch((error: unknown) => {
            isGrowing = error instanceof IncompleteListError && this.#begun - before >= growthPerPoll;
            return false;
        });
        // The creates of a library come faster than the pages: the list is as good as before, only later.
        if (isGrowing) for (const wait of [...wanted.values()].flat()) this.#putOff(wait, begin);
        else if (!isUseful) this.#leaveListAlone();
        this.#verify(unfinished);
        for (const wait of this.#waiting) if (wait.dueAt <= begin) this.#wake(wait);
    }

    /** From the begin of the poll, or a list of many pages would be late by the time that it takes. */
    #putOff(wait: Wait, begin: number): void {
        wait.dueAt = Math.min(begin + this.#pauseOf(wait, begin), wait.options.deadline.at);
    }

    /**
     * Reads the list as far as it shows those that are wanted, in at most half as many requests. False where it contradicts single answers, or
     * shows too little.
     */
    async #readList(
        wanted: ReadonlyMap<string, Wait[]>,
        onStatus: (wait: Wait, status: string) => void,
    ): Promise<boolean> {
        const begin = this.#clock.monotonic();
        const options = { signal: this.#signal, deadline: new Deadline(this.#clock, listPageMs) };
        let [found, pages] = [0, 0];
        for await (const { items } of this.#api.listContents(options)) {
            if (items.some((item) => this.#contradicts(item, begin))) return false;
            pages++;
            this.#unverified++;
            for (const { contentId, status } of items) {
                const waits = wanted.get(contentId);
                if (status === undefined || waits === undefined) continue;
                found++;
                for (const wait of waits) onStatus(wait, status);
            }
            if (found === wanted.size || 2 * pages >= wanted.size) break;
            // Each page has its own.
            options.deadline = new Deadline(this.#clock, listPageMs);
        }
        this.#pages = pages;
        return found > pages;
    }

    /** Whether the list shows a content as unfinished that a single answer showed as finished before the list was requested. */
    #contradicts({ contentId, status }: ContentObject, begin: number): boolean {
        return status !== undefined && !isFinal(status) && (this.#final.get(contentId) ?? begin) < begin;
    }

    /** It is wrong, or shows too little: the contents themselves are read for a while. */
    #leaveListAlone(): void {
        this.#listUnusedUntil = this.#clock.monotonic() + listDisuseMs;
        this.#pages = 1;
    }

    /** Has one content read although the list shows it as unfinished: the one that was read longest ago. */
    #verify(unfinished: readonly Wait[]): void {
        if (this.#unverified < requestsPerVerification || unfinished.length === 0) return;
        const oldest = unfinished.reduce((old, wait) => (wait.readAt < old.readAt ? wait : old));
        const now = this.#clock.monotonic();
        if (now - oldest.readAt < this.#pauseOf(oldest, now)) return;
        this.#unverified -= requestsPerVerification;
        this.#wake(oldest);
    }

    /** How long after an answer that showed a pending status the next request comes: later and later, within limits. */
    #pauseOf({ contentId, options, since }: Wait, now: number): number {
        const age = now - since;
        const grown = Math.max(age * pauseShare, this.#pages * pausePerPageMs);
        const regular = Math.min(Math.max(grown, minPauseMs), maxPauseMs);
        const isNew = contentId !== undefined && options.fresh;
        if (!isNew || this.#processingMs.length < minProcessingTimes) return regular;
        const early = quietShare * Math.min(...this.#processingMs) - age;
        return Math.max(regular, Math.min(early, maxPauseMs));
    }
}

function show(wait: Wait, status: string): void {
    if (status !== wait.status) wait.options.onStatus?.(status);
    wait.status = status;
}

/** What the list showed as finished is read itself, whatever else the list shows. */
function isInList({ contentId, isListedFinal }: Wait): boolean {
    return contentId !== undefined && !isListedFinal;
}
