/** S1 for stacks that share a home, get another name, or hand a resource over, each with a killed run in between. */
import assert from "node:assert/strict";
import { rename, symlink } from "node:fs/promises";
import { join } from "node:path";
import { useLab } from "../support/lab.ts";
import { addOthers, killed, oneObjectEach, recordedIds } from "../support/oneObjectEach.ts";
import { declare } from "../support/program.ts";
import { sentBy } from "../support/requests.ts";
import type { TestStack } from "../support/testStack.ts";
import { waitFor } from "../support/waitFor.ts";

describe("Stacks that share, move and change names (S1)", function () {
    this.timeout(300_000);
    const lab = useLab({ fetchSources: false });
    before(function () {
        // Elsewhere the provider's process is not found.
        if (process.platform !== "linux") this.skip();
    });

    const source = [{ url: "https://media.example.com/a.mp4" }];
    const video = (name: string, title = "One") => declare("Content", name, { title, content: source });

    /** An `up` that is killed when its creates were accepted and not answered. */
    async function killedCreates(stack: TestStack, count = 1): Promise<void> {
        lab.emulator.clearRequests();
        lab.emulator.inject({ kind: "hang", when: "after", method: "POST" });
        const up = stack.start("up", "--yes", "--skip-preview");
        const accepted = () => sentBy(lab.emulator, "POST").filter((request) => request.accepted);
        await waitFor("the creates", () => accepted().length === count, 60_000);
        await killed(stack, up);
        lab.emulator.clearFaults();
    }

    it("a killed run is continued neither by another clone with file://. nor in another backend, of one home", async () => {
        const others = addOthers(lab, "One");
        const [first, clone, elsewhere] = [
            await lab.stack(video("video")),
            await lab.stack(video("video")),
            await lab.stack(video("video")),
        ];
        const home = join(first.folder, "home");
        // A home remembers the selected stack of one folder alone.
        const shared = { PULUMI_HOME: home, HOME: home, PULUMI_STACK: "test" };
        for (const stack of [first, clone]) {
            await symlink(join(stack.folder, "state", ".pulumi"), join(stack.folder, ".pulumi"));
            Object.assign(stack.env, { PULUMI_BACKEND_URL: "file://." });
        }
        for (const stack of [first, clone, elsewhere]) Object.assign(stack.env, shared);
        await killedCreates(first);
        const [lost] = others.ours();
        for (const stack of [clone, elsewhere]) {
            await stack.up();
            assert.notDeepEqual(await recordedIds(stack), [lost]);
        }
        await clone.destroy();
        assert.deepEqual(others.ours(), [lost, ...(await recordedIds(elsewhere))].sort());
        await first.up();
        assert.deepEqual(await recordedIds(first), [lost]);
        assert.equal(others.ours().length, 2);
        others.untouched();
    });

    it("nor in another organization of the same backend (dynamic, native)", async () => {
        const others = addOthers(lab, "One");
        // Here every stack is of one organization: the program is given another one in place of the language host's.
        const stack = await lab.stack(`
            require("@pulumi/pulumi/runtime/settings")._setOrganization(process.env.ORGANIZATION);
            ${video("video")}
            const native = require("pulumi-videograph/native");
            new native.Livestream("stream", { title: "One", region: "us-east-1" });`);
        const file = join(stack.folder, "state", ".pulumi", "stacks", "e2e", "test.json");
        stack.env.ORGANIZATION = "acme";
        await killedCreates(stack, 2);
        const lost = others.ours();
        assert.equal(lost.length, 2);
        await rename(file, `${file}.acme`);

        stack.env.ORGANIZATION = "rival";
        await stack.run("stack", "init", "test");
        await stack.up();
        assert.equal(others.ours().length, 4);
        for (const id of await recordedIds(stack)) assert.ok(!lost.includes(id));
        assert.doesNotMatch(await stack.stateText(), /rival/);
        // It does not know the organization, and leaves the other's objects alone.
        await stack.destroy();
        assert.deepEqual(others.ours(), lost);

        stack.env.ORGANIZATION = "acme";
        await rename(`${file}.acme`, file);
        await stack.up();
        assert.deepEqual((await recordedIds(stack)).sort(), lost);
        await oneObjectEach(lab, others, stack);
    });

    it("a moved resource belongs to the other stack alone, and its name to a new object; a renamed stack goes on with what it has", async () => {
        const others = addOthers(lab, "One", "Two");
        const stack = await lab.stack(`
            if (pulumi.getStack() !== "production") {
                ${["kept", "moved", "ended"].map((name) => video(name)).join("")}
            }`);
        await stack.run("stack", "init", "production", "--no-select");
        await stack.up();
        const [kept = "", moved = "", ended = ""] = await Promise.all(
            ["kept", "moved", "ended"].map((name) => stack.resourceId(name)),
        );
        // No other run in between: it would close the journal's entries of what is moved.
        const urns = [(await stack.resource("moved")).urn, (await stack.resource("ended")).urn] as const;
        await stack.run("state", "move", "--source", "test", "--dest", "production", ...urns, "--yes");

        await stack.program(video("kept", "Two") + video("moved") + video("ended"));
        await killedCreates(stack, 2);
        const made = others.ours().filter((id) => ![kept, moved, ended].includes(id));
        assert.equal(made.length, 2, "the moved objects are not taken for the new ones'");
        // Deletes what was moved, and neither the other stack's pending create nor its object.
        const production = ["--stack", "production", "--target"];
        await stack.run("destroy", "--yes", "--skip-preview", ...production, urns[1].replace(":test:", ":production:"));
        assert.deepEqual(others.ours(), [kept, moved, ...made].sort());
        await stack.up();
        assert.deepEqual((await recordedIds(stack)).sort(), [kept, ...made].sort());
        assert.equal(others.ours().length, 4);
        // There and back: the tests' tools know the stack by its first name.
        await stack.start("stack", "rename", "renamed").result;
        const up = stack.start("up", "--yes", "--skip-preview", "--expect-no-changes");
        assert.equal((await up.result).code, 0, up.output);
        await stack.start("stack", "rename", "test").result;
        await stack.destroy();
        assert.deepEqual(others.ours(), [moved]);
        others.untouched();
    });
});
