/** A library that is killed or unanswered: exactly one object for each key (S1). On another machine: lawLostMachine.test.ts. */
import assert from "node:assert/strict";
import { killedUp, objects, unanswered } from "../support/law.ts";
import { requestsOf, sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import type { TestStack } from "../support/testStack.ts";

describe("A ContentLibrary that does not end (S1)", () => {
    const testbed = useTestbed({ fetchSources: false, processingTimeMs: 300, speed: 5 });
    before(function () {
        // Elsewhere the provider's process is not found.
        if (process.platform !== "linux") this.skip();
    });

    const library = (count: number, more = "") => `
        const contents = Object.fromEntries(Array.from({ length: ${count} }, (_, index) => ["film-" + index, {
            title: "Film " + index, content: [{ url: "https://media.example.com/" + index + ".mp4" }],
        }]));
        const films = new videograph.ContentLibrary("films", { contents ${more} });
        exports.ids = films.contents.apply((all) => Object.values(all).map(({ contentId }) => contentId));`;

    const accepted = () => sentBy(testbed.emulator, "POST").filter((request) => request.accepted).length;

    /** One object for each key, all in the state, and nothing left to do. */
    async function allIsWell(stack: TestStack, count: number): Promise<void> {
        const ids = (await stack.outputs()).ids as string[];
        assert.equal(ids.length, count);
        assert.deepEqual(objects(testbed).sort(), [...ids].sort());
        assert.equal(new Set(testbed.emulator.contents().map(({ title }) => title)).size, count);
        assert.deepEqual(await requestsOf(testbed.emulator, () => stack.up("--expect-no-changes")), []);
    }

    it("killed in its first up and in an update, with answers under way: the next up goes on, and makes none twice, also where it loses answers and is turned away", async () => {
        const stack = await testbed.stack(library(120));
        // At most 64 requests are under way at once, so it never comes to its end, however long the kill takes.
        testbed.emulator.inject({ ...unanswered, after: 40 });
        await killedUp(testbed, stack, 70);
        const left = testbed.emulator.contents().length;
        assert.ok(left >= 70 && left < 120, `${left} were created`);
        testbed.emulator.inject({ kind: "reset", when: "after", method: "POST", after: 5, times: 5 });
        testbed.emulator.inject({ kind: "status", status: 429, retryAfter: 1, after: 20, times: 20 });
        await stack.up();
        testbed.emulator.clearFaults();
        assert.equal(accepted(), 120 - left);

        await stack.program(library(300));
        testbed.emulator.inject({ ...unanswered, after: 60 });
        await killedUp(testbed, stack, 90);
        const more = testbed.emulator.contents().length;
        assert.ok(more >= 120 + 90 && more < 300, `${more} were created`);
        await stack.up();
        assert.equal(accepted(), 300 - more);
        await allIsWell(stack, 300);
    });

    it("killed, and then without one of its keys: the next up names what that has left, and takes it up once the key is back", async () => {
        const stack = await testbed.stack(library(3));
        testbed.emulator.inject({ kind: "hang", when: "after", method: "POST", title: "Film 2" });
        await killedUp(testbed, stack, 3);
        await stack.program(library(2));
        assert.match((await stack.up()).output, /while it created Content "films\/film-2"\..*VG3011/);
        assert.equal(testbed.emulator.contents().length, 3);
        await stack.program(library(3));
        testbed.emulator.clearRequests();
        await stack.up();
        assert.equal(accepted(), 0);
        assert.equal(((await stack.outputs()).ids as string[]).length, 3);
        assert.equal(objects(testbed).length, 3);
    });
});
