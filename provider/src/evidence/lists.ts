/** The service's lists as creates read them: newest first, a bounded part of them, once for all that look at the same time. */
import {
    type CallOptions,
    type Clock,
    clockMarginMs,
    maxSearchPages,
    type Page,
    unlessAborted,
    unreachableTries,
} from "../api";

/** One list of the service. */
export interface ObjectList<T> {
    /** Names the list among all of one environment. */
    name: string;
    pages(options: CallOptions): AsyncIterable<Page<T>>;
}

/** The fields of an item that a reading needs. */
export interface Listed {
    title?: string | undefined;
    metadata?: Record<string, string> | undefined;
    createdOn?: number | undefined;
    status?: string | undefined;
}

export interface Reading<T> {
    items: T[];
    /** Whether everything that is not older than was asked for is among them. */
    complete: boolean;
}

/** A reading that has not begun: searches that begin meanwhile share it. */
interface Batch {
    /** Nothing older is wanted, in ms since the epoch by this machine's clock. */
    since: number;
    reading: Promise<Reading<never>>;
}

export class Lists {
    readonly #clock: Clock;
    readonly #maxPages: number;
    readonly #next = new Map<string, Batch>();
    readonly #last = new Map<string, Promise<unknown>>();
    readonly #reached = new Map<string, Promise<unknown>>();

    constructor(clock: Clock, maxPages = maxSearchPages) {
        this.#clock = clock;
        this.#maxPages = maxPages;
    }

    /** Makes sure, once per list, that it can be read: a wrong address, proxy or token fails here, with nothing in doubt. */
    reach<T>(list: ObjectList<T>, { signal }: CallOptions): Promise<unknown> {
        const known = this.#reached.get(list.name);
        if (known !== undefined) return known;
        const reached = list.pages({ signal, tries: unreachableTries })[Symbol.asyncIterator]().next();
        this.#reached.set(list.name, reached);
        // Only success is remembered.
        reached.catch(() => this.#reached.delete(list.name));
        return reached;
    }

    /** Joins the next reading, never one under way: an object that was created in the meantime may be on a page already read. */
    async read<T extends Listed>(list: ObjectList<T>, since: number, signal: AbortSignal): Promise<Reading<T>> {
        signal.throwIfAborted();
        const batch = this.#next.get(list.name) ?? { since, reading: this.#begin(list) };
        this.#next.set(list.name, batch);
        batch.since = Math.min(batch.since, since);
        return unlessAborted(batch.reading, signal);
    }

    async #begin<T extends Listed>(list: ObjectList<T>): Promise<Reading<never>> {
        await this.#last.get(list.name)?.catch(() => undefined);
        // Searches that begin at this moment come together.
        await this.#clock.sleep(0);
        const { since = 0 } = this.#next.get(list.name) ?? {};
        this.#next.delete(list.name);
        const reading = this.#readOnce(list, since) as Promise<Reading<never>>;
        this.#last.set(list.name, reading);
        return reading;
    }

    async #readOnce<T extends Listed>(list: ObjectList<T>, since: number): Promise<Reading<T>> {
        const order = new ListOrder();
        const items: T[] = [];
        let pages = 0;
        for await (const page of list.pages({})) {
            items.push(...page.items);
            order.add(page.items);
            const now = this.#clock.now();
            const oldest = since + (page.serverTime ?? now) - now - clockMarginMs;
            if (order.restIsBefore !== undefined && order.restIsBefore < oldest) return { items, complete: true };
            if (++pages === this.#maxPages) return { items, complete: false };
        }
        return { items, complete: true };
    }
}

/** This many items in a row, each older than the one before, show that a list is sorted by age. */
const enoughSteps = 20;

/** Whether a list is sorted by age, newest first. Its order is not documented, so only what was read counts. */
export class ListOrder {
    #last: Listed | undefined;
    #steps = 0;
    #isByAge = true;
    #mayBeByTitle = { rising: true, falling: true };

    add(items: readonly Listed[]): void {
        for (const item of items) {
            if (this.#last !== undefined) this.#compare(this.#last, item);
            this.#last = item;
        }
    }

    /** Everything after the part that was read was created before this; `undefined` when that is not shown. */
    get restIsBefore(): number | undefined {
        const { rising, falling } = this.#mayBeByTitle;
        // Numbered titles may be sorted by age by chance.
        const isShown = this.#isByAge && this.#steps >= enoughSteps && !rising && !falling;
        return isShown ? this.#last?.createdOn : undefined;
    }

    #compare(before: Listed, item: Listed): void {
        // An item without a date cannot be older, so a later item with one contradicts the order.
        const [earlier = 0, later = 0] = [item.createdOn, before.createdOn];
        if (earlier > later) this.#isByAge = false;
        if (earlier < later) this.#steps++;
        const [a = "", b = ""] = [before.title, item.title];
        if (a > b) this.#mayBeByTitle.rising = false;
        if (a < b) this.#mayBeByTitle.falling = false;
    }
}
