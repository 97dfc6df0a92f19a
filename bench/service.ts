/** The emulated service of the benchmarks. */
import { type Emulator, startEmulator } from "videograph-emulator";

/** `processing`: how long contents take to become Ready, in ms, evenly spread between the two. `latency`: how much later every answer comes. */
export function startService([from, to]: readonly [number, number], latency: number): Promise<Emulator> {
    return startEmulator({
        fetchSources: false,
        // Neighbours are far from each other, and the same in every run.
        processingTimeMs: ({ title }) =>
            from + (to - from) * ((Number(/\d+$/.exec(title)?.[0] ?? 0) * 0.618_033_988_75) % 1),
        faults: latency > 0 ? [{ kind: "latency", ms: latency }] : [],
        requestLogBytes: Number.POSITIVE_INFINITY,
    });
}
