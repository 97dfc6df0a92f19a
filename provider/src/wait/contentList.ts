/**
 * The list of contents, as waits read it: one request shows the statuses of a hundred contents. No documentation says how fresh, how complete and how
 * sorted the list is. So it is compared with the answers to GETs, and not used for a while when it contradicts them, fails or shows too little.
 */
import { type Clock, type ContentObject, Deadline, listDisuseMs, listPageMs, type VideographApi } from "../api";
import { isFinal } from "../api/status";

/** A poll of the list may read at most so many pages for each GET that it replaces. */
const listShare = 0.5;
/** One request in ten is a GET that only checks the list. Otherwise a list that shows Ready late, or never, would make all waits too long. */
const requestsPerVerification = 10;

export class ContentList {
    /** The number of pages that the last poll read: the next one will probably read as many. */
    pages = 1;
    /**
     * For each content, the time when a GET showed it as Ready, Failed or being deleted. A list that is requested later must not show it as
     * unfinished.
     */
    readonly #final = new Map<string, number>();
    /** The number of requests since the last GET that only checked the list. */
    #unverifiedRequests = 0;
    #unusedUntil = Number.NEGATIVE_INFINITY;

    constructor(
        readonly api: VideographApi,
        readonly clock: Clock,
        readonly signal: AbortSignal,
    ) {}

    /** Whether one poll of the list should replace so many GETs now. */
    isCheaperThan(gets: number): boolean {
        return gets > 0 && this.pages <= listShare * gets && this.clock.monotonic() >= this.#unusedUntil;
    }

    /**
     * Yields, page by page, the wanted contents that the list shows with a status. It stops when all are found, or when GETs would be cheaper
     * (`listShare`).
     *
     * @throws if the list contradicts the answer to a GET, or has shown too little
     */
    async *read(wanted: ReadonlyMap<string, unknown>): AsyncGenerator<ContentObject[]> {
        const begin = this.clock.monotonic();
        const options = { signal: this.signal, deadline: new Deadline(this.clock, listPageMs) };
        let [found, pages] = [0, 0];
        for await (const { items } of this.api.contents.lists[0].pages(options)) {
            if (items.some((item) => this.#contradicts(item, begin))) throw new Error("It contradicts an answer.");
            pages++;
            this.#unverifiedRequests++;
            const shown = items.filter(({ contentId, status }) => status !== undefined && wanted.has(contentId));
            found += shown.length;
            yield shown;
            if (found === wanted.size || pages >= listShare * wanted.size) break;
            // Each page has the whole time limit for itself.
            options.deadline = new Deadline(this.clock, listPageMs);
        }
        this.pages = pages;
        if (found <= pages) throw new Error("It shows too little.");
    }

    /** Whether the list shows a content as unfinished that a GET had shown as finished before the list was requested. */
    #contradicts({ contentId, status }: ContentObject, begin: number): boolean {
        return status !== undefined && !isFinal(status) && (this.#final.get(contentId) ?? begin) < begin;
    }

    /**
     * Compares what the list has shown of a content with the answer to a GET. If only the list has shown it as finished, the list is not used for a
     * while. `object`: `undefined` if the GET failed.
     */
    compare(contentId: string, isListedFinal: boolean, object: ContentObject | undefined): void {
        this.#unverifiedRequests++;
        if (object === undefined) return;
        if (isFinal(object.status)) this.#final.set(contentId, this.clock.monotonic());
        else if (isListedFinal) this.leaveAlone();
    }

    /** Stops the use of the list for a while: every content is then read by a GET of its own. */
    leaveAlone(): void {
        this.#unusedUntil = this.clock.monotonic() + listDisuseMs;
        this.pages = 1;
    }

    /** Whether a GET that only checks the list is due now. After `true`, the next one is due ten requests later. */
    takesVerification(): boolean {
        if (this.#unverifiedRequests < requestsPerVerification) return false;
        this.#unverifiedRequests -= requestsPerVerification;
        return true;
    }
}
