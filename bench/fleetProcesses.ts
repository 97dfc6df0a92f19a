/** What all processes of a fleet cost together, as Linux counts it: looked at five times a second while they run. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

export interface FleetCost {
    /** The most that was resident at one moment in all of them, in bytes. */
    readonly memory: number;
    /** Bytes that the engines gave to the disk: their state, its backup copies, and their logs of events. */
    readonly written: number;
    /** Seconds. */
    readonly engineCpu: number;
    /** Seconds, of everything else: programs, providers, and what runs the fleet. */
    readonly otherCpu: number;
}

interface Seen {
    readonly pid: string;
    readonly engine: boolean;
    readonly memory: number;
    readonly written: number;
    readonly cpu: number;
}

const intervalMs = 200;

/** Watches the processes that work in the folder, until stopped. What they do after the last look is not counted. */
export function watchFleet(folder: string): { stop(): Promise<FleetCost> } {
    if (process.platform !== "linux")
        throw new Error("This benchmark needs Linux: only there it can look at the processes");
    const stopping = new AbortController();
    const watching = watch(folder, stopping.signal);
    return {
        stop() {
            stopping.abort();
            return watching;
        },
    };
}

async function watch(folder: string, signal: AbortSignal): Promise<FleetCost> {
    const last = new Map<string, Seen>();
    let memory = 0;
    while (!signal.aborted) {
        const now = processesOf(folder);
        for (const seen of now) last.set(seen.pid, seen);
        memory = Math.max(
            memory,
            now.reduce((sum, seen) => sum + seen.memory, 0),
        );
        await sleep(intervalMs, undefined, { signal }).catch(() => {});
    }
    const sum = (of: (seen: Seen) => number) => [...last.values()].reduce((total, seen) => total + of(seen), 0);
    return {
        memory,
        written: sum(({ engine, written }) => (engine ? written : 0)),
        engineCpu: sum(({ engine, cpu }) => (engine ? cpu : 0)),
        otherCpu: sum(({ engine, cpu }) => (engine ? 0 : cpu)),
    };
}

function processesOf(folder: string): Seen[] {
    return readdirSync("/proc").flatMap((pid) => {
        if (!/^\d+$/.test(pid)) return [];
        try {
            if (readlinkSync(`/proc/${pid}/cwd`) !== folder) return [];
            const read = (name: string) => readFileSync(`/proc/${pid}/${name}`, "utf8");
            const resident = /^VmRSS:\s+(\d+) kB$/m.exec(read("status"))?.[1];
            const written = /^write_bytes: (\d+)$/m.exec(read("io"))?.[1];
            // After the name in parentheses: field 14 of all is the user time, 15 the system time, in 1/100 s.
            const fields = read("stat")
                .replace(/^.*\) /s, "")
                .split(" ");
            return [
                {
                    pid,
                    engine: /^\S*pulumi /.test(read("cmdline").replaceAll("\0", " ")),
                    memory: Number(resident ?? 0) * 1024,
                    written: Number(written ?? 0),
                    cpu: (Number(fields[11]) + Number(fields[12])) / 100,
                },
            ];
        } catch {
            return []; // it has ended meanwhile, or is another user's
        }
    });
}
