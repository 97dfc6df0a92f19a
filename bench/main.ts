/** `npm run bench -- [options]`: measures and prints. README.md says how to read it. */
import { cpus, totalmem } from "node:os";
import { parseArgs } from "node:util";
import { obtainPulumiCli } from "../tools/pulumiCli/index.ts";
import { type Measurement, measure, type Variant, variants } from "./measure.ts";
import { summary } from "./statistics.ts";

const { values } = parseArgs({
    options: {
        n: { type: "string", default: "1,10,100" },
        processing: { type: "string", default: "10" },
        latency: { type: "string", default: "30" },
        runs: { type: "string", default: "1" },
        variants: { type: "string", default: variants.join() },
        env: { type: "string", multiple: true, default: [] },
        help: { type: "boolean", short: "h" },
    },
});

if (values.help) {
    console.log(`Measures pulumi-videograph through the real Pulumi CLI, against an emulator of the service on this machine.

Usage: npm run bench -- [options]

  --n <numbers>             how many contents, a table for each (default ${values.n})
  --processing <seconds>    how long each content takes to become Ready; 2-5 spreads them evenly (default ${values.processing})
  --latency <ms>            how much later every answer comes (default ${values.latency})
  --runs <number>           how often everything is measured; the tables show medians (default ${values.runs})
  --variants <names>        of ${variants.join(", ")} (default: all)
  --env <NAME=value>        a variable for the CLI, e.g. PULUMI_SKIP_CHECKPOINTS=true; repeatable
  --help                    show this text`);
    process.exit();
}

const [from = 0, to = from] = values.processing.split("-").map((text) => Number(text) * 1000);
const latencyMs = Number(values.latency);
const names = values.variants.split(",") as Variant[];
const unknown = names.filter((name) => !variants.includes(name));
if (unknown.length > 0) throw new Error(`There is no variant ${unknown.join(", ")}.`);
const env = Object.fromEntries(values.env.map((text) => [text.split("=")[0], text.slice(text.indexOf("=") + 1)]));

const cli = await obtainPulumiCli();
console.log(
    `${cpus().length} cores (${cpus()[0]?.model.trim() ?? "unknown"}), ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform}; ` +
        `Node ${process.versions.node}, Pulumi ${cli.version}; these cores serve the emulator as well\n` +
        `contents that take ${values.processing} s to become Ready; answers ${latencyMs} ms late; ${values.runs} run(s)`,
);
for (const count of values.n.split(",").map(Number)) {
    const columns = names.map((name) => ({ name, runs: [] as Measurement[] }));
    // In turn, so that a temporary slowdown of the machine affects all of them.
    for (let run = 0; run < Number(values.runs); run++)
        for (const { name, runs } of columns)
            runs.push(await measure(name, count, { cli, env, latencyMs, processingMs: [from, to] }));
    const rows = Object.keys(columns[0]?.runs[0] ?? {}).map((label) => [
        label,
        ...columns.map(({ runs }) => shown(summary(runs.flatMap((run) => run[label] ?? []))?.median)),
    ]);
    const head = [`N = ${count}`, ...names];
    const rule = head.map((_, column) => (column === 0 ? "---" : "---:"));
    console.log(`\n${[head, rule, ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n")}`);
}

function shown(number: number | undefined): string {
    if (number === undefined) return "";
    return Number.isInteger(number) || number > 100 ? number.toFixed(0) : number.toFixed(2);
}
