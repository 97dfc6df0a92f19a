/** One variant with one number of contents, once: a stack from its first `up` to its `destroy`, and what it cost. */

import { execFile, spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Emulator } from "videograph-emulator";
import { isolatedEnvironment } from "../tools/pulumiCli/environment.ts";
import type { PulumiCli } from "../tools/pulumiCli/index.ts";
import { type Role, type Watched, watched } from "./processes.ts";
import { type Shares, sharesOf } from "./profile.ts";
import { latencyMs, percentile, startService } from "./service.ts";

/** Programs that declare the same contents in different ways; see README.md. */
export const variants = [
    ...["floor", "floor-waiting", "content", "content-parallel"],
    ...["readiness", "native-readiness", "library", "native-library", "bare", "bare-journal"],
] as const;
type Variant = (typeof variants)[number];

/** How many contents a later `up` adds. */
const added = 10;

/** What a table shows: a number for each row, `undefined` where there is none. */
export type Measurement = Readonly<Record<string, number | undefined>>;

interface Conditions {
    readonly cli: PulumiCli;
    readonly env: Readonly<Record<string, string>>;
    /** How long each content takes to become Ready. */
    readonly processingMs: number;
    /** Is given where the provider of a command spent its time. Profiling costs time. */
    readonly onProfile?: (command: string, shares: Shares) => void;
}

const { argsOf } = createRequire(import.meta.url)("./programs/videos.cjs") as {
    argsOf(number: number): Readonly<Record<string, unknown>>;
};

export async function measure(variant: Variant, count: number, conditions: Conditions): Promise<Measurement> {
    if (variant.startsWith("bare")) return measureBare(variant, count, conditions);
    const { cli, processingMs, onProfile } = conditions;
    await using emulator = await startService(processingMs);
    const folder = await realpath(await mkdtemp(join(tmpdir(), "videograph-bench-")));
    try {
        const [backend, home] = [join(folder, "state"), join(folder, "home")];
        for (const path of [backend, home]) await mkdir(path);
        await cp(join(import.meta.dirname, "programs"), folder, { recursive: true });
        await symlink(join(import.meta.dirname, "..", "node_modules"), join(folder, "node_modules"));
        await writeFile(join(folder, "Pulumi.yaml"), "name: bench\nruntime: nodejs\nmain: program.cjs\n");
        const env = {
            ...isolatedEnvironment(cli, { backend, home, passphrase: "bench" }),
            ...emulator.env,
            HOME: home,
            BENCH_VARIANT: variant,
            BENCH_COUNT: String(count),
            BENCH_PAUSE: String(variant === "floor-waiting" ? processingMs : 0),
            ...conditions.env,
        };
        const more = /-(parallel|waiting)$/.test(variant) ? ["--parallel", String(count)] : [];
        const run = async (...args: string[]) => {
            const before = emulator.requests.length;
            const profiles = join(folder, "profiles", `${env.BENCH_COUNT} ${args.join(" ")}`);
            const flags = onProfile && { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir="${profiles}"` };
            const child = spawn("pulumi", [...args, "--non-interactive"], {
                cwd: folder,
                env: { ...env, ...flags },
                stdio: ["ignore", "pipe", "pipe"],
            });
            const seen = await watched(folder, child);
            // A profile is named by the time, the process and the thread.
            const pids = of(seen, "provider").map(({ pid }) => pid);
            const files = onProfile && (await readdir(profiles).catch(() => []));
            const its = files?.filter((name) => pids.includes(name.split(".")[3] ?? "")) ?? [];
            if (its.length > 0) onProfile?.(args[0] ?? "", sharesOf(its.map((name) => join(profiles, name))));
            return { ...seen, requests: emulator.requests.length - before };
        };

        await run("stack", "init", "bench");
        const up = await run("up", "--yes", "--skip-preview", ...more);
        const noticed = noticedAfter(variant, count, emulator);
        const state = await readFile(join(backend, ".pulumi", "stacks", "bench", "bench.json"), "utf8");
        const preview = await run("preview", "--expect-no-changes", ...more);
        const upAgain = await run("up", "--yes", "--skip-preview", "--expect-no-changes", ...more);
        env.BENCH_COUNT = String(count + added);
        const grown = await run("up", "--yes", "--skip-preview", ...more);
        const refresh = await run("refresh", "--yes", "--skip-preview", ...more);
        const destroy = await run("destroy", "--yes", "--skip-preview", ...more);
        return {
            "first up, s": up.time,
            "no-op preview, s": preview.time,
            "no-op up, s": upAgain.time,
            [`up with ${added} more, s`]: grown.time,
            "refresh, s": refresh.time,
            "destroy, s": destroy.time,
            "requests per content: first up": up.requests / count,
            "requests per content: no-op preview and up": (preview.requests + upAgain.requests) / count,
            [`requests: up with ${added} more`]: grown.requests,
            "Ready noticed after, median, ms": noticed,
            "state beyond inputs, bytes per content": beyondInputs(state, count),
            "peak memory of provider, MB": Math.max(...of(up, "provider").map(({ peak }) => peak / 1e6), 0),
            "CPU of first up: engine, s": cpuOf(up, "engine"),
            "CPU of first up: provider, s": cpuOf(up, "provider"),
            "CPU of no-op up: provider, s": cpuOf(upAgain, "provider"),
            [`CPU of up with ${added} more: provider, s`]: cpuOf(grown, "provider"),
            "CPU of refresh: provider, s": cpuOf(refresh, "provider"),
            "CPU of destroy: provider, s": cpuOf(destroy, "provider"),
        };
    } finally {
        await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
}

/** What bare.ts prints. */
type Bare = Record<"created" | "read" | "deleted", { time: number; cpu: number }> & { peak: number };

/** The same requests by a client that does nothing else. */
async function measureBare(variant: Variant, count: number, { processingMs }: Conditions): Promise<Measurement> {
    await using emulator = await startService(processingMs);
    const folder = await mkdtemp(join(tmpdir(), "videograph-bench-"));
    try {
        const journal = variant === "bare-journal" ? [folder] : [];
        const env = { ...process.env, ...emulator.env, BENCH_COUNT: String(count) };
        const script = join(import.meta.dirname, "bare.ts");
        const { stdout } = await promisify(execFile)(process.execPath, [script, ...journal], { env });
        const { created, read, deleted, peak } = JSON.parse(stdout) as Bare;
        return {
            "first up, s": created.time + read.time,
            "refresh, s": read.time,
            "destroy, s": deleted.time,
            "requests per content: first up": 2,
            "peak memory of provider, MB": peak / 1e6,
            "CPU of first up: provider, s": created.cpu + read.cpu,
            "CPU of refresh: provider, s": read.cpu,
            "CPU of destroy: provider, s": deleted.cpu,
        };
    } finally {
        await rm(folder, { recursive: true, force: true });
    }
}

const of = ({ processes }: Watched, role: Role) => processes.filter((seen) => seen.role === role);
const cpuOf = (run: Watched, role: Role) => of(run, role).reduce((sum, { cpu }) => sum + cpu, 0);

/** From the moment that each content was Ready to the last GET of it in the first `up`, the one that found it so: the median. */
function noticedAfter(variant: Variant, count: number, emulator: Emulator): number | undefined {
    const contents = emulator.contents();
    if (!variant.includes("floor") && contents.length !== count)
        throw new Error(`${variant}: of ${count} contents ${contents.length} were created`);
    const asked = new Map(
        emulator.requests.filter(({ method }) => method === "GET").map(({ path, at }) => [path.split("/").at(-1), at]),
    );
    // A ContentReadiness begins to wait when the last one is created. The entries of a library wait each for itself.
    const lastCreate = emulator.requests.findLast(({ method }) => method === "POST")?.at ?? 0;
    const from = variant.endsWith("readiness") ? lastCreate : 0;
    return percentile(
        0.5,
        contents.map(({ contentId, createdOn, processingMs }) => {
            const ready = createdOn + (processingMs ?? 0);
            // The emulator looks at a content when the latency is over.
            return (asked.get(contentId) ?? Number.NaN) + latencyMs - Math.max(ready, from);
        }),
    );
}

/**
 * What a content costs in state beyond what cannot be avoided. The engine's own record of a resource is what stands
 * outside `inputs` and `outputs`; of these two everything counts but one copy of the user's own inputs.
 */
function beyondInputs(state: string, count: number): number {
    const { checkpoint } = JSON.parse(state) as {
        checkpoint: { latest: { resources: { type: string; inputs?: object; outputs?: object }[] } };
    };
    const size = (value: unknown) => Buffer.byteLength(JSON.stringify(value ?? {}));
    const sum = (sizes: number[]) => sizes.reduce((total, one) => total + one, 0);
    const recorded = checkpoint.latest.resources
        .filter(({ type }) => /^(pulumi-nodejs:dynamic|videograph:index)\b/.test(type))
        .map(({ inputs, outputs }) => size(inputs) + size(outputs));
    return (sum(recorded) - sum(Array.from({ length: count }, (_, number) => size(argsOf(number))))) / count;
}
