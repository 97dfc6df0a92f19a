/**
 * The list of contents as a cheap look at many of them: a page shows a hundred statuses for one request. Nothing is
 * concluded from a list alone, for nobody says how fresh one is, how it is sorted, or that it shows everything. So it is
 * held against what single answers show, and left alone for a while when it contradicts them or costs more than it tells.
 */
import { type Clock, type ContentObject, Deadline, type Page, type VideographApi } from "../../api";
import { isFinal } from "./status";

/** For so long a list that contradicted single answers is not asked again, in ms. */
const distrust = 60_000;
/** The same for a list that was of no use, such as one that shows new contents late; each time twice as long. */
const disuse = 5_000;
/** A page that takes longer holds up everybody who waits, in ms. */
const patience = 3_000;

/** A look at many pages reads them side by side, so many each; otherwise it would show what was long ago. */
const pagesPerLane = 4;
const mostLanes = 8;

/** The list shows a content otherwise than an earlier single answer did. */
class Contradiction extends Error {}

/** What a look has come to so far. */
interface Look {
    readonly wanted: ReadonlySet<string>;
    readonly told: Map<string, string>;
    readonly signal: AbortSignal;
    readonly begin: number;
    mostPages: number;
    pages: number;
    /** Whether new contents come last. */
    newestLast: boolean;
    /** Where the first of the wanted contents stands. */
    first?: number;
}

export class ContentList {
    readonly #api: VideographApi;
    readonly #clock: Clock;
    /** When single answers showed contents Ready, Failed or leaving: every later list has to say so too. */
    readonly #final = new Map<string, number>();
    #doubtedUntil = 0;
    /** How many times in a row the list was of no use. */
    #useless = 0;
    /** How many pages the last look took. */
    #pages = 1;
    #pageLength = 1;
    /** Where it found the first content that was looked for, if new contents come last in this list. */
    #start = 0;

    constructor(api: VideographApi, clock: Clock) {
        this.#api = api;
        this.#clock = clock;
    }

    /** How many requests a look takes. */
    get cost(): number {
        return this.#pages;
    }

    /** Whether a look is likely to spare requests, in place of one for each of so many contents. */
    isWorthwhile(contents: number): boolean {
        return this.#clock.monotonic() >= this.#doubtedUntil && this.#pages <= contents / 2;
    }

    /** A single answer showed the content in a status that it keeps. */
    settled(id: string): void {
        this.#final.set(id, this.#clock.monotonic());
    }

    /** A single answer does not agree with what the list showed. */
    contradicted(): void {
        this.#leaveAlone(distrust);
    }

    /** The statuses of those contents that the list tells of, in `mostPages` requests; `undefined` where it is of no use. */
    async look(
        wanted: ReadonlySet<string>,
        mostPages: number,
        signal: AbortSignal,
    ): Promise<Map<string, string> | undefined> {
        const told = new Map<string, string>();
        const look: Look = {
            wanted,
            told,
            mostPages,
            signal,
            begin: this.#clock.monotonic(),
            pages: 0,
            newestLast: false,
        };
        const lanes = Math.min(Math.max(Math.floor(this.#pages / pagesPerLane), 1), mostLanes);
        const span = Math.ceil(this.#pages / lanes) * this.#pageLength;
        try {
            await Promise.all(
                Array.from({ length: lanes }, (_, lane) => {
                    const start = this.#start + lane * span;
                    return this.#read(look, start, lane === lanes - 1 ? Number.POSITIVE_INFINITY : start + span);
                }),
            );
        } catch (error) {
            // Whatever is wrong with the list, the contents themselves are asked next.
            this.#leaveAlone(error instanceof Contradiction ? distrust : this.#disuse());
            return undefined;
        } finally {
            look.mostPages = 0;
        }
        if (told.size <= look.pages) {
            this.#leaveAlone(this.#disuse());
            return undefined;
        }
        this.#useless = 0;
        this.#pages = look.pages;
        this.#start = look.newestLast && told.size === wanted.size ? (look.first ?? 0) : 0;
        return told;
    }

    /** Reads the pages from one position to another, or until nothing is left to be told. */
    async #read(look: Look, start: number, end: number): Promise<void> {
        const { wanted, told, signal, begin } = look;
        const options = { signal, deadline: Deadline.after(this.#clock, patience) };
        let position = start;
        for await (const page of this.#api.contents(options, start)) {
            look.pages++;
            look.newestLast ||= isNewestLast(page);
            for (const { contentId, status } of page.items) {
                if (status === undefined) continue;
                if (!isFinal(status) && (this.#final.get(contentId) ?? begin) < begin) throw new Contradiction();
                if (!wanted.has(contentId)) continue;
                told.set(contentId, status);
                look.first = Math.min(look.first ?? position, position);
            }
            position += page.items.length;
            this.#pageLength = Math.max(this.#pageLength, page.items.length);
            // Each page has its own.
            options.deadline = Deadline.after(this.#clock, patience);
            if (told.size === wanted.size || position >= end || look.pages >= look.mostPages) return;
        }
    }

    #disuse(): number {
        return Math.min(disuse * 2 ** this.#useless++, distrust);
    }

    #leaveAlone(ms: number): void {
        this.#doubtedUntil = this.#clock.monotonic() + ms;
        this.#pages = 1;
        this.#start = 0;
    }
}

function isNewestLast({ items }: Page<ContentObject>): boolean {
    const [first, last] = [items[0]?.createdOn, items.at(-1)?.createdOn];
    return first !== undefined && last !== undefined && first < last;
}
