/**
 * `npm run test:cost`: `npm test`, and what it costs: runs of the CLI, CPU and wall time by step, folder and file. `-- <files>` runs these
 * files alone. CPU times can be compared on a busy machine, wall times cannot.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Cost, cpuSeconds } from "./support/cost.ts";

const repository = join(import.meta.dirname, "..");
const record = join(tmpdir(), `videograph-test-cost-${process.pid}.jsonl`);

async function step(name: string, ...command: string[]): Promise<Cost> {
    const [cpu, start] = [cpuSeconds(), performance.now()];
    const [program = "", ...args] = command;
    const child = spawn(program, args, {
        ...{ cwd: repository, stdio: "inherit" },
        shell: process.platform === "win32",
        env: { ...process.env, TEST_COST: record },
    });
    const [code] = await once(child, "exit");
    if (code !== 0) process.exitCode = 1;
    return { file: name, runs: 0, cpu: cpuSeconds() - cpu, wall: (performance.now() - start) / 1000 };
}

function print(title: string, costs: readonly Cost[]): void {
    console.log(`\n${"runs".padStart(6)}${"CPU s".padStart(9)}${"wall s".padStart(9)}  ${title}`);
    for (const { file, runs, cpu, wall } of costs)
        console.log(`${String(runs).padStart(6)}${cpu.toFixed(1).padStart(9)}${wall.toFixed(1).padStart(9)}  ${file}`);
}

function sum(file: string, costs: readonly Cost[]): Cost {
    const total = (key: "runs" | "cpu" | "wall") => costs.reduce((all, cost) => all + cost[key], 0);
    return { file, runs: total("runs"), cpu: total("cpu"), wall: total("wall") };
}

const files = process.argv.slice(2);
const steps =
    files.length > 0
        ? []
        : [await step("npm run build", "npm", "run", "build"), await step("npm run lint", "npm", "run", "lint")];
const mocha = ["npx", "mocha", "--parallel", "--jobs", "4"];
steps.push(await step("mocha", ...mocha, ...(files.length > 0 ? files : ["tests/**/*.test.ts"])));

const costs = existsSync(record)
    ? readFileSync(record, "utf8")
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line) as Cost)
          .sort((one, other) => other.cpu - one.cpu)
    : [];
rmSync(record, { force: true });
print("file", costs);
const folders = Map.groupBy(costs, ({ file }) => file.split(/[\\/]/)[0] ?? "");
print(
    "folder (wall: summed over its files)",
    [...folders].map(([folder, its]) => sum(folder, its)).sort((one, other) => other.cpu - one.cpu),
);
print("step", [...steps, sum("all", steps)]);
