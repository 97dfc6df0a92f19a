/** Estimates how long the unfinished contents of many will take, by the pace of the finished ones. */

/** With fewer finished contents than this, any estimate would be a guess. */
const fewest = 10;
/** An estimate is shown only if the estimated end has hardly moved: by less than this share of the remaining time. */
const stillness = 0.1;
/** For how long the estimated end must have stood still before it is shown, as a share of the remaining time. */
const observed = 0.3;

const [second, minute, hour] = [1_000, 60_000, 3_600_000];

export class Remaining {
    readonly #doneAt: number[] = [];
    readonly #estimates: { readonly at: number; readonly end: number }[] = [];

    /** Notes that one more content is done. All times in this class are ms of a monotonic clock. */
    done(at: number): void {
        this.#doneAt.push(at);
    }

    /**
     * The remaining time, by the pace of the later half of the finished contents. `undefined` while the estimated end still moves: each of a few slow
     * contents would push the end further away, and nobody could rely on the estimate.
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

/** The remaining time as the row shows it: `about 2 min left`. */
export function leftText(ms: number): string {
    if (ms < 2 * minute) return `about ${Math.max(10, Math.round(ms / (10 * second)) * 10)} s left`;
    if (ms < 2 * hour) return `about ${Math.round(ms / minute)} min left`;
    return `about ${Math.round(ms / hour)} h left`;
}
