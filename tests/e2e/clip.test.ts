/** Clip, beyond the standard set: its source in every state, and input that cannot be right. Killed creates: lawLostMachine.test.ts. */
import assert from "node:assert/strict";
import { holds, source, theOne } from "../support/law.ts";
import { type Args, declare } from "../support/program.ts";
import { useTestbed } from "../support/testbed.ts";

const clip = (contentId: string, name = "teaser", more: Args = {}) =>
    declare("Clip", name, { contentId, startTime: 1, endTime: 3, title: name, ...more });
/** Of a content of the same program, which does not wait for it. */
const clipOfFilm = (file: string) =>
    `const film = new videograph.Content("film", { title: "film", content: ${JSON.stringify(source(file))}, waitForReady: false });
    ${clip("film.id").replace('"film.id"', "film.id")}`;

describe("A clip", () => {
    const testbed = useTestbed({ fetchSources: false, speed: 5 });
    const cutFrom = () => testbed.emulator.content(theOne(testbed, "teaser"))?.clip?.contentId;

    it("is cut once its source is Ready, never of one that has Failed or is gone, and anew when that or it is replaced (L1, L3, L5)", async () => {
        const stack = await testbed.stack(clipOfFilm("a") + clip("none", "lost"), "native");
        testbed.emulator.inject({ kind: "processing", fail: "no picture", title: "film" });
        await stack.upOfAllFails(/content \S+, .* has the status Failed: no picture/, /none is/, /VG4203/);
        assert.equal(testbed.emulator.contents().length, 1);

        testbed.emulator.clearFaults();
        testbed.emulator.inject({ kind: "processing", fail: "no sound", title: "teaser" });
        // What cannot be right fails the create where only that knows the source, and else the preview (S5).
        const late = clip("film.id", "late", { endTime: 11 }).replace('"film.id"', "film.id");
        await stack.program(clipOfFilm("a") + late);
        const run = await stack.attempt("up", "--yes", "--skip-preview", "--refresh", "--continue-on-error");
        for (const pattern of [/no sound/, /VG4201/, /\(late\):\s.*endTime must be at most 10,/s])
            assert.match(run.output, pattern);

        testbed.emulator.clearFaults();
        const failed = theOne(testbed, "teaser");
        await stack.program(clipOfFilm("a"));
        await stack.up();
        assert.notEqual(theOne(testbed, "teaser"), failed);
        const first = theOne(testbed, "film");
        await stack.program(clipOfFilm("b"));
        await stack.up();
        assert.notEqual(theOne(testbed, "film"), first);
        assert.equal(cutFrom(), theOne(testbed, "film"));
        await holds(testbed, stack, [theOne(testbed, "film"), theOne(testbed, "teaser")]);
    });
});
