/**
 * Whatever happens to answers, processes and machines: one object per resource (S1, S2), through either face. Through the plugin
 * also: the first Ctrl-C ends every wait (N1), and what a preview calls known becomes so (N3). `npm run simulate` looks further.
 */
import assert from "node:assert/strict";
import { loadBuild } from "./build.ts";
import { live } from "./life.ts";
import { build, mutants } from "./mutants.ts";

const seeds = 1_000;
const portion = 250;
/** A broken build has to show within so many. */
const patience = 3_000;

describe("A simulated stack", function () {
    this.timeout(600_000);

    const sound = loadBuild();
    for (let from = 0; from < seeds; from += portion) {
        it(`keeps every promise with the seeds ${from} to ${from + portion - 1}`, async () => {
            for (let seed = from; seed < from + portion; seed++) {
                const violations = await live(seed, sound);
                assert.deepEqual(violations, [], `npm run simulate -- --seed ${seed}`);
            }
        });
    }

    for (const mutant of mutants) {
        const only = mutant.only ?? [];
        it(`shows what is wrong with a package that ${mutant.name} (--only "${only.join()}")`, async () => {
            const broken = loadBuild(await build(mutant));
            const { from = 0 } = mutant;
            let seed = from;
            while ((await live(seed, broken, undefined, only)).length === 0) {
                assert.ok(++seed < from + patience, `not seen in ${patience} seeds`);
            }
        });
    }
});
