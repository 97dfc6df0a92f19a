/** How long to wait before a request is sent again. */
import type { Random } from "./clock";

const firstMaxDelayMs = 500;
const maxDelayMs = 10_000;

/**
 * Up to 0.5 s after the first try, doubling to 10 s, and at least half of it: five tries outlast a restart of the service. The
 * other half is chance, so that resources do not come back in step.
 */
export function backoff(tries: number, random: Random): number {
    return ((1 + random()) / 2) * Math.min(maxDelayMs, firstMaxDelayMs * 2 ** (tries - 1));
}
