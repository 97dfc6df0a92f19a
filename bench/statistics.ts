/** Medians and percentiles. */

/** `undefined` of nothing. */
export function summary(values: readonly number[]): { median: number; p95: number; max: number } | undefined {
    if (values.length === 0) return undefined;
    const sorted = [...values].sort((a, b) => a - b);
    /** The smallest value that at least this share of all values does not exceed. */
    const percentile = (share: number) => sorted[Math.max(Math.ceil(sorted.length * share) - 1, 0)] ?? Number.NaN;
    return { median: percentile(0.5), p95: percentile(0.95), max: percentile(1) };
}
