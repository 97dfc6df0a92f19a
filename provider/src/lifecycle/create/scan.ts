/**
 * Reading a list of the service once for many searches. A search joins the next reading that begins, never one under way:
 * what was created meanwhile may stand on a page that was already read.
 */
import type { CallOptions, Clock, Page } from "../../api";
import { isSameMarker } from "./marker";

/** One list of the service. */
export interface ObjectList<T> {
    /** Names the list among all of one environment. */
    name: string;
    pages(options: CallOptions): AsyncIterable<Page<T>>;
}

/** What the scan has to see of an item. */
export interface Listed {
    title?: string | undefined;
    createdOn?: number | undefined;
}

export interface ScannedPage<T> extends Page<T> {
    /** List requests of this reading so far. */
    requests: number;
    /** Everything that is not listed yet was created before this, in ms since the epoch; `undefined` when nobody knows. */
    restIsBefore: number | undefined;
}

/** Sees the pages in turn; `true` when it needs no more. */
export type Visit<T> = (page: ScannedPage<T>) => Promise<boolean>;

interface Visitor<T> {
    visit: Visit<T>;
    signal: AbortSignal;
    done(): void;
    failed(error: unknown): void;
}

export class SharedScan<T extends Listed> {
    readonly #list: ObjectList<T>;
    readonly #clock: Clock;
    #waiting: Visitor<T>[] = [];
    #reading = false;

    constructor(list: ObjectList<T>, clock: Clock) {
        this.#list = list;
        this.#clock = clock;
    }

    /** Ends when the visitor needs no more, or has seen the whole list. Rejects when the list could not be read. */
    read(visit: Visit<T>, signal: AbortSignal): Promise<void> {
        return new Promise((resolve, reject) => {
            if (signal.aborted) {
                reject(signal.reason);
                return;
            }
            const stop = () => reject(signal.reason);
            signal.addEventListener("abort", stop, { once: true });
            const end = () => signal.removeEventListener("abort", stop);
            this.#waiting.push({
                visit,
                signal,
                done: () => resolve(end()),
                failed: (error) => {
                    end();
                    reject(error);
                },
            });
            void this.#start();
        });
    }

    async #start(): Promise<void> {
        if (this.#reading) return;
        this.#reading = true;
        // All that begin to search at this moment read together.
        await this.#clock.sleep(0);
        while (this.#waiting.length > 0) await this.#readOnce(this.#waiting.splice(0));
        this.#reading = false;
    }

    async #readOnce(visitors: Visitor<T>[]): Promise<void> {
        let active = visitors;
        // The reading ends with the last search that wants it.
        const controller = new AbortController();
        const stopUnwanted = () => {
            if (active.every(({ signal }) => signal.aborted)) controller.abort();
        };
        for (const { signal } of visitors) signal.addEventListener("abort", stopUnwanted, { once: true });
        try {
            const order = new ListOrder();
            let requests = 0;
            for await (const page of this.#list.pages({ signal: controller.signal })) {
                order.add(page.items);
                const seen = { ...page, requests: ++requests, restIsBefore: order.restIsBefore };
                active = await stillActive(active, seen);
                if (active.length === 0) return;
            }
            for (const { done } of active) done();
        } catch (error) {
            for (const { failed } of active) failed(error);
        } finally {
            for (const { signal } of visitors) signal.removeEventListener("abort", stopUnwanted);
        }
    }
}

async function stillActive<T>(visitors: Visitor<T>[], page: ScannedPage<T>): Promise<Visitor<T>[]> {
    const active = await Promise.all(
        visitors.map(async (visitor) => {
            if (visitor.signal.aborted) return [];
            try {
                if (!(await visitor.visit(page))) return [visitor];
                visitor.done();
            } catch (error) {
                visitor.failed(error);
            }
            return [];
        }),
    );
    return active.flat();
}

/** So many items in a row, each older than the one before, show that a list is sorted by age. */
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

    /** All that comes after what was read was created before this; `undefined` when that is not shown. */
    get restIsBefore(): number | undefined {
        const { rising, falling } = this.#mayBeByTitle;
        // Numbered titles may be sorted by age by chance.
        const isShown = this.#isByAge && this.#steps >= enoughSteps && !rising && !falling;
        return isShown ? this.#last?.createdOn : undefined;
    }

    #compare(before: Listed, item: Listed): void {
        // Without a date nothing is older: whatever has one and follows contradicts the order.
        const [earlier = 0, later = 0] = [item.createdOn, before.createdOn];
        if (earlier > later) this.#isByAge = false;
        if (earlier < later) this.#steps++;
        const [a = "", b = ""] = [before.title, item.title];
        if (a > b) this.#mayBeByTitle.rising = false;
        if (a < b) this.#mayBeByTitle.falling = false;
    }
}

/** The scans of one environment, and what they found out about its objects. */
export class Scans {
    readonly #clock: Clock;
    readonly #scans = new Map<string, SharedScan<never>>();
    readonly #markers = new Map<string, string>();
    readonly #reads = new Map<string, Promise<unknown>>();

    constructor(clock: Clock) {
        this.#clock = clock;
    }

    of<T extends Listed>(list: ObjectList<T>): SharedScan<T> {
        const known = this.#scans.get(list.name);
        if (known !== undefined) return known as unknown as SharedScan<T>;
        const scan = new SharedScan<T>(list, this.#clock);
        this.#scans.set(list.name, scan as unknown as SharedScan<never>);
        return scan;
    }

    /** Whether the object's marker is known, and another one. An object keeps its marker. */
    hasOtherMarker(key: string, marker: string): boolean {
        const known = this.#markers.get(key);
        return known !== undefined && !isSameMarker(known, marker);
    }

    noteMarker(key: string, marker: string): void {
        this.#markers.set(key, marker);
    }

    /** One request for all that ask at the same time. */
    read<T>(key: string, request: () => Promise<T>): Promise<T> {
        const underWay = this.#reads.get(key);
        if (underWay !== undefined) return underWay as Promise<T>;
        const read = request().finally(() => this.#reads.delete(key));
        this.#reads.set(key, read);
        return read;
    }
}
