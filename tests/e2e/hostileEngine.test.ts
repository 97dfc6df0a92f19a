/**
 * S1 where the engine forgets or repeats what it did: a state that cannot be written, `PULUMI_SKIP_CHECKPOINTS`, an
 * `onError` hook that retries, `--replace` after a killed run.
 */
import assert from "node:assert/strict";
import { readFile, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { decided, refused } from "../support/law.ts";
import { addOthers, killed, oneObjectEach } from "../support/oneObjectEach.ts";
import { declare } from "../support/program.ts";
import { sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import type { State, TestStack } from "../support/testStack.ts";
import { waitFor } from "../support/waitFor.ts";

describe("An engine that forgets or repeats (S1)", function () {
    this.timeout(300_000);
    const testbed = useTestbed({ fetchSources: false, speed: 5 });
    before(function () {
        // Elsewhere the provider's process is not found.
        if (process.platform !== "linux") this.skip();
    });

    const source = [{ url: "https://media.example.com/a.mp4" }];
    const video = (name: string, more = {}) => declare("Content", name, { title: "One", content: source, ...more });
    const stream = (name: string) => declare("Livestream", name, { title: "One", region: "us-east-1" });
    const startUp = (stack: TestStack) => stack.start("up", "--yes", "--skip-preview");
    const posts = () => sentBy(testbed.emulator, "POST").filter(({ accepted }) => accepted).length;
    const stuck = () => testbed.emulator.inject({ kind: "processing", stuck: true });
    const finish = () => {
        testbed.emulator.clearFaults();
        for (const { contentId } of testbed.emulator.contents()) testbed.emulator.setContentStatus(contentId, "Ready");
    };

    it("a state that cannot be written loses nothing; where it would have been the only one (PULUMI_SKIP_CHECKPOINTS), the user decides", async () => {
        const others = addOthers(testbed, "One");
        const stack = await testbed.stack("");
        const { makeUnwritable, restore } = await linkState(stack);
        /** An `up` that cannot write its state from when so many creates were accepted. The engine tries each write for half a minute. */
        const upThatForgets = async (program: string, creates: number) => {
            stuck();
            testbed.emulator.clearRequests();
            await stack.program(program);
            const up = startUp(stack);
            await waitFor("the creates", () => posts() >= creates, 60_000);
            await makeUnwritable();
            finish();
            assert.notEqual((await up.result).code, 0);
            await restore();
            assert.equal(posts(), creates);
        };
        await upThatForgets(video("video"), 1);
        await stack.up();
        // No operation was written down, so these may have been released as well.
        const before = others.ours();
        stack.env.PULUMI_SKIP_CHECKPOINTS = "true";
        await upThatForgets(video("video") + video("a") + stream("c"), 2);
        const forgotten = others.ours().filter((id) => !before.includes(id));
        assert.equal(forgotten.length, 2);
        await refused(stack, ...forgotten);
        await decided(stack, forgotten.join());
        assert.equal(posts(), 2);
        await oneObjectEach(testbed, others, stack);
    });

    it("a create that is a pending operation with all its outputs is continued, and up --replace after that kill replaces the object", async () => {
        const others = addOthers(testbed, "One");
        const stack = await testbed.stack(stream("done") + video("answered") + video("waiting", { title: "Two" }));
        testbed.emulator.inject({ kind: "processing", stuck: true, title: "Two" });
        const up = startUp(stack);
        await waitFor("the state to have two", async () => (await stack.resources()).length === 2, 60_000);
        await waitFor("the third one", () => posts() === 3);
        await killed(stack, up);
        finish();
        const [done, answered] = [await stack.resource("done"), await stack.resource("answered")];
        assert.ok(answered.outputs?.__meta);
        // A checkpoint for another resource, written between the provider's answer and the engine's own step, has it so.
        const file = join(stack.folder, "state", ".pulumi", "stacks", "e2e", "test.json");
        const written = JSON.parse(await readFile(file, "utf8")) as { checkpoint: { latest: State } };
        const { latest } = written.checkpoint;
        latest.resources = latest.resources.filter(({ urn }) => urn !== answered.urn);
        latest.pending_operations?.push({ type: "creating", resource: answered });
        await writeFile(file, JSON.stringify(written));

        await stack.up("--replace", done.urn);
        assert.equal(await stack.resourceId("answered"), answered.id);
        assert.notEqual(await stack.resourceId("done"), done.id);
        await waitFor("the old one to be deleted", () => others.ours().length === 3);
        assert.equal(posts(), 4);
        await oneObjectEach(testbed, others, stack);
    });

    it("an onError hook that retries goes on with the object of the first try, also where the answer is lost and it gives up", async () => {
        const others = addOthers(testbed, "One");
        const stack = await testbed.stack(`
            let left = 1;
            const hook = (name, decide) => ({ hooks: { onError: [new pulumi.ErrorHook(name, decide)] } });
            const again = hook("again", async () => true);
            const once = hook("once", async () => left-- > 0);
            const dependsOn = [
                new videograph.Content("video", { title: "One", content: [{ url: "${source[0]?.url}" }] }, again),
                new videograph.Livestream("stream", { title: "One", region: "us-east-1" }, again),
            ];
            new videograph.Livestream("lost", { title: "Lost", region: "us-east-1" }, { ...once, dependsOn });`);
        testbed.emulator.setVariants({ createData: "terse" });
        const refused = { kind: "status", status: 403, method: "GET" } as const;
        // The wait for Ready, the first read of the livestream, and all looks for the lost one.
        testbed.emulator.inject({ ...refused, path: "/contents/*", times: 2 });
        testbed.emulator.inject({ ...refused, path: "/livestreams/*", times: 1 });
        testbed.emulator.inject({ ...refused, path: "/livestreams", where: () => posts() === 3 });
        testbed.emulator.inject({
            kind: "status",
            status: 502,
            method: "POST",
            title: "Lost",
            when: "after",
            times: 1,
        });
        const first = await stack.upInline();
        assert.notEqual(first.code, 0);
        for (const name of ["video", "stream", "lost"])
            assert.match(first.output, new RegExp(`${name} creating .*retrying create due to on-error hook request`));
        assert.equal((await stack.resources()).length, 2);
        const created = others.ours();
        assert.equal(created.length, 3);
        testbed.emulator.clearFaults();
        const second = await stack.upInline();
        assert.equal(second.code, 0, second.output);
        testbed.emulator.setVariants({ createData: "object" });
        assert.deepEqual(others.ours(), created);
        assert.equal(posts(), 3);
        // What follows needs no hook.
        await stack.program(
            video("video") + stream("stream") + declare("Livestream", "lost", { title: "Lost", region: "us-east-1" }),
        );
        await oneObjectEach(testbed, others, stack);
    });
});

/**
 * Puts a link in place of the state's folder. Where it leads changes in one step, so that a run never finds nothing and makes a
 * folder of its own. (To root every folder is writable, but no file is a folder.)
 */
async function linkState(stack: TestStack) {
    const folder = join(stack.folder, "state", ".pulumi", "stacks", "e2e");
    await rename(folder, `${folder}.real`);
    const lead = async (target: string) => {
        await symlink(target, `${folder}.new`);
        await rename(`${folder}.new`, folder);
    };
    const restore = () => lead(`${folder}.real`);
    await restore();
    return { restore, makeUnwritable: () => lead("/dev/null/state") };
}
