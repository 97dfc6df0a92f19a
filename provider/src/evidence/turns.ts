/**
 * Work that many callers share, such as one reading of a list. A turn begins when the last one has ended: callers that come before it begins share it,
 * and a caller that comes later waits for the next one, because what it asks about may be newer than this turn.
 */
export class Turns<Item, Result> {
    /** What the callers of the next turn want. */
    #items: Item[] = [];
    #next: Promise<Result> | undefined;
    #last: Promise<unknown> = Promise.resolve();

    /** `gather`: the time for others to come before a turn begins. */
    constructor(
        readonly gather: () => Promise<void>,
        readonly run: (items: readonly Item[]) => Promise<Result>,
    ) {}

    /** The result of the next turn. */
    join(item: Item): Promise<Result> {
        this.#items.push(item);
        if (this.#next === undefined) {
            this.#next = this.#turnAfter(this.#last);
            this.#last = this.#next.catch(() => undefined);
        }
        return this.#next;
    }

    async #turnAfter(last: Promise<unknown>): Promise<Result> {
        await last;
        await this.gather();
        const items = this.#items;
        [this.#items, this.#next] = [[], undefined];
        return this.run(items);
    }
}
