/** Medians and percentiles. */

export interface Summary {
    readonly median: number;
    readonly p95: number;
    readonly max: number;
}

/** `undefined` of nothing. */
export function summary(values: readonly number[]): Summary | undefined {
    if (values.length === 0) return undefined;
    const sorted = [...values].sort((a, b) => a - b);
    return { median: percentile(sorted, 0.5), p95: percentile(sorted, 0.95), max: percentile(sorted, 1) };
}

/** `undefined` of nothing. */
export function median(values: readonly number[]): number | undefined {
    return summary(values)?.median;
}

/** The smallest value that at least this share of all values does not exceed; of an even number the lower middle one. */
function percentile(sorted: readonly number[], share: number): number {
    return sorted[Math.max(Math.ceil(sorted.length * share) - 1, 0)] ?? Number.NaN;
}
