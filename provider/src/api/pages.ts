/**
 * Reads lists page by page. The service documents neither the default nor the largest page, nor a total, and for livestreams
 * no paging at all. So a list ends only where nothing new follows. A search that finds nothing creates an object: a list
 * whose end is not proven is an error, and never read as whole.
 */
import { messages } from "../messages";
import { ApiError, IncompleteListError } from "./errors";

/** One page of a list. A caller that has seen enough stops iterating, and nothing more is requested. */
export interface Page<T> {
    /** The items in the service's order, without those of earlier pages. */
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
    return pages({ requestLine: "GET /contents", fetch: fetchAt, identify, isPaged: true });
}

/** The livestreams. Nothing says that the service pages them: it may ignore or refuse `start`. Then the first page is all. */
export function livestreamPages<T>(fetch: Fetch<T>, identify: Identify<T>): AsyncGenerator<Page<T>> {
    const fetchAt = (start: number) => fetch(start > 0 ? { start } : {});
    return pages({ requestLine: "GET /livestreams", fetch: fetchAt, identify, isPaged: false });
}

interface Listing<T> {
    requestLine: string;
    fetch(start: number): Promise<Page<T>>;
    identify: Identify<T>;
    /** Whether the service is known to page this list. */
    isPaged: boolean;
}

/** The number of pages in a row without anything new after which reading stops. */
const maxStalePages = 5;

async function* pages<T>(listing: Listing<T>): AsyncGenerator<Page<T>> {
    const { requestLine, fetch, identify } = listing;
    let { isPaged } = listing;
    const seen = new Set<string>();
    /** The next position. */
    let start = 0;
    /** The most items that came at once: the size of the service's pages, as far as it is known. */
    let largestPage = 0;
    /** The ids of the page before. */
    let last: readonly string[] = [];

    for (let stale = 0; stale < maxStalePages; ) {
        const page = await fetch(start).catch((error: unknown) => {
            if (start === 0 || !isRefusal(error)) throw error;
            return isPaged ? pageBefore(listing, --start, { seen, largestPage }, error) : undefined;
        });
        if (page === undefined || page.items.length === 0) return;
        const ids = page.items.map(identify);
        const now = new Set(ids);
        // Objects move between pages while a list is read.
        const items = page.items.filter((item) => !seen.has(identify(item)) && seen.add(identify(item)));
        start += ids.length;
        largestPage = Math.max(largestPage, ids.length);
        if (items.length === 0) {
            if (!isPaged) return;
            // A whole page of new objects at the front moves the known objects into the next page.
            stale++;
            continue;
        }
        stale = 0;
        // Where the page before has come again with new objects, the service ignores `start`.
        if (!last.every((id) => now.has(id))) isPaged = true;
        last = ids;
        yield { ...page, items };
    }
    throw incomplete(requestLine, "repeated pages");
}

/**
 * The page at `start`, before a refused position; `undefined` where the refusal is the end: only if the position before it, which is known to
 * exist, is answered with known items, and with fewer than a full page.
 */
async function pageBefore<T>(
    { requestLine, fetch, identify }: Listing<T>,
    start: number,
    { seen, largestPage }: { seen: ReadonlySet<string>; largestPage: number },
    refusal: ApiError,
): Promise<Page<T> | undefined> {
    const page = await fetch(start).catch((error: unknown) => {
        throw isRefusal(error) ? incomplete(requestLine, `a refused position ${start}`, refusal) : error;
    });
    if (!page.items.every((item) => seen.has(identify(item)))) return page;
    // A list of one object has no page that could be larger.
    if (page.items.length > 0 && page.items.length < Math.max(largestPage, 2)) return undefined;
    throw incomplete(requestLine, `a refused position ${start + 1}`, refusal);
}

function incomplete(request: string, why: string, refusal?: ApiError): IncompleteListError {
    const error = refusal === undefined ? "" : ` ${refusal.message}`;
    const message = messages.incompleteList({ request, why, error });
    return new IncompleteListError(message, { status: refusal?.status, outcome: "refused" });
}

/** Whether a status says "this page does not exist", at the end of a list or in the middle of one. Others say nothing about the end. */
function isRefusal(error: unknown): error is ApiError {
    return error instanceof ApiError && [400, 404, 405, 410, 413, 414, 416, 422].includes(error.status ?? 0);
}
