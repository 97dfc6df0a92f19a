/** A plugin that a debugger has started, and that the CLI attaches to. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { hasEnded } from "../support/processes.ts";
import { useTestbed } from "../support/testbed.ts";

const plugin = join(import.meta.dirname, "..", "..", "provider", "plugin", "pulumi-resource-videograph");

describe("A plugin that was started without an engine", () => {
    const testbed = useTestbed({}, "native");
    let child: ChildProcess;
    let said = "";
    afterEach(async () => {
        if (hasEnded(child)) return;
        child.kill("SIGKILL");
        await once(child, "exit");
    });

    it("says how it is attached to, and serves preview, up and destroy, with progress on the rows", async () => {
        const stack = await testbed.stack(`
            new videograph.Content("trailer", { title: "Trailer", content: [{ url: "${testbed.media.video()}" }] });`);
        child = spawn(plugin, [], { cwd: stack.folder, env: { ...stack.environment, VIDEOGRAPH_BASE_URL: undefined } });
        assert.ok(child.stdout && child.stderr);
        child.stderr.on("data", (text) => {
            said += text;
        });
        const [port] = await once(createInterface(child.stdout), "line");
        assert.match(said, /PULUMI_DEBUG_PROVIDERS=videograph:<port>/);
        stack.env.PULUMI_DEBUG_PROVIDERS = `videograph:${port}`;
        // The settings are the stack's: the plugin has the environment of whoever started it.
        await stack.config("videograph:baseUrl", testbed.emulator.url);
        await stack.config("videograph:accessTokenId", testbed.emulator.token.id);
        await stack.config("videograph:secretKey", testbed.emulator.token.secret, "secret");
        testbed.emulator.inject({ kind: "processing", stuck: true });
        await stack.preview();
        await stack.upShowing(/Content trailer creating .*Preparing/, () => {
            const [{ contentId = "" } = {}] = testbed.emulator.contents();
            testbed.emulator.setContentStatus(contentId, "Ready");
        });
        assert.equal(testbed.emulator.contents().length, 1);
        // What was released is not taken up because one process has served both runs.
        await stack.run("stack", "export", "--file=state.json");
        const { urn, id } = await stack.resource("trailer");
        await stack.run("state", "delete", urn, "--yes");
        testbed.emulator.clearFaults();
        await stack.up();
        assert.notEqual(await stack.resourceId("trailer"), id);
        await stack.destroy();
        await stack.run("stack", "import", "--file=state.json");
        await stack.preview("--expect-no-changes");
        assert.equal(hasEnded(child), false);
    });
});
