/** Durations as `customTimeouts` has them ("90s", "1h30m"), and as messages show them. */
const units: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** The duration in ms; `undefined` when the text is not a duration. */
export function parseDuration(text: string): number | undefined {
    if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return undefined;
    let total = 0;
    for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g))
        total += Number(amount) * (units[unit ?? ""] ?? 0);
    return total;
}

/** The duration for messages: `850 ms`, `12 s`, `2 m 10 s`, `1 h 5 m`. */
export function durationText(ms: number): string {
    if (Math.round(ms) < 1_000) return `${Math.round(ms)} ms`;
    const seconds = Math.round(ms / 1_000);
    if (seconds < 60) return `${seconds} s`;
    const minutes = Math.floor(seconds / 60);
    if (minutes < 60) return seconds % 60 === 0 ? `${minutes} m` : `${minutes} m ${seconds % 60} s`;
    return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} m`;
}
