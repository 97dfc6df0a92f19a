/** Asks until an answer holds, and says how late that was. */
import type { RawService } from "./rawService";

const pollMs = 500;
const defaultLimitMs = 30_000;

export interface Delay {
    /** Whether the last answer holds. */
    readonly holds: boolean;
    /** Whether the first answer did not. */
    readonly isLate: boolean;
    readonly afterMs: number;
}

/** The first answer that holds, or the last one within the limit. */
export async function until<A>(
    service: RawService,
    ask: () => Promise<A>,
    isEnough: (answer: A) => boolean,
    limitMs = defaultLimitMs,
): Promise<Delay & { readonly answer: A }> {
    const start = service.now;
    for (let isLate = false; ; isLate = true) {
        const answer = await ask();
        const holds = isEnough(answer);
        const afterMs = Math.round(service.now - start);
        if (holds || afterMs > limitMs) return { answer, holds, isLate, afterMs };
        await service.sleep(pollMs);
    }
}
