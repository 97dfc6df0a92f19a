/** Outputs that are known to be stale are asked for again, once, by the next run. */
import assert from "node:assert/strict";
import { requestsOf } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";

describe("A content that was not waited for", () => {
    const testbed = useTestbed({}, "native");

    it("or not until it was Ready, has its final outputs in the next up, without a refresh, and sends nothing after that (L4); its state is small (C1)", async () => {
        testbed.emulator.inject({ kind: "processing", stuck: true });
        const stack = await testbed.stack(`
            const content = [{ url: "${testbed.media.video()}" }];
            const trailer = new videograph.Content("trailer", { title: "Trailer", content, waitForReady: false });
            new videograph.Content("late", { title: "Late", content }, { customTimeouts: { create: "5s" } });
            exports.playback = trailer.playbackUrl;
            exports.status = trailer.status;`);
        await stack.upOfAllFails(/\(late\):[^(]*Preparing/);
        assert.notEqual((await stack.outputs()).status, "Ready");
        const ids = [await stack.resourceId("trailer"), await stack.resourceId("late")];
        for (const id of ids) testbed.emulator.setContentStatus(id, "Ready");
        const expected = ids.map((id) => `GET /contents/${id}`);
        assert.deepEqual(new Set(await requestsOf(testbed.emulator, () => stack.up())), new Set(expected));
        const { status, playback } = await stack.outputs();
        assert.equal(status, "Ready");
        assert.match(String(playback), /^http/);
        assert.deepEqual(await requestsOf(testbed.emulator, () => stack.up()), []);
        const { inputs = {}, outputs = {} } = await stack.resource("trailer");
        // The engine keeps what was written twice: as inputs and as outputs.
        const written = ["title", "content", "waitForReady"].map((name) => JSON.stringify(inputs[name])).join();
        const beyond = JSON.stringify(inputs).length + JSON.stringify(outputs).length - 2 * written.length;
        assert.ok(beyond > 0 && beyond <= 1024, `${beyond} bytes beyond what was written`);
    });
});
