/**
 * What each file of tests costs, for tests/cost.ts: mocha loads this into every process that runs tests. A file's CPU time is that of
 * its process and of all programs that it has started and that have ended; only Linux tells.
 */

import type { ChildProcess } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";

export interface Cost {
    readonly file: string;
    /** Runs of the Pulumi CLI that the test starts itself; those inside a script or a run do not count. */
    readonly runs: number;
    readonly cpu: number;
    readonly wall: number;
}

/** Seconds of CPU time of this process and of its children, and theirs. */
export function cpuSeconds(): number {
    if (!existsSync("/proc/self/stat")) return 0;
    const times = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1)?.split(" ").slice(11, 15) ?? [];
    return times.reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}

const { TEST_COST } = process.env;
let runs = 0;
// A process of mocha runs one file after the other. Its own start is the first one's.
let [cpu, wall] = [0, performance.now() - process.uptime() * 1000];

if (TEST_COST !== undefined)
    subscribe("child_process", (message) => {
        const { process: child } = message as { process: ChildProcess };
        // It is told before it knows its program.
        queueMicrotask(() => {
            if (/^pulumi(\.exe)?$/.test(basename(child.spawnfile ?? ""))) runs += 1;
        });
    });

export const mochaHooks = {
    afterAll(this: Mocha.Context) {
        const file = this.test?.parent?.suites[0]?.file;
        if (TEST_COST === undefined || file === undefined) return;
        const [cpuNow, wallNow] = [cpuSeconds(), performance.now()];
        const cost: Cost = {
            file: relative(join(import.meta.dirname, ".."), file),
            runs,
            cpu: cpuNow - cpu,
            wall: (wallNow - wall) / 1000,
        };
        appendFileSync(TEST_COST, `${JSON.stringify(cost)}\n`);
        [runs, cpu, wall] = [0, cpuNow, wallNow];
    },
};
