/** P2: a Failed content that the service processes once more by itself is not paid twice (L3, S1), in both faces and in a library. */
import assert from "node:assert/strict";
import { sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";

describe("A Failed content that is Ready by now", () => {
    const testbed = useTestbed();

    it("is kept by the create of its replacement, which finds the object of the row that the engine then deletes (L3)", async () => {
        const args = (title: string) => JSON.stringify({ title, content: [{ url: testbed.media.video() }] });
        const program = ["videograph", "native"]
            .map(
                (face) => `new ${face}.Content("${face}-film", ${args("Film")});
                    new ${face}.ContentLibrary("${face}-films", { contents: { a: ${args("A")}, b: ${args("B")} } });`,
            )
            .join("\n");
        const stack = await testbed.stack(`const native = require("pulumi-videograph/native");\n${program}`);
        const outage = testbed.emulator.inject({ kind: "processing", fail: "out of order" });
        await stack.upOfAllFails(/out of order/);
        outage.remove();
        const ids = testbed.emulator.contents().map(({ contentId }) => contentId);
        assert.equal(ids.length, 6);
        // One of each library stays Failed, and is replaced.
        const stays = testbed.emulator.contents().filter(({ title }) => title === "B");
        for (const { contentId, title } of testbed.emulator.contents())
            if (title !== "B") testbed.emulator.setContentStatus(contentId, "Ready");

        testbed.emulator.clearRequests();
        const { output } = await stack.up();
        assert.match(output, /VG4012/);
        assert.equal(sentBy(testbed.emulator, "POST").length, 2);
        assert.equal(sentBy(testbed.emulator, "DELETE").length, 2);
        const after = new Set(testbed.emulator.contents().map(({ contentId }) => contentId));
        assert.equal(after.size, 6);
        const gone = ids.filter((id) => !after.has(id));
        assert.deepEqual(
            gone,
            stays.map(({ contentId }) => contentId),
        );
    });
});
