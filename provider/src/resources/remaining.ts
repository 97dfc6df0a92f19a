/** How long the rest of many contents takes, by the rate at which the others were done. */

/** The fewest contents that tell a rate. */
const fewest = 10;
/** How far the estimated end may move while it counts as still, as a share of the time that is left. */
const stillness = 0.1;
/** For how long it has to stand still, as a share of the time that is left. */
const observed = 0.3;

const [second, minute, hour] = [1_000, 60_000, 3_600_000];

export class Remaining {
    readonly #doneAt: number[] = [];
    readonly #estimates: { readonly at: number; readonly end: number }[] = [];

    /** Notes that one more is done. Times are of a monotonic clock, in ms. */
    done(at: number): void {
        this.#doneAt.push(at);
    }

    /**
     * The time that is left, in ms, by the later half of those that are done. `undefined` while the estimated end moves: the slowest contents may
     * take much longer than the others, and an end that moves away with each of them is none.
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

/** `about 2 min left`. */
export function leftText(ms: number): string {
    if (ms < 2 * minute) return `about ${Math.max(10, Math.round(ms / (10 * second)) * 10)} s left`;
    if (ms < 2 * hour) return `about ${Math.round(ms / minute)} min left`;
    return `about ${Math.round(ms / hour)} h left`;
}
