/** Work on many contents that share one row of the display: the row's progress, such as `412/1,000 ready`, and the list of failures. */
import { count, maxListed, messageOf } from "../messages";
import type { Operation } from "../operation/operation";
import { leftText, Remaining } from "./remaining";

interface Options {
    /** The row's word for contents whose work has succeeded. */
    doneWord: "ready" | "read" | "deleted";
    /** How many items are worked on at a time; all of them if this is not set. */
    atOnce?: number;
    /** How many contents were done before this run. The progress counts them too. */
    before?: number;
    /** The name of the resource that manages the content. Without a name, a list of failures would show ids alone. */
    nameOf?(key: string): string | undefined;
    /** The words about a failure in the list; if this is not set, the whole message of the error. */
    explain?(error: unknown): string;
}

export class Many {
    /** The keys of contents that are neither done nor failed, in the program's order. */
    readonly #open = new Set<string>();
    readonly #failures = new Map<string, unknown>();
    readonly #startedAt: number;
    readonly #keys = new Set<string>();
    readonly #remaining = new Remaining();
    #nextLineMs = 0;

    constructor(
        readonly operation: Operation,
        readonly options: Options,
    ) {
        this.#startedAt = operation.services.clock.monotonic();
    }

    get totalText(): string {
        return count(this.#size);
    }

    get doneText(): string {
        return count(this.#size - this.#open.size - this.#failures.size);
    }

    get #size(): number {
        return (this.options.before ?? 0) + this.#keys.size;
    }

    get isInterrupted(): boolean {
        return this.#open.size > 0;
    }

    get failed(): number {
        return this.#failures.size;
    }

    /**
     * Works on all items and collects the failures. After an interrupt, unfinished items stay open. `work` may call `makeRoom` to let the next item
     * begin before this one has ended: a create does, when only its wait is left.
     */
    async each<T extends { key: string }>(
        items: readonly T[],
        work: (item: T, makeRoom: () => void) => Promise<unknown>,
    ): Promise<void> {
        for (const { key } of items) {
            this.#keys.add(key);
            this.#open.add(key);
        }
        const { atOnce = items.length } = this.options;
        const rest = items.values();
        const running: Promise<void>[] = [];
        const takeOneByOne = async () => {
            for (const item of rest) {
                if (this.operation.signal.aborted) return;
                const { promise: hasRoom, resolve: makeRoom } = Promise.withResolvers<void>();
                running.push(this.#one(item.key, () => work(item, makeRoom)).then(makeRoom));
                await hasRoom;
            }
        };
        await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, takeOneByOne));
        await Promise.all(running);
    }

    async #one(key: string, work: () => Promise<unknown>): Promise<void> {
        this.say();
        try {
            await work();
            this.#remaining.done(this.operation.services.clock.monotonic());
        } catch (error) {
            if (this.operation.signal.aborted) return;
            this.#failures.set(key, error);
        }
        this.#open.delete(key);
        this.say();
    }

    /**
     * Shows how many items are done, and a line about one of them. Lines that follow each other too quickly are dropped: the work on 10,000 items
     * would flood the display.
     */
    readonly say = (line?: string): void => {
        const elapsedMs = this.operation.services.clock.monotonic() - this.#startedAt;
        if (elapsedMs < this.#nextLineMs && this.#open.size > 0) return;
        this.#nextLineMs = elapsedMs + Math.min(Math.max(elapsedMs / 4, 1_000), 30_000);
        const [first] = this.#open;
        const failed = this.failed === 0 ? "" : `, ${count(this.failed)} failed`;
        const { doneWord, nameOf } = this.options;
        const open = first === undefined ? "" : `: ${line ?? nameOf?.(first) ?? first}`;
        this.operation.progress(`${this.doneText}/${this.totalText} ${doneWord}${failed}${this.#left}${open}`);
    };

    /** How long the rest may take, such as `, about 2 min left`. Reads and deletes need no estimate: their count grows visibly. */
    get #left(): string {
        if (this.options.doneWord !== "ready") return "";
        const left = this.#remaining.left(this.#open.size, this.operation.services.clock.monotonic());
        return left === undefined ? "" : `, ${leftText(left)}`;
    }

    get errors(): unknown[] {
        return [...this.#failures.values()];
    }

    /** A line for each failure, in the order of the program. */
    get list(): string {
        const { explain = messageOf, nameOf } = this.options;
        const failed = [...this.#keys].filter((key) => this.#failures.has(key));
        const lines = failed.slice(0, maxListed).map((key) => {
            const name = nameOf?.(key);
            return `${key}${name === undefined ? "" : ` (${name})`}: ${explain(this.#failures.get(key))}`;
        });
        if (this.failed > maxListed) lines.push(`and ${count(this.failed - maxListed)} more`);
        return lines.map((line) => `\n  - ${line}`).join("");
    }
}
