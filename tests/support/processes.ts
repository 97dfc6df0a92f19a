/**
 * Processes that a killed CLI leaves behind. They are none of our children, so the system is asked; only Linux answers,
 * elsewhere there seem to be none.
 */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

export interface FoundProcess {
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

/** A process may end, or be another user's, while one looks. */
function read(look: () => string): string | undefined {
    try {
        return look();
    } catch {
        return undefined;
    }
}
