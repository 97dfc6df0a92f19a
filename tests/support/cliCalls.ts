/**
 * Which runs of the Pulumi CLI are started from inside a run, such as by the provider: the system is asked many times a second.
 * (A run of the CLI lasts at least 0.2 s. A program in its place would not be noticed where the provider takes the very file that
 * its parent runs.)
 */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";
import type { RunResult } from "./pulumiRun.ts";
import type { TestStack } from "./testStack.ts";

/** Runs the CLI to its end: the result, and the arguments of each run of the CLI inside this one, in the order they started. */
export async function watched(stack: TestStack, ...args: string[]): Promise<RunResult & { calls: string[] }> {
    const run = stack.start(...args);
    const calls = new Map<number, string>();
    const look = setInterval(() => note(calls, stack, args.join(" ")), 50);
    const result = await run.result.finally(() => clearInterval(look));
    stack.checkForSecrets(result.output);
    return { ...result, calls: [...calls.values()] };
}

/** A process that the run has just forked, for whatever program, still has the run's own arguments. */
function note(calls: Map<number, string>, stack: TestStack, own: string): void {
    const home = `PULUMI_HOME=${stack.environment.PULUMI_HOME}\0`;
    for (const name of readdirSync("/proc")) {
        const pid = Number(name);
        if (!Number.isInteger(pid) || calls.has(pid)) continue;
        try {
            if (!/^(pulumi|engine)$/.test(basename(readlinkSync(`/proc/${pid}/exe`)))) continue;
            if (!`${readFileSync(`/proc/${pid}/environ`, "utf8")}\0`.includes(home)) continue;
            const args = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(1, -1).join(" ");
            if (!args.startsWith(own)) calls.set(pid, args);
        } catch {
            // It has ended, or is another user's.
        }
    }
}
