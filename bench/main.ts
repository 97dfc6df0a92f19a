/** `npm run bench -- [options]`: measures and prints. README.md says how to read it. */
import { cpus, totalmem } from "node:os";
import { parseArgs } from "node:util";
import { obtainPulumiCli } from "../tools/pulumiCli/index.ts";
import { type Measurement, measure } from "./measure.ts";
import { Service } from "./service.ts";
import { judge, table } from "./targets.ts";
import { type VariantName, variants, waitingTime } from "./variants.ts";

const { values } = parseArgs({
    options: {
        n: { type: "string", default: "1,10,100" },
        processing: { type: "string", default: "10" },
        latency: { type: "string", default: "30" },
        runs: { type: "string", default: "1" },
        variants: { type: "string", default: Object.keys(variants).join() },
        "skip-slow": { type: "boolean", default: false },
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
  --variants <names>        of ${Object.keys(variants).join(", ")} (default: all)
  --skip-slow               leave out a variant that would wait for more than five minutes: it is marked "skipped"
  --env <NAME=value>        a variable for the CLI, e.g. PULUMI_SKIP_CHECKPOINTS=true; repeatable
  --help                    show this text`);
    process.exit();
}

const [from = 0, to = from] = values.processing.split("-").map((text) => Number(text) * 1000);
const latency = Number(values.latency);
const names = values.variants.split(",") as VariantName[];
const unknown = names.filter((name) => !Object.hasOwn(variants, name));
const counts = values.n.split(",").map(Number);
if (unknown.length > 0) throw new Error(`There is no variant ${unknown.join(", ")}.`);
if (![from, to, latency, ...counts].every((number) => number >= 0)) throw new Error("An option is not a number.");
const env = Object.fromEntries(values.env.map((text) => [text.split("=")[0], text.slice(text.indexOf("=") + 1)]));
const slowMs = 300_000;

const cli = await obtainPulumiCli();
await using service = await Service.start({ processing: [from, to], latency });
const hardware = `${cpus().length} cores (${cpus()[0]?.model.trim() ?? "unknown"}), ${Math.round(totalmem() / 2 ** 30)} GiB`;
console.log(
    `${hardware}, ${process.platform}; Node ${process.versions.node}, Pulumi ${cli.version}; these cores serve the emulator as well`,
);
console.log(
    `contents that take ${values.processing} s to become Ready; answers ${latency} ms late; ${values.runs} run(s)`,
);
for (const count of counts) {
    const runs: { [name in VariantName]?: Measurement[] } = Object.fromEntries(names.map((name) => [name, []]));
    // In turn: what slows down the machine for a while meets all of them.
    for (let run = 0; run < Number(values.runs); run++) {
        for (const name of names) {
            if (values["skip-slow"] && waitingTime(variants[name], count, to) > slowMs) continue;
            runs[name]?.push(await measure(variants[name], count, { cli, service, env, processingMs: to }));
        }
    }
    console.log(`\n${table(`N = ${count}`, runs)}\n\n${judge(runs, [from, to]).join("\n")}`);
}
