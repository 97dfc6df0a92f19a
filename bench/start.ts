/**
 * `npm run bench:start -- [--runs 15] [checkout …]`: what the code of this package costs a process before it does anything. Each checkout, this one
 * first, has to be built; all are measured in turns.
 */
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
    options: { runs: { type: "string", default: "15" } },
    allowPositionals: true,
});
const checkouts = [join(import.meta.dirname, ".."), ...positionals.map((path) => resolve(path))];
const sdk = `require("@pulumi/pulumi");`;
const own = (file: string) => (provider: string) => `require(${JSON.stringify(join(provider, file))})`;
/** What is there before, and what is measured. */
const loads: Readonly<Record<string, [before: string, code: (provider: string) => string]>> = {
    "program, dynamic face": [sdk, own("dist/index.js")],
    "program, native face": [sdk, own("dist/native/index.js")],
    "dynamic process": [sdk, own("dist/dynamic/provider.js")],
    plugin: [`process.argv.push("", "--version");`, own("plugin/index.js")],
    "the first request's undici": [sdk, own("dist/api/transport.js")],
};

interface Cost {
    cpuMs: number;
    memoryMb: number;
    files: number;
}

function costOf(before: string, code: string, checkout: string): Cost {
    const script = `${before}
        const files = () => Object.keys(require.cache).length;
        const [cpu, memory, loaded] = [process.cpuUsage(), process.memoryUsage.rss(), files()];
        ${code};
        const { user, system } = process.cpuUsage(cpu);
        const memoryMb = (process.memoryUsage.rss() - memory) / 2 ** 20;
        console.error(JSON.stringify({ cpuMs: (user + system) / 1000, memoryMb, files: files() - loaded }));
        process.exit();`;
    const { stderr } = spawnSync(process.execPath, ["--eval", script], {
        cwd: join(checkout, "provider"),
        encoding: "utf8",
    });
    return JSON.parse(stderr);
}

const least = (costs: readonly Cost[], name: keyof Cost) => Math.min(...costs.map((cost) => cost[name]));
console.log(`Node ${process.versions.node}; the least of ${values.runs} runs each: CPU ms, MB, files`);
for (const [name, [before, codeFor]] of Object.entries(loads)) {
    const costs = checkouts.map((): Cost[] => []);
    for (let run = 0; run < Number(values.runs); run++)
        for (const [index, checkout] of checkouts.entries())
            costs[index]?.push(costOf(before, codeFor(join(checkout, "provider")), checkout));
    const cells = costs.map(
        (all) => `${least(all, "cpuMs").toFixed(1)}; ${least(all, "memoryMb").toFixed(1)}; ${least(all, "files")}`,
    );
    console.log([name.padEnd(28), ...cells.map((cell) => cell.padEnd(18))].join(" "));
}
