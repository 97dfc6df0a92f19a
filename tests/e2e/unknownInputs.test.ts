/** D8: what a preview of the dynamic types does not know yet is planned as a replacement, and the row says so. */
import assert from "node:assert/strict";
import { requestsOf } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";

describe("A source that a preview does not know yet", () => {
    const testbed = useTestbed();

    it("is planned as a replacement with a line that says why, is none in the update, and is none with a version (L9, S5)", async () => {
        const program = (title: string) => `
            const source = [{ url: "${testbed.media.video()}" }];
            const film = new videograph.Content("film", { title: "${title}", content: source });
            const url = film.status.apply(() => "${testbed.media.video("another.mp4")}");
            new videograph.Content("copy", { title: "Copy", content: [{ url }] }, { protect: true });
            new videograph.Content("versioned", { title: "Versioned", content: [{ url }], sourceVersion: "1" }, { protect: true });
            const entry = { title: "Entry", content: [{ url }] };
            new videograph.ContentLibrary("films", { contents: { entry, other: { title: "Other", content: source } } });`;
        const stack = await testbed.stack(program("One"));
        await stack.up();
        const ids = [await stack.resourceId("copy"), await stack.resourceId("versioned")];

        await stack.program(program("Two"));
        const { output } = await stack.previewFails(
            /content: not known in this preview.*Content copy .*is only replaced if.*VG4029/s,
            /protect/,
        );
        assert.doesNotMatch(output, /Content versioned .*replace/);
        const requests = await requestsOf(testbed.emulator, () => stack.up());
        assert.match(requests.join(), /^GET [^,]+,PUT [^,]+$/);
        assert.deepEqual([await stack.resourceId("copy"), await stack.resourceId("versioned")], ids);
    });
});
