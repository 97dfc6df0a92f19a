/** `npm run simulate -- --seeds 100000`, or `--seed 42` to see one of them step by step. */
import { parseArgs } from "node:util";
import { builtPackage, loadBuild } from "./build.ts";
import { live } from "./scenario.ts";

const { values } = parseArgs({
    options: {
        seed: { type: "string" },
        seeds: { type: "string", default: "1000" },
        from: { type: "string", default: "0" },
        build: { type: "string", default: builtPackage },
    },
});
const build = loadBuild(values.build);
if (values.seed !== undefined) {
    const violations = await live(Number(values.seed), build, (line) => console.log(line));
    for (const violation of violations) console.log(`VIOLATION: ${violation}`);
    process.exitCode = violations.length > 0 ? 1 : 0;
} else {
    let bad = 0;
    const start = performance.now();
    for (let seed = Number(values.from), end = seed + Number(values.seeds); seed < end; seed++) {
        const violations = await live(seed, build);
        if (violations.length === 0) continue;
        bad++;
        console.log(`seed ${seed}: ${violations.join("; ")}`);
        if (bad >= 20) break;
    }
    console.log(`${values.seeds} seeds, ${bad} with violations, ${((performance.now() - start) / 1000).toFixed(1)} s`);
    process.exitCode = bad > 0 ? 1 : 0;
}
