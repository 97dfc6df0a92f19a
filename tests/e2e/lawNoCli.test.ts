/**
 * S1 and S9 where the CLI is not on the PATH: started by its path, by the Automation API with its workspace elsewhere, or so that the
 * provider cannot find it at all. (K1, K4)
 */
import assert from "node:assert/strict";
import {
    decided,
    holds,
    killedUp,
    objects,
    refused,
    source,
    theOne,
    titled,
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

    /**
     * `film` is released, and another one made under its name (K1). `kept` is replaced beside a failure, which leaves the engine with two
     * objects: the new one, and the old one that waits for its deletion (K4). A killed run comes then, and `goOn` ends what it has left.
     */
    async function releasedAndReplaced(stack: TestStack, goOn: () => Promise<unknown>): Promise<void> {
        await stack.program(video("film", {}, retained) + video("kept"));
        await stack.up();
        const [film, before] = [theOne(testbed, "film"), theOne(testbed, "kept")];
        const { urn } = await stack.resource("kept");
        await stack.program(video("kept"));
        await stack.up();
        testbed.emulator.inject({ kind: "processing", fail: "no video", title: "failing", times: 1 });
        const program =
            ["film", "kept"].map((name) => video(name, { content: source("b") })).join("") + video("failing");
        await stack.program(program);
        const failed = await stack.attempt("up", "--yes", "--skip-preview", "--continue-on-error", "--replace", urn);
        assert.notEqual(failed.code, 0);
        assert.match(failed.output, /no video/);
        await stack.program(program + video("more"));
        testbed.emulator.inject(unanswered);
        await killedUp(testbed, stack, 2);
        await goOn();
        theOne(testbed, "more");
        assert.deepEqual([titled(testbed, "film").length, titled(testbed, "kept").length], [2, 1]);
        const recorded = (await stack.resources()).map(({ id = "" }) => id);
        assert.ok(!recorded.includes(film) && !recorded.includes(before));
        await holds(testbed, stack, recorded, [film]);
    }

    it("deletes neither a retained object (K1) nor the one of up --replace beside a failure (K4), and goes on with what a killed run has left (native, started by its path)", async () => {
        const stack = await testbed.stack("", "native");
        await useCli(testbed, stack, "absolute");
        // The state is read all the same, by the CLI that has started the provider: so the killed creates are this stack's.
        await releasedAndReplaced(stack, () => stack.up());
    });

    it("does so where it cannot be found at all, and refuses where a killed create may be anybody's, for the state cannot be read (dynamic)", async () => {
        const stack = await testbed.stack("");
        await useCli(testbed, stack, "hidden");
        await releasedAndReplaced(stack, async () => {
            const killed = ["failing", "more"].map((title) => titled(testbed, title).at(-1) ?? assert.fail());
            await refused(stack, ...killed);
            await decided(stack, killed.join());
            assert.deepEqual([await stack.resourceId("failing"), await stack.resourceId("more")], killed);
        });
    });

    it("deletes nothing in an inline program of the Automation API, and goes on with what a killed run has left, in both faces", async () => {
        const both = (name: string, file: string, options?: string) => {
            const film = (title: string) => video(name, { title, content: source(file) }, options);
            return `${film(`dynamic ${name}`)}{ const videograph = native; ${film(`native ${name}`).replaceAll(`"${name}"`, `"native ${name}"`)} }\n`;
        };
        const program = (...all: string[]) => `const native = require("pulumi-videograph/native");\n${all.join("")}`;
        const stack = await testbed.stack(program(both("film", "a", retained)));
        await stack.up();
        const released = objects(testbed);
        await stack.program("");
        await stack.up();
        await stack.program(program(both("film", "b"), both("more", "a")));
        testbed.emulator.inject(unanswered);
        await killedUp(testbed, stack, 4);
        const left = objects(testbed).filter((id) => !released.includes(id));
        const { code, output } = await stack.upInline({ workspace: "workspace" });
        assert.equal(code, 0, output);
        assert.equal(left.length, 4);
        await holds(testbed, stack, left, released);
    });
});
