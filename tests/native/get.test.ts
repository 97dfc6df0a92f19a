/** What `.get` reads is the object of whoever manages it: engines since 3.274 ask for it as for an import. */
import assert from "node:assert/strict";
import { sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";

describe("An object that a stack manages", () => {
    const testbed = useTestbed({ processingTimeMs: 0 });

    it("is read by get in that stack and in another, in both faces, and imported by none (VG6004, S9)", async () => {
        const inputs = JSON.stringify({ title: "Film", content: [{ url: testbed.media.video() }] });
        const film = `new native.Content("film", ${inputs});`;
        const owner = await testbed.stack(film);
        await owner.up();
        const [{ contentId, metadata } = { contentId: "", metadata: {} }] = testbed.emulator.contents();
        const gets = `for (const [face, { Content }] of Object.entries({ videograph, native }))
            exports[face] = Content.get(face, "${contentId}").title;`;
        const titles = { videograph: "Film", native: "Film" };

        // Read before the stack's own resource is looked at.
        await owner.program(`${gets}\n${film}`);
        await owner.up();
        assert.deepEqual(await owner.outputs(), titles);

        const other = await testbed.stack(gets);
        await other.up();
        assert.deepEqual(await other.outputs(), titles);
        await other.up("--refresh", "--expect-no-changes");
        const taken = film.replace(`"film", ${inputs}`, `"taken", ${inputs}, { import: "${contentId}" }`);
        await other.program(taken);
        await other.previewFails(/already managed by Pulumi as e2e\/test\/film.*VG6004/);
        await other.program("");
        await other.up();
        assert.deepEqual([sentBy(testbed.emulator, "PUT"), sentBy(testbed.emulator, "DELETE")], [[], []]);
        assert.deepEqual(testbed.emulator.contents()[0]?.metadata, metadata);
    });
});
