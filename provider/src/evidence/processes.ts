/** The process that writes a journal entry, and whether it is still alive. */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import * as z from "zod/mini";

/** The process that writes an entry. */
export const writer = z.object({
    pid: z.int(),
    host: z.string(),
    /** Distinguishes the process from a later one with the same pid: its start time, or else a random text. */
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
        // Nothing is known about other machines. The engine's lock keeps their runs of this stack away.
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
        // EPERM: it lives, under another user.
        return error instanceof Error && "code" in error && error.code === "EPERM";
    }
}

/**
 * The status of a process; `undefined` where the system does not show it, as outside Linux. Whatever has the pid counts as the writer then, so
 * a run may wait for it in vain for a while. The other way round, it would decide at once about a create that is still under way.
 */
function statusOf(pid: number) {
    try {
        const fields = statFieldsOf(pid);
        const [state = "", sinceBoot = ""] = [fields[0], fields[19]];
        const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
        // A killed process keeps its pid until its parent has read its exit code.
        return { dead: state === "Z" || state === "X", started: `${boot}/${sinceBoot}` };
    } catch {
        return undefined;
    }
}

/** The fields from the state on. `pid (name) state ppid ...`: the name may contain anything. See proc_pid_stat(5). @throws where there are none. */
export function statFieldsOf(pid: number): string[] {
    return readFileSync(`/proc/${pid}/stat`, "utf8")
        .replace(/^.*\)\s/s, "")
        .split(" ");
}
