/**
 * `node bench/startup.ts [runs]`: what loading this package adds to a program and to the provider process, both of which
 * have loaded the SDK before. Each is loaded in new Node processes, in turn; the table shows medians.
 */
import { execFile } from "node:child_process";
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
