/**
 * What the processes that work in a folder cost, as Linux counts it: the engine starts the others and keeps their ids to
 * itself, so /proc is read again and again while they run.
 */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

export type Role = "engine" | "program" | "provider";

/** A process as it was seen last: bytes, and CPU time in seconds. */
interface Seen {
    readonly pid: string;
    readonly role: Role | undefined;
    readonly resident: number;
    readonly peak: number;
    readonly written: number;
    readonly cpu: number;
}

export interface Watched {
    /** From the start to the end, in seconds. */
    readonly time: number;
    /** As they were seen last: what they did after that is not counted. */
    readonly processes: readonly Seen[];
    /** The most memory that all had at one moment. */
    readonly memory: number;
}

/** Watches what works in a folder until this program, which was just started there, has ended. It must succeed. */
export async function watched(folder: string, child: ChildProcess): Promise<Watched> {
    const begin = performance.now();
    let output = "";
    for (const stream of [child.stdout, child.stderr])
        stream?.setEncoding("utf8").on("data", (text: string) => {
            output += text;
        });
    const last = new Map<string, Seen>();
    let memory = 0;
    const timer = setInterval(() => {
        const now = process.platform === "linux" ? processesOf(folder) : [];
        for (const seen of now) last.set(seen.pid, seen);
        memory = Math.max(
            memory,
            now.reduce((sum, { resident }) => sum + resident, 0),
        );
    }, 200);
    const [code] = await once(child, "close").finally(() => clearInterval(timer));
    const time = (performance.now() - begin) / 1000;
    if (code !== 0) throw new Error(`${child.spawnargs.join(" ")} ended with code ${code} and said:\n${output}`);
    return { time, processes: [...last.values()], memory };
}

function processesOf(folder: string): Seen[] {
    return readdirSync("/proc").flatMap((pid) => {
        if (!/^\d+$/.test(pid)) return [];
        try {
            if (readlinkSync(`/proc/${pid}/cwd`) !== folder) return [];
            const read = (name: string) => readFileSync(`/proc/${pid}/${name}`, "utf8");
            const command = read("cmdline").replaceAll("\0", " ");
            // It is ending: its memory is already released.
            if (command === "") return [];
            const kilobytes = (name: string) =>
                Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(read("status"))?.[1] ?? 0);
            // After the name in parentheses: field 14 of all is the user time, 15 the system time, in 1/100 s.
            const fields = read("stat")
                .replace(/^.*\) /s, "")
                .split(" ");
            return {
                pid,
                role: roleOf(command),
                resident: kilobytes("VmRSS") * 1024,
                peak: kilobytes("VmHWM") * 1024,
                written: Number(/^write_bytes: (\d+)$/m.exec(read("io"))?.[1] ?? 0),
                cpu: (Number(fields[11]) + Number(fields[12])) / 100,
            };
        } catch {
            return []; // it has ended meanwhile, or is another user's
        }
    });
}

/** By its command line; the shell scripts around the Node processes cost nothing. */
function roleOf(command: string): Role | undefined {
    if (/^\S*sh\s/.test(command)) return undefined;
    if (/dynamic-provider|pulumi-resource-videograph/.test(command)) return "provider";
    return /^\S*pulumi /.test(command) ? "engine" : "program";
}
