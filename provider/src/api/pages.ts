/**
 * Reads a list page by page, to its proven end. A list that was not read completely is an error: a create that does not find its lost object in a
 * list makes a second object. The service documents no total and no page size, and for livestreams no paging at all. So a list ends where nothing new
 * follows.
 */
import { messages } from "../messages";
import type { Endpoint } from "./answer";
import { ApiError, IncompleteListError } from "./errors";
import type { CallOptions, Query } from "./request";

/** One page of a list. The next page is requested only when the caller asks for it. */
export interface Page<T> {
    /** The items in the service's order, without those that an earlier page has shown. */
    items: T[];
    /** The time on the service's clock, from the `Date` header, in ms since the epoch. */
    serverTime?: number;
}

/** One list of the service. */
export interface ObjectList<T> {
    /** The name of the list, for messages and as a key. */
    name: string;
    /**
     * Whether the list has the livestreams that the service records, or those that it does not record. `undefined` for contents, which have one list.
     */
    record?: boolean;
    /** All objects, each once. The service may leave out fields in lists, above all the metadata. */
    pages(options?: CallOptions): AsyncIterable<Page<T>>;
}

/** The number of objects that a request asks for. The service may send fewer, so a short page does not prove the end of the list. */
const pageSize = 100;
/** After so many pages in a row without a new object, the list counts as unreadable. */
const maxStalePages = 5;

type Fetch<T> = (position: Query) => Promise<Page<T>>;

export async function* pages<T>(kind: Endpoint<T>, fetch: Fetch<T>): AsyncGenerator<Page<T>> {
    const { path, idOf } = kind;
    let { isPaged } = kind;
    let size: Query = isPaged ? { limit: pageSize } : {};
    const seen = new Set<string>();
    /** The position of the next page. */
    let start = 0;
    /** The length of the largest page so far, probably that of a full page. */
    let largestPage = 0;
    /** The ids of the last page that had new objects. */
    let last: readonly string[] = [];
    let stale = 0;
    const fetchPage = () => fetch(start > 0 ? { start, ...size } : size);

    let page: Page<T> | undefined = await fetchPage().catch((error: unknown) => {
        if (!isPaged || !hasStatus(error, [400, 422])) throw error;
        // The service may refuse this size of a page. So this page and all later ones are requested without a size.
        size = {};
        return fetchPage();
    });
    while (page !== undefined && page.items.length > 0) {
        const ids = page.items.map(idOf);
        const now = new Set(ids);
        // Objects that an earlier page has shown are left out. A page repeats some of them if others are created or deleted between two requests.
        const items = page.items.filter((item) => !seen.has(idOf(item)) && seen.add(idOf(item)));
        start += ids.length;
        largestPage = Math.max(largestPage, ids.length);
        if (items.length > 0) {
            stale = 0;
            // `start` works only if this page lacks an object of the page before. A service that ignores `start` repeats that whole page, and may add
            // new objects.
            if (!last.every((id) => now.has(id))) isPaged = true;
            last = ids;
            yield { ...page, items };
        } else if (!isPaged) return;
        // A page without a new object may not be the end: if a hundred objects were created meanwhile, it repeats a whole page, and new ones may
        // follow.
        else if (++stale === maxStalePages) throw incomplete(path, "repeated pages");
        page = await fetchPage().catch((error: unknown) => {
            if (!isRefusal(error)) throw error;
            return isPaged ? pageBefore(error) : undefined;
        });
    }

    /**
     * Finds out whether the list ends at a refused position. It reads from the position before, which exists. If that page has new objects, it is
     * returned, and the reading goes on with it. If it has only known objects and is not full, it proves the end, and the result is `undefined`. Any
     * other page is an error.
     */
    async function pageBefore(refusal: ApiError): Promise<Page<T> | undefined> {
        start--;
        const before = await fetchPage().catch((error: unknown) => {
            throw isRefusal(error) ? incomplete(path, `a refused position ${start}`, refusal) : error;
        });
        if (!before.items.every((item) => seen.has(idOf(item)))) return before;
        // The page is not full, so the list ends. The 2 is for a list of one object: its only page is also the largest one.
        if (before.items.length > 0 && before.items.length < Math.max(largestPage, 2)) return undefined;
        throw incomplete(path, `a refused position ${start + 1}`, refusal);
    }
}

function incomplete(path: string, why: string, refusal?: ApiError): IncompleteListError {
    const error = refusal === undefined ? "" : ` ${refusal.message}`;
    const message = messages.incompleteList({ request: `GET ${path}`, why, error });
    return new IncompleteListError(message, { status: refusal?.status, outcome: "refused" });
}

/** Whether the status may mean "there is no such page". All other errors say nothing about the end of the list. */
function isRefusal(error: unknown): error is ApiError {
    return hasStatus(error, [400, 404, 405, 410, 413, 414, 416, 422]);
}

function hasStatus(error: unknown, statuses: readonly number[]): error is ApiError {
    return error instanceof ApiError && statuses.includes(error.status ?? 0);
}
