/**
 * The list of contents as a cheap way to poll many of them: a page shows a hundred statuses for one request. Nothing is
 * concluded from a list alone, for nobody says how fresh one is, how it is sorted, or that it shows everything. So it is
 * compared with what single answers show, and left alone for a while when it contradicts them or costs more than it brings.
 */
import { type Clock, type ContentObject, Deadline, type Page, type VideographApi } from "../../api";
import { isFinal } from "./status";

/** For so long a list that contradicted single answers is not polled again. */
const distrustMs = 60_000;
/** The same for a list that was of no use, such as one that shows new contents late; each time twice as long. */
const disuseMs = 5_000;
/** A page that takes longer holds up everybody who waits. */
const pageTimeoutMs = 3_000;

/** A poll of many pages reads them side by side, so many each; otherwise it would show what was long ago. */
const pagesPerLane = 4;
const maxLanes = 8;

/** The list shows a content otherwise than an earlier single answer did. */
class Contradiction extends Error {}

/** What a poll has come to so far. */
interface Poll {
    readonly wanted: ReadonlySet<string>;
    readonly statuses: Map<string, string>;
    readonly signal: AbortSignal;
    readonly begin: number;
    maxPages: number;
    pages: number;
    /** Whether new contents come last. */
    newestLast: boolean;
    /** Where the first of the wanted contents is. */
    first?: number;
}

export class ContentList {
    readonly #api: VideographApi;
    readonly #clock: Clock;
    /** When single answers showed contents Ready, Failed or leaving: every later list has to say so too. */
    readonly #final = new Map<string, number>();
    #unusedUntil = Number.NEGATIVE_INFINITY;
    /** How many times in a row the list was of no use. */
    #useless = 0;
    /** How many pages the last poll took. */
    #pages = 1;
    #pageLength = 1;
    /** Where it found the first wanted content, if new contents come last in this list. */
    #start = 0;

    constructor(api: VideographApi, clock: Clock) {
        this.#api = api;
        this.#clock = clock;
    }

    /** Whether it may be polled, and how many requests that takes. */
    info(now: number): { isUsable: boolean; pages: number } {
        return { isUsable: now >= this.#unusedUntil, pages: this.#pages };
    }

    /** A single answer showed the content in a status that it keeps. */
    settled(id: string): void {
        this.#final.set(id, this.#clock.monotonic());
    }

    /** A single answer does not agree with what the list showed. */
    contradicted(): void {
        this.#leaveAlone(distrustMs);
    }

    /** The statuses of those contents that the list shows, in `maxPages` requests; `undefined` where it is of no use. */
    async poll(
        wanted: ReadonlySet<string>,
        maxPages: number,
        signal: AbortSignal,
    ): Promise<Map<string, string> | undefined> {
        const statuses = new Map<string, string>();
        const begin = this.#clock.monotonic();
        const poll: Poll = { wanted, statuses, maxPages, signal, begin, pages: 0, newestLast: false };
        const lanes = Math.min(Math.max(Math.floor(this.#pages / pagesPerLane), 1), maxLanes);
        const span = Math.ceil(this.#pages / lanes) * this.#pageLength;
        try {
            await Promise.all(
                Array.from({ length: lanes }, (_, lane) => {
                    const start = this.#start + lane * span;
                    return this.#read(poll, start, lane === lanes - 1 ? Number.POSITIVE_INFINITY : start + span);
                }),
            );
        } catch (error) {
            // Whatever is wrong with the list, the contents themselves are asked next.
            this.#leaveAlone(error instanceof Contradiction ? distrustMs : this.#disuse());
            return undefined;
        } finally {
            poll.maxPages = 0;
        }
        if (statuses.size <= poll.pages) {
            this.#leaveAlone(this.#disuse());
            return undefined;
        }
        this.#useless = 0;
        this.#pages = poll.pages;
        this.#start = poll.newestLast && statuses.size === wanted.size ? (poll.first ?? 0) : 0;
        return statuses;
    }

    /** Reads the pages from one position to another, or until every wanted content was shown. */
    async #read(poll: Poll, start: number, end: number): Promise<void> {
        const { wanted, statuses, signal, begin } = poll;
        const options = { signal, deadline: Deadline.after(this.#clock, pageTimeoutMs) };
        let position = start;
        for await (const page of this.#api.contents(options, start)) {
            poll.pages++;
            poll.newestLast ||= isNewestLast(page);
            for (const { contentId, status } of page.items) {
                if (status === undefined) continue;
                if (!isFinal(status) && (this.#final.get(contentId) ?? begin) < begin) throw new Contradiction();
                if (!wanted.has(contentId)) continue;
                statuses.set(contentId, status);
                poll.first = Math.min(poll.first ?? position, position);
            }
            position += page.items.length;
            this.#pageLength = Math.max(this.#pageLength, page.items.length);
            // Each page has its own.
            options.deadline = Deadline.after(this.#clock, pageTimeoutMs);
            if (statuses.size === wanted.size || position >= end || poll.pages >= poll.maxPages) return;
        }
    }

    #disuse(): number {
        return Math.min(disuseMs * 2 ** this.#useless++, distrustMs);
    }

    #leaveAlone(ms: number): void {
        this.#unusedUntil = this.#clock.monotonic() + ms;
        this.#pages = 1;
        this.#start = 0;
    }
}

function isNewestLast({ items }: Page<ContentObject>): boolean {
    const [first, last] = [items[0]?.createdOn, items.at(-1)?.createdOn];
    return first !== undefined && last !== undefined && first < last;
}
