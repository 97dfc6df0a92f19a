/** The emulated service of the benchmarks. */
import { type Emulator, startEmulator } from "videograph-emulator";

/** How much later every answer comes. */
export const latencyMs = 30;

/** `processingMs`: how long each content takes to become Ready. */
export function startService(processingMs: number): Promise<Emulator> {
    return startEmulator({
        fetchSources: false,
        processingTimeMs: processingMs,
        faults: [{ kind: "latency", ms: latencyMs }],
    });
}

/** The smallest value that at least this share of all values does not exceed; `undefined` of nothing. */
export function percentile(share: number, values: readonly number[]): number | undefined {
    return values.toSorted((a, b) => a - b)[Math.max(Math.ceil(values.length * share) - 1, 0)];
}
