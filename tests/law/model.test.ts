/** The model of the one law, over the table of the code (S1, S9): what shows within a bound, and what each correction is for. */
import assert from "node:assert/strict";
import { type Design, design } from "./design.ts";
import { explore } from "./explore.ts";
import { small, undecided } from "./scenarios.ts";

/** What shows in the scenario of this name, beside what stays undecided. */
function shown(changes: Design, name: string): string[] {
    const bound = small[name] ?? assert.fail(`no scenario ${name}`);
    return [...explore(changes, bound).violations].flatMap(([kind, { trace }]) =>
        undecided.some((one) => one.test(kind)) ? [] : [`${kind}: ${trace.join("; ")}`],
    );
}

describe("the model of the one law", () => {
    for (const name of Object.keys(small)) {
        it(`shows nothing but what is known to stay undecided: ${name}`, () => {
            assert.deepEqual(shown(design, name), []);
        });
    }

    // Defects of the table are put back into the driver: tests/explore/defects.ts.
    for (const [name, changes, kind] of [
        ["an adopted object keeps its marker", { remarksAll: false }, /^S1 lostRecord adopts .* released/],
        ["an adoption notes the object after its PUT", { notesFirst: false }, /^S1 resume adopts .* released/],
    ] as const) {
        it(`finds: ${name}`, () => {
            const kinds = shown({ ...design, ...changes }, "two faults on one machine");
            assert.ok(
                kinds.some((one) => kind.test(one)),
                kinds.join("\n"),
            );
        });
    }
});
