/**
 * What the processes that work in a folder cost, as Linux counts it: the engine starts the others and keeps their ids to
 * itself, so /proc is read again and again while they run.
 */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** In bytes, and CPU time in seconds. */
export interface Seen {
    readonly pid: string;
    readonly command: string;
    readonly resident: number;
    readonly peak: number;
    readonly written: number;
    readonly cpu: number;
}

const intervalMs = 200;

/** Each process as it was seen last, and the most memory that all had at one moment. */
export interface Watched {
    readonly processes: readonly Seen[];
    readonly memory: number;
}

/** Watches until stopped. What they do after the last look is not counted. */
export function watchProcesses(folder: string): { stop(): Promise<Watched> } {
    const stopping = new AbortController();
    const watching = watch(folder, stopping.signal);
    return {
        stop() {
            stopping.abort();
            return watching;
        },
    };
}

async function watch(folder: string, signal: AbortSignal): Promise<Watched> {
    const last = new Map<string, Seen>();
    let memory = 0;
    while (process.platform === "linux" && !signal.aborted) {
        const now = processesOf(folder);
        for (const seen of now) last.set(seen.pid, seen);
        const resident = now.reduce((sum, seen) => sum + seen.resident, 0);
        memory = Math.max(memory, resident);
        await sleep(intervalMs, undefined, { signal }).catch(() => {});
    }
    return { processes: [...last.values()], memory };
}

function processesOf(folder: string): Seen[] {
    return readdirSync("/proc").flatMap((pid) => {
        if (!/^\d+$/.test(pid)) return [];
        try {
            if (readlinkSync(`/proc/${pid}/cwd`) !== folder) return [];
            const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
            // It is ending: its memory is gone already.
            if (command === "") return [];
            const read = (name: string) => readFileSync(`/proc/${pid}/${name}`, "utf8");
            const kilobytes = (name: string) =>
                Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(read("status"))?.[1] ?? 0);
            // After the name in parentheses: field 14 of all is the user time, 15 the system time, in 1/100 s.
            const fields = read("stat")
                .replace(/^.*\) /s, "")
                .split(" ");
            return {
                ...{ pid, command },
                ...{ resident: kilobytes("VmRSS") * 1024, peak: kilobytes("VmHWM") * 1024 },
                written: Number(/^write_bytes: (\d+)$/m.exec(read("io"))?.[1] ?? 0),
                cpu: (Number(fields[11]) + Number(fields[12])) / 100,
            };
        } catch {
            return []; // it has ended meanwhile, or is another user's
        }
    });
}
