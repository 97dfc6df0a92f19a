/** A resource of one name in each face is two resources. */
import assert from "node:assert/strict";
import { objects } from "../support/law.ts";
import { declare } from "../support/program.ts";
import { useTestbed } from "../support/testbed.ts";

describe("A name that a program uses in both faces", () => {
    const testbed = useTestbed({ fetchSources: false, speed: 5 });

    it("is that of two resources, each with its own object (S1)", async () => {
        const stack = await testbed.stack("");
        const film = { title: "film", content: [{ url: "https://media.example.com/a.mp4" }] };
        const declared = [
            declare("Content", "film", film),
            declare("Livestream", "stage", { title: "stage", region: "us-east-1" }),
            declare("ContentLibrary", "films", { contents: { ice: { ...film, title: "ice" } } }),
        ].join("\n");
        const native = declared.replaceAll("videograph.", "native.").replaceAll('exports["', 'exports["native-');
        await stack.program(`const native = require("pulumi-videograph/native");\n${declared}\n${native}`);
        const { output } = await stack.up();
        assert.doesNotMatch(output, /VG3005/);
        assert.equal(objects(testbed).length, 6);
        await stack.up("--expect-no-changes");
        await stack.destroy();
        assert.deepEqual(objects(testbed), []);
    });
});
