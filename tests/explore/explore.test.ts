/** The real driver, journal, search and host, explored (S1, S9): what shows within a bound, and that known defects show when they are put back. */
import assert from "node:assert/strict";
import { small, undecidedIn } from "./bounds.ts";
import { defects } from "./defects.ts";
import { explore } from "./explore.ts";

describe("the exploration of creates", () => {
    for (const [name, bound] of Object.entries(small)) {
        it(`shows nothing but what is known to stay undecided: ${name}`, async () => {
            const { violations, states, runs, seconds } = await explore(bound);
            console.log(`      ${states} states, ${runs} runs, ${seconds.toFixed(1)} s`);
            const shown = [...violations].filter(([kind]) => !undecidedIn(bound).some((one) => one.test(kind)));
            assert.deepEqual(shown, []);
        });
    }

    for (const [name, { put, bound, shows }] of Object.entries(defects)) {
        it(`finds: ${name}`, async () => {
            const { defect: _, ...sound } = bound;
            const before = await explore(sound);
            const undo = put();
            const after = await explore(bound).finally(undo);
            const kinds = ({ violations }: typeof after) => [...violations.keys()].filter((kind) => shows.test(kind));
            assert.deepEqual(kinds(before), []);
            assert.notDeepEqual(kinds(after), []);
        });
    }
});
