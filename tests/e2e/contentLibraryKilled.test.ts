/** A library that is killed or unanswered: exactly one object for each key (S1). In an update: cancelledJob.test.ts; on another machine: lawLostMachine.test.ts. */
import assert from "node:assert/strict";
import { killedUp, objects, unanswered } from "../support/law.ts";
import { sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";

describe("A ContentLibrary that is killed (S1)", () => {
    const testbed = useTestbed({ fetchSources: false, processingTimeMs: 300, speed: 5 });
    before(function () {
        // Elsewhere the provider's process is not found.
        if (process.platform !== "linux") this.skip();
    });

    const library = (count: number, without = "") => `
        const contents = Object.fromEntries(Array.from({ length: ${count} }, (_, index) => ["film-" + index, {
            title: "Film " + index, content: [{ url: "https://media.example.com/" + index + ".mp4" }],
        }]).filter(([, { title }]) => title !== "${without}"));
        const films = new videograph.ContentLibrary("films", { contents });
        exports.ids = films.contents.apply((all) => Object.values(all).map(({ contentId }) => contentId));`;

    const accepted = () => sentBy(testbed.emulator, "POST").filter((request) => request.accepted).length;

    it("goes on with what is under way, also where it loses answers and is turned away; what a removed key has left is named, and taken up once the key is back", async () => {
        const stack = await testbed.stack(library(120));
        // At most 64 requests are under way at once, so it never comes to its end, however long the kill takes.
        testbed.emulator.inject({ ...unanswered, after: 40 });
        await killedUp(testbed, stack, 70);
        const left = testbed.emulator.contents();
        assert.ok(left.length >= 70 && left.length < 120, `${left.length} were created`);

        testbed.emulator.inject({ kind: "reset", when: "after", method: "POST", after: 5, times: 5 });
        testbed.emulator.inject({ kind: "status", status: 429, retryAfter: 1, after: 20, times: 20 });
        const removed = left.at(-1)?.title ?? "";
        await stack.program(library(120, removed));
        const key = removed.toLowerCase().replace(" ", "-");
        assert.match((await stack.up()).output, new RegExp(`while it created Content "films/${key}"\\..*VG3011`));
        testbed.emulator.clearFaults();
        assert.equal(accepted(), 120 - left.length);

        await stack.program(library(120));
        await stack.up();
        assert.equal(accepted(), 120 - left.length);
        const ids = (await stack.outputs()).ids as string[];
        assert.equal(ids.length, 120);
        assert.deepEqual(objects(testbed).sort(), [...ids].sort());
        assert.equal(new Set(testbed.emulator.contents().map(({ title }) => title)).size, 120);
    });
});
