/** Runs that lost nothing say nothing of interruptions. (K9, K25) */
import assert from "node:assert/strict";
import { objects, source, theOne } from "../support/law.ts";
import { useTestbed } from "../support/testbed.ts";

describe("Runs that ended well, or failed in order", () => {
    const testbed = useTestbed({ fetchSources: false }, "native");
    const alarm = /VG3\d{3}|interrupted|warning/i;

    it("give no alarm: 20 contents and their destroy (K9), a refused delete and the next one (K25), in both faces, which share all names (S1)", async () => {
        const count = 20;
        const stack = await testbed.stack(`
            const faces = [native, dynamic];
            for (let index = 0; index < ${count}; index++) {
                const content = ${JSON.stringify(source("a"))};
                // A name that both faces use is that of two resources.
                new faces[index % 2].Content("film" + (index >> 1), { title: "Film " + index, content, waitForReady: false });
            }
            for (const { Livestream, ContentLibrary } of faces) {
                new Livestream("stage", { title: "Stage", region: "us-east-1" });
                new ContentLibrary("films", { contents: { ice: { title: "Ice", content: ${JSON.stringify(source("a"))} } } });
            }`);
        const quiet = ({ output }: { output: string }) => assert.doesNotMatch(output, alarm);
        quiet(await stack.up("--parallel", "60"));
        assert.equal(objects(testbed).length, count + 4);
        // Each with its own object; those of the entries are in the rows of their libraries.
        const ids = new Set((await stack.resources()).map(({ id }) => id));
        assert.equal(objects(testbed).filter((id) => ids.has(id)).length, count + 2);
        const refused = ["Film 2", "Film 3"].map((title) => theOne(testbed, title));
        for (const id of refused)
            testbed.emulator.inject({ kind: "status", status: 403, method: "DELETE", path: `/contents/${id}` });
        const all = ["--skip-preview", "--continue-on-error", "--parallel", "60"];
        const failed = await stack.attempt("destroy", "--yes", ...all);
        assert.notEqual(failed.code, 0);
        testbed.emulator.clearFaults();
        assert.deepEqual(objects(testbed).sort(), refused.toSorted());
        quiet(await stack.destroy("--parallel", "60"));
        assert.deepEqual(objects(testbed), []);
    });
});
