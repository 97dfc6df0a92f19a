/**
 * S1 after a machine was lost in the middle of an `up`, with its disk: no journal is left, only the state with its pending operations, and what the
 * service holds. (K6)
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { decided, killedUp, objects, refused, source, stream, theOne, titled, video } from "../support/law.ts";
import { declare } from "../support/program.ts";
import { sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import type { TestStack } from "../support/testStack.ts";

describe("A lost machine (S1)", () => {
    const testbed = useTestbed({ onLinux: true, fetchSources: false, speed: 5 });

    /** Another machine has another journal, and the same state. */
    function onMachine(stack: TestStack, machine: number): void {
        stack.env.VIDEOGRAPH_JOURNAL_DIR = join(stack.folder, `machine-${machine}`);
    }

    it("the next one ends with one object each, whenever the other died, in both faces; a changed title costs an update, a changed source a decision: this object, or a new one (K6)", async () => {
        const stack = await testbed.stack("", "native");
        onMachine(stack, 1);
        const film = testbed.emulator.addContent({ title: "film" }).contentId;
        const clip = { title: "clip", contentId: film, startTime: 1, endTime: 3 };
        // Its clip waits for it, and is known to be unsent.
        const late = testbed.emulator.addContent({ title: "late" }).contentId;
        testbed.emulator.setContentStatus(late, "Preparing");
        const kept = "{ dependsOn: first }";
        const library = (keys: string[]) => `
            const contents = Object.fromEntries(${JSON.stringify(keys)}.map((key) =>
                [key, { title: key, content: [{ url: "https://media.example.com/a.mp4?signature=hunter2" }] }]));
            new dynamic.ContentLibrary("films", { contents }, ${kept});`;
        const program = (title: string, file: string) => `
            const first = new videograph.Livestream("first", { title: "first", region: "us-east-1" });
            ${video("waiting", {}, kept)}${video("unanswered", {}, kept)}${video("unsent", {}, kept)}
            ${video("twin-a", { title: "twin" }, kept)}${video("twin-b", { title: "twin" }, kept)}
            ${stream("stage", {}, kept)}${declare("Clip", "clip", clip, kept)}
            ${declare("Clip", "late clip", { ...clip, title: "late clip", contentId: late }, kept)}
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
        const left = objects(testbed);
        assert.equal(left.length, 15);
        assert.equal((await stack.resources()).length, 1);
        const [before, one, two] = [theOne(testbed, "Before"), theOne(testbed, "one"), theOne(testbed, "two")];

        onMachine(stack, 2);
        await stack.program(program("After", "b"));
        await refused(stack, one, two);
        const posts = sentBy(testbed.emulator, "POST").map(({ body }) => (body as { title: string }).title);
        assert.deepEqual(posts.sort(), ["late clip", "snow", "unsent"]);
        assert.equal(await stack.resourceId("titled"), before);
        assert.deepEqual(titled(testbed, "After"), [before]);
        const all = [...left, ...["snow", "unsent", "late clip"].map((title) => theOne(testbed, title))];
        assert.deepEqual(objects(testbed).sort(), all.toSorted());

        // A decision about each, on another machine.
        onMachine(stack, 3);
        await decided(stack, `${one},-${two}`);
        assert.equal(await stack.resourceId("one"), one);
        const second = await stack.resourceId("two");
        assert.notEqual(second, two);
        assert.deepEqual(objects(testbed).sort(), [...all, second].sort());
    });
});
