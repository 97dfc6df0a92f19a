/** Runs that lost nothing say nothing of interruptions. (K9, K25) */
import assert from "node:assert/strict";
import { holds, objects, source, theOne } from "../support/law.ts";
import { useTestbed } from "../support/testbed.ts";

describe("Runs that ended well, or failed in order", () => {
    const testbed = useTestbed({ fetchSources: false }, "native");
    const alarm = /VG3\d{3}|interrupted|warning/i;

    it("give no alarm: 40 contents and their destroy (K9), a refused delete and what follows (K25), in both faces", async () => {
        const count = 40;
        const stack = await testbed.stack(`
            const faces = [videograph, require("pulumi-videograph")];
            for (let index = 0; index < ${count}; index++) {
                const content = ${JSON.stringify(source("a"))};
                new faces[index % 2].Content("film" + index, { title: "Film " + index, content, waitForReady: false });
            }`);
        const quiet = ({ output }: { output: string }) => assert.doesNotMatch(output, alarm);
        quiet(await stack.up("--parallel", "60"));
        assert.equal(objects(testbed).length, count);
        const refused = ["Film 2", "Film 3"].map((title) => theOne(testbed, title));
        for (const id of refused)
            testbed.emulator.inject({ kind: "status", status: 403, method: "DELETE", path: `/contents/${id}` });
        const failed = await stack.attempt(
            "destroy",
            "--yes",
            "--skip-preview",
            "--continue-on-error",
            "--parallel",
            "60",
        );
        assert.notEqual(failed.code, 0);
        testbed.emulator.clearFaults();
        assert.deepEqual(objects(testbed).sort(), refused.toSorted());
        quiet(await stack.up("--parallel", "60"));
        assert.ok(refused.every((id) => objects(testbed).includes(id)));
        await holds(testbed, stack, objects(testbed));
        quiet(await stack.destroy("--parallel", "60"));
        assert.deepEqual(objects(testbed), []);
    });
});
