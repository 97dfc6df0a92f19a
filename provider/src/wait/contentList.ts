/**
 * The list of contents as a source of statuses: a page shows a hundred for one request. A list alone proves nothing, because it is
 * undocumented how fresh it is, how it is sorted, and whether it is complete. So it is compared with single answers, and not read for a
 * while when it contradicts them, fails or shows too little.
 */
import { type Clock, type ContentObject, Deadline, listDisuseMs, listPageMs, type VideographApi } from "../api";
import { isFinal } from "../api/status";

/** The most requests that a poll of the list takes, as a share of the GETs that it replaces. */
const listShare = 0.5;
/** The number of requests for each GET that verifies the list: a tenth of all detect a list that shows final statuses too late, or never. */
const requestsPerVerification = 10;

export class ContentList {
    /** The number of requests that a poll takes, as far as the last one has shown. */
    pages = 1;
    readonly #api: VideographApi;
    readonly #clock: Clock;
    readonly #signal: AbortSignal;
    /** The times when single answers showed contents Ready, Failed or being deleted: every later list has to say so too. */
    readonly #final = new Map<string, number>();
    /** The requests since a content was last read only to verify the list. */
    #unverifiedRequests = 0;
    #unusedUntil = Number.NEGATIVE_INFINITY;

    constructor(api: VideographApi, clock: Clock, signal: AbortSignal) {
        this.#api = api;
        this.#clock = clock;
        this.#signal = signal;
    }

    /** Whether a poll takes fewer requests than so many GETs. */
    isCheaperThan(gets: number): boolean {
        return gets > 0 && this.pages <= listShare * gets && this.#clock.monotonic() >= this.#unusedUntil;
    }

    /**
     * The contents among the wanted ones whose status the list shows, page by page, in at most `listShare` as many requests. It throws where the
     * list contradicts single answers, or has shown too little.
     */
    async *read(wanted: ReadonlyMap<string, unknown>): AsyncGenerator<ContentObject[]> {
        const begin = this.#clock.monotonic();
        const options = { signal: this.#signal, deadline: new Deadline(this.#clock, listPageMs) };
        let [found, pages] = [0, 0];
        for await (const { items } of this.#api.contents.lists[0].pages(options)) {
            if (items.some((item) => this.#contradicts(item, begin))) throw new Error("It contradicts an answer.");
            pages++;
            this.#unverifiedRequests++;
            const shown = items.filter(({ contentId, status }) => status !== undefined && wanted.has(contentId));
            found += shown.length;
            yield shown;
            if (found === wanted.size || pages >= listShare * wanted.size) break;
            // Each page has its own deadline.
            options.deadline = new Deadline(this.#clock, listPageMs);
        }
        this.pages = pages;
        if (found <= pages) throw new Error("It shows too little.");
    }

    /** Whether the list shows a content as unfinished that a single answer showed as finished before the list was requested. */
    #contradicts({ contentId, status }: ContentObject, begin: number): boolean {
        return status !== undefined && !isFinal(status) && (this.#final.get(contentId) ?? begin) < begin;
    }

    /** Compares the list with the answer to a GET, `undefined` for a failed one. */
    compare(contentId: string, isListedFinal: boolean, object: ContentObject | undefined): void {
        this.#unverifiedRequests++;
        if (object === undefined) return;
        if (isFinal(object.status)) this.#final.set(contentId, this.#clock.monotonic());
        else if (isListedFinal) this.leaveAlone();
    }

    /** Leaves a list that is wrong, or shows too little: the contents themselves are read for a while. */
    leaveAlone(): void {
        this.#unusedUntil = this.#clock.monotonic() + listDisuseMs;
        this.pages = 1;
    }

    /** Whether it is time to read one content although the list shows it as unfinished. */
    takesVerification(): boolean {
        if (this.#unverifiedRequests < requestsPerVerification) return false;
        this.#unverifiedRequests -= requestsPerVerification;
        return true;
    }
}
