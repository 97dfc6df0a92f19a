/** ContentReadiness: one wait for many contents. What it says of those that fail: tests/unit/resources/contentReadiness.test.ts. */
import assert from "node:assert/strict";
import { advised } from "../support/advised.ts";
import { requestsOf } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";

describe("ContentReadiness", () => {
    const testbed = useTestbed();

    it("fails with the list of those that failed; the next up waits for the mended ones, gives the addresses of all, and costs nothing of its own afterwards (L2)", async () => {
        const stack = await testbed.stack(`
            const contents = Array.from({ length: 3 }, (_, number) => new videograph.Content("episode-" + number, {
                title: "Episode " + number,
                content: [{ url: "${testbed.media.video()}" }],
                waitForReady: false,
            }));
            const contentIds = contents.map((content) => content.contentId);
            const ready = new videograph.ContentReadiness("library", { contentIds }, { customTimeouts: { create: "3s" } });
            exports.contents = ready.contents;`);
        const reason = "no video track in https://user:hunter2@media.example.com/hunter2/a.mp4?signature=hunter2";
        stack.secrets.push("hunter2");
        testbed.emulator.inject({ kind: "processing", fail: reason, title: "Episode 0", times: 1 });
        testbed.emulator.inject({ kind: "processing", stuck: true });
        const failed = await stack.upFails(
            /Fix the sources of those that Failed, and the ids .* missing, then run `pulumi up --refresh`\. A plain `pulumi up` only waits again\. \[VG4009\]/,
            /no video track/,
            /- .*Preparing/,
        );
        const broken = await stack.resourceId("episode-0");
        const makeReady = () => {
            for (const { contentId, status } of testbed.emulator.contents())
                if (status !== "Failed") testbed.emulator.setContentStatus(contentId, "Ready");
        };
        makeReady();
        assert.deepEqual(advised(failed.output, "VG4009"), ["pulumi up --refresh", "pulumi up"]);
        const { output } = await stack.upShowing(/updating .*\/3 ready: episode-0/, makeReady, "--refresh");
        assert.match(output, /updated \([\d.]+s\).* 3\/3 ready\s*\n/);
        assert.equal(testbed.emulator.content(broken), undefined);
        const { contents } = (await stack.outputs()) as { contents: Record<string, unknown>[] };
        assert.equal(contents.length, 3);
        for (const content of contents) {
            assert.equal(content.status, "Ready");
            assert.equal(typeof content.playbackUrl, "string");
            assert.equal(typeof content.duration, "number");
        }
        // The refresh reads the three contents, and the readiness sends nothing.
        const again = await requestsOf(testbed.emulator, () => stack.up("--refresh", "--expect-no-changes"));
        assert.equal(again.length, 3);
    });
});
