/** Waits for something another process does, which no event tells of. */
import { setTimeout as sleep } from "node:timers/promises";

/** Asks until the answer is neither `undefined` nor `false`; fails after `timeoutMs` naming what it waited for. */
export async function waitFor<T>(
    what: string,
    ask: () => T | Promise<T>,
    timeoutMs = 30_000,
): Promise<Exclude<T, undefined | false>> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
        const answer = await ask();
        if (answer !== undefined && answer !== false) return answer as Exclude<T, undefined | false>;
        if (performance.now() > deadline) throw new Error(`Waited ${timeoutMs / 1000} s in vain for ${what}`);
        await sleep(50);
    }
}
