/**
 * The service's lists, as searches for lost creates read them: one reading for all creates that search at the same time. A list is read to its end,
 * unless its order shows that all further items are too old.
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

/** The fields of an item that a search needs. */
export interface ServiceObject {
    title?: string | undefined;
    metadata?: Record<string, string> | undefined;
    createdOn?: number | undefined;
    status?: string | undefined;
}

export interface Reading<T> {
    items: T[];
    /** Set if the items may be incomplete: the reason. */
    problem?: Message | undefined;
}

/** An object that was read, with its id and its marker. */
export interface Found {
    id: string;
    object: ServiceObject;
    marker: Marker | undefined;
}

/** The time since which the wanted objects were created, in ms since the epoch. Without a time, a list is read to its end. */
export interface From {
    /** By this machine's clock. */
    since?: number | undefined;
    /** By the service's clock, as the objects of the list show it. */
    createdOn?: number | undefined;
}

/** How a search waits for a reading: its signal, its deadline, and where it shows the progress. */
export interface Waiter extends CallOptions {
    signal: AbortSignal;
    progress?: ((line: string) => void) | undefined;
}

/** A search that waits for a reading, or has given up (`hasLeft`). */
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
     * The first page of a list. It is read once in a run, before the first create: with a wrong address or token, the run fails before it could make
     * an object. `again`: reads the page once more, where the stack's state could not be read. That attempt may have taken minutes, in which an
     * object of a killed run may have appeared.
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
        // A failure is not remembered: the next create tries again.
        page.catch(() => this.#firstPages.delete(key));
        return page;
    }

    /** The first page that `firstPage` has read before the first create of this run; empty if it has read none. */
    async shownBefore<T extends ServiceObject>(list: ObjectList<T>): Promise<readonly T[]> {
        return ((await this.#firstPages.get(list.name)) ?? []) as readonly T[];
    }

    /** Reads a list for one search, which joins the next reading. A reading under way would not do: it may have passed the page of a new object. */
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
        // The creates of a run begin together, so their searches come within moments of each other.
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
            // All searches have given up. Without this check a list of 1,000 pages would be read for nobody.
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
        // An empty list that had items before is a fault of the service, such as a search index that is down. It proves nothing.
        const isEmptied = items.length === 0 && (await this.shownBefore(list)).length > 0;
        return { items, problem: isEmptied ? messages.listEmptied({ list: list.name }) : undefined };
    }
}

/** The number of pages after which a long search shows its progress again. */
const pagesPerLine = 10;

/** After this many items, each older than the one before, a list counts as sorted by age. */
const enoughSteps = 20;

/** Whether the items show that the list is sorted by age, newest first. The order is not documented, and a search must not end too early. */
function isByAge(items: readonly ServiceObject[]): boolean {
    const isFalling = <T>(values: T[]) =>
        values.every((value, index) => index === 0 || value <= (values[index - 1] as T));
    // An item without a date counts as the oldest: if a dated item comes after it, the list is not sorted by age.
    const times = items.map(({ createdOn = 0 }) => createdOn);
    // A list that is sorted by title ("Episode 1", "Episode 2") may only look sorted by age, and have a new object at its end.
    const titles = items.map(({ title = "" }) => title);
    const isByTitle = isFalling(titles) || isFalling(titles.toReversed());
    return isFalling(times) && new Set(times).size > enoughSteps && !isByTitle;
}
