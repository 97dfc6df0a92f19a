/** The model of the one law, over the table of the code (S1, S9): what shows within a bound, and what each correction is for. */
import assert from "node:assert/strict";
import { changed, type Design, design } from "./design.ts";
import { explore } from "./explore.ts";
import { small, undecided } from "./scenarios.ts";

/** What shows in the scenarios of this name, beside what stays undecided. */
function shown(changes: Design, ...names: string[]): string[] {
    const kinds = names.flatMap((name) => {
        const bound = small[name];
        if (bound === undefined) throw new Error(`no scenario ${name}`);
        return [...explore(changes, bound).violations];
    });
    return kinds.flatMap(([kind, { trace }]) =>
        undecided.some((one) => one.test(kind)) ? [] : [`${kind}: ${trace.join("; ")}`],
    );
}

describe("the model of the one law", function () {
    this.timeout(120_000);

    for (const name of Object.keys(small)) {
        it(`shows nothing but what is known to stay undecided: ${name}`, () => {
            assert.deepEqual(shown(design, name), []);
        });
    }

    const found: [name: string, changes: Design, scenario: string, kind: RegExp][] = [
        [
            "an open entry of another state is adopted (K3)",
            changed({ resume: { when: (known) => known.entry === "open" && known.same } }),
            "names and backends",
            /^S1 resume adopts .* another stack's/,
        ],
        [
            "a released object is deleted (K1, K4)",
            changed({ released: { act: "supersede" } }),
            "released, replaced",
            /^S1 released deletes .* released/,
        ],
        [
            "a moved object is deleted (K2)",
            changed({ released: { act: "supersede" } }),
            "names and backends",
            /^S1 released deletes .* another stack's/,
        ],
        [
            "a released object is claimed again (K18)",
            changed({ released: { act: "resume" } }),
            "released, replaced",
            /^S1 released adopts .* released/,
        ],
        [
            "an adopted object keeps its marker",
            { ...design, remarksAll: false },
            "two faults on one machine",
            /^S1 lostRecord adopts .* released/,
        ],
        [
            "an adoption notes the object after its PUT",
            { ...design, notesFirst: false },
            "two faults on one machine",
            /^S1 resume adopts .* released/,
        ],
    ];
    for (const [name, changes, scenario, kind] of found) {
        it(`finds: ${name}`, () => {
            const kinds = shown(changes, scenario);
            assert.ok(
                kinds.some((one) => kind.test(one)),
                kinds.join("\n"),
            );
        });
    }
});
