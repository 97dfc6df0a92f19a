/**
 * Work that many callers share, such as one reading of a list. A turn begins when the turn before has ended. All callers that come before a turn begins
 * share it. A caller that comes later waits for the next turn: a reading under way may have passed the place of a newer object.
 */
export class Turns<Item, Result> {
    /** What the callers of the next turn want. */
    #items: Item[] = [];
    #next: Promise<Result> | undefined;
    #last: Promise<unknown> = Promise.resolve();

    /** `gather`: waits for a moment before a turn, so that more callers share the turn. */
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
