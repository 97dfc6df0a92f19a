/** Outputs that are known to be stale are asked for again, once, by the next run. */
import assert from "node:assert/strict";
import { requestsOf } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";

describe("A content that was not waited for", function () {
    this.timeout(120_000);
    const testbed = useTestbed({}, "native");

    it("has its final outputs in the next up, without a refresh, and sends nothing after that", async () => {
        testbed.emulator.inject({ kind: "processing", stuck: true });
        const stack = await testbed.stack(`
            const content = [{ url: "${testbed.media.video()}" }];
            const trailer = new videograph.Content("trailer", { title: "Trailer", content, waitForReady: false });
            exports.playback = trailer.playbackUrl;
            exports.status = trailer.status;`);
        await stack.up();
        assert.notEqual((await stack.outputs()).status, "Ready");
        const [{ contentId } = assert.fail("There is no content")] = testbed.emulator.contents();
        testbed.emulator.setContentStatus(contentId, "Ready");
        assert.deepEqual(await requestsOf(testbed.emulator, () => stack.up()), [`GET /contents/${contentId}`]);
        const { status, playback } = await stack.outputs();
        assert.equal(status, "Ready");
        assert.match(String(playback), /^http/);
        assert.deepEqual(await requestsOf(testbed.emulator, () => stack.up()), []);
    });
});
