/**
 * The list of contents as a cheap way to poll many of them: a page shows a hundred statuses for one request. A list alone
 * proves nothing, because it is undocumented how fresh it is, how it is sorted, and whether it is complete. So it is compared
 * with single answers, and not read for a while when it contradicts them, fails or shows too little.
 */
import { type Clock, type ContentStatus, Deadline, listDisuseMs, listPageMs, type VideographApi } from "../api";
import { isFinal } from "./status";

export class ContentList {
    readonly #api: VideographApi;
    readonly #clock: Clock;
    /** When single answers showed contents Ready, Failed or leaving: every later list has to say so too. */
    readonly #final = new Map<string, number>();
    #unusedUntil = Number.NEGATIVE_INFINITY;
    #pages = 1;

    constructor(api: VideographApi, clock: Clock) {
        this.#api = api;
        this.#clock = clock;
    }

    get isUsable(): boolean {
        return this.#clock.monotonic() >= this.#unusedUntil;
    }

    /** How many requests a poll takes, as far as the last one has shown. */
    get pages(): number {
        return this.#pages;
    }

    /** A single answer showed the content in a final status. */
    settled(id: string): void {
        this.#final.set(id, this.#clock.monotonic());
    }

    /** It is wrong, or shows too little: the contents themselves are read for a while. */
    leaveAlone(): void {
        this.#unusedUntil = this.#clock.monotonic() + listDisuseMs;
        this.#pages = 1;
    }

    /** The statuses of those contents that the list shows, page by page, in at most half as many requests. */
    async *poll(wanted: ReadonlySet<string>, signal: AbortSignal): AsyncGenerator<ReadonlyMap<string, string>> {
        let found = 0;
        const begin = this.#clock.monotonic();
        const options = { signal, deadline: Deadline.after(this.#clock, listPageMs) };
        let pages = 0;
        try {
            for await (const { items } of this.#api.listStatuses(options)) {
                pages++;
                if (items.some((item) => this.#contradicts(item, begin))) return this.leaveAlone();
                const statuses = new Map<string, string>();
                for (const { contentId, status } of items) {
                    if (status !== undefined && wanted.has(contentId)) statuses.set(contentId, status);
                }
                found += statuses.size;
                yield statuses;
                // Each page has its own.
                options.deadline = Deadline.after(this.#clock, listPageMs);
                if (found === wanted.size || 2 * pages >= wanted.size) break;
            }
        } catch {
            return this.leaveAlone();
        }
        if (found <= pages) this.leaveAlone();
        else this.#pages = pages;
    }

    /** Whether the list shows a content as unfinished that a single answer showed as finished before the list was requested. */
    #contradicts({ contentId, status }: ContentStatus, begin: number): boolean {
        return status !== undefined && !isFinal(status) && (this.#final.get(contentId) ?? begin) < begin;
    }
}
