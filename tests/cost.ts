/**
 * `npm run test:cost`: `npm test`, and what it costs: runs of the CLI, CPU and wall time by step, folder and file. `-- <files>` runs these
 * files alone. CPU times can be compared on a busy machine, wall times cannot.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Cost, cpuSeconds } from "./support/cost.ts";

const repository = join(import.meta.dirname, "..");
const record = join(tmpdir(), `videograph-test-cost-${process.pid}.jsonl`);

function step(name: string, program: string, ...args: string[]): Cost {
    const [cpu, start] = [cpuSeconds(), performance.now()];
    const env = { ...process.env, TEST_COST: record };
    const shell = process.platform === "win32";
    const { status } = spawnSync(program, args, { cwd: repository, stdio: "inherit", shell, env });
    if (status !== 0) process.exitCode = 1;
    return { file: name, runs: 0, cpu: cpuSeconds() - cpu, wall: (performance.now() - start) / 1000 };
}

function print(title: string, costs: readonly Cost[]): void {
    console.log(`\n${"runs".padStart(6)}${"CPU s".padStart(9)}${"wall s".padStart(9)}  ${title}`);
    for (const { file, runs, cpu, wall } of costs.toSorted((one, other) => other.cpu - one.cpu))
        console.log(`${String(runs).padStart(6)}${cpu.toFixed(1).padStart(9)}${wall.toFixed(1).padStart(9)}  ${file}`);
}

function sum(file: string, costs: readonly Cost[]): Cost {
    const total = (key: "runs" | "cpu" | "wall") => costs.reduce((all, cost) => all + cost[key], 0);
    return { file, runs: total("runs"), cpu: total("cpu"), wall: total("wall") };
}

const files = process.argv.slice(2);
const scripts = files.length > 0 ? [] : ["build", "lint"];
const steps = scripts.map((script) => step(`npm run ${script}`, "npm", "run", script));
const mocha = ["npx", "mocha", "--parallel", "--jobs", "4"] as const;
steps.push(step("mocha", ...mocha, ...(files.length > 0 ? files : ["tests/**/*.test.ts"])));

const lines = existsSync(record) ? readFileSync(record, "utf8").trim().split("\n") : [];
rmSync(record, { force: true });
const costs = lines.map((line) => JSON.parse(line) as Cost);
print("file", costs);
const folders = Map.groupBy(costs, ({ file }) => file.split(/[\\/]/)[0] ?? "");
const sums = [...folders].map(([folder, its]) => sum(folder, its));
print("folder (wall: summed over its files)", sums);
print("step", [...steps, sum("all", steps)]);
