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

/** A list of the service. */
export interface List<T> {
    /** Such as `GET /contents`, for messages. */
    requestLine: string;
    fetch(query: { start?: number; limit?: number }): Promise<Page<T>>;
    idOf(item: T): string;
    /** Whether the service is known to page this list. Else it may ignore or refuse `start`: then the first page is all. */
    isPaged: boolean;
}

/** The page size to ask for. A shorter page is not the end: the service may have a smaller maximum. */
const pageSize = 100;
/** The number of pages in a row without anything new after which reading stops. */
const maxStalePages = 5;

export async function* pages<T>(list: List<T>): AsyncGenerator<Page<T>> {
    const { requestLine, idOf } = list;
    const fetchAt = sized(list);
    let { isPaged } = list;
    const seen = new Set<string>();
    /** The next position. */
    let start = 0;
    /** The most items that came at once: the size of the service's pages, as far as it is known. */
    let largestPage = 0;
    /** The ids of the page before. */
    let last: readonly string[] = [];

    for (let stale = 0; stale < maxStalePages; ) {
        const page = await fetchAt(start).catch((error: unknown) => {
            if (start === 0 || !isRefusal(error)) throw error;
            return isPaged ? pageBefore(error) : undefined;
        });
        if (page === undefined || page.items.length === 0) return;
        const ids = page.items.map(idOf);
        const now = new Set(ids);
        // Objects move between pages while a list is read.
        const items = page.items.filter((item) => !seen.has(idOf(item)) && seen.add(idOf(item)));
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

    /**
     * The page before a refused position; `undefined` where the refusal is the end: only if the position before it, which is known to exist, is
     * answered with known items, and with fewer than a full page.
     */
    async function pageBefore(refusal: ApiError): Promise<Page<T> | undefined> {
        const page = await fetchAt(--start).catch((error: unknown) => {
            throw isRefusal(error) ? incomplete(requestLine, `a refused position ${start}`, refusal) : error;
        });
        if (!page.items.every((item) => seen.has(idOf(item)))) return page;
        // A list of one object has no page that could be larger.
        if (page.items.length > 0 && page.items.length < Math.max(largestPage, 2)) return undefined;
        throw incomplete(requestLine, `a refused position ${start + 1}`, refusal);
    }
}

/** Fetches pages of a size, or of the service's own if it refuses the first one. Then the size is no reason to refuse a later one. */
function sized<T>({ fetch, isPaged }: List<T>) {
    let limit: { limit?: number } = isPaged ? { limit: pageSize } : {};
    return async (start: number): Promise<Page<T>> => {
        const position = start > 0 ? { start } : {};
        try {
            return await fetch({ ...position, ...limit });
        } catch (error) {
            if (!isPaged || start > 0 || !hasStatus(error, [400, 422])) throw error;
            limit = {};
            return fetch(position);
        }
    };
}

function incomplete(request: string, why: string, refusal?: ApiError): IncompleteListError {
    const error = refusal === undefined ? "" : ` ${refusal.message}`;
    const message = messages.incompleteList({ request, why, error });
    return new IncompleteListError(message, { status: refusal?.status, outcome: "refused" });
}

/** Whether a status says "this page does not exist", at the end of a list or in the middle of one. Others say nothing about the end. */
function isRefusal(error: unknown): error is ApiError {
    return hasStatus(error, [400, 404, 405, 410, 413, 414, 416, 422]);
}

function hasStatus(error: unknown, statuses: readonly number[]): error is ApiError {
    return error instanceof ApiError && statuses.includes(error.status ?? 0);
}
