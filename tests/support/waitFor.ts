/** Waits for something another process does, which no event tells of. */
import { setTimeout as sleep } from "node:timers/promises";

/** So late nothing comes any more, however busy the machine is. */
const hangsAfterMs = 300_000;

/** Asks until the answer is neither `undefined` nor `false`; fails naming what it waited for if that never comes. */
export async function waitFor<T>(what: string, ask: () => T | Promise<T>): Promise<Exclude<T, undefined | false>> {
    const deadline = performance.now() + hangsAfterMs;
    for (;;) {
        const answer = await ask();
        if (answer !== undefined && answer !== false) return answer as Exclude<T, undefined | false>;
        if (performance.now() > deadline) throw new Error(`Waited ${hangsAfterMs / 1000} s in vain for ${what}`);
        await sleep(50);
    }
}
