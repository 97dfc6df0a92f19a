/** `npm run bench -- [options]`: measures and prints. See options.ts for the options, README.md for how to read it. */
import { mkdir } from "node:fs/promises";
import { cpus, totalmem } from "node:os";
import { obtainPulumiCli, type PulumiCli } from "../tools/pulumiCli/index.ts";
import { type Measurement, measure } from "./measure.ts";
import { help, type Options, parseOptions } from "./options.ts";
import { Service } from "./service.ts";
import { type Column, table } from "./table.ts";
import { judge } from "./targets.ts";
import { waitingTime } from "./variants.ts";

/** What `--skip-slow` leaves out, in ms of waiting in turns. */
const slow = 300_000;

try {
    const options = parseOptions(process.argv.slice(2));
    if (options === undefined) process.stdout.write(help);
    else await main(options);
} catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
}

async function main(options: Options): Promise<void> {
    const cli = await obtainPulumiCli();
    if (options.profile !== undefined) await mkdir(options.profile, { recursive: true });
    await using service = await Service.start(options);
    const machine = describeMachine(cli);
    const all: Record<number, readonly Column[]> = {};
    if (!options.json) console.log(`${machine}\n${describeService(options)}\n`);
    for (const count of options.counts) {
        const columns = await measureAll(count, options, cli, service);
        all[count] = columns;
        if (options.json) continue;
        console.log(`${table(`N = ${count}`, columns)}\n`);
        const byName = Object.fromEntries(options.variants.map(({ name }, i) => [name, columns[i]]));
        const verdicts = judge(byName, options);
        if (verdicts.length > 0) console.log(`${verdicts.join("\n")}\n`);
    }
    if (options.json) {
        const { counts, processing, latency, env } = options;
        console.log(JSON.stringify({ machine, counts, processing, latency, env, columns: all }, undefined, 4));
    }
}

/** All variants in turn, and that as often as wished: what slows down the machine for a while meets all of them. */
async function measureAll(count: number, options: Options, cli: PulumiCli, service: Service): Promise<Column[]> {
    const runs = new Map<string, Measurement[]>(options.variants.map(({ name }) => [name, []]));
    for (let run = 1; run <= options.runs; run++) {
        for (const variant of options.variants) {
            if (options.skipSlow && waitingTime(variant, count, options.processing[1]) > slow) continue;
            if (process.stderr.isTTY)
                process.stderr.write(`N = ${count}, run ${run} of ${options.runs}: ${variant.name}\n`);
            runs.get(variant.name)?.push(await measure(variant, count, { ...options, cli, service }));
        }
    }
    return options.variants.map(({ name, title }) => ({ title, runs: runs.get(name) ?? [] }));
}

function describeMachine(cli: PulumiCli): string {
    const [first] = cpus();
    const memory = Math.round(totalmem() / 2 ** 30);
    const hardware = `${cpus().length} cores (${first?.model.trim() ?? "unknown"}), ${memory} GiB`;
    return `${hardware}, ${process.platform}; Node ${process.versions.node}, Pulumi ${cli.version}; these cores serve the emulator as well`;
}

function describeService({ processing: [from, to], latency, runs, env }: Options): string {
    const processing = from === to ? `${from / 1000} s` : `${from / 1000} to ${to / 1000} s`;
    const more = Object.entries(env).map(([name, value]) => `; ${name}=${value}`);
    const median = runs > 1 ? `; medians of ${runs} runs` : "";
    return `contents that take ${processing} to become Ready; answers ${latency} ms late${median}${more.join("")}`;
}
