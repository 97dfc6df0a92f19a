/** Lives of simulated stacks, as the mutation tester runs them: after the unit tests, for what these have not noticed. */
import assert from "node:assert/strict";
import { loadBuild } from "../simulation/build.ts";
import { live } from "../simulation/life.ts";

const seeds = Number(process.env.MUTATION_SEEDS ?? 200);
const portion = 10;

describe("A simulated stack", () => {
    const build = loadBuild();
    for (let from = 0; from < seeds; from += portion) {
        it(`keeps every promise with the seeds ${from} to ${from + portion - 1}`, async () => {
            for (let seed = from; seed < from + portion; seed++) {
                assert.deepEqual(await live(seed, build), [], `npm run simulate -- --seed ${seed}`);
            }
        });
    }
});
