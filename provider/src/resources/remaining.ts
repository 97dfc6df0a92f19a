/** Estimates how long the unfinished contents of many will take, by the pace of the finished ones. */

/** The number of finished contents below which any estimate would be a guess. */
const fewest = 10;
/** An estimated end is believed if it has hardly moved: at most by this share of the time that is left … */
const stillness = 0.1;
/** … during this share of the time that is left. */
const observed = 0.3;

const [second, minute, hour] = [1_000, 60_000, 3_600_000];

export class Remaining {
    readonly #doneAt: number[] = [];
    readonly #estimates: { readonly at: number; readonly end: number }[] = [];

    /** One more content is done. `at` and all times below are ms of a monotonic clock. */
    done(at: number): void {
        this.#doneAt.push(at);
    }

    /**
     * The time that is left, by the pace of the later half of the finished contents. `undefined` while the estimated end still moves: each of a few
     * slow contents would push the end further away, and nobody could rely on it.
     */
    left(open: number, now: number): number | undefined {
        const { length } = this.#doneAt;
        const half = Math.floor(length / 2);
        const since = this.#doneAt[half - 1];
        if (length < fewest || open === 0 || since === undefined || now <= since) return undefined;
        const left = (open * (now - since)) / (length - half);
        const first = this.#estimates.findLastIndex(({ at }) => now - at >= observed * left);
        const recent = first < 0 ? [] : this.#estimates.slice(first);
        this.#estimates.push({ at: now, end: now + left });
        const isStill = recent.length > 0 && recent.every(({ end }) => Math.abs(end - now - left) < stillness * left);
        return isStill ? left : undefined;
    }
}

/** Such as `about 2 min left`. */
export function leftText(ms: number): string {
    if (ms < 2 * minute) return `about ${Math.max(10, Math.round(ms / (10 * second)) * 10)} s left`;
    if (ms < 2 * hour) return `about ${Math.round(ms / minute)} min left`;
    return `about ${Math.round(ms / hour)} h left`;
}
