/** `npm run bench:fleet`: examples/fleet, a library for each stack: time, memory, what was written for the state, and requests. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, statSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { cpus, tmpdir, totalmem } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { isolatedEnvironment } from "../tools/pulumiCli/environment.ts";
import { obtainPulumiCli } from "../tools/pulumiCli/index.ts";
import { type FleetCost, watchFleet } from "./fleetProcesses.ts";
import { Service } from "./service.ts";

const repository = join(import.meta.dirname, "..");

const { values } = parseArgs({
    options: {
        sizes: { type: "string", default: "10000/1,100000/10" },
        "side-by-side": { type: "string", default: "2" },
        processing: { type: "string", default: "10" },
        latency: { type: "string", default: "30" },
        help: { type: "boolean", short: "h", default: false },
    },
});

if (values.help) {
    console.log(`Runs examples/fleet against the emulator, once for each size. Linux only.

Usage: npm run bench:fleet -- [options]

  --sizes <list>       videos/stacks, a column for each (default ${values.sizes}: about 15 minutes on two cores)
  --side-by-side <n>   how many stacks at a time (default ${values["side-by-side"]})
  --processing <s>     how long each video takes to become Ready (default ${values.processing})
  --latency <ms>       how much later every answer comes (default ${values.latency})
  --help               show this text`);
    process.exit();
}

interface Measured {
    readonly videos: number;
    readonly stacks: number;
    /** Seconds. */
    readonly up: number;
    readonly upAgain: number;
    readonly destroy: number;
    readonly requests: number;
    /** Of the second `up`. */
    readonly requestsAgain: number;
    readonly cost: FleetCost;
    /** Bytes of the files that hold the state at the end. */
    readonly state: number;
}

const cli = await obtainPulumiCli();
const processing = Number(values.processing) * 1000;
await using service = await Service.start({ processing: [processing, processing], latency: Number(values.latency) });
const machine = `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}, Pulumi ${cli.version}`;
console.log(`${machine}; ${values["side-by-side"]} stacks at a time; videos that take ${values.processing} s\n`);
const columns: Measured[] = [];
for (const size of values.sizes.split(",")) {
    const [videos = 0, stacks = 1] = size.split("/").map(Number);
    columns.push(await measure(videos, stacks));
    console.log(`${table(columns)}\n`);
}

async function measure(videos: number, stacks: number): Promise<Measured> {
    await service.reset();
    const folder = await fleetFolder(videos, stacks);
    try {
        const first = await run(folder, "up");
        const { contents, requests } = await service.observe();
        if (contents.length !== videos) throw new Error(`${contents.length} of ${videos} videos were made`);
        const again = await run(folder, "up");
        const state = stateBytes(folder);
        const [sent, sentInAll] = [countOf(requests), countOf((await service.observe()).requests)];
        const end = await run(folder, "destroy");
        const left = (await service.observe()).contents.length;
        if (left > 0) throw new Error(`${left} videos were left`);
        return {
            ...{ videos, stacks, up: first.time, upAgain: again.time, destroy: end.time },
            ...{ requests: sent, requestsAgain: sentInAll - sent, cost: first.cost, state },
        };
    } finally {
        await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
}

function countOf(requests: Readonly<Record<string, number>>): number {
    return Object.values(requests).reduce((sum, count) => sum + count, 0);
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
async function run(folder: string, command: "up" | "destroy"): Promise<{ time: number; cost: FleetCost }> {
    const begin = performance.now();
    const program = ["--require", "ts-node/register/transpile-only", "fleet.ts", command];
    const child = spawn(process.execPath, [...program, "--side-by-side", values["side-by-side"]], {
        cwd: folder,
        env: {
            ...isolatedEnvironment(cli, {
                backend: join(folder, ".backend"),
                home: join(folder, ".home"),
                passphrase: "bench",
            }),
            ...service.env,
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
    const watch = watchFleet(folder);
    const [code] = await once(child, "close");
    const time = (performance.now() - begin) / 1000;
    const cost = await watch.stop();
    if (code !== 0) throw new Error(`The fleet ended with code ${code} and said:\n${output}`);
    return { time, cost };
}

function stateBytes(folder: string): number {
    const stacks = join(folder, ".backend", ".pulumi", "stacks", "fleet");
    return readdirSync(stacks)
        .filter((name) => name.endsWith(".json"))
        .reduce((sum, name) => sum + statSync(join(stacks, name)).size, 0);
}

function table(columns: readonly Measured[]): string {
    const rows: [string, (column: Measured) => string][] = [
        ["first `up`, s", ({ up }) => up.toFixed(0)],
        ["videos per second", ({ videos, up }) => (videos / up).toFixed(1)],
        ["`up` without changes, s", ({ upAgain }) => upAgain.toFixed(0)],
        ["requests in all, `up` without changes", ({ requestsAgain }) => number(requestsAgain)],
        ["`destroy`, s", ({ destroy }) => destroy.toFixed(0)],
        ["requests per video, first `up`", ({ requests, videos }) => (requests / videos).toFixed(2)],
        ["written by the engines, MB", ({ cost }) => megabytes(cost.written)],
        ["state at the end, MB", ({ state }) => megabytes(state)],
        ["state per video, bytes", ({ state, videos }) => number(Math.round(state / videos))],
        ["most memory at a time, MB", ({ cost }) => megabytes(cost.memory)],
        ["CPU of the engines, s", ({ cost }) => cost.engineCpu.toFixed(0)],
        ["CPU of programs and providers, s", ({ cost }) => cost.otherCpu.toFixed(0)],
    ];
    const head = ["", ...columns.map(({ videos, stacks }) => `${number(videos)} in ${stacks}`)];
    const rule = head.map((_, at) => (at === 0 ? "---" : "---:"));
    const body = rows.map(([label, cell]) => [label, ...columns.map(cell)]);
    return [head, rule, ...body].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function megabytes(bytes: number): string {
    return number(Math.round(bytes / 1e6));
}

function number(value: number): string {
    return value.toLocaleString("en-US");
}
