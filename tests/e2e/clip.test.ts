/** Clip, beyond the standard set: its source in every state, input that cannot be right, and creates that were cut short. */
import assert from "node:assert/strict";
import { useLab } from "../support/lab.ts";
import { killedUp, settled, source, theOne, unanswered } from "../support/law.ts";
import { type Args, declare } from "../support/program.ts";
import { sentBy } from "../support/requests.ts";

const clip = (contentId: unknown, name = "teaser", more: Args = {}) =>
    declare("Clip", name, { contentId, startTime: 1, endTime: 3, title: name, ...more });
/** Of a content of the same program, which does not wait for it. */
const clipOfFilm = (file: string, more: Args = {}) =>
    `const film = new videograph.Content("film", { title: "film", content: ${JSON.stringify(source(file))}, waitForReady: false });
    ${clip("film.id", "teaser", more).replace('"film.id"', "film.id")}`;

for (const face of ["dynamic", "native"] as const) {
    describe(`A clip (${face})`, function () {
        this.timeout(300_000);
        const lab = useLab({ fetchSources: false, speed: 5 }, face);
        const cutFrom = () => lab.emulator.content(theOne(lab, "teaser"))?.clip?.contentId;

        it("is cut once its source is Ready, never of one that has Failed or is gone, and anew when that or it is replaced (L1, L3, L5)", async () => {
            const stack = await lab.stack(clipOfFilm("a") + clip("none", "lost"));
            lab.emulator.inject({ kind: "processing", fail: "no picture", title: "film" });
            await stack.upOfAllFails(/content \S+, .* has the status Failed: no picture/, /none is/, /VG4203/);
            assert.equal(lab.emulator.contents().length, 1);

            lab.emulator.clearFaults();
            lab.emulator.inject({ kind: "processing", fail: "no sound", title: "teaser" });
            await stack.program(clipOfFilm("a"));
            await stack.fails(["up", "--yes", "--skip-preview", "--refresh"], /no sound/, /VG4201/);
            lab.emulator.clearFaults();
            const failed = theOne(lab, "teaser");
            await stack.up();
            assert.notEqual(theOne(lab, "teaser"), failed);

            const first = theOne(lab, "film");
            await stack.program(clipOfFilm("b"));
            await stack.up();
            assert.notEqual(theOne(lab, "film"), first);
            assert.equal(cutFrom(), theOne(lab, "film"));
            lab.emulator.deleteContent(theOne(lab, "film"));
            await stack.up("--refresh");
            assert.equal(cutFrom(), theOne(lab, "film"));
            await settled(lab, stack, [theOne(lab, "film"), theOne(lab, "teaser")]);
        });

        it("that cannot be right fails the preview (S5), or the create where only that knows the source", async () => {
            const tooLate = { endTime: 11 };
            const stack = await lab.stack(clipOfFilm("a", tooLate));
            await stack.upFails(/endTime must be at most 10,/);
            assert.equal(lab.emulator.contents().length, 1);
            await stack.refresh();
            for (const [more, said] of [
                [tooLate, /endTime must be at most 10,/],
                [{ startTime: 3 }, /endTime must be after startTime/],
                [{ startTime: -1 }, /startTime must be 0 or more/],
                [{ endTime: undefined }, /endTime is required/],
            ] as const) {
                await stack.program(clipOfFilm("a", more));
                await stack.previewFails(said);
            }
            await stack.program(clipOfFilm("a"));
            await stack.up();
            const teaser = await stack.resourceId("teaser");
            const own = face === "dynamic" ? clip(teaser, "own", { importId: teaser }) : clip(teaser);
            await stack.program(own);
            await stack.previewFails(/cannot be cut from itself/);
        });
    });
}

describe("Clips of a run that was cut short (S1)", function () {
    this.timeout(300_000);
    const lab = useLab({ fetchSources: false, speed: 5 });

    it("are found again by their markers, and one that waited for its source is known to be unsent", async function () {
        // Elsewhere the provider's process is not found.
        if (process.platform !== "linux") this.skip();
        const [film, late] = ["film", "late"].map((title) => lab.emulator.addContent({ title }).contentId);
        lab.emulator.setContentStatus(late ?? "", "Preparing");
        const stack = await lab.stack(clip(film, "sent") + clip(late, "waiting"));
        lab.emulator.inject(unanswered);
        await killedUp(lab, stack, 1);
        const sent = theOne(lab, "sent");
        lab.emulator.setContentStatus(late ?? "", "Ready");
        lab.emulator.inject({ kind: "reset", when: "after", method: "POST", times: 1 });
        const { output } = await stack.up();
        assert.doesNotMatch(output, /waiting until nothing can be accepted/);
        assert.equal(theOne(lab, "sent"), sent);
        assert.equal(sentBy(lab.emulator, "POST").length, 1);
        await settled(lab, stack, [sent, theOne(lab, "waiting")], [film ?? "", late ?? ""]);
    });
});
