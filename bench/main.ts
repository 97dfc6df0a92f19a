/** `npm run bench -- [options]`: measures and prints. README.md has the options, and says how to read the rows. */
import { cpus, totalmem } from "node:os";
import { parseArgs } from "node:util";
import { obtainPulumiCli } from "../tools/pulumiCli/index.ts";
import { type Measurement, measure, variants } from "./measure.ts";
import type { Shares } from "./profile.ts";
import { latencyMs } from "./service.ts";

const { values } = parseArgs({
    options: {
        n: { type: "string", default: "1,10,100" },
        processing: { type: "string", default: "10" },
        variants: { type: "string", default: variants.join() },
        env: { type: "string", multiple: true, default: [] },
        profile: { type: "boolean", default: false },
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
/** With the first number: what those beyond it add nothing to, such as the start of the process, and code that is not compiled yet. */
let first: { count: number; columns: Measurement[] } | undefined;
for (const count of values.n.split(",").map(Number)) {
    const columns: Measurement[] = [];
    for (const name of names) {
        const onProfile = (command: string, shares: Shares) =>
            printProfile(`${name}, N = ${count}: ${command}`, shares);
        const conditions = { cli, env, processingMs: Number(values.processing) * 1000 };
        columns.push(await measure(name, count, { ...conditions, ...(values.profile && { onProfile }) }));
    }
    first ??= { count, columns };
    const beyond = count - first.count;
    const bare = columns[names.indexOf("bare-journal")];
    const rows = [...new Set(columns.flatMap((column) => Object.keys(column)))].flatMap((label) => {
        const rowOf = (title: string, convert: (seconds: number, index: number) => number | undefined) => [
            title,
            ...columns.map(({ [label]: value }, index) => shown(value === undefined ? value : convert(value, index))),
        ];
        const all = [rowOf(label, (value) => value)];
        const bareUp = bare?.[label];
        if (label === "first up, s" && bareUp !== undefined) {
            const ofLeast = (s: number, index: number) => {
                const idle = columns[index]?.["no-op up, s"];
                return idle === undefined ? undefined : s / (Number(values.processing) + bareUp + idle);
            };
            all.push(rowOf("first up ÷ (processing + bare with journal + no-op up)", ofLeast));
        }
        if (!label.startsWith("CPU") || !label.endsWith("provider, s")) return all;
        const by = bare?.[label];
        if (by !== undefined) all.push(rowOf(label.replace("provider, s", "÷ bare with journal"), (s) => s / by));
        const msOfMore = (s: number, index: number) => {
            const fixed = first?.columns[index]?.[label];
            return fixed === undefined ? undefined : (1000 * (s - fixed)) / beyond;
        };
        const title = `provider, ms per content beyond ${first?.count}`;
        if (beyond > 0) all.push(rowOf(label.replace("provider, s", title), msOfMore));
        return all;
    });
    const head = [`N = ${count}`, ...names];
    const rule = head.map((_, column) => (column === 0 ? "---" : "---:"));
    console.log(`\n${[head, rule, ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n")}`);
}

function printProfile(title: string, { busy, functions, packages }: Shares): void {
    console.log(`\n${title}: ${busy.toFixed(1)} busy seconds`);
    for (const [index, [name, seconds]] of functions.entries()) {
        const [its = "", own = 0] = packages[index] ?? [];
        const cell = (text: string, s: number) => `${text.slice(0, 44).padEnd(46)}${s.toFixed(2).padStart(6)}`;
        console.log(`  ${cell(name, seconds)}     ${its && cell(its, own)}`);
    }
}

function shown(number: number | undefined): string {
    if (number === undefined) return "";
    return Number.isInteger(number) || number > 100 ? number.toFixed(0) : number.toFixed(2);
}
