/**
 * Reads lists page by page. The service shows neither the default nor the largest page, nor a total, and for livestreams no
 * paging at all; so a list ends where nothing new comes, and nowhere else.
 */
import { AuthenticationError, BadRequestError, ClientError, PermissionError, UnprocessableError } from "./errors";

/** One page of a list. */
export interface Page<T> {
    items: T[];
    /** The `Date` header, in ms since the epoch: the service's clock, to the second. */
    serverTime?: number;
}

type PageQuery = { start?: number; limit?: number };

type Fetch<T> = (query: PageQuery) => Promise<Page<T>>;
type Identify<T> = (item: T) => string;

/** The page sizes to ask for, largest first; without one the service takes its own. */
const sizes: (number | undefined)[] = [100, 30, undefined];

/** The largest page that the service accepts, found out once per client. */
export class PageSize {
    #index = 0;
    #accepted = false;

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
                // Of a size that was accepted once, it is something else that is refused.
                if (!refused || limit === undefined || this.#accepted) throw error;
                // Another list may have found out meanwhile.
                this.#index = Math.max(this.#index, index + 1);
            }
        }
    }
}

/**
 * A page shorter than asked is not the end: the service may have a smaller maximum. Nor is a page of nothing but known
 * objects: new ones at the front move a whole page into the next. Only a second one in a row shows that `start` is ignored.
 */
export async function* contentPages<T>(
    size: PageSize,
    fetch: Fetch<T>,
    identify: Identify<T>,
    from = 0,
): AsyncGenerator<Page<T>> {
    const seen = new Set<string>();
    let stale = 0;
    for (let start = from; ; ) {
        const first = start === from;
        const page = await size.fetch(start, fetch).catch(first ? rethrow : refusedPaging);
        if (page === undefined || page.items.length === 0) return;
        const fresh = unseen(page, seen, identify);
        stale = fresh.items.length === 0 ? stale + 1 : 0;
        if (stale > 1) return;
        if (stale === 0) yield fresh;
        start += page.items.length;
    }
}

/** Callers read fewer than this without paging, so a shorter list is taken to be whole. */
const suspiciouslyMany = 10;

/** Asks for the rest only when there may be one, and takes a service that ignores or refuses `start` at its word. */
export async function* livestreamPages<T>(fetch: Fetch<T>, identify: Identify<T>): AsyncGenerator<Page<T>> {
    const seen = new Set<string>();
    let page = await fetch({});
    for (let start = 0; ; ) {
        const fresh = unseen(page, seen, identify);
        if (fresh.items.length === 0) return;
        yield fresh;
        start += page.items.length;
        if (start < suspiciouslyMany) return;
        const next = await fetch({ start }).catch(refusedPaging);
        if (next === undefined) return;
        page = next;
    }
}

function rethrow(error: unknown): never {
    throw error;
}

/** There is nothing beyond the end. Any other error means that the rest is unknown, not that there is none. */
function refusedPaging(error: unknown): undefined {
    const refused = error instanceof ClientError && error.outcome === "refused";
    if (!refused || error instanceof AuthenticationError || error instanceof PermissionError) throw error;
    return undefined;
}

/** The page without what earlier ones had: objects move between pages while a list is read. */
function unseen<T>(page: Page<T>, seen: Set<string>, identify: Identify<T>): Page<T> {
    const items = page.items.filter((item) => {
        const id = identify(item);
        return !seen.has(id) && seen.add(id);
    });
    return { ...page, items };
}
