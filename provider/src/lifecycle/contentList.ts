/**
 * The list of contents as a cheap look at many of them: a page shows a hundred statuses for one request. Nothing is
 * concluded from a list alone, for nobody says how fresh one is, how it is sorted, or that it shows everything. So it is
 * held against what single answers show, and left alone for a while when it contradicts them or costs more than it tells.
 */
import type { Clock, ContentObject, Page, VideographApi } from "../api";
import { isFinal } from "./status";

/** For so long a list that contradicted single answers is not asked again, in ms. */
const distrust = 60_000;
/** The same for a list that was of no use, such as one that shows new contents late; each time twice as long. */
const disuse = 5_000;
/** A page that takes longer holds up everybody who waits, in ms. */
const patience = 3_000;

export class ContentList {
    readonly #api: VideographApi;
    readonly #clock: Clock;
    /** When single answers showed contents Ready, Failed or leaving: every later list has to say so too. */
    readonly #final = new Map<string, number>();
    #doubtedUntil = 0;
    /** How many times in a row the list was of no use. */
    #doubts = 0;
    /** How many pages the last look took. */
    #pages = 1;
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
        return this.#clock.now() >= this.#doubtedUntil && this.#pages <= contents / 2;
    }

    /** A single answer showed the content in a status that it keeps. */
    settled(id: string): void {
        this.#final.set(id, this.#clock.now());
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
        const begin = this.#clock.now();
        let pages = 0;
        let position = this.#start;
        let first: number | undefined;
        let newestLast = false;
        try {
            const options = { signal, deadline: begin + patience };
            for await (const page of this.#api.contents(options, position)) {
                pages++;
                newestLast ||= isNewestLast(page);
                for (const { contentId, status } of page.items) {
                    if (status === undefined) continue;
                    if (!isFinal(status) && (this.#final.get(contentId) ?? begin) < begin) {
                        this.contradicted();
                        return undefined;
                    }
                    if (!wanted.has(contentId)) continue;
                    told.set(contentId, status);
                    first ??= position;
                }
                position += page.items.length;
                // Each page has its own.
                options.deadline = this.#clock.now() + patience;
                if (told.size === wanted.size || pages >= mostPages) break;
            }
        } catch {
            // Whatever is wrong with the list, the contents themselves are asked next.
            told.clear();
        }
        if (told.size <= pages) {
            this.#leaveAlone(Math.min(disuse * 2 ** this.#doubts++, distrust));
            return undefined;
        }
        this.#doubts = 0;
        this.#pages = pages;
        this.#start = newestLast && told.size === wanted.size ? (first ?? 0) : 0;
        return told;
    }

    #leaveAlone(ms: number): void {
        this.#doubtedUntil = this.#clock.now() + ms;
        this.#pages = 1;
        this.#start = 0;
    }
}

function isNewestLast({ items }: Page<ContentObject>): boolean {
    const [first, last] = [items[0]?.createdOn, items.at(-1)?.createdOn];
    return first !== undefined && last !== undefined && first < last;
}
