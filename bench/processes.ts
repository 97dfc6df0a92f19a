/**
 * What the processes of one run of the CLI cost: the engine, the program and the provider. The engine starts the other
 * two and keeps their ids to itself, so the system is asked again and again while they run. Linux tells peaks and CPU
 * time; elsewhere `ps` tells the memory of the moment, and the peak is the highest seen.
 */
import { execFile } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

export type Role = "engine" | "program" | "provider";

export interface Cost {
    /** Highest resident memory, in bytes. */
    readonly memory: number;
    /** CPU time in seconds, but for what came after the last look; undefined where the system does not tell. */
    readonly cpu: number | undefined;
}

export type Costs = { readonly [role in Role]?: Cost };

interface Seen extends Cost {
    readonly pid: number;
    readonly command: string;
}

/** How often to look, in ms. */
const interval = 200;

/** Looks at the processes that work in `folder`, or descend from `cli`, until stopped. */
export function watchProcesses(folder: string, cli: number): { stop(): Promise<Costs> } {
    const stopping = new AbortController();
    const watching = watch(process.platform === "linux" ? () => lookInProc(folder) : () => askPs(cli), stopping.signal);
    return {
        stop() {
            stopping.abort();
            return watching;
        },
    };
}

async function watch(look: () => Seen[] | Promise<Seen[]>, signal: AbortSignal): Promise<Costs> {
    const seen = new Map<number, Seen>();
    while (!signal.aborted) {
        for (const now of await look()) {
            const before = seen.get(now.pid);
            seen.set(now.pid, { ...now, memory: Math.max(now.memory, before?.memory ?? 0) });
        }
        await sleep(interval, undefined, { signal }).catch(() => {});
    }
    const costs: { [role in Role]?: Cost } = {};
    for (const { command, memory, cpu } of seen.values()) {
        const role = roleOf(command);
        if (role === undefined) continue;
        const other = costs[role];
        costs[role] = {
            memory: Math.max(memory, other?.memory ?? 0),
            cpu: cpu === undefined ? undefined : cpu + (other?.cpu ?? 0),
        };
    }
    return costs;
}

/** By what stands in the command line; the shell scripts around the Node processes cost nothing. */
function roleOf(command: string): Role | undefined {
    if (/^\S*sh\s/.test(command)) return undefined;
    if (/dynamic-provider|pulumi-resource-(videograph|floor)/.test(command)) return "provider";
    if (/^\S*pulumi(\.exe)? /.test(command)) return "engine";
    if (/cmd[/\\]run/.test(command)) return "program";
    return undefined;
}

function lookInProc(folder: string): Seen[] {
    return readdirSync("/proc").flatMap((name) => {
        if (!/^\d+$/.test(name)) return [];
        try {
            if (readlinkSync(`/proc/${name}/cwd`) !== folder) return [];
            const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ");
            const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${name}/status`, "utf8"))?.[1];
            // After the name in parentheses: field 14 of all is the user time, 15 the system time, in 1/100 s.
            const fields = readFileSync(`/proc/${name}/stat`, "utf8")
                .replace(/^.*\) /s, "")
                .split(" ");
            const cpu = (Number(fields[11]) + Number(fields[12])) / 100;
            return [{ pid: Number(name), command, memory: Number(peak ?? 0) * 1024, cpu }];
        } catch {
            return []; // it has ended meanwhile, or is another user's
        }
    });
}

async function askPs(cli: number): Promise<Seen[]> {
    if (process.platform === "win32") return [];
    const { stdout } = await promisify(execFile)("ps", ["-Ao", "pid=,ppid=,rss=,command="], { maxBuffer: 2 ** 24 });
    const rows = [...stdout.matchAll(/^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/gm)].map(
        ([, pid, parent, memory, command]) => ({
            pid: Number(pid),
            parent: Number(parent),
            memory: Number(memory) * 1024,
            cpu: undefined,
            command: command ?? "",
        }),
    );
    const family = new Set([cli]);
    for (let before = 0; before < family.size; ) {
        before = family.size;
        for (const { pid, parent } of rows) if (family.has(parent)) family.add(pid);
    }
    return rows.filter(({ pid }) => family.has(pid));
}
