/**
 * Reads a list page by page, to its proven end. A create that does not find its lost object in a list makes a second object, so a list that was
 * not read completely must be an error. The service documents no total and no page size, and for livestreams no paging at all: a list ends
 * where nothing new follows.
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
    /** The service has one list of the livestreams that it records, and one of the others; `undefined` for contents. */
    record?: boolean;
    /** All objects, each once. The service may leave out fields in lists, above all the metadata. */
    pages(options?: CallOptions): AsyncIterable<Page<T>>;
}

/** The page size that is asked for. The service may give less at once, so a shorter page is not the end. */
const pageSize = 100;
/** After so many pages in a row without anything new, the list counts as unreadable. */
const maxStalePages = 5;

type Fetch<T> = (position: Query) => Promise<Page<T>>;

export async function* pages<T>(kind: Endpoint<T>, fetch: Fetch<T>): AsyncGenerator<Page<T>> {
    const { path, idOf } = kind;
    let { isPaged } = kind;
    let size: Query = isPaged ? { limit: pageSize } : {};
    const seen = new Set<string>();
    /** The position of the next page. */
    let start = 0;
    /** The largest page so far: probably the size of a full page. */
    let largestPage = 0;
    /** The ids of the page before. */
    let last: readonly string[] = [];
    let stale = 0;
    const fetchPage = () => fetch(start > 0 ? { start, ...size } : size);

    let page: Page<T> | undefined = await fetchPage().catch((error: unknown) => {
        if (!isPaged || !hasStatus(error, [400, 422])) throw error;
        // The service may allow smaller pages only. Later pages are asked for without a size as well.
        size = {};
        return fetchPage();
    });
    while (page !== undefined && page.items.length > 0) {
        const ids = page.items.map(idOf);
        const now = new Set(ids);
        // When an object is created or deleted meanwhile, the others move, and a page repeats some of them.
        const items = page.items.filter((item) => !seen.has(idOf(item)) && seen.add(idOf(item)));
        start += ids.length;
        largestPage = Math.max(largestPage, ids.length);
        if (items.length > 0) {
            stale = 0;
            // A page that has all objects of the page before, and more, shows that the service ignores `start`.
            if (!last.every((id) => now.has(id))) isPaged = true;
            last = ids;
            yield { ...page, items };
        } else if (!isPaged) return;
        // When a hundred objects were created meanwhile, the known objects have moved by a whole page: new ones may follow.
        else if (++stale === maxStalePages) throw incomplete(path, "repeated pages");
        page = await fetchPage().catch((error: unknown) => {
            if (!isRefusal(error)) throw error;
            return isPaged ? pageBefore(error) : undefined;
        });
    }

    /**
     * Finds out whether a refused position is the end of the list, by asking for the position before it, which exists. The end is proven by a
     * page of known items that is not full; then the result is `undefined`. Otherwise it is that page, with which the reading goes on.
     */
    async function pageBefore(refusal: ApiError): Promise<Page<T> | undefined> {
        start--;
        const before = await fetchPage().catch((error: unknown) => {
            throw isRefusal(error) ? incomplete(path, `a refused position ${start}`, refusal) : error;
        });
        if (!before.items.every((item) => seen.has(idOf(item)))) return before;
        // In a list of one object no page is larger than the last one.
        if (before.items.length > 0 && before.items.length < Math.max(largestPage, 2)) return undefined;
        throw incomplete(path, `a refused position ${start + 1}`, refusal);
    }
}

function incomplete(path: string, why: string, refusal?: ApiError): IncompleteListError {
    const error = refusal === undefined ? "" : ` ${refusal.message}`;
    const message = messages.incompleteList({ request: `GET ${path}`, why, error });
    return new IncompleteListError(message, { status: refusal?.status, outcome: "refused" });
}

/** Whether the service may mean "there is no such page". All other errors say nothing about the end of the list. */
function isRefusal(error: unknown): error is ApiError {
    return hasStatus(error, [400, 404, 405, 410, 413, 414, 416, 422]);
}

function hasStatus(error: unknown, statuses: readonly number[]): error is ApiError {
    return error instanceof ApiError && statuses.includes(error.status ?? 0);
}
