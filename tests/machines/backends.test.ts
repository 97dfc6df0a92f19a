/** A stack that moves to another backend in one command (P3), as docs/guides/moving-stacks.md says. */
import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { secretsProvider } from "../support/keyService.ts";
import { objects, source, stream } from "../support/law.ts";
import { declare } from "../support/program.ts";
import { sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";

describe("pulumi stack migrate", () => {
    const testbed = useTestbed({ fetchSources: false });

    it("leaves every object as it is, and the old stack's record goes without its videos", async () => {
        const native = declare("Content", "film", { title: "Film", content: source("film") }).replace(
            "videograph.",
            "native.",
        );
        const stack = await testbed.stack(stream("stage") + native);
        await stack.up();
        const made = objects(testbed);
        testbed.emulator.clearRequests();
        const before = stack.environment.PULUMI_BACKEND_URL ?? "";
        await mkdir(join(stack.folder, "second"));
        stack.env.PULUMI_BACKEND_URL = `file://${join(stack.folder, "second")}`;
        const { output } = await stack.run(
            "stack",
            "migrate",
            before,
            "test",
            "--yes",
            "--secrets-provider",
            secretsProvider,
        );
        assert.doesNotMatch(output, /warning/i);
        await stack.preview("--expect-no-changes", "--stack", "test");
        // What the guide warns of: the old state still has them all.
        stack.env.PULUMI_BACKEND_URL = before;
        assert.match((await stack.run("destroy", "--preview-only", "--stack", "test")).output, /3 to delete/);
        stack.sharedState = () =>
            readFile(join(stack.folder, "second", ".pulumi", "stacks", "e2e", "test.json"), "utf8");
        await stack.run("stack", "rm", "test", "--yes", "--force", "--preserve-config");
        assert.deepEqual(sentBy(testbed.emulator, "POST", "PUT", "DELETE"), []);
        assert.deepEqual(objects(testbed), made);
        stack.env.PULUMI_BACKEND_URL = `file://${join(stack.folder, "second")}`;
        await stack.run("destroy", "--yes", "--skip-preview", "--stack", "test");
        assert.deepEqual(objects(testbed), []);
    });
});
