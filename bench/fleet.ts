/** `npm run bench:fleet`: examples/fleet, a library for each stack: time, memory, what was written for the state, and requests. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, statSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { cpus, tmpdir, totalmem } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { killAll, processesIn } from "../tests/support/processes.ts";
import { isolatedEnvironment } from "../tools/pulumiCli/environment.ts";
import { obtainPulumiCli } from "../tools/pulumiCli/index.ts";
import { type Watched, watchProcesses } from "./processes.ts";
import { startService } from "./service.ts";

const repository = join(import.meta.dirname, "..");

const { values } = parseArgs({
    options: {
        sizes: { type: "string", default: "10000/1,100000/10" },
        "side-by-side": { type: "string", default: "2" },
        processing: { type: "string", default: "10" },
        latency: { type: "string", default: "30" },
        kill: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
    },
});

if (values.help) {
    console.log(`Runs examples/fleet against the emulator, once for each size. Linux only.

Usage: npm run bench:fleet -- [options]

  --sizes <list>       videos/stacks, a table for each (default ${values.sizes}: about 15 minutes on two cores)
  --side-by-side <n>   how many stacks at a time (default ${values["side-by-side"]})
  --processing <s>     how long each video takes to become Ready (default ${values.processing})
  --latency <ms>       how much later every answer comes (default ${values.latency})
  --kill               then kill an up of everything at a random moment, and run it again
  --help               show this text`);
    process.exit();
}

const cli = await obtainPulumiCli();
const processing = Number(values.processing) * 1000;
const emulator = await startService([processing, processing], Number(values.latency));
const machine = `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}, Pulumi ${cli.version}`;
console.log(`${machine}; ${values["side-by-side"]} stacks at a time; videos that take ${values.processing} s`);
for (const size of values.sizes.split(",")) {
    const [videos = 0, stacks = 1] = size.split("/").map(Number);
    console.log(`\n| | ${videos} in ${stacks} |\n| --- | ---: |`);
    for (const [label, value] of Object.entries(await measure(videos, stacks)))
        console.log(`| ${label} | ${value.toLocaleString("en-US", { maximumFractionDigits: value < 100 ? 2 : 0 })} |`);
}
await emulator.close();

async function measure(videos: number, stacks: number): Promise<Record<string, number>> {
    emulator.clearRequests();
    const folder = await fleetFolder(videos, stacks);
    try {
        const first = await run(folder, "up");
        const requests = emulator.requests.length;
        oneEach(videos);
        const again = await run(folder, "up");
        const requestsAgain = emulator.requests.length - requests;
        const state = stateBytes(folder);
        const end = await run(folder, "destroy");
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
            ...(values.kill && (await killedAndAgain(folder, videos, first.time))),
        };
    } finally {
        await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
}

/** Fails unless there is exactly one video for each line of the catalogue. */
function oneEach(videos: number): void {
    const titles = emulator.contents().map(({ title }) => title);
    const different = new Set(titles).size;
    if (titles.length !== videos || different !== videos)
        throw new Error(`${titles.length} videos, ${different} of them different, where ${videos} have to be`);
}

/** A first `up` whose processes are all killed at a random moment, and the same again. */
async function killedAndAgain(folder: string, videos: number, upTime: number): Promise<Record<string, number>> {
    const killedAfter = Math.random() * upTime;
    const killer = setTimeout(async () => {
        // A killed parent leaves CLIs, and these their providers.
        for (let left = processesIn(folder); left.length > 0; left = processesIn(folder)) {
            killAll(left);
            await new Promise((resolve) => setImmediate(resolve));
        }
    }, killedAfter * 1000);
    await run(folder, "up").catch(() => undefined);
    clearTimeout(killer);
    const made = emulator.contents().length;
    const again = await run(folder, "up", "--cancel");
    oneEach(videos);
    await run(folder, "destroy");
    oneEach(0);
    return {
        "`kill -9` after, s": killedAfter,
        "videos made by then": made,
        "`up` after it, s": again.time,
    };
}

/** The example with a catalogue of that size. */
async function fleetFolder(videos: number, stacks: number): Promise<string> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "videograph-bench-fleet-")));
    await cp(join(repository, "examples", "fleet"), folder, {
        recursive: true,
        filter: (path) => basename(path) !== "node_modules",
    });
    await symlink(join(repository, "node_modules"), join(folder, "node_modules"));
    for (const name of [".backend", ".home"]) await mkdir(join(folder, name));
    const file = join(folder, "fleet.json");
    const settings = JSON.parse(await readFile(file, "utf8")) as object;
    await writeFile(file, JSON.stringify({ ...settings, stacks }));
    const lines = Array.from({ length: videos }, (_, number) =>
        JSON.stringify({
            key: `episode-${number}`,
            title: `Episode ${number}`,
            content: [{ url: `https://media.example.com/series/episode-${number}.mp4` }],
            description: "An episode of a series",
            tags: ["series", "benchmark"],
            metadata: { season: "2", episode: String(number) },
        }),
    );
    await writeFile(join(folder, "catalogue.jsonl"), `${lines.join("\n")}\n`);
    return folder;
}

/** One command on all stacks, which must succeed. */
async function run(folder: string, command: "up" | "destroy", ...more: string[]): Promise<Watched & { time: number }> {
    const begin = performance.now();
    const program = ["--require", "ts-node/register/transpile-only", "fleet.ts", command, ...more];
    const child = spawn(process.execPath, [...program, "--side-by-side", values["side-by-side"]], {
        cwd: folder,
        env: {
            ...isolatedEnvironment(cli, {
                backend: join(folder, ".backend"),
                home: join(folder, ".home"),
                passphrase: "bench",
            }),
            ...emulator.env,
            HOME: join(folder, ".home"),
            PULUMI_NODEJS_TRANSPILE_ONLY: "true",
        },
        stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding("utf8").on("data", (text: string) => {
            output += text;
            if (process.stderr.isTTY) process.stderr.write(text);
        });
    }
    const watch = watchProcesses(folder);
    const [code] = await once(child, "close");
    const time = (performance.now() - begin) / 1000;
    if (code !== 0) throw new Error(`The fleet ended with code ${code} and said:\n${output}`);
    return { ...watch.stop(), time };
}

function stateBytes(folder: string): number {
    const stacks = join(folder, ".backend", ".pulumi", "stacks", "fleet");
    return readdirSync(stacks)
        .filter((name) => name.endsWith(".json"))
        .reduce((sum, name) => sum + statSync(join(stacks, name)).size, 0);
}
