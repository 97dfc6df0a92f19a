/** `npm run bench -- [options]`: measures and prints. README.md has the options, and says how to read the rows. */
import { cpus, totalmem } from "node:os";
import { parseArgs } from "node:util";
import { obtainPulumiCli } from "../tools/pulumiCli/index.ts";
import { type Measurement, measure, variants } from "./measure.ts";
import { latencyMs } from "./service.ts";

const { values } = parseArgs({
    options: {
        n: { type: "string", default: "1,10,100" },
        processing: { type: "string", default: "10" },
        variants: { type: "string", default: variants.join() },
        env: { type: "string", multiple: true, default: [] },
    },
});

const names = variants.filter((name) => values.variants.split(",").includes(name));
const env = Object.fromEntries(values.env.map((text) => [text.split("=")[0], text.slice(text.indexOf("=") + 1)]));
const cli = await obtainPulumiCli();
console.log(
    `${cpus().length} cores (${cpus()[0]?.model.trim() ?? "unknown"}), ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform}; ` +
        `Node ${process.versions.node}, Pulumi ${cli.version}; these cores serve the emulator as well\n` +
        `contents that take ${values.processing} s to become Ready; answers ${latencyMs} ms late`,
);
for (const count of values.n.split(",").map(Number)) {
    const columns: Measurement[] = [];
    for (const name of names)
        columns.push(await measure(name, count, { cli, env, processingMs: Number(values.processing) * 1000 }));
    const rows = Object.keys(columns[0] ?? {}).map((label) => [
        label,
        ...columns.map((column) => shown(column[label])),
    ]);
    const head = [`N = ${count}`, ...names];
    const rule = head.map((_, column) => (column === 0 ? "---" : "---:"));
    console.log(`\n${[head, rule, ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n")}`);
}

function shown(number: number | undefined): string {
    if (number === undefined) return "";
    return Number.isInteger(number) || number > 100 ? number.toFixed(0) : number.toFixed(2);
}
