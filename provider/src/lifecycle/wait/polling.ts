/**
 * Carries out what `schedule.ts` decides, for everybody who waits in this process. Whoever waits reads its own object when
 * its turn comes, and judges for itself.
 */
import type { Clock, Deadline } from "../../api";
import type { ContentList } from "./contentList";
import {
    type Decision,
    decide,
    dueAfterList,
    pauseAfterRead,
    type Situation,
    toVerify,
    type Waiting,
} from "./schedule";
import { isFinal } from "./status";

/** How many processing times are remembered. */
const memory = 20;

export interface PollOptions {
    signal: AbortSignal;
    /** When the last turn comes. */
    deadline: Deadline;
    /** Whether the object has changed just now, so that a request would come too early. */
    fresh?: boolean | undefined;
    /** Called with every status that is seen. */
    onStatus?: ((status: string) => void) | undefined;
}

/** One object that somebody waits for. */
export class Wait implements Waiting {
    readonly contentId: string | undefined;
    readonly options: PollOptions;
    readonly since: number;
    readonly isFresh: boolean;
    deadlineAt: number;
    dueAt: number;
    readAt: number;
    listed: string | undefined;
    /** Ends the turn that is waited for. */
    wake: () => void = () => undefined;

    constructor(contentId: string | undefined, options: PollOptions, now: number) {
        this.contentId = contentId;
        this.options = options;
        this.isFresh = options.fresh ?? false;
        this.deadlineAt = options.deadline.at;
        this.since = now;
        this.dueAt = now;
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
    readonly #processingMs: number[] = [];
    #running = false;
    #lastRoundAt = Number.NEGATIVE_INFINITY;
    #verifiedAt = Number.NEGATIVE_INFINITY;
    /** Ends the sleep until the next round. */
    #alarm = new AbortController();
    #sleepsUntil = 0;
    /** Ends a poll of the list that nobody waits for any more. */
    #listing = new AbortController();

    constructor(list: ContentList, clock: Clock) {
        this.#list = list;
        this.#clock = clock;
    }

    begin(contentId: string | undefined, options: PollOptions): Wait {
        const now = this.#clock.monotonic();
        const wait = new Wait(contentId, options, now);
        if (wait.isFresh) wait.dueAt += pauseAfterRead(wait, this.#situation(now), now);
        return wait;
    }

    /** Resolves when a GET is worthwhile. */
    async turn(wait: Wait): Promise<void> {
        const { signal } = wait.options;
        signal.throwIfAborted();
        this.#heed(signal);
        wait.dueAt = Math.min(wait.dueAt, wait.deadlineAt);
        const turn = new Promise<void>((resolve) => {
            wait.wake = resolve;
        });
        this.#waiting.add(wait);
        if (!this.#running) void this.#run();
        else if (wait.dueAt < this.#sleepsUntil) this.#alarm.abort();
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
            if (wait.isFresh && this.#processingMs.push(now - wait.since) > memory) this.#processingMs.shift();
        }
    }

    /** A GET has ended, however it did. */
    read(wait: Wait): void {
        const now = this.#clock.monotonic();
        this.#reading.delete(wait);
        wait.dueAt = now + pauseAfterRead(wait, this.#situation(now), now);
    }

    async #run(): Promise<void> {
        this.#running = true;
        // Those who begin at the same time take part in the first round.
        await this.#sleep(this.#clock.monotonic());
        while (this.#waiting.size > 0) {
            const now = this.#clock.monotonic();
            const { readNow, listNow, wakeAt } = decide(this.#waiting, this.#situation(now), now);
            if (wakeAt > now) {
                await this.#sleep(wakeAt);
                continue;
            }
            for (const wait of readNow) this.#wake(wait);
            if (listNow !== undefined) {
                await this.#poll(listNow, now);
                // One moment for the whole round: what was not due to the list is not due to a GET.
                const situation = this.#situation(now);
                situation.list.isUsable = false;
                for (const wait of decide(this.#waiting, situation, now).readNow) this.#wake(wait);
            }
            this.#lastRoundAt = this.#clock.monotonic();
        }
        this.#running = false;
    }

    async #sleep(until: number): Promise<void> {
        this.#sleepsUntil = until;
        this.#alarm = new AbortController();
        const left = Math.max(until - this.#clock.monotonic(), 0);
        await this.#clock.sleep(left, this.#alarm.signal).catch(() => undefined);
        this.#sleepsUntil = 0;
    }

    /** Polls the list, and sets the turns of all whom it shows. */
    async #poll({ contentIds, maxPages }: NonNullable<Decision<Wait>["listNow"]>, begin: number): Promise<void> {
        this.#listing = new AbortController();
        const statuses = await this.#list.poll(contentIds, maxPages, this.#listing.signal);
        if (statuses === undefined) return;
        const now = this.#clock.monotonic();
        const situation = this.#situation(now);
        const listed: Wait[] = [];
        for (const wait of this.#waiting) {
            const status = wait.contentId === undefined ? undefined : statuses.get(wait.contentId);
            if (status === undefined) continue;
            wait.listed = status;
            wait.options.onStatus?.(status);
            wait.dueAt = isFinal(status) ? begin : dueAfterList(wait, status, situation, now);
            listed.push(wait);
        }
        const doubtful = toVerify(listed, situation, now);
        if (doubtful === undefined) return;
        doubtful.dueAt = begin;
        this.#verifiedAt = now;
    }

    #situation(now: number): Situation {
        return {
            list: this.#list.info(now),
            processingMs: this.#processingMs,
            reading: this.#reading.size,
            verifiedAt: this.#verifiedAt,
            lastRoundAt: this.#lastRoundAt,
        };
    }

    #wake(wait: Wait): void {
        this.#waiting.delete(wait);
        this.#reading.add(wait);
        wait.wake();
        if (this.#waiting.size === 0) this.#listing.abort();
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
