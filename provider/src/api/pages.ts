/**
 * Reads lists page by page. The service documents neither the default nor the largest page, nor a total, and for livestreams
 * no paging at all. So a list ends only where nothing new follows. A search that finds nothing creates an object: a list
 * whose end is not proven is an error, and never read as whole.
 */
import { messages } from "../messages";
import { ApiError, BadRequestError, IncompleteListError, UnprocessableError } from "./errors";

/** One page of a list. A caller that has seen enough stops iterating, and nothing more is requested. */
export interface Page<T> {
    /** In the service's order, without what earlier pages had. */
    items: T[];
    /** The `Date` header, in ms since the epoch: the service's clock, to the second. */
    serverTime?: number;
}

export type PageQuery = { start?: number; limit?: number };

type Fetch<T> = (query: PageQuery) => Promise<Page<T>>;
type Identify<T> = (item: T) => string;

/** The page sizes to ask for, largest first; without one the service takes its own. */
const sizes: (number | undefined)[] = [100, 30, undefined];

/** The largest page that the service accepts, found out once per client. */
export class PageSize {
    #index = 0;
    #accepted = false;

    /** Asked for now; `undefined` for the service's own. */
    get limit(): number | undefined {
        return sizes[this.#index];
    }

    async fetch<T>(start: number, fetch: Fetch<T>): Promise<Page<T>> {
        for (;;) {
            const index = this.#index;
            const limit = sizes[index];
            try {
                const page = await fetch({ ...(start > 0 && { start }), ...(limit !== undefined && { limit }) });
                this.#accepted = true;
                return page;
            } catch (error) {
                const refused = error instanceof BadRequestError || error instanceof UnprocessableError;
                // A size that was accepted once is not the reason for the refusal.
                if (!refused || limit === undefined || this.#accepted) throw error;
                // Another list may have found it out in the meantime.
                this.#index = Math.max(this.#index, index + 1);
            }
        }
    }
}

/** Statuses for "this page does not exist", at the end of a list as well as in the middle of one. */
const refusals = new Set<number | undefined>([400, 404, 405, 410, 413, 414, 416, 422]);

/** After this many pages in a row without anything new, reading stops. */
const maxStalePages = 5;

/**
 * The contents, which the service pages. A page shorter than asked is not the end: the service may have a smaller maximum.
 * Nor is a page of nothing but known objects: new ones at the front move a whole page into the next.
 */
export function contentPages<T>(
    size: PageSize,
    fetch: Fetch<T>,
    identify: Identify<T>,
    from = 0,
): AsyncGenerator<Page<T>> {
    const fetchAt = (start: number) => size.fetch(start, fetch);
    const limit = () => size.limit ?? Number.POSITIVE_INFINITY;
    return new Pages({ endpoint: "GET /contents", fetch: fetchAt, identify, from, limit, isPaged: true }).read();
}

/** The livestreams. Nothing says that the service pages them: it may ignore or refuse `start`. Then the first page is all. */
export function livestreamPages<T>(fetch: Fetch<T>, identify: Identify<T>): AsyncGenerator<Page<T>> {
    // Position 0 is only requested by name to find out whether `start` is refused everywhere.
    const fetchAt = (start: number, again: boolean) => fetch(start > 0 || again ? { start } : {});
    const limit = () => Number.POSITIVE_INFINITY;
    return new Pages({ endpoint: "GET /livestreams", fetch: fetchAt, identify, from: 0, limit, isPaged: false }).read();
}

interface Listing<T> {
    endpoint: string;
    /** `again` when something at this position was read before. */
    fetch(start: number, again: boolean): Promise<Page<T>>;
    identify: Identify<T>;
    from: number;
    /** The page size that is asked for. */
    limit(): number;
    /** Whether the service is known to page this list. */
    isPaged: boolean;
}

class Pages<T> {
    readonly #listing: Listing<T>;
    readonly #seen = new Set<string>();
    /** The next position. */
    #start: number;
    /** The most items that came at once: what the service can put into one page, as far as it is known. */
    #largestPage = 0;
    /** The ids of the page before, to recognise it when it comes again. */
    #last: string[] = [];
    /** Pages in a row that brought nothing new. */
    #stale = 0;
    #isPaged: boolean;

    constructor(listing: Listing<T>) {
        this.#listing = listing;
        this.#start = listing.from;
        this.#isPaged = listing.isPaged;
    }

    async *read(): AsyncGenerator<Page<T>> {
        for (;;) {
            const page = await this.#next();
            if (page === undefined || page.items.length === 0) return;
            const isRepeated = this.#isRepeated(page);
            const fresh = this.#unseen(page);
            this.#start += page.items.length;
            this.#largestPage = Math.max(this.#largestPage, page.items.length);
            if (fresh.items.length > 0) {
                this.#stale = 0;
                yield fresh;
                continue;
            }
            this.#stale++;
            // In a list that is paged this may be chance: a whole page of new objects at the front.
            if (isRepeated && (this.#stale > 1 || !this.#isPaged)) return this.#assertNotCut(page);
            if (this.#stale > maxStalePages) throw this.#incomplete("repeated pages");
        }
    }

    /** Whether the page before has come again, perhaps with new objects: then `start` is ignored. */
    #isRepeated(page: Page<T>): boolean {
        const ids = page.items.map(this.#listing.identify);
        const now = new Set(ids);
        // Also true for the first page, but that one has something new, so the result is not used.
        const isRepeated = this.#last.every((id) => now.has(id));
        this.#isPaged ||= !isRepeated && ids.some((id) => !this.#seen.has(id));
        this.#last = ids;
        return isRepeated;
    }

    /** A service that ignores `start` shows all it has, unless that is exactly what was asked for. */
    #assertNotCut({ items }: Page<T>): void {
        if (items.length >= this.#listing.limit()) {
            throw this.#incomplete("an ignored start position");
        }
    }

    /** The page at the next position; `undefined` when the list is proven to end before it. */
    async #next(): Promise<Page<T> | undefined> {
        const { fetch, from } = this.#listing;
        try {
            return await fetch(this.#start, false);
        } catch (error) {
            if (this.#start === from || !isRefusal(error)) throw error;
            return this.#overlap(error);
        }
    }

    /**
     * A refused position is the end only if the one before it, which is known to exist, is answered with what is known and
     * no full page of it. Refused as well, it shows that this list cannot be read so far, or that it is not paged at all.
     */
    async #overlap(refusal: ApiError): Promise<Page<T> | undefined> {
        this.#start -= 1;
        let page: Page<T>;
        try {
            page = await this.#listing.fetch(this.#start, true);
        } catch (error) {
            if (!isRefusal(error)) throw error;
            if (!this.#isPaged) return undefined;
            throw this.#incomplete(`refused positions ${this.#start} and ${this.#start + 1}`, refusal);
        }
        const isKnown = page.items.every((item) => this.#seen.has(this.#listing.identify(item)));
        if (!isKnown) return page;
        // A list of one object has no page that could be larger.
        if (page.items.length > 0 && page.items.length < Math.max(this.#largestPage, 2)) return undefined;
        if (!this.#isPaged) return undefined;
        throw this.#incomplete(
            `a refused position ${this.#start + 1} after a page that does not end the list`,
            refusal,
        );
    }

    #incomplete(why: string, refusal?: ApiError): IncompleteListError {
        const { endpoint } = this.#listing;
        const error = refusal === undefined ? "" : ` ${refusal.message}`;
        return new IncompleteListError(messages.incompleteList({ request: endpoint, why, error }), {
            endpoint,
            status: refusal?.status,
            outcome: "refused",
        });
    }

    /** The page without what earlier ones had: objects move between pages while a list is read. */
    #unseen(page: Page<T>): Page<T> {
        const items = page.items.filter((item) => {
            const id = this.#listing.identify(item);
            return !this.#seen.has(id) && this.#seen.add(id);
        });
        return { ...page, items };
    }
}

/** Other failures say nothing about the end. */
function isRefusal(error: unknown): error is ApiError {
    return error instanceof ApiError && refusals.has(error.status);
}
