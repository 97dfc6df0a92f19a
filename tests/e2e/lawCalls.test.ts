/** A run that creates reads its own state once; no other run starts the CLI. (K11) */
import assert from "node:assert/strict";
import { copyFile, mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { killedUp, objects, unanswered, video } from "../support/law.ts";
import { useTestbed } from "../support/testbed.ts";

describe("Runs of the CLI from inside a run (S9)", () => {
    const testbed = useTestbed({ onLinux: true, fetchSources: false }, "native");
    const own = /^\S*pulumi stack export\b.*--stack organization\/e2e\/test\b/;

    it("are one in an up that creates, at most two after it was killed, and none in all others", async () => {
        const stack = await testbed.stack("");
        const films = Array.from({ length: 8 }, (_, index) => `film-${index}`);
        const program = films.map((name) => video(name, { waitForReady: false })).join("");
        const started = join(stack.folder, "started");
        stack.env.TEST_CALLS = started;
        /** What the program and the provider start in this run, which must end well. */
        const calls = async (...args: string[]) => {
            await rm(started, { force: true });
            await stack.run(...args, "--skip-preview", "--yes");
            const text = await readFile(started, "utf8").catch(() => "");
            return text.split("\n").filter((line) => line !== "");
        };
        const none = async (...args: string[]) => assert.deepEqual(await calls(...args), [], args.join(" "));
        const atMost = async (count: number, ...args: string[]) => {
            const found = await calls(...args);
            assert.ok(found.length >= 1 && found.length <= count, found.join("\n"));
            for (const call of found) assert.match(call, own);
        };

        await stack.program(program);
        await atMost(1, "up", "--parallel", "30");
        // Twenty others, which the same backend has.
        const stacks = join(stack.folder, "state", ".pulumi", "stacks");
        for (let index = 0; index < 20; index++) {
            await mkdir(join(stacks, `other-${index}`));
            await copyFile(join(stacks, "e2e", "test.json"), join(stacks, `other-${index}`, "test.json"));
        }
        // An update creates nothing.
        const [first = "", ...rest] = films;
        const updated = [video(first, { title: "Another title", waitForReady: false })];
        updated.push(...rest.map((name) => video(name, { waitForReady: false })));
        await stack.program(updated.join(""));
        await none("up", "--refresh");

        const more = updated.join("") + video("more", { waitForReady: false });
        await stack.program(more);
        testbed.emulator.inject(unanswered);
        await killedUp(testbed, stack, 1);
        await atMost(2, "up");
        assert.equal(objects(testbed).length, 9);
        await none("destroy");
        assert.deepEqual(objects(testbed), []);
    });
});
