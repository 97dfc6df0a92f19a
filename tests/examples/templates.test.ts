/** The template for TypeScript, as `pulumi new` makes a project of it. Those of other languages: native/languages.test.ts. */
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { useTestbed } from "../support/testbed.ts";

const templates = join(import.meta.dirname, "..", "..", "templates");

describe("The template for TypeScript", () => {
    const testbed = useTestbed();

    it("makes a video that is Ready", async () => {
        const stack = await testbed.stack("");
        await rm(join(stack.folder, "index.js"));
        const options = ["--generate-only", "--yes", "--force", "--name", "e2e", "--description", "Videos"];
        await stack.run("new", join(templates, "typescript"), ...options);
        await stack.config("sourceUrl", testbed.media.video());
        await stack.up();
        const { playbackUrl } = await stack.outputs();
        const [{ contentId, status } = assert.fail()] = testbed.emulator.contents();
        assert.ok(status === "Ready" && String(playbackUrl).includes(contentId));
        await stack.destroy();
    });
});
