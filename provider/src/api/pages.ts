/**
 * Reads lists page by page. The service documents neither the default nor the largest page, nor a total, and for livestreams
 * no paging at all. So a list ends only where nothing new follows. A search that finds nothing creates an object: a list
 * whose end is not proven is an error, and never read as whole.
 */
import { messages } from "../messages";
import type { Endpoint } from "./answer";
import { ApiError, IncompleteListError } from "./errors";
import type { CallOptions, Query } from "./request";

/** One page of a list. A caller that has seen enough stops iterating, and nothing more is requested. */
export interface Page<T> {
    /** The items in the service's order, without those of earlier pages. */
    items: T[];
    /** The `Date` header, in ms since the epoch: the service's clock, to the second. */
    serverTime?: number;
}

/** One list of the service. */
export interface ObjectList<T> {
    /** Names the list among all of one environment. */
    name: string;
    /** Whether its livestreams are recorded; `undefined` for contents. The service lists the two kinds of livestreams apart. */
    record?: boolean;
    /** All objects, page by page, each once. Items lack the fields that the service leaves out of lists, often the metadata. */
    pages(options?: CallOptions): AsyncIterable<Page<T>>;
}

/** The page size to ask for. A shorter page is not the end: the service may have a smaller maximum. */
const pageSize = 100;
/** The number of pages in a row without anything new after which reading stops. */
const maxStalePages = 5;

type Fetch<T> = (position: Query) => Promise<Page<T>>;

export async function* pages<T>(kind: Endpoint<T>, fetch: Fetch<T>): AsyncGenerator<Page<T>> {
    const { path, idOf } = kind;
    let { isPaged } = kind;
    let size: Query = isPaged ? { limit: pageSize } : {};
    const seen = new Set<string>();
    /** The next position. */
    let start = 0;
    /** The most items that came at once: the size of the service's pages, as far as it is known. */
    let largestPage = 0;
    /** The ids of the page before. */
    let last: readonly string[] = [];
    let stale = 0;
    const fetchPage = () => fetch(start > 0 ? { start, ...size } : size);

    let page: Page<T> | undefined = await fetchPage().catch((error: unknown) => {
        if (!isPaged || !hasStatus(error, [400, 422])) throw error;
        // The service may refuse the size. Without it, the size is no reason to refuse a later page.
        size = {};
        return fetchPage();
    });
    while (page !== undefined && page.items.length > 0) {
        const ids = page.items.map(idOf);
        const now = new Set(ids);
        // Objects move between pages while a list is read.
        const items = page.items.filter((item) => !seen.has(idOf(item)) && seen.add(idOf(item)));
        start += ids.length;
        largestPage = Math.max(largestPage, ids.length);
        if (items.length > 0) {
            stale = 0;
            // Where the page before has come again with new objects, the service ignores `start`.
            if (!last.every((id) => now.has(id))) isPaged = true;
            last = ids;
            yield { ...page, items };
        } else if (!isPaged) return;
        // A whole page of new objects at the front moves the known objects into the next page.
        else if (++stale === maxStalePages) throw incomplete(path, "repeated pages");
        page = await fetchPage().catch((error: unknown) => {
            if (!isRefusal(error)) throw error;
            return isPaged ? pageBefore(error) : undefined;
        });
    }

    /**
     * The page before a refused position; `undefined` where the refusal is the end: only if the position before it, which is known to exist, is
     * answered with known items, and with fewer than a full page.
     */
    async function pageBefore(refusal: ApiError): Promise<Page<T> | undefined> {
        start--;
        const before = await fetchPage().catch((error: unknown) => {
            throw isRefusal(error) ? incomplete(path, `a refused position ${start}`, refusal) : error;
        });
        if (!before.items.every((item) => seen.has(idOf(item)))) return before;
        // A list of one object has no page that could be larger.
        if (before.items.length > 0 && before.items.length < Math.max(largestPage, 2)) return undefined;
        throw incomplete(path, `a refused position ${start + 1}`, refusal);
    }
}

function incomplete(path: string, why: string, refusal?: ApiError): IncompleteListError {
    const error = refusal === undefined ? "" : ` ${refusal.message}`;
    const message = messages.incompleteList({ request: `GET ${path}`, why, error });
    return new IncompleteListError(message, { status: refusal?.status, outcome: "refused" });
}

/** Whether a status says "this page does not exist", at the end of a list or in the middle of one. Others say nothing about the end. */
function isRefusal(error: unknown): error is ApiError {
    return hasStatus(error, [400, 404, 405, 410, 413, 414, 416, 422]);
}

function hasStatus(error: unknown, statuses: readonly number[]): error is ApiError {
    return error instanceof ApiError && statuses.includes(error.status ?? 0);
}
