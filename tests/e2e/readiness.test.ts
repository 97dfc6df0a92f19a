/** ContentReadiness: one wait for many contents. */
import assert from "node:assert/strict";
import { requestsOf } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";

describe("ContentReadiness", () => {
    const testbed = useTestbed();
    const library = (count: number) => `
        const contents = Array.from({ length: ${count} }, (_, number) => new videograph.Content("episode-" + number, {
            title: "Episode " + number,
            content: [{ url: "${testbed.media.video()}" }],
            waitForReady: false,
        }));
        const ready = new videograph.ContentReadiness("library", {
            contentIds: contents.map((content) => content.contentId),
        });
        exports.contents = ready.contents;`;

    it("waits for all, gives their addresses, and costs nothing of its own afterwards (L2)", async () => {
        const stack = await testbed.stack(library(3));
        testbed.emulator.inject({ kind: "processing", stuck: true });
        const { output } = await stack.upShowing(/creating \(\d+s\) 0\/3 ready: episode-\d/, () => {
            for (const { contentId } of testbed.emulator.contents())
                testbed.emulator.setContentStatus(contentId, "Ready");
        });
        testbed.emulator.clearFaults();
        assert.match(output, /created \([\d.]+s\) 3\/3 ready\s*\n/);
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

    it("fails with the list of those that failed, advises on what applies, and the next up waits for the mended ones", async () => {
        const stack = await testbed.stack(
            library(3).replace(
                /(contentIds: .*)\n\s*\}\);/,
                '$1\n}, { customTimeouts: { create: "3s", update: "3s" } });',
            ),
        );
        const reason = "no video track in https://user:hunter2@media.example.com/hunter2/a.mp4?signature=hunter2";
        stack.secrets.push("hunter2");
        testbed.emulator.inject({ kind: "processing", fail: reason, title: "Episode 0", times: 1 });
        const fault = testbed.emulator.inject({ kind: "processing", stuck: true });
        await stack.upFails(
            /Fix the sources of those that Failed, and the ids .* missing, then run `pulumi up --refresh`\. A plain `pulumi up` only waits again\. \[VG4009\]/,
            /no video track/,
            /- .*Preparing/,
        );
        const [broken, waiting, other] = testbed.emulator
            .contents()
            .toSorted((one, two) => (one.title < two.title ? -1 : 1))
            .map(({ contentId }) => contentId);
        fault.remove();
        for (const id of [waiting, other]) testbed.emulator.setContentStatus(id ?? "", "Ready");
        await stack.up("--refresh");
        assert.deepEqual([...new Set(testbed.emulator.contents().map(({ status }) => status))], ["Ready"]);
        assert.equal(testbed.emulator.contents().length, 3);
        assert.equal(testbed.emulator.content(broken ?? ""), undefined);
    });
});
