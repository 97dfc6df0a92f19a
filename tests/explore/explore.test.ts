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
            // What shows without the defect, too, is among what is known: in most bounds this kind is not.
            const isKnown = (kind: string) => undecidedIn(bound).some((known) => known.test(kind));
            const undo = put();
            const { violations } = await explore(bound, (kind) => shows.test(kind) && !isKnown(kind)).finally(undo);
            const found = [...violations.keys()].filter((kind) => shows.test(kind));
            assert.notDeepEqual(found, []);
            if (!found.every(isKnown)) return;
            const { defect: _, ...sound } = bound;
            const without = [...(await explore(sound)).violations.keys()];
            assert.ok(!without.some((kind) => shows.test(kind)), without.join());
        });
    }
});
