/**
 * S1 and S9 where the CLI is not on the PATH: started by its path, by the Automation API with its workspace elsewhere, or so that the
 * provider cannot find it at all. (K1, K4)
 */
import assert from "node:assert/strict";
import { holds, killedUp, objects, refused, source, theOne, unanswered, useCli, video } from "../support/law.ts";
import { useTestbed } from "../support/testbed.ts";

describe("A provider whose CLI is not on the PATH (S1, S9)", () => {
    const testbed = useTestbed({ onLinux: true, fetchSources: false, speed: 5 });

    it("does not delete the object of an up --replace beside a failure, whose predecessor waits for its deletion, and goes on with what a killed run has left (K4; native, started by its path)", async () => {
        const stack = await testbed.stack(video("kept"), "native");
        await useCli(testbed, stack, "absolute");
        await stack.up();
        const { urn, id: before = "" } = await stack.resource("kept");
        testbed.emulator.inject({ kind: "processing", fail: "no video", title: "failing", times: 1 });
        const program = video("kept", { content: source("b") }) + video("failing");
        await stack.program(program);
        const failed = await stack.attempt("up", "--yes", "--skip-preview", "--continue-on-error", "--replace", urn);
        assert.match(failed.output, /no video/);
        await stack.program(program + video("more"));
        testbed.emulator.inject(unanswered);
        await killedUp(testbed, stack, 2);
        // The state is read all the same, by the CLI that has started the provider: so the killed creates are this stack's.
        await stack.up();
        const recorded = ["kept", "failing", "more"].map((title) => theOne(testbed, title));
        assert.ok(!recorded.includes(before));
        await holds(testbed, stack, recorded);
    });

    it("cannot be read at all: a retained object is neither deleted nor doubled, and a killed create that may be anybody's is refused (K1, E1; dynamic)", async () => {
        const stack = await testbed.stack(video("film", {}, "{ retainOnDelete: true }"));
        await useCli(testbed, stack, "hidden");
        await stack.up();
        const film = theOne(testbed, "film");
        await stack.program("");
        await stack.up();
        await stack.program(video("film", { content: source("b") }) + video("more"));
        testbed.emulator.inject({ ...unanswered, title: "more" });
        await killedUp(testbed, stack, 1);
        const all = [film, theOne(testbed, "more")];
        await refused(stack, ...all);
        assert.deepEqual(objects(testbed), all);
    });

    it("goes on with what a killed run has left in an inline program of the Automation API, in both faces", async () => {
        const films = ["dynamic", "native"].map((face) => `{ const videograph = faces.${face}; ${video(face)} }`);
        const faces = "const faces = { dynamic, native };";
        const stack = await testbed.stack(`${faces}\n${films.join("\n")}`);
        testbed.emulator.inject(unanswered);
        await killedUp(testbed, stack, 2);
        const left = objects(testbed);
        const { code, output } = await stack.upInline({ workspace: "workspace" });
        assert.equal(code, 0, output);
        await holds(testbed, stack, left);
    });
});
