/**
 * `node bench/startup.ts [runs]`: what loading this package adds to a program and to the provider process, both of which
 * have loaded the SDK before; and how soon each kind of provider process can be called. Each is loaded in new Node processes,
 * in turn; the table shows medians.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Load } from "./startupProcess.ts";
import { median } from "./statistics.ts";

const cases = [
    { title: "the SDK alone", modules: ["@pulumi/pulumi"] },
    { title: "a program: the package, after the SDK", modules: ["@pulumi/pulumi", "pulumi-videograph"] },
    {
        title: "the provider process: its entry, after the SDK",
        modules: ["@pulumi/pulumi", "pulumi-videograph/provider"],
    },
] as const;

const runs = Number(process.argv[2] ?? 9);
const child = join(import.meta.dirname, "startupProcess.ts");
const loads = cases.map((): Load[] => []);
for (let run = 0; run < runs; run++) {
    for (const [number, { modules }] of cases.entries()) {
        const { stdout } = await promisify(execFile)(process.execPath, [child, ...modules]);
        loads[number]?.push(JSON.parse(stdout) as Load);
    }
}
for (const [number, { title }] of cases.entries()) {
    const of = (value: (load: Load) => number) => Math.round(median(loads[number]?.map(value) ?? []) ?? Number.NaN);
    console.log(`${title}: ${of(({ time }) => time)} ms, ${of(({ cpu }) => cpu)} ms of CPU`);
    const parts = loads[number]?.[0]?.parts ?? [];
    for (const { name, files } of parts.slice(0, 8)) {
        const time = of((load) => load.parts.find((part) => part.name === name)?.time ?? 0);
        console.log(`    ${`${time}`.padStart(5)} ms  ${`${files}`.padStart(4)} files  ${name}`);
    }
}

/** Entries of provider processes, which print their port when they can be called. */
const repository = join(import.meta.dirname, "..");
const processes = [
    {
        title: "the dynamic-provider process, until it can be called",
        entry: createRequire(import.meta.url).resolve("@pulumi/pulumi/cmd/dynamic-provider/index.js"),
    },
    {
        title: "the plugin's process, until it can be called",
        entry: join(repository, "provider", "plugin", "index.js"),
    },
] as const;
const starts = processes.map((): number[] => []);
for (let run = 0; run < runs; run++) {
    for (const [number, { entry }] of processes.entries()) starts[number]?.push(await startOf(entry));
}
for (const [number, { title }] of processes.entries()) {
    console.log(`${title}: ${Math.round(median(starts[number] ?? []) ?? Number.NaN)} ms`);
}

/** From the start of a provider process to the line with its port, in ms. Nobody is at the engine's address. */
async function startOf(entry: string): Promise<number> {
    const begin = performance.now();
    const child = spawn(process.execPath, [entry, "127.0.0.1:1"], { stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    const time = performance.now() - begin;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
    return time;
}
