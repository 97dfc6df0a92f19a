/**
 * Carries out what `schedule.ts` decides, for all waits of this process. Each wait reads its own object when its turn comes,
 * and evaluates it.
 */
import type { Clock, Deadline, Redactor } from "../api";
import type { ContentList } from "./contentList";
import {
    type Decision,
    decide,
    pauseOf,
    type Rule,
    requestsPerVerification,
    type Situation,
    toVerify,
    type Waiting,
} from "./schedule";
import { isFinal } from "./status";

/** How many processing times are remembered. */
const memory = 20;

export interface WaitOptions {
    /** When the last turn comes. */
    deadline: Deadline;
    /** Whether the object has changed just now, so that a request would come too early. */
    fresh?: boolean | undefined;
    /** Called with every status that is seen. */
    onStatus?: ((status: string) => void) | undefined;
    /** The secrets of the resource. */
    redactor?: Redactor | undefined;
}

/** One object that a wait is for. */
export interface Wait extends Waiting {
    readonly options: WaitOptions;
    /** Ends the turn that is waited for. */
    wake(): void;
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
    #running = false;
    #lastRoundAt = Number.NEGATIVE_INFINITY;
    #unverified = 0;
    /** Ends the sleep until the next round. */
    #alarm = new AbortController();
    #sleepsUntil = 0;

    /** `signal` ends all waits. */
    constructor(list: ContentList, clock: Clock, signal: AbortSignal, switchedOff: ReadonlySet<Rule>) {
        this.#list = list;
        this.#clock = clock;
        this.#signal = signal;
        this.#switchedOff = switchedOff;
        const onAbort = () => {
            for (const wait of this.#waiting) this.#wake(wait);
            this.#alarm.abort();
        };
        signal.addEventListener("abort", onAbort, { once: true });
    }

    begin(contentId: string | undefined, options: WaitOptions): Wait {
        const now = this.#clock.monotonic();
        const wait: Wait = {
            contentId,
            options,
            since: now,
            isFresh: options.fresh ?? false,
            deadlineAt: options.deadline.at,
            dueAt: now,
            readAt: now,
            listed: undefined,
            wake: () => undefined,
        };
        if (wait.isFresh) wait.dueAt += pauseOf(wait, this.#situation(now), now);
        return wait;
    }

    /** Resolves when a GET is worthwhile. */
    async turn(wait: Wait): Promise<void> {
        this.#signal.throwIfAborted();
        wait.dueAt = Math.min(wait.dueAt, wait.deadlineAt);
        const turn = new Promise<void>((resolve) => {
            wait.wake = resolve;
        });
        this.#waiting.add(wait);
        if (!this.#running) void this.#run();
        else if (wait.dueAt < this.#sleepsUntil) this.#alarm.abort();
        await turn;
        this.#signal.throwIfAborted();
    }

    /** A GET showed this status: the next turn comes accordingly. */
    seen(wait: Wait, status: string | undefined): void {
        const { contentId, options } = wait;
        const now = this.#clock.monotonic();
        options.onStatus?.(status ?? "unknown");
        wait.readAt = now;
        if (!isFinal(status)) {
            if (isFinal(wait.listed)) this.#list.leaveAlone();
            wait.listed = undefined;
        } else if (contentId !== undefined) {
            this.#list.settled(contentId);
            if (wait.isFresh && this.#processingMs.push(now - wait.since) > memory) this.#processingMs.shift();
        }
    }

    /** A GET has ended, in whatever way. */
    read(wait: Wait): void {
        const now = this.#clock.monotonic();
        this.#unverified++;
        wait.dueAt = now + pauseOf(wait, this.#situation(now), now);
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
            for (const wait of listNow === undefined ? readNow : await this.#poll(listNow, now)) this.#wake(wait);
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

    /** Polls the list, reschedules every wait that it covers, and says which have to be read nevertheless. */
    async #poll({ contentIds, maxPages }: NonNullable<Decision<Wait>["listNow"]>, begin: number): Promise<Wait[]> {
        const situation = this.#situation(begin);
        situation.list.isUsable = false;
        const listed: Wait[] = [];
        for await (const statuses of this.#list.poll(contentIds, maxPages, this.#signal)) {
            this.#unverified++;
            for (const wait of this.#waiting) {
                const status = statuses.get(wait.contentId ?? "");
                if (status === undefined) continue;
                listed.push(wait);
                wait.listed = status;
                wait.options.onStatus?.(status);
                // From the begin of the poll, or a list of many pages would be late by the time that it takes.
                wait.dueAt = Math.min(begin + pauseOf(wait, situation, begin), wait.deadlineAt);
                // A list alone proves nothing: what it shows as finished is read at once.
                if (isFinal(status)) this.#wake(wait);
            }
            if (this.#waiting.size === 0) break;
        }
        const now = this.#clock.monotonic();
        const doubtful = toVerify(listed, this.#situation(now), now);
        if (doubtful !== undefined) {
            doubtful.dueAt = begin;
            this.#unverified -= requestsPerVerification;
        }
        // One moment for the whole round: what was not due to the list is not due to a GET.
        return decide(this.#waiting, situation, begin).readNow;
    }

    #situation(now: number): Situation {
        const isOn = (rule: Rule) => !this.#switchedOff.has(rule);
        const { isUsable, pages } = this.#list.info(now);
        return {
            list: { isUsable: isUsable && isOn("list"), pages },
            processingMs: isOn("memory") ? this.#processingMs : [],
            unverified: isOn("verification") ? this.#unverified : 0,
            lastRoundAt: this.#lastRoundAt,
            isGrowing: isOn("growth"),
        };
    }

    #wake(wait: Wait): void {
        this.#waiting.delete(wait);
        wait.wake();
    }
}
