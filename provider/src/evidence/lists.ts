/**
 * The service's lists as creates read them, once for all that look at the same time: until their order shows that the rest is too old, else to
 * their end.
 */
import {
    type CallOptions,
    type Clock,
    clockMarginMs,
    gatherQuietMs,
    maxSearchPages,
    type ObjectList,
    unlessAborted,
    unreachableTries,
} from "../api";
import { count, LifecycleError, type Message, messages } from "../messages";
import type { Marker } from "./marker";
import { Turns } from "./turns";

/** The fields of an item that a reading needs. */
export interface ServiceObject {
    title?: string | undefined;
    metadata?: Record<string, string> | undefined;
    createdOn?: number | undefined;
    status?: string | undefined;
}

export interface Reading<T> {
    items: T[];
    /** The reason why items of the time in question may be missing. */
    problem?: Message;
}

/** An object as it was read. */
export interface Found {
    id: string;
    object: ServiceObject;
    marker: Marker | undefined;
}

/** Objects that were read one by one. */
export interface Known {
    objects: readonly Found[];
    /** The reason why some may be missing. */
    problem?: Message | undefined;
}

/** The time from which on objects are wanted, in ms since the epoch. Without one, a list is read to its end. */
export interface From {
    /** By this machine's clock. */
    since?: number | undefined;
    /** By the service's clock, as its objects show it. */
    createdOn?: number | undefined;
}

/** A caller that waits for a reading, and the way to show it the progress. */
export interface Waiter extends CallOptions {
    signal: AbortSignal;
    progress?: ((line: string) => void) | undefined;
}

/** A search that waits for a reading, or has given up. */
interface Asked {
    from: From;
    waiter: Waiter;
    hasLeft?: boolean;
}

export class Lists {
    readonly #clock: Clock;
    /** By the list's name. */
    readonly #readings = new Map<string, Turns<Asked, Reading<never>>>();
    readonly #firstPages = new Map<string, Promise<readonly ServiceObject[]>>();

    constructor(clock: Clock) {
        this.#clock = clock;
    }

    /**
     * The first page, once per list: a wrong address, proxy or token fails here, with nothing in doubt. It is as it was before the first create of
     * the run; with `again`, as it was when the own state could not be read: that may have taken minutes, and nothing was sent meanwhile.
     */
    firstPage<T extends ServiceObject>(
        list: ObjectList<T>,
        { signal, deadline }: CallOptions,
        { again = false } = {},
    ): Promise<readonly T[]> {
        const key = again ? `${list.name} again` : list.name;
        const read = async () => {
            const options = { signal, deadline, tries: again ? undefined : unreachableTries };
            for await (const { items } of list.pages(options)) return items;
            return [];
        };
        const page = (this.#firstPages.get(key) as Promise<readonly T[]> | undefined) ?? read();
        this.#firstPages.set(key, page);
        // Only success is remembered.
        page.catch(() => this.#firstPages.delete(key));
        return page;
    }

    /** The first page as `firstPage` has read it first in this run; empty if it has not. */
    async shownBefore<T extends ServiceObject>(list: ObjectList<T>): Promise<readonly T[]> {
        return ((await this.#firstPages.get(list.name)) ?? []) as readonly T[];
    }

    /** Joins the next reading, never one under way: an object that was created in the meantime may be on a page already read. */
    async read<T extends ServiceObject>(list: ObjectList<T>, from: From, waiter: Waiter): Promise<Reading<T>> {
        const { signal, deadline } = waiter;
        signal.throwIfAborted();
        const readings = this.#readings.get(list.name) ?? this.#newReadings(list);
        const asked: Asked = { from, waiter };
        const reason = () => new LifecycleError(messages.createTimedOut());
        try {
            return await unlessAborted(readings.join(asked), signal, deadline, reason);
        } finally {
            asked.hasLeft = true;
        }
    }

    #newReadings<T extends ServiceObject>(list: ObjectList<T>) {
        // The searches of creates that begin together come within moments of each other.
        const gather = () => this.#clock.sleep(gatherQuietMs);
        const read = (asked: readonly Asked[]) => this.#readOnce(list, asked) as Promise<Reading<never>>;
        const readings = new Turns(gather, read);
        this.#readings.set(list.name, readings);
        return readings;
    }

    async #readOnce<T extends ServiceObject>(list: ObjectList<T>, asked: readonly Asked[]): Promise<Reading<T>> {
        const items: T[] = [];
        let pages = 0;
        for await (const page of list.pages({})) {
            items.push(...page.items);
            // Nobody waits for the reading any more.
            if (asked.every(({ hasLeft }) => hasLeft)) return { items };
            pages++;
            const line = `searching: ${count(items.length)} objects read so far`;
            if (pages % pagesPerLine === 0)
                for (const { waiter, hasLeft } of asked) if (!hasLeft) waiter.progress?.(line);
            const now = this.#clock.now();
            const aheadMs = (page.serverTime ?? now) - now;
            const times = asked.map(({ from: { since = 0, createdOn = since + aheadMs } }) => createdOn);
            const oldest = Math.min(...times) - clockMarginMs;
            if ((items.at(-1)?.createdOn ?? oldest) < oldest && isByAge(items)) return { items };
            if (pages === maxSearchPages) return { items, problem: messages.listTooLong({ list: list.name }) };
        }
        // A search index that is down may answer with an empty list.
        const isEmptied = items.length === 0 && (await this.shownBefore(list)).length > 0;
        return { items, ...(isEmptied && { problem: messages.listEmptied({ list: list.name }) }) };
    }
}

/** The number of pages after which a long search shows its progress again. */
const pagesPerLine = 10;

/** The number of items, each older than the one before, that show a list to be sorted by age. */
const enoughSteps = 20;

/** Whether a list is sorted by age, newest first, as far as its items show. Its order is not documented. */
function isByAge(items: readonly ServiceObject[]): boolean {
    const isFalling = <T>(values: T[]) =>
        values.every((value, index) => index === 0 || value <= (values[index - 1] as T));
    // An item without a date cannot be older, so a later item with one contradicts the order.
    const times = items.map(({ createdOn = 0 }) => createdOn);
    // A list that is sorted by numbered titles may be sorted by age by chance.
    const titles = items.map(({ title = "" }) => title);
    const isByTitle = isFalling(titles) || isFalling(titles.toReversed());
    return isFalling(times) && new Set(times).size > enoughSteps && !isByTitle;
}
