/**
 * S1 and S9 where the CLI is not on the PATH: started by its path, by the Automation API with its workspace elsewhere, or so that the
 * provider cannot find it at all. (K1, K4)
 */
import assert from "node:assert/strict";
import {
    type Cli,
    holds,
    killedUp,
    objects,
    refused,
    settled,
    source,
    theOne,
    unanswered,
    useCli,
    video,
} from "../support/law.ts";
import { useTestbed } from "../support/testbed.ts";
import type { TestStack } from "../support/testStack.ts";

const retained = "{ retainOnDelete: true }";

describe("A provider whose CLI is not on the PATH (S1, S9)", () => {
    const testbed = useTestbed({ fetchSources: false, speed: 5 });
    before(function () {
        // Elsewhere the processes of a run are not found.
        if (process.platform !== "linux") this.skip();
    });

    /** Runs that were cut short leave the engine with two objects: the new one, and the old one that waits for its deletion. */
    async function replacedBesideFailure(stack: TestStack): Promise<void> {
        const failing = video("failing", { title: "failing" });
        const before = await stack.resourceId("film");
        const { urn } = await stack.resource("film");
        testbed.emulator.inject({ kind: "processing", fail: "no video", title: "failing", times: 1 });
        await stack.program(video("film", { content: source("b") }) + failing);
        const failed = await stack.attempt("up", "--yes", "--skip-preview", "--continue-on-error", "--replace", urn);
        assert.notEqual(failed.code, 0);
        assert.match(failed.output, /no video/);
        await stack.up();
        const after = await stack.resourceId("film");
        assert.notEqual(after, before);
        await holds(testbed, stack, [after, theOne(testbed, "failing")]);
    }

    for (const [face, how] of [
        ["native", "absolute"],
        ["dynamic", "hidden"],
    ] satisfies [TestStack["face"], Cli][]) {
        it(`deletes neither a retained object (K1) nor the one of up --replace beside a failure (K4) (${face}, ${how})`, async () => {
            const stack = await testbed.stack("", face);
            await useCli(testbed, stack, how);
            await stack.program(video("film", {}, retained));
            await stack.up();
            const film = theOne(testbed, "film");
            await stack.program("");
            await stack.up();

            const another = video("film", { content: source("b") });
            await stack.program(another);
            await stack.up();
            const second = await stack.resourceId("film");
            await holds(testbed, stack, [second], [film]);
            testbed.emulator.deleteContent(film);
            if (how === "absolute") {
                // The state is read all the same, by the CLI that has started the provider: so the killed create is this stack's.
                await stack.program(another + video("more"));
                testbed.emulator.inject(unanswered);
                await killedUp(testbed, stack, 1);
                const more = theOne(testbed, "more");
                await stack.up();
                await holds(testbed, stack, [second, more]);
            }

            await replacedBesideFailure(stack);
        });
    }

    for (const face of ["dynamic", "native"] as const)
        it(`deletes nothing in an inline program of the Automation API, and goes on with what a killed run has left (${face})`, async () => {
            const stack = await testbed.stack(video("film", {}, retained), face);
            const up = async () => {
                const result = await stack.upInline({ workspace: "workspace" });
                assert.equal(result.code, 0, result.output);
            };
            await up();
            const film = theOne(testbed, "film");
            await stack.program("");
            await up();
            await stack.program(video("film", { content: source("b") }));
            await up();
            const second = await stack.resourceId("film");
            assert.deepEqual(objects(testbed).sort(), [film, second].sort());

            await stack.program(video("film", { content: source("b") }) + video("more"));
            testbed.emulator.inject(unanswered);
            await killedUp(testbed, stack, 1);
            const more = theOne(testbed, "more");
            await up();
            assert.equal(await stack.resourceId("more"), more);
            await holds(testbed, stack, [second, more], [film]);
        });

    it("refuses where a killed create may be anybody's, for the state cannot be read", async () => {
        const stack = await testbed.stack("", "native");
        await useCli(testbed, stack, "hidden");
        await stack.program(video("film"));
        testbed.emulator.inject(unanswered);
        await killedUp(testbed, stack, 1);
        const film = theOne(testbed, "film");
        await refused(stack, film);
        assert.deepEqual(objects(testbed), [film]);
        stack.env.VIDEOGRAPH_UNRECORDED = film;
        await stack.up();
        stack.env.VIDEOGRAPH_UNRECORDED = undefined;
        await settled(testbed, stack, [film]);
    });
});
