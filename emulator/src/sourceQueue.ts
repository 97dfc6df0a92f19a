/** Fetches sources a few at a time, so that a thousand creates do not open a thousand downloads. */
import type { ContentRecord, SourceOutcome, Store } from "./store";

/** Fetches and inspects a source. Never rejects: a failure is an outcome. */
export type FetchSource = (url: string, signal: AbortSignal) => Promise<SourceOutcome>;

/** The outcome of a source that is not fetched. */
export const unfetched: SourceOutcome = { playable: true, durationMs: 10_000, resolution: "1280x720", file: null };

const concurrency = 8;

interface SourceQueueOptions {
    readonly store: Store;
    /** The function that fetches; without it nothing is fetched, and every source counts as {@link unfetched}. */
    readonly fetch: FetchSource | undefined;
}

export class SourceQueue {
    readonly #waiting: ContentRecord[] = [];
    readonly #closing = new AbortController();
    readonly #running = new Set<Promise<void>>();

    constructor(private readonly options: SourceQueueOptions) {}

    add(content: ContentRecord): void {
        if (this.options.fetch === undefined) this.#settle(content, unfetched);
        else this.#waiting.push(content);
        this.#startNext();
    }

    /** Ends the fetches under way. Contents that are undecided stay so, and are taken up again from a state file. */
    async close(): Promise<void> {
        this.#waiting.length = 0;
        this.#closing.abort();
        await Promise.all(this.#running);
    }

    #startNext(): void {
        const { fetch } = this.options;
        if (fetch === undefined) return;
        while (this.#running.size < concurrency) {
            const content = this.#waiting.shift();
            if (content === undefined) return;
            const run = this.#run(content, fetch).finally(() => {
                this.#running.delete(run);
                this.#startNext();
            });
            this.#running.add(run);
        }
    }

    async #run(content: ContentRecord, fetch: FetchSource): Promise<void> {
        const outcomes: SourceOutcome[] = [];
        for (const url of content.sourceUrls) {
            const outcome = await fetch(url, this.#closing.signal);
            outcomes.push(outcome.playable ? outcome : namedAmong(content.sourceUrls, outcomes.length, outcome));
            if (!outcome.playable) break;
        }
        // Every source must be a video; the first one is shown and played.
        const outcome = outcomes.find(({ playable }) => !playable) ?? outcomes[0];
        if (outcome !== undefined && !this.#closing.signal.aborted) this.#settle(content, outcome);
    }

    #settle(content: ContentRecord, outcome: SourceOutcome): void {
        const { store } = this.options;
        // The content may have been updated or deleted while its source was being fetched.
        const current = store.environment(content.environmentId).contents.get(content.contentId);
        if (current !== undefined) store.apply({ content: { ...current, outcome } });
    }
}

/** The outcome of one source among several: the reason says which one it is. */
function namedAmong(
    urls: readonly string[],
    index: number,
    outcome: SourceOutcome & { playable: false },
): SourceOutcome {
    if (urls.length === 1) return outcome;
    return { ...outcome, reason: outcome.reason.replace("The source", `Source ${index + 1} of ${urls.length}`) };
}
