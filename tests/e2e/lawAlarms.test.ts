/** Runs that lost nothing say nothing of interruptions. (K9, K25) */
import assert from "node:assert/strict";
import { holds, objects, source, theOne, video } from "../support/law.ts";
import { useTestbed } from "../support/testbed.ts";

describe("Runs that ended well, or failed in order", () => {
    const testbed = useTestbed({ fetchSources: false }, "native");
    const alarm = /VG3\d{3}|interrupted|warning/i;

    it("give no alarm: 60 contents and their destroy (K9), a refused delete and what follows (K25), in both faces", async () => {
        const stack = await testbed.stack("");
        const both = `const faces = [videograph, require("pulumi-videograph")];\n`;
        await stack.program(`${both}
                for (let index = 0; index < 60; index++) {
                    const content = ${JSON.stringify(source("a"))};
                    new faces[index % 2].Content("film" + index, { title: "Film " + index, content, waitForReady: false });
                }`);
        assert.doesNotMatch((await stack.up("--parallel", "60")).output, alarm);
        assert.equal(objects(testbed).length, 60);
        assert.doesNotMatch((await stack.destroy("--parallel", "60")).output, alarm);
        assert.deepEqual(objects(testbed), []);

        const refused = ["two", "dynamic"];
        await stack.program(
            `${both}${video("one")}${video("two")}${video("dynamic").replace("videograph", "faces[1]")}`,
        );
        await stack.up();
        for (const title of refused) {
            const path = `/contents/${theOne(testbed, title)}`;
            testbed.emulator.inject({ kind: "status", status: 403, method: "DELETE", path });
        }
        const failed = await stack.attempt("destroy", "--yes", "--skip-preview", "--continue-on-error");
        assert.notEqual(failed.code, 0);
        testbed.emulator.clearFaults();
        const again = await stack.up();
        assert.doesNotMatch(again.output, alarm);
        await holds(
            testbed,
            stack,
            ["one", ...refused].map((title) => theOne(testbed, title)),
        );
        assert.doesNotMatch((await stack.destroy()).output, alarm);
        assert.deepEqual(objects(testbed), []);
    });
});
