/** Which process has written a journal entry, and whether that process is still alive. If it is, its create may be under way. */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import * as z from "zod/mini";

export const writer = z.object({
    pid: z.int(),
    host: z.string(),
    /** Tells the process from a later one with the same pid: the time when it started, or a random text where the system does not show that. */
    started: z.optional(z.string()),
});
export type Writer = z.infer<typeof writer>;

/** The processes of this machine. */
export interface Processes {
    readonly self: Writer;
    isAlive(writer: Writer): boolean;
}

export const systemProcesses: Processes = {
    self: { pid: process.pid, host: hostname(), started: statusOf(process.pid)?.started ?? randomUUID() },

    isAlive({ pid, host, started }) {
        // This machine cannot see the processes of another one. Runs there do not work on this stack now: the engine's lock keeps them out.
        if (host !== hostname() || !exists(pid)) return false;
        const status = statusOf(pid);
        if (status === undefined) return true;
        return !status.dead && (started === undefined || started === status.started);
    },
};

function exists(pid: number): boolean {
    try {
        process.kill(pid, 0);
        return true;
    } catch (error) {
        // EPERM: the process exists, but belongs to another user.
        return error instanceof Error && "code" in error && error.code === "EPERM";
    }
}

/**
 * The status of a process; `undefined` where the system shows none, as outside Linux. There, any process with the pid counts as the writer: a run may
 * wait for it in vain for a while, but never decides about a create that is still under way.
 */
function statusOf(pid: number) {
    try {
        const fields = statFieldsOf(pid);
        const [state = "", sinceBoot = ""] = [fields[0], fields[19]];
        const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
        // Zombie or dead: a killed process keeps its pid until its parent has read its exit code.
        return { dead: state === "Z" || state === "X", started: `${boot}/${sinceBoot}` };
    } catch {
        return undefined;
    }
}

/** The fields of `/proc/<pid>/stat`, from `state` on: the name before it may contain anything, also `) `. See proc_pid_stat(5). @throws where there is no such file. */
export function statFieldsOf(pid: number): string[] {
    return readFileSync(`/proc/${pid}/stat`, "utf8")
        .replace(/^.*\)\s/s, "")
        .split(" ");
}
