/**
 * Bun in the place of Node, for a program in both faces and for both provider processes. Where there is no Bun (1.4 or newer) on the PATH it is skipped: it is 100 MB, and none of
 * the package's users needs it but those who have it. `npx --package=bun@1.4 mocha tests/e2e/bun.test.ts` gets one.
 */
import assert from "node:assert/strict";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findProgram } from "../../tools/pulumiCli/index.ts";
import { sent } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";

describe("Bun as the runtime", () => {
    const testbed = useTestbed();

    it("creates, changes, refreshes and destroys in both faces, and looks up", async function () {
        const bun = findProgram("bun");
        if (bun === undefined) return this.skip();
        const program = (title: string) => `
            const content = [{ url: "${testbed.media.video()}" }];
            const trailer = new videograph.Content("trailer", { title: "Trailer", content });
            new native.Content("film", { title: "${title}", content });
            new videograph.Livestream("stage", { title: "Stage", region: "us-east-1" });
            exports.runtime = String(process.versions.bun);
            exports.title = videograph.getContentOutput({ contentId: trailer.id }).title;
            exports.keys = native.getSigningKeysOutput({}).keys.length;`;
        const stack = await testbed.stack(program("Film"));
        // Bun knows no flags of V8.
        const path = join(stack.folder, "bun-as-node");
        await writeFile(path, `#!/bin/sh\ncase "$1" in --max*) shift ;; esac\nexec ${JSON.stringify(bun)} "$@"\n`);
        await chmod(path, 0o755);
        stack.env.TEST_NODE_PATH = path;
        await stack.up();
        const { runtime, title, keys } = await stack.outputs();
        assert.match(String(runtime), /^\d/);
        assert.deepEqual([title, typeof keys], ["Trailer", "number"]);
        await stack.program(program("Other film"));
        await stack.up();
        assert.deepEqual(
            testbed.emulator
                .contents()
                .map((one) => one.title)
                .sort(),
            ["Other film", "Trailer"],
        );
        await stack.refresh();
        await stack.up("--expect-no-changes");
        await stack.destroy();
        assert.deepEqual([testbed.emulator.contents(), testbed.emulator.livestreams()], [[], []]);
        const writes = sent(testbed.emulator).filter((request) => /^(POST|PUT)/.test(request));
        assert.equal(writes.length, 4);
    });
});
