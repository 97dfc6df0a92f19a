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
import { isFinal } from "../api/status";

/** The shortest pause between two requests for one object. */
const minPauseMs = 325;
/** The longest pause: Ready is noticed no later than this, unless the list that is polled shows it late. */
export const maxPauseMs = 5_000;

/** The most requests that a poll of the list takes, as a share of the GETs that it replaces. */
const listShare = 0.5;
/** The number of requests for each GET that verifies the list: a tenth of all detect a list that shows final statuses too late, or never. */
const requestsPerVerification = 10;
/** The number of processing times that are needed before they count. */
const minProcessingTimes = 3;
/** The pause as a share of the time waited so far: so the lag is a share of the processing time. */
const pauseShare = 0.15;
/** The shortest pause for each page of the list: a poll of many pages takes as long as that by itself. */
const pausePerPageMs = 60;

/** The number of waits begun during a poll that shows the list's pages to move faster than they are read. */
const growthPerPoll = 100;

/** The shortest time between two rounds, so that waits that are due at about the same time share one. Each wait adds to it: 125 ms for ten thousand. */
const minRoundMs = 25;
const roundMsPerWait = 0.01;

/** The number of processing times that are remembered. */
const rememberedTimes = 20;
/** The share of the shortest processing time in which nothing is polled. */
const quietShare = 0.8;

export interface WaitOptions {
    /** The time of the last turn. */
    deadline: Deadline;
    /** Whether the object has changed just now, so that a request would come too early. */
    fresh?: boolean | undefined;
    /** Receives the first status that is seen, and every other one that follows. */
    onStatus?: ((status: string) => void) | undefined;
    redactor?: Redactor | undefined;
}

/** One object that a wait is for. All times are of the monotonic clock, in ms. */
export interface Wait {
    /** The content's id; `undefined` for an object that the list of contents does not show. */
    readonly contentId: string | undefined;
    readonly options: WaitOptions;
    /** The time when the wait began. */
    readonly since: number;
    /** The time when the next request is due. */
    dueAt: number;
    /** The time when a GET last answered, or the wait began. */
    readAt: number;
    /** The status that the list or the object itself last showed. */
    status?: string;
    /** Whether the list last showed a final status. */
    isListedFinal?: boolean;
    /** Ends the wait for a turn. */
    wake?(): void;
}

export class Polling {
    readonly #api: VideographApi;
    readonly #clock: Clock;
    readonly #signal: AbortSignal;
    /** The waits for a turn. */
    readonly #waiting = new Set<Wait>();
    /** The processing times of the latest contents, from their create on, in ms. */
    readonly #processingMs: number[] = [];
    /** The requests since a content was last read only to verify the list. */
    #unverifiedRequests = 0;
    /** The times when single answers showed contents Ready, Failed or being deleted: every later list has to say so too. */
    readonly #final = new Map<string, number>();
    #listUnusedUntil = Number.NEGATIVE_INFINITY;
    /** The number of waits that have begun. */
    #begun = 0;
    /** The number of requests that a poll of the list takes, as far as the last poll has shown. */
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
        const wait: Wait = { contentId, options, since: now, dueAt: now, readAt: now };
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

    /** Sleeps until a wait is due, but at least until `earliest`: waits that begin together, and are due at once, share a round. */
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
        wait.wake?.();
    }

    /** Notes the status that a GET has shown. */
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

    /** Sets the next turn after a GET, in whatever way the GET has ended. */
    ended(wait: Wait): void {
        const now = this.#clock.monotonic();
        this.#unverifiedRequests++;
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
            // A list alone proves nothing: a content that it shows as finished is read at once.
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

    /** Sets the next turn, from the start of the poll on: else a list of many pages would be late by the time that it takes. */
    #putOff(wait: Wait, begin: number): void {
        wait.dueAt = Math.min(begin + this.#pauseOf(wait, begin), wait.options.deadline.at);
    }

    /**
     * Reads the list until it has shown the wanted contents, in at most `listShare` as many requests. False where it contradicts single answers, or
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
            this.#unverifiedRequests++;
            for (const { contentId, status } of items) {
                const waits = wanted.get(contentId);
                if (status === undefined || waits === undefined) continue;
                found++;
                for (const wait of waits) onStatus(wait, status);
            }
            if (found === wanted.size || pages >= listShare * wanted.size) break;
            // Each page has its own deadline.
            options.deadline = new Deadline(this.#clock, listPageMs);
        }
        this.#pages = pages;
        return found > pages;
    }

    /** Whether the list shows a content as unfinished that a single answer showed as finished before the list was requested. */
    #contradicts({ contentId, status }: ContentObject, begin: number): boolean {
        return status !== undefined && !isFinal(status) && (this.#final.get(contentId) ?? begin) < begin;
    }

    /** Leaves a list that is wrong, or shows too little: the contents themselves are read for a while. */
    #leaveListAlone(): void {
        this.#listUnusedUntil = this.#clock.monotonic() + listDisuseMs;
        this.#pages = 1;
    }

    /** Has one content read although the list shows it as unfinished: the content that was read longest ago. */
    #verify(unfinished: readonly Wait[]): void {
        if (this.#unverifiedRequests < requestsPerVerification || unfinished.length === 0) return;
        const oldest = unfinished.reduce((old, wait) => (wait.readAt < old.readAt ? wait : old));
        this.#unverifiedRequests -= requestsPerVerification;
        this.#wake(oldest);
    }

    /** The pause between an answer that showed a pending status and the next request: longer and longer, within limits. */
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

/** Whether the list serves the wait. A content that the list showed as finished is read itself, whatever else the list shows. */
function isInList({ contentId, isListedFinal }: Wait): boolean {
    return contentId !== undefined && !isListedFinal;
}
