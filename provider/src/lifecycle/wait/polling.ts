/**
 * Decides when each object that is waited for is worth a GET, for all of them together: soon at first, then ever more
 * rarely, later when this environment's contents are known to take longer, and by one look at the list in place of many
 * GETs where that is cheaper. Whoever waits reads its own object when its turn comes, and judges for itself.
 */
import type { Clock, Deadline } from "../../api";
import { maxInFlight } from "../../api/limits";
import type { ContentList } from "./contentList";
import { isFinal } from "./status";

const shortest = 250;
/** Ready is never noticed later than this, in ms. */
const longest = 5_000;
/** The share of the time waited so far that the pause after a GET takes: so the lag is a share of the processing time. */
const shareOfGet = 0.15;
/** The same after a look at the list, which is cheap. */
const shareOfLook = 0.1;
/** The least pause for each page that a look takes, in ms: 200 pages a second. */
const pausePerPage = 5;
/** How many processing times are remembered. */
const memory = 20;

/** GETs that may wait for a connection at the same time: so creates do not queue up behind thousands of them. */
const mostReading = 2 * maxInFlight;
/** Rounds are no closer together than this, in ms: waits that are due at about the same time take their turn together. */
const shortestRound = 25;

export interface PollOptions {
    signal: AbortSignal;
    /** When the last turn comes. */
    deadline: Deadline;
    /** Whether the object has changed just now, so that a look would come too early. */
    fresh?: boolean | undefined;
    /** Called with every status that is seen. */
    onStatus?: ((status: string) => void) | undefined;
}

/** One object that somebody waits for. */
export class Wait {
    /** The content's id; `undefined` for something that the list of contents does not show. */
    readonly contentId: string | undefined;
    readonly options: PollOptions;
    readonly since: number;
    /** When the next look is due. */
    due: number;
    /** When a GET last told its status, or the wait began. */
    readAt: number;
    /** What the list last showed. */
    listed: string | undefined;
    /** Ends the turn that is waited for. */
    wake: () => void = () => undefined;

    constructor(contentId: string | undefined, options: PollOptions, now: number) {
        this.contentId = contentId;
        this.options = options;
        this.since = now;
        this.due = now;
        this.readAt = now;
    }
}

export class Polling {
    readonly #clock: Clock;
    readonly #list: ContentList;
    /** Those that wait for their turn. */
    readonly #waiting = new Set<Wait>();
    /** Those whose turn it is. */
    readonly #reading = new Set<Wait>();
    readonly #heeded = new WeakSet<AbortSignal>();
    /** How long the latest contents took from their create on, in ms. */
    readonly #processing: number[] = [];
    #running = false;
    #lastRound = 0;
    /** Ends the sleep until the next round. */
    #alarm = new AbortController();
    #sleepsUntil = 0;
    /** Ends a look at the list that nobody waits for any more. */
    #looking = new AbortController();

    constructor(list: ContentList, clock: Clock) {
        this.#list = list;
        this.#clock = clock;
    }

    begin(contentId: string | undefined, options: PollOptions): Wait {
        const wait = new Wait(contentId, options, this.#clock.monotonic());
        if (options.fresh) wait.due += this.#pause(wait, shareOfGet);
        return wait;
    }

    /** Resolves when a GET is worthwhile. */
    async turn(wait: Wait): Promise<void> {
        const { signal, deadline } = wait.options;
        signal.throwIfAborted();
        this.#heed(signal);
        wait.due = Math.min(wait.due, deadline.at);
        const turn = new Promise<void>((resolve) => {
            wait.wake = resolve;
        });
        this.#waiting.add(wait);
        if (!this.#running) void this.#run();
        else if (wait.due < this.#sleepsUntil) this.#alarm.abort();
        await turn;
        if (signal.aborted) this.#reading.delete(wait);
        signal.throwIfAborted();
    }

    /** A GET showed this status: the next turn comes accordingly. */
    seen(wait: Wait, status: string | undefined): void {
        const { contentId, options } = wait;
        const now = this.#clock.monotonic();
        options.onStatus?.(status ?? "unknown");
        wait.readAt = now;
        if (!isFinal(status)) {
            if (isFinal(wait.listed)) this.#list.contradicted();
            wait.listed = undefined;
        } else if (contentId !== undefined) {
            this.#list.settled(contentId);
            if (options.fresh && this.#processing.push(now - wait.since) > memory) this.#processing.shift();
        }
        this.read(wait);
    }

    /** A GET has ended, however it did. */
    read(wait: Wait): void {
        this.#reading.delete(wait);
        wait.due = this.#clock.monotonic() + this.#pause(wait, shareOfGet);
    }

    async #run(): Promise<void> {
        this.#running = true;
        while (this.#waiting.size > 0) {
            await this.#sleep();
            // One moment for the whole round: a timer may come a little early, and what is not due to a look is not due to a GET.
            const now = this.#clock.monotonic();
            await this.#look(now);
            this.#lastRound = this.#clock.monotonic();
            for (const wait of this.#waiting) {
                if (this.#reading.size >= mostReading) break;
                if (wait.due <= now) this.#wake(wait);
            }
        }
        this.#running = false;
    }

    async #sleep(): Promise<void> {
        let next = Number.POSITIVE_INFINITY;
        for (const { due } of this.#waiting) next = Math.min(next, due);
        this.#sleepsUntil = Math.max(next, this.#lastRound + shortestRound);
        this.#alarm = new AbortController();
        const left = Math.max(this.#sleepsUntil - this.#clock.monotonic(), 0);
        await this.#clock.sleep(left, this.#alarm.signal).catch(() => undefined);
        this.#sleepsUntil = 0;
    }

    /** Looks at the list where that spares requests, and sets the turns of all whom it tells of. */
    async #look(begin: number): Promise<void> {
        const wanted = new Set<string>();
        let due = false;
        let soon = 0;
        for (const wait of this.#waiting) {
            // What the list showed to be at an end is asked itself, whatever else the list may show.
            if (wait.contentId === undefined || isFinal(wait.listed)) continue;
            wanted.add(wait.contentId);
            due ||= wait.due <= begin;
            if (wait.due - begin <= this.#pause(wait, shareOfLook) / 2) soon++;
        }
        if (!due || !this.#list.isWorthwhile(soon)) return;
        this.#looking = new AbortController();
        const told = await this.#list.look(wanted, Math.ceil(soon / 2), this.#looking.signal);
        const now = this.#clock.monotonic();
        if (told === undefined) return;
        let leastRead: Wait | undefined;
        for (const wait of this.#waiting) {
            const status = wait.contentId === undefined ? undefined : told.get(wait.contentId);
            if (status === undefined) continue;
            wait.listed = status;
            wait.options.onStatus?.(status);
            const pause = Math.max(this.#pause(wait, shareOfLook), this.#list.cost * pausePerPage);
            wait.due = isFinal(status) ? begin : Math.min(now + pause, wait.options.deadline.at);
            if (!isFinal(status) && wait.readAt < (leastRead?.readAt ?? now)) leastRead = wait;
        }
        // One of those that the list shows unfinished is asked itself: so a list that never shows an end is found out.
        if (leastRead !== undefined && now - leastRead.readAt >= this.#pause(leastRead, shareOfGet))
            leastRead.due = begin;
    }

    /** How long after a look at it the next one comes. */
    #pause({ contentId, since, options }: Wait, share: number): number {
        const age = this.#clock.monotonic() - since;
        const pause = Math.min(Math.max(age * share, shortest), longest);
        if (contentId === undefined || !options.fresh || this.#processing.length < 3) return pause;
        // None is likely to be Ready much sooner than all before it.
        const early = 0.8 * Math.min(...this.#processing) - age;
        return Math.max(pause, Math.min(early, longest));
    }

    #wake(wait: Wait): void {
        this.#waiting.delete(wait);
        this.#reading.add(wait);
        wait.wake();
        if (this.#waiting.size === 0) this.#looking.abort();
    }

    /** One listener per signal: thousands of waits may share one. */
    #heed(signal: AbortSignal): void {
        if (this.#heeded.has(signal)) return;
        this.#heeded.add(signal);
        const onAbort = () => {
            for (const wait of this.#waiting) if (wait.options.signal === signal) this.#wake(wait);
            this.#alarm.abort();
        };
        signal.addEventListener("abort", onAbort, { once: true });
    }
}
