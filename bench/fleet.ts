/** `npm run bench:fleet`: examples/fleet, a library for each stack: time, memory, what was written for the state, and requests. */
import { spawn } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { exampleFolder } from "../tests/examples/exampleStack.ts";
import { type FleetFolder, fleetIn, type Line } from "../tests/examples/fleetFolder.ts";
import { obtainPulumiCli } from "../tools/pulumiCli/index.ts";
import { type Watched, watched } from "./processes.ts";
import { startService } from "./service.ts";

const { argsOf } = createRequire(import.meta.url)("./programs/videos.cjs") as {
    argsOf(number: number): Omit<Line, "key">;
};

const { values } = parseArgs({
    options: {
        sizes: { type: "string", default: "10000/1,100000/10" },
        kill: { type: "boolean", default: false },
    },
});

const cli = await obtainPulumiCli();
const emulator = await startService(10_000);
const machine = `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}, Pulumi ${cli.version}`;
console.log(`${machine}; two stacks at a time; videos that take 10 s`);
for (const size of values.sizes.split(",")) {
    const [videos = 0, stacks = 1] = size.split("/").map(Number);
    console.log(`\n| | ${videos} in ${stacks} |\n| --- | ---: |`);
    for (const [label, value] of Object.entries(await measure(videos, stacks)))
        console.log(`| ${label} | ${value.toLocaleString("en-US", { maximumFractionDigits: value < 100 ? 2 : 0 })} |`);
}
await emulator.close();

async function measure(videos: number, stacks: number): Promise<Record<string, number>> {
    emulator.clearRequests();
    const { folder, env } = await exampleFolder("fleet", cli);
    await using fleet = fleetIn(folder, { ...env, ...emulator.env, PULUMI_NODEJS_TRANSPILE_ONLY: "true" });
    await fleet.settings({ stacks });
    await fleet.catalogue(
        Array.from({ length: videos }, (_, number) => ({ key: `episode-${number}`, ...argsOf(number) })),
    );
    const first = await run(fleet, "up");
    const requests = emulator.requests.length;
    oneEach(videos);
    const again = await run(fleet, "up");
    const requestsAgain = emulator.requests.length - requests;
    const state = stateBytes(fleet.folder);
    const end = await run(fleet, "destroy");
    oneEach(0);
    const sum = (engines: boolean, what: "written" | "cpu") =>
        first.processes
            .filter(({ role }) => (role === "engine") === engines)
            .reduce((total, seen) => total + seen[what], 0);
    return {
        "first `up`, s": first.time,
        "videos per second": videos / first.time,
        "`up` without changes, s": again.time,
        "requests in all, `up` without changes": requestsAgain,
        "`destroy`, s": end.time,
        "requests per video, first `up`": requests / videos,
        "written by the engines, MB": sum(true, "written") / 1e6,
        "state at the end, MB": state / 1e6,
        "most memory at a time, MB": first.memory / 1e6,
        "CPU of the engines, s": sum(true, "cpu"),
        "CPU of programs and providers, s": sum(false, "cpu"),
        ...(values.kill && (await killedAndAgain(fleet, videos, first.time))),
    };
}

/** Fails unless there is exactly one video for each line of the catalogue. */
function oneEach(videos: number): void {
    const titles = emulator.contents().map(({ title }) => title);
    const different = new Set(titles).size;
    if (titles.length !== videos || different !== videos)
        throw new Error(`${titles.length} videos, ${different} of them different, where ${videos} have to be`);
}

/** A first `up` whose processes are all killed at a random moment, and the same again. */
async function killedAndAgain(fleet: FleetFolder, videos: number, upTime: number): Promise<Record<string, number>> {
    const killedAfter = Math.random() * upTime;
    const child = start(fleet, "up");
    await sleep(killedAfter * 1000);
    await fleet.lose(child);
    const made = emulator.contents().length;
    const again = await run(fleet, "up", "--cancel");
    oneEach(videos);
    await run(fleet, "destroy");
    oneEach(0);
    return {
        "`kill -9` after, s": killedAfter,
        "videos made by then": made,
        "`up` after it, s": again.time,
    };
}

/** One command on all stacks, which must succeed. */
function run(fleet: FleetFolder, ...command: string[]): Promise<Watched> {
    return watched(fleet.folder, start(fleet, ...command));
}

/** With a compiler in each run, as its user has it. */
function start({ folder, env }: FleetFolder, ...command: string[]) {
    const program = ["--require", "ts-node/register/transpile-only", "fleet.ts", ...command, "--side-by-side", "2"];
    return spawn(process.execPath, program, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
}

function stateBytes(folder: string): number {
    const stacks = join(folder, ".backend", ".pulumi", "stacks", "fleet");
    return readdirSync(stacks)
        .filter((name) => name.endsWith(".json"))
        .reduce((sum, name) => sum + statSync(join(stacks, name)).size, 0);
}
