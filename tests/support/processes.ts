/**
 * Whether our own processes have ended, and the processes that a killed CLI leaves behind. These are none of our children, so
 * the system is asked; only Linux answers, elsewhere there seem to be none.
 */
import type { ChildProcess } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** No event tells of its end any more. */
export function hasEnded({ exitCode, signalCode }: Pick<ChildProcess, "exitCode" | "signalCode">): boolean {
    return exitCode !== null || signalCode !== null;
}

interface FoundProcess {
    readonly pid: number;
    readonly command: string;
}

/** The processes that work in that folder. */
export function processesIn(folder: string): FoundProcess[] {
    if (process.platform !== "linux") return [];
    return readdirSync("/proc")
        .filter((name) => /^\d+$/.test(name) && read(() => readlinkSync(`/proc/${name}/cwd`)) === folder)
        .map((pid) => ({
            pid: Number(pid),
            command: read(() => readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")) ?? "",
        }));
}

/** The provider processes of runs of the CLI in that folder: the SDK's launcher and the process it starts, or the plugin. */
export function providersIn(folder: string): FoundProcess[] {
    return processesIn(folder).filter(({ command }) => /dynamic-provider|pulumi-resource-videograph/.test(command));
}

/** To each that still lives; by default `kill -9`. */
export function killAll(processes: readonly Pick<FoundProcess, "pid">[], signal: NodeJS.Signals = "SIGKILL"): void {
    for (const { pid } of processes) {
        try {
            process.kill(pid, signal);
        } catch {
            // It has ended by itself.
        }
    }
}

/** A process may end, or be another user's, while one looks. */
function read(look: () => string): string | undefined {
    try {
        return look();
    } catch {
        return undefined;
    }
}
