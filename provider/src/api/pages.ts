/**
 * Reads lists page by page. The service documents neither the default nor the largest page, nor a total, and for livestreams
 * no paging at all. So a list ends only where nothing new follows. A search that finds nothing creates an object: a list
 * whose end is not proven is an error, and never read as whole.
 */
import { messages } from "../messages";
import { ApiError, IncompleteListError } from "./errors";

/** One page of a list. A caller that has seen enough stops iterating, and nothing more is requested. */
export interface Page<T> {
    /** In the service's order, without what earlier pages had. */
    items: T[];
    /** The `Date` header, in ms since the epoch: the service's clock, to the second. */
    serverTime?: number;
}

type PageQuery = { start?: number; limit?: number };

type Fetch<T> = (query: PageQuery) => Promise<Page<T>>;
type Identify<T> = (item: T) => string;

/** The page size to ask for. A service that refuses it is asked for none, and takes its own. */
const pageSize = 100;

/** The contents, which the service pages. A page shorter than asked is not the end: the service may have a smaller maximum. */
export function contentPages<T>(fetch: Fetch<T>, identify: Identify<T>): AsyncGenerator<Page<T>> {
    let limit: { limit?: number } = { limit: pageSize };
    const fetchAt = async (start: number): Promise<Page<T>> => {
        const position = start > 0 ? { start } : {};
        try {
            return await fetch({ ...position, ...limit });
        } catch (error) {
            const isRefused = error instanceof ApiError && (error.status === 400 || error.status === 422);
            // A size that was accepted for the first page is not the reason why a later one is refused.
            if (!isRefused || start > 0) throw error;
            limit = {};
            return fetch(position);
        }
    };
    return new Pages({ requestLine: "GET /contents", fetch: fetchAt, identify, isPaged: true }).read();
}

/** The livestreams. Nothing says that the service pages them: it may ignore or refuse `start`. Then the first page is all. */
export function livestreamPages<T>(fetch: Fetch<T>, identify: Identify<T>): AsyncGenerator<Page<T>> {
    const fetchAt = (start: number) => fetch(start > 0 ? { start } : {});
    return new Pages({ requestLine: "GET /livestreams", fetch: fetchAt, identify, isPaged: false }).read();
}

interface Listing<T> {
    requestLine: string;
    fetch(start: number): Promise<Page<T>>;
    identify: Identify<T>;
    /** Whether the service is known to page this list. */
    isPaged: boolean;
}

/** After this many pages in a row without anything new, reading stops. */
const maxStalePages = 5;

class Pages<T> {
    readonly #listing: Listing<T>;
    readonly #seen = new Set<string>();
    /** The next position. */
    #start = 0;
    #isPaged: boolean;
    /** The most items that came at once: what the service can put into one page, as far as it is known. */
    #largestPage = 0;
    /** The ids of the page before. */
    #last: readonly string[] = [];

    constructor(listing: Listing<T>) {
        this.#listing = listing;
        this.#isPaged = listing.isPaged;
    }

    async *read(): AsyncGenerator<Page<T>> {
        for (let stale = 0; stale < maxStalePages; ) {
            const page = await this.#next();
            if (page === undefined || page.items.length === 0) return;
            const fresh = this.#unseen(page);
            const isNew = fresh.items.length > 0;
            // Where the page before has come again with new objects, `start` is ignored.
            if (isNew && !this.#isRepeated(page)) this.#isPaged = true;
            this.#start += page.items.length;
            this.#largestPage = Math.max(this.#largestPage, page.items.length);
            if (isNew) yield fresh;
            else if (!this.#isPaged) return;
            // A whole page of new objects at the front moves what is known into the next one.
            stale = isNew ? 0 : stale + 1;
        }
        throw this.#incomplete("repeated pages");
    }

    /** Also true for the first page. */
    #isRepeated({ items }: Page<T>): boolean {
        const ids = items.map(this.#listing.identify);
        const now = new Set(ids);
        const isRepeated = this.#last.every((id) => now.has(id));
        this.#last = ids;
        return isRepeated;
    }

    /** The page at the next position; `undefined` when the list is proven to end before it. */
    async #next(): Promise<Page<T> | undefined> {
        try {
            return await this.#listing.fetch(this.#start);
        } catch (error) {
            if (this.#start === 0 || !isRefusal(error)) throw error;
            if (!this.#isPaged) return undefined;
            return this.#overlap(error);
        }
    }

    /**
     * A refused position is the end only if the one before it, which is known to exist, is answered with what is known and
     * no full page of it.
     */
    async #overlap(refusal: ApiError): Promise<Page<T> | undefined> {
        this.#start -= 1;
        const page = await this.#listing.fetch(this.#start).catch((error: unknown) => {
            throw isRefusal(error) ? this.#incomplete(`a refused position ${this.#start}`, refusal) : error;
        });
        if (!page.items.every((item) => this.#seen.has(this.#listing.identify(item)))) return page;
        // A list of one object has no page that could be larger.
        if (page.items.length > 0 && page.items.length < Math.max(this.#largestPage, 2)) return undefined;
        throw this.#incomplete(`a refused position ${this.#start + 1}`, refusal);
    }

    #incomplete(why: string, refusal?: ApiError): IncompleteListError {
        const { requestLine } = this.#listing;
        const error = refusal === undefined ? "" : ` ${refusal.message}`;
        const message = messages.incompleteList({ request: requestLine, why, error });
        return new IncompleteListError(message, { status: refusal?.status, outcome: "refused" });
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

/** Statuses for "this page does not exist", at the end of a list as well as in the middle of one. Others say nothing about the end. */
function isRefusal(error: unknown): error is ApiError {
    return error instanceof ApiError && [400, 404, 405, 410, 413, 414, 416, 422].includes(error.status ?? 0);
}
