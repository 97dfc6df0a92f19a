/**
 * `npm run simulate -- --seeds 100000`, on all cores, or `--seed 42` to see one of them step by step. `--only clones,moves`
 * leaves out all other hazards, `--without clocks` these.
 */
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { builtPackage, loadBuild } from "./build.ts";
import { type Hazard, hazards, usualHazards } from "./hazards.ts";
import { live } from "./life.ts";

/** Seeds that a worker takes at once. */
const portion = 50;
/** Nobody reads more of them. */
const mostViolations = 20;

interface Job {
    build: string;
    only: readonly Hazard[];
}

function options() {
    const { values } = parseArgs({
        options: {
            seed: { type: "string" },
            seeds: { type: "string", default: "1000" },
            from: { type: "string", default: "0" },
            jobs: { type: "string", default: String(availableParallelism()) },
            build: { type: "string", default: builtPackage },
            only: { type: "string" },
            without: { type: "string", default: "" },
        },
    });
    const names = (text: string) => text.split(",").filter((name) => name !== "");
    const unknown = names(`${values.only ?? ""},${values.without}`).filter((name) => !hazards.includes(name as Hazard));
    if (unknown.length > 0)
        throw new Error(`There is no hazard ${unknown.join(", ")}. There are ${hazards.join(", ")}.`);
    const chosen =
        values.only === undefined ? usualHazards : hazards.filter((name) => names(values.only ?? "").includes(name));
    return { ...values, only: chosen.filter((name) => !names(values.without).includes(name)) };
}

/** A worker's part: the violations of one portion of seeds at a time. */
async function work({ build: folder, only }: Job): Promise<void> {
    const build = loadBuild(folder);
    parentPort?.on("message", async (from: number) => {
        const found: [number, string[]][] = [];
        for (let seed = from; seed < from + portion; seed++) {
            const violations = await live(seed, build, undefined, only);
            if (violations.length > 0) found.push([seed, violations]);
        }
        parentPort?.postMessage(found);
    });
}

/** Has all seeds lived; resolves with how many have violations. */
function simulate(job: Job, from: number, seeds: number, jobs: number): Promise<number> {
    return new Promise((resolve, reject) => {
        let next = from;
        let bad = 0;
        let busy = 0;
        const feed = (worker: Worker) => {
            if (next >= from + seeds || bad >= mostViolations) {
                void worker.terminate();
                if (--busy === 0) resolve(bad);
                return;
            }
            worker.postMessage(next);
            next += portion;
        };
        for (; busy < jobs; busy++) {
            const worker = new Worker(new URL(import.meta.url), { workerData: job });
            worker.on("error", reject).on("message", (found: [number, string[]][]) => {
                for (const [seed, violations] of found) console.log(`seed ${seed}: ${violations.join("; ")}`);
                bad += found.length;
                feed(worker);
            });
            worker.once("online", () => feed(worker));
        }
    });
}

if (!isMainThread) await work(workerData as Job);
else {
    const { seed, seeds, from, jobs, build, only } = options();
    if (seed !== undefined) {
        const violations = await live(Number(seed), loadBuild(build), (line) => console.log(line), only);
        for (const violation of violations) console.log(`VIOLATION: ${violation}`);
        process.exitCode = violations.length > 0 ? 1 : 0;
    } else {
        const start = performance.now();
        const bad = await simulate({ build, only }, Number(from), Number(seeds), Number(jobs));
        const seconds = ((performance.now() - start) / 1000).toFixed(1);
        console.log(`${seeds} seeds, ${bad} with violations, ${seconds} s`);
        process.exitCode = bad > 0 ? 1 : 0;
    }
}
