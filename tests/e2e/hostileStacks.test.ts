/** S1 for stacks that share a home, get another name, or hand a resource over, each with a killed run in between. */
import assert from "node:assert/strict";
import { rename, symlink } from "node:fs/promises";
import { join } from "node:path";
import { useLab } from "../support/lab.ts";
import { addOthers, killed, type Others, oneObjectEach, recordedIds } from "../support/oneObjectEach.ts";
import { declare } from "../support/program.ts";
import type { TestStack } from "../support/testStack.ts";

describe("Stacks that share, move and change names (S1)", function () {
    this.timeout(300_000);
    const lab = useLab({ fetchSources: false });
    before(function () {
        // Elsewhere the provider's process is not found.
        if (process.platform !== "linux") this.skip();
    });

    const source = [{ url: "https://media.example.com/a.mp4" }];
    const video = (name: string, title = "One") => declare("Content", name, { title, content: source });

    /** An `up` that is killed when its create was accepted and not answered. */
    async function killedCreate(stack: TestStack, ...args: string[]): Promise<void> {
        lab.emulator.clearRequests();
        lab.emulator.inject({ kind: "hang", when: "after", method: "POST" });
        const up = stack.start("up", "--yes", "--skip-preview", ...args);
        await lab.emulator.waitForRequest(({ method, accepted }) => method === "POST" && accepted === true, 60_000);
        await killed(stack, up);
        lab.emulator.clearFaults();
    }

    /** `first` goes on with its killed create, and `second`, which is run in between, with one of its own; gives the object. */
    async function killedAndContinued(
        others: Others,
        first: TestStack,
        second: TestStack,
    ): Promise<string | undefined> {
        await killedCreate(first);
        const [lost] = others.ours();
        await second.up();
        assert.notDeepEqual(await recordedIds(second), [lost]);
        await first.up();
        assert.deepEqual(await recordedIds(first), [lost]);
        await oneObjectEach(lab, others, first, second);
        return lost;
    }

    it("two clones with file://. and one home never take each other's objects", async () => {
        const others = addOthers(lab, "One");
        const clones = [await lab.stack(video("video")), await lab.stack(video("video"))] as const;
        const [first, second] = clones;
        for (const clone of clones) {
            await symlink(join(clone.folder, "state", ".pulumi"), join(clone.folder, ".pulumi"));
            const home = join(first.folder, "home");
            // A home remembers the selected stack of one folder alone.
            const shared = { PULUMI_BACKEND_URL: "file://.", PULUMI_HOME: home, HOME: home, PULUMI_STACK: "test" };
            Object.assign(clone.env, shared);
        }
        const lost = await killedAndContinued(others, first, second);
        await second.destroy();
        assert.deepEqual(others.ours(), [lost]);
        await oneObjectEach(lab, others, first);
    });

    it("a killed run of one backend is not continued in another one of the same home", async () => {
        const others = addOthers(lab, "One");
        const [first, second] = [await lab.stack(video("video")), await lab.stack(video("video"))];
        const home = join(first.folder, "home");
        Object.assign(second.env, { PULUMI_HOME: home, HOME: home, PULUMI_STACK: "test" });
        await killedAndContinued(others, first, second);
    });

    for (const face of ["dynamic", "native"] as const) {
        it(`nor in another organization of the same backend (${face})`, async () => {
            const others = addOthers(lab, "One");
            const stack = await lab.stack("");
            stack.face = face;
            // Here every stack is of one organization: the program is given another one in place of the language host's.
            await stack.program(
                `require("@pulumi/pulumi/runtime/settings")._setOrganization(process.env.ORGANIZATION);\n${video("video")}`,
            );
            const file = join(stack.folder, "state", ".pulumi", "stacks", "e2e", "test.json");
            stack.env.ORGANIZATION = "acme";
            await killedCreate(stack);
            const [lost] = others.ours();
            await rename(file, `${file}.acme`);

            stack.env.ORGANIZATION = "rival";
            await stack.run("stack", "init", "test");
            await stack.up();
            assert.notDeepEqual(await recordedIds(stack), [lost]);
            assert.equal(others.ours().length, 2);
            assert.doesNotMatch(await stack.stateText(), /rival/);
            // It does not know the organization, and leaves the other's object alone.
            await stack.destroy();
            assert.deepEqual(others.ours(), [lost]);

            stack.env.ORGANIZATION = "acme";
            await rename(`${file}.acme`, file);
            await stack.up();
            assert.deepEqual(await recordedIds(stack), [lost]);
            await oneObjectEach(lab, others, stack);
        });
    }

    it("a renamed stack goes on with what it has, after a kill too", async () => {
        const others = addOthers(lab, "One");
        const stack = await lab.stack(video("first"));
        await stack.up();
        // There and back: the tests' tools know the stack by its first name.
        await stack.start("stack", "rename", "renamed").result;
        const up = stack.start("up", "--yes", "--skip-preview", "--expect-no-changes");
        assert.equal((await up.result).code, 0, up.output);
        await stack.start("stack", "rename", "test").result;
        await stack.program(video("first", "Two") + video("second"));
        await killedCreate(stack);
        await stack.up();
        assert.equal(others.ours().length, 2);
        await oneObjectEach(lab, others, stack);
        await stack.destroy();
        assert.deepEqual(others.ours(), []);
        others.untouched();
    });

    it("a moved resource belongs to the other stack alone, and its name to a new object", async () => {
        const others = addOthers(lab, "One");
        const stack = await lab.stack(`if (pulumi.getStack() === "test" || process.env.MOVED) { ${video("video")} }`);
        await stack.run("stack", "init", "production", "--no-select");
        await stack.up();
        const [moved = ""] = others.ours();
        const { urn } = await stack.resource("video");
        await stack.run("state", "move", "--source", "test", "--dest", "production", urn, "--yes");
        stack.env.MOVED = "true";
        await killedCreate(stack);
        const made = others.ours().filter((id) => id !== moved);
        assert.equal(made.length, 1, "the moved object is not taken for the new one's");
        // Deletes what was moved, and neither the other stack's pending create nor its object.
        await stack.run("destroy", "--yes", "--skip-preview", "--stack", "production");
        assert.deepEqual(others.ours(), made);
        await stack.up();
        assert.deepEqual(others.ours(), made);
        await oneObjectEach(lab, others, stack);
    });

    it("a moved resource is not taken back by a new one of its name", async () => {
        const others = addOthers(lab, "One");
        const stack = await lab.stack(video("video"));
        await stack.run("stack", "init", "production", "--no-select");
        await stack.up();
        const [moved] = others.ours();
        const { urn } = await stack.resource("video");
        await stack.run("state", "move", "--source", "test", "--dest", "production", urn, "--yes");
        await stack.up();
        assert.equal(others.ours().length, 2);
        assert.notDeepEqual(await recordedIds(stack), [moved]);
        await stack.run("up", "--yes", "--skip-preview", "--stack", "production", "--expect-no-changes");
        await stack.destroy();
        assert.deepEqual(others.ours(), [moved]);
        others.untouched();
    });
});
