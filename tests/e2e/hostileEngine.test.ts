/**
 * S1 where the engine forgets or repeats what it did: a state that cannot be written, `PULUMI_SKIP_CHECKPOINTS`, an
 * `onError` hook that retries, `--replace` after a killed run. (A2, A4 and A29 of the simulation's README.)
 */
import assert from "node:assert/strict";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { useLab } from "../support/lab.ts";
import { addOthers, killed, type Others, oneObjectEach } from "../support/oneObjectEach.ts";
import { declare } from "../support/program.ts";
import { sentBy } from "../support/requests.ts";
import type { State, TestStack } from "../support/testStack.ts";
import { waitFor } from "../support/waitFor.ts";

describe("An engine that forgets or repeats (S1)", function () {
    this.timeout(300_000);
    const lab = useLab({ fetchSources: false });
    before(function () {
        // Elsewhere the provider's process is not found.
        if (process.platform !== "linux") this.skip();
    });

    const source = [{ url: "https://media.example.com/a.mp4" }];
    const startUp = (stack: TestStack) => stack.start("up", "--yes", "--skip-preview");
    const posts = () => sentBy(lab.emulator, "POST").filter(({ accepted }) => accepted).length;

    /** An `up` that cannot write its state from when all `count` creates were accepted; then one that can. */
    async function upThatForgets(stack: TestStack, others: Others, count: number): Promise<void> {
        lab.emulator.inject({ kind: "processing", stuck: true });
        const up = startUp(stack);
        await waitFor("the creates", () => posts() === count, 60_000);
        const created = others.ours();
        const restore = await makeUnwritable(stack);
        for (const { contentId } of lab.emulator.contents()) lab.emulator.setContentStatus(contentId, "Ready");
        assert.notEqual((await up.result).code, 0);
        await restore();
        await stack.up();
        assert.deepEqual(others.ours(), created);
        await oneObjectEach(lab, others, stack);
    }

    it("a state that cannot be written during a wait loses nothing and makes nothing twice", async () => {
        const others = addOthers(lab, "One");
        const stack = await lab.stack(
            declare("Content", "video", { title: "One", content: source }) +
                declare("Livestream", "stream", { title: "One", region: "us-east-1" }),
        );
        await upThatForgets(stack, others, 2);
    });

    it("a create that was answered, and is a pending operation with all its outputs when the CLI is killed", async () => {
        const others = addOthers(lab, "One");
        const stack = await lab.stack(declare("Content", "video", { title: "One", content: source }));
        await stack.up();
        const created = others.ours();
        // A checkpoint for another resource, written between the provider's answer and the engine's own step, has it so.
        const file = join(stack.folder, "state", ".pulumi", "stacks", "e2e", "test.json");
        const written = JSON.parse(await readFile(file, "utf8")) as { checkpoint: { latest: State } };
        const { latest } = written.checkpoint;
        const resource = latest.resources.find(({ type }) => type.endsWith("videograph:Content"));
        assert.ok(resource?.outputs?.__meta);
        latest.resources = latest.resources.filter((one) => one !== resource);
        latest.pending_operations = [{ type: "creating", resource }];
        await writeFile(file, JSON.stringify(written));
        await stack.up();
        assert.deepEqual(others.ours(), created);
        assert.equal(posts(), 1);
        await oneObjectEach(lab, others, stack);
    });

    it("PULUMI_SKIP_CHECKPOINTS and an only snapshot that cannot be written", async () => {
        const others = addOthers(lab, "One");
        const stack = await lab.stack(
            ["a", "b"].map((name) => declare("Content", name, { title: "One", content: source })).join("") +
                declare("Livestream", "stream", { title: "One", region: "us-east-1" }),
        );
        stack.env.PULUMI_SKIP_CHECKPOINTS = "true";
        await upThatForgets(stack, others, 3);
    });

    it("PULUMI_SKIP_CHECKPOINTS and a kill -9 after 20 creates", async () => {
        const others = addOthers(lab, "One");
        const more = { title: "One", content: source, waitForReady: false };
        const names = Array.from({ length: 20 }, (_, index) => `video${index}`);
        const stack = await lab.stack(
            names.map((name) => declare("Content", name, more)).join("") +
                `new videograph.ContentReadiness("all", { contentIds: [${names.map((name) => `exports.${name}`)}] });`,
        );
        stack.env.PULUMI_SKIP_CHECKPOINTS = "true";
        lab.emulator.inject({ kind: "processing", stuck: true });
        const up = startUp(stack);
        // The engine has all ids, and waits for the contents together.
        await waitFor("the wait", () => posts() === 20 && sentBy(lab.emulator, "GET").length > 20, 120_000);
        const created = others.ours();
        await killed(stack, up);
        for (const id of created) lab.emulator.setContentStatus(id, "Ready");
        lab.emulator.clearFaults();
        await stack.up();
        assert.deepEqual(others.ours(), created);
        await oneObjectEach(lab, others, stack);
    });

    it("an onError hook that retries a failed create goes on with its object", async () => {
        const others = addOthers(lab, "One");
        const hook = `const again = new pulumi.ErrorHook("again", async () => true);\nconst hooks = { onError: [again] };\n`;
        const stack = await lab.stack(
            hook +
                declare("Content", "video", { title: "One", content: source }, "{ hooks }") +
                declare("Livestream", "stream", { title: "One", region: "us-east-1" }, "{ hooks }"),
        );
        lab.emulator.setVariants({ createData: "terse" });
        // The wait for Ready, and the first read of the livestream, are refused once.
        lab.emulator.inject({ kind: "status", status: 403, method: "GET", path: "/contents/*", times: 2 });
        lab.emulator.inject({ kind: "status", status: 403, method: "GET", path: "/livestreams/*", times: 1 });
        const { output, code } = await stack.upInline();
        assert.equal(code, 0, output);
        assert.match(output, /retrying create due to on-error hook request/);
        lab.emulator.setVariants({ createData: "object" });
        assert.equal(posts(), 2);
        await stack.program(
            declare("Content", "video", { title: "One", content: source }) +
                declare("Livestream", "stream", { title: "One", region: "us-east-1" }),
        );
        // The engine keeps the reason of the first try with the resource until the next update.
        await stack.up();
        await oneObjectEach(lab, others, stack);
    });

    it("an onError hook that retries a create whose answer is lost, until it gives up", async () => {
        const others = addOthers(lab, "One");
        const hook = `let left = 1;\nconst again = new pulumi.ErrorHook("again", async () => left-- > 0);\n`;
        const stack = await lab.stack(
            hook +
                declare(
                    "Livestream",
                    "stream",
                    { title: "One", region: "us-east-1" },
                    "{ hooks: { onError: [again] } }",
                ),
        );
        lab.emulator.inject({ kind: "status", status: 502, method: "POST", when: "after", times: 1 });
        lab.emulator.inject({ kind: "status", status: 403, method: "GET" });
        assert.notEqual((await stack.upInline()).code, 0);
        lab.emulator.clearFaults();
        const second = await stack.upInline();
        assert.equal(second.code, 0, second.output);
        assert.equal(others.ours().length, 1);
        // What follows needs no hook.
        await stack.program(declare("Livestream", "stream", { title: "One", region: "us-east-1" }));
        await oneObjectEach(lab, others, stack);
    });

    it("up --replace after a killed run replaces the object by another one", async () => {
        const others = addOthers(lab, "One");
        const done = declare("Livestream", "done", { title: "One", region: "us-east-1" });
        const stack = await lab.stack(done + declare("Content", "waiting", { title: "One", content: source }));
        lab.emulator.inject({ kind: "processing", stuck: true });
        const up = startUp(stack);
        await waitFor("the state to have one", async () => (await stack.resources()).length === 1, 60_000);
        await waitFor("the other one", () => posts() === 2);
        await killed(stack, up);
        lab.emulator.clearFaults();
        for (const { contentId } of lab.emulator.contents()) lab.emulator.setContentStatus(contentId, "Ready");
        const old = await stack.resource("done");
        await stack.up("--replace", old.urn);
        assert.notEqual(await stack.resourceId("done"), old.id);
        await waitFor("the old one to be deleted", () => others.ours().length === 2);
        await oneObjectEach(lab, others, stack);
    });
});

/** Makes every write of the state fail; the result makes them work again. (To root every folder is writable.) */
async function makeUnwritable(stack: TestStack): Promise<() => Promise<void>> {
    const folder = join(stack.folder, "state", ".pulumi", "stacks", "e2e");
    await rename(folder, `${folder}.away`);
    await writeFile(folder, "not a folder");
    return async () => {
        await rm(folder);
        await rename(`${folder}.away`, folder);
    };
}
