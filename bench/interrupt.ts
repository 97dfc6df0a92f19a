/**
 * `npm run bench:interrupt`: the first Ctrl-C while native contents are waited for, each by its own create. How long `up` still
 * takes (N1: 2 s), which ids the state has, and what the next `up` sends.
 */
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { obtainPulumiCli } from "../tools/pulumiCli/index.ts";
import { Project } from "./project.ts";
import { Service } from "./service.ts";
import { median } from "./statistics.ts";

const { values } = parseArgs({
    options: { n: { type: "string", default: "100" }, runs: { type: "string", default: "3" } },
});
const count = Number(values.n);
/** Long enough that none is Ready when all are created, in ms. */
const processing = 30_000 + count * 300;
const content = "videograph:index:Content";

const cli = await obtainPulumiCli();
await using service = await Service.start({ processing: [processing, processing], latency: 30 });
const times: number[] = [];
for (let run = 0; run < Number(values.runs); run++) times.push(await interrupted());
console.log(
    `the first Ctrl-C during a wait for ${count} contents: median ${((median(times) ?? 0) / 1000).toFixed(2)} s`,
);

/** One stack; how long it took from the interrupt to the end of the CLI, in ms. */
async function interrupted(): Promise<number> {
    await service.reset();
    await using project = await Project.create(cli, "contentNative.js", { ...service.env, BENCH_COUNT: String(count) });
    const args = ["up", "--yes", "--skip-preview", "--parallel", String(count)];
    const { child, output } = project.start({}, ...args);
    const ended = once(child, "close");
    for (;;) {
        const { requests, contents } = await service.observe();
        if (contents.length === count && requests.get + requests.list > 0) break;
        if (child.exitCode !== null) throw new Error(`up ended too soon and said:\n${output()}`);
        await sleep(50);
    }
    const begin = performance.now();
    child.kill("SIGINT");
    const [code] = await ended;
    const time = performance.now() - begin;
    const { resources } = await project.state();
    const ids = new Set(resources.filter(({ type }) => type === content).map(({ id }) => id));
    const before = await service.observe();
    if (Math.max(...before.contents.map(({ ready }) => ready)) < Date.now()) throw new Error("some were Ready before");
    await project.run(...args);
    const after = await service.observe();
    const sent = (["create", "update", "delete"] as const).map((kind) => after.requests[kind] - before.requests[kind]);
    const reads = after.requests.get + after.requests.list - before.requests.get - before.requests.list;
    console.log(
        `up ended with ${code} after ${(time / 1000).toFixed(2)} s, ${ids.size} of ${count} ids in the state; the next up sent ` +
            `${reads} reads and ${sent.reduce((sum, one) => sum + one)} other requests`,
    );
    await project.run("destroy", "--yes", "--skip-preview");
    return time;
}
