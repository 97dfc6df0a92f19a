/**
 * S1 on a shared backend, after a machine was lost in the middle of an `up`, with its disk: no journal is left, only the state with
 * its pending operations, and what the service holds. (K6)
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import {
    decided,
    holds,
    killedUp,
    objects,
    refused,
    source,
    stream,
    theOne,
    titled,
    unanswered,
    video,
} from "../support/law.ts";
import { declare } from "../support/program.ts";
import { sentBy } from "../support/requests.ts";
import { SharedBackend } from "../support/sharedBackend.ts";
import { useTestbed } from "../support/testbed.ts";
import type { Face, TestStack } from "../support/testStack.ts";
import { waitFor } from "../support/waitFor.ts";

describe("A lost machine (S1, S9)", () => {
    const testbed = useTestbed({ fetchSources: false, speed: 5 });
    let backend: SharedBackend;
    before("an S3 service", async function () {
        // Elsewhere the provider's process is not found.
        if (process.platform !== "linux") return this.skip();
        const started = await SharedBackend.start();
        if (typeof started === "string") {
            assert.ok(!process.env.CI, started);
            return this.skip();
        }
        backend = started;
    });
    after(async () => await backend?.[Symbol.asyncDispose]());

    let machines = 0;
    /** From now on it is this machine that works on the stack, or another new one. */
    function onAnotherMachine(stack: TestStack, machine = ++machines): void {
        const home = join(stack.folder, `machine-${machine}`);
        Object.assign(stack.env, { PULUMI_HOME: home, VIDEOGRAPH_JOURNAL_DIR: join(home, "journal") });
    }

    async function stackIn(bucket: string, face: Face = "native"): Promise<TestStack> {
        const stack = await testbed.stack("", face);
        onAnotherMachine(stack);
        await backend.use(stack, bucket);
        return stack;
    }

    it("the next one ends with one object each, whenever the other died, in both faces; a changed title costs an update, a changed source a decision: this object, or a new one (K6)", async () => {
        const stack = await stackIn(await backend.bucket());
        const film = testbed.emulator.addContent({ title: "film" }).contentId;
        const clip = { title: "clip", contentId: film, startTime: 1, endTime: 3 };
        const kept = "{ dependsOn: first }";
        const library = (keys: string[]) => `
            const contents = Object.fromEntries(${JSON.stringify(keys)}.map((key) =>
                [key, { title: key, content: [{ url: "https://media.example.com/a.mp4?signature=hunter2" }] }]));
            new dynamic.ContentLibrary("films", { contents }, ${kept});`;
        const program = (title: string, file: string) => `
            const dynamic = require("pulumi-videograph");
            const first = new videograph.Livestream("first", { title: "first", region: "us-east-1" });
            ${video("waiting", {}, kept)}${video("unanswered", {}, kept)}${video("unsent", {}, kept)}
            ${video("twin-a", { title: "twin" }, kept)}${video("twin-b", { title: "twin" }, kept)}
            ${stream("stage", {}, kept)}${declare("Clip", "clip", clip, kept)}
            ${video("dynamic", {}, kept).replace("videograph", "dynamic")}
            ${library(["harbour", "ice", "snow"])}
            ${video("titled", { title }, kept)}
            ${video("one", { content: source(file) }, kept)}${video("two", { content: source(file) }, kept)}`;
        stack.secrets.push("hunter2");
        await stack.program(program("Before", "a"));
        testbed.emulator.inject({ kind: "processing", stuck: true, title: "waiting" });
        for (const title of ["unsent", "snow"])
            testbed.emulator.inject({ kind: "hang", when: "before", method: "POST", title });
        const unheard = ["unanswered", "stage", "twin", "clip", "dynamic", "harbour", "ice", "Before", "one", "two"];
        for (const title of unheard) testbed.emulator.inject({ kind: "hang", when: "after", method: "POST", title });
        await killedUp(testbed, stack, 13);
        for (const { contentId } of testbed.emulator.contents()) testbed.emulator.setContentStatus(contentId, "Ready");
        const firstMachine = machines;
        const left = objects(testbed);
        assert.equal(left.length, 14);
        assert.equal((await stack.resources()).length, 1);
        const [before, one, two] = [theOne(testbed, "Before"), theOne(testbed, "one"), theOne(testbed, "two")];

        onAnotherMachine(stack);
        await stack.program(program("After", "b"));
        await refused(stack, one, two);
        const posts = sentBy(testbed.emulator, "POST").map(({ body }) => (body as { title: string }).title);
        assert.deepEqual(posts.sort(), ["snow", "unsent"]);
        assert.equal(await stack.resourceId("titled"), before);
        assert.deepEqual(titled(testbed, "After"), [before]);
        const all = [...left, theOne(testbed, "snow"), theOne(testbed, "unsent")];
        assert.deepEqual(objects(testbed).sort(), all.toSorted());

        // A decision about each, on another machine.
        onAnotherMachine(stack);
        await decided(stack, `${one},-${two}`);
        assert.equal(await stack.resourceId("one"), one);
        const second = await stack.resourceId("two");
        assert.notEqual(second, two);
        assert.deepEqual(objects(testbed).sort(), [...all, second].sort());

        // The first machine is found again, with its journal: what that remembers is in the state by now.
        onAnotherMachine(stack, firstMachine);
        await stack.up("--expect-no-changes");
    });

    it("is nothing to a new stack of its name after it was renamed; under its new name it goes on", async () => {
        const bucket = await backend.bucket();
        const program = video("film") + stream("stage");
        const stack = await stackIn(bucket);
        await stack.program(program);
        testbed.emulator.inject(unanswered);
        await killedUp(testbed, stack, 2);
        const lost = objects(testbed);

        onAnotherMachine(stack);
        await stack.run("stack", "rename", "renamed");
        const namesake = await stackIn(bucket);
        await namesake.program(program);
        await namesake.up();
        const its = objects(testbed).filter((id) => !lost.includes(id));
        await holds(testbed, namesake, its, lost);
        await namesake.destroy();
        await waitFor("its objects to be deleted", () => objects(testbed).length === 2);
        assert.deepEqual(objects(testbed).sort(), lost.toSorted());

        onAnotherMachine(stack);
        stack.env.PULUMI_STACK = "renamed";
        await stack.up();
        assert.deepEqual(objects(testbed).sort(), lost.toSorted());
    });
});
