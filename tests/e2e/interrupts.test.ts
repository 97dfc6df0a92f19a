/** L4, S1 and S8: an `up` that is interrupted or killed loses nothing, and the next one goes on. */
import assert from "node:assert/strict";
import { useLab } from "../support/lab.ts";
import { processesIn } from "../support/processes.ts";
import { declare } from "../support/program.ts";
import { sentBy } from "../support/requests.ts";
import { waitFor } from "../support/waitFor.ts";

describe("An up that is cut short", function () {
    this.timeout(180_000);
    const lab = useLab();
    const trailer = (options?: string) =>
        declare("Content", "trailer", { title: "Trailer", content: [{ url: lab.media.video() }] }, options);
    const polls = () =>
        lab.emulator.requests.filter(({ method, path }) => method === "GET" && /contents\/./.test(path));
    const onlyContent = () => {
        const [content, ...others] = lab.emulator.contents();
        assert.ok(content);
        assert.deepEqual(others, []);
        return content.contentId;
    };

    it("by one Ctrl-C finishes what is running, and the next up does the rest (S8)", async () => {
        lab.emulator.inject({ kind: "processing", stuck: true, title: "Trailer" });
        const stack = await lab.stack(`
            const trailer = new videograph.Content("trailer", {
                title: "Trailer",
                content: [{ url: "${lab.media.video()}" }],
            });
            exports.id = new videograph.Livestream("stage", {
                title: "Stage",
                region: "us-east-1",
            }, { dependsOn: trailer }).id;`);
        const up = stack.start("up", "--yes", "--skip-preview");
        await waitFor("the wait for Ready", () => polls().length > 0);
        up.interrupt();
        await waitFor("the CLI to notice", () => /cancel|interrupt|\^C/i.test(up.output));
        lab.emulator.setContentStatus(onlyContent(), "Ready");
        const result = await up.result;
        assert.notEqual(result.code, 0);
        stack.checkForSecrets(result.output);
        assert.equal(lab.emulator.livestreams().length, 0);
        assert.deepEqual((await stack.state()).pending_operations ?? [], []);
        assert.equal(await stack.resourceId("trailer"), onlyContent());

        await stack.up();
        assert.equal(sentBy(lab.emulator, "POST").filter(({ path }) => path.endsWith("/contents")).length, 1);
        assert.equal(lab.emulator.livestreams().length, 1);
        assert.deepEqual(await stack.planned(), []);
    });

    it("by a second Ctrl-C ends the wait in seconds, and the next up resumes it (S8, L4)", async () => {
        lab.emulator.inject({ kind: "processing", stuck: true });
        const stack = await lab.stack(trailer());
        const up = stack.start("up", "--yes", "--skip-preview");
        await waitFor("the wait for Ready", () => polls().length > 0);
        up.interrupt();
        await waitFor("the CLI to notice", () => /cancel|interrupt|\^C/i.test(up.output));
        const second = performance.now();
        up.interrupt();
        const result = await up.result;
        assert.ok(performance.now() - second < 15_000, "The second Ctrl-C took too long");
        assert.notEqual(result.code, 0);
        const id = onlyContent();
        lab.emulator.setContentStatus(id, "Ready");
        await stack.up();
        assert.equal(await stack.resourceId("trailer"), id);
        assert.equal(onlyContent(), id);
        assert.equal(sentBy(lab.emulator, "POST").length, 1);
        await stack.destroy();
        assert.equal(lab.emulator.contents().length, 0);
    });

    it("by kill -9 while it waits leaves no process, and the next up takes its content (S1, S8)", async () => {
        lab.emulator.inject({ kind: "processing", stuck: true });
        const stack = await lab.stack(trailer());
        const up = stack.start("up", "--yes", "--skip-preview");
        await waitFor("the wait for Ready", () => polls().length > 0);
        if (process.platform === "linux")
            assert.ok(processesIn(stack.folder).some(({ command }) => command.includes("dynamic-provider")));
        up.kill();
        await up.result;
        await noProviderIn(stack.folder);
        const id = onlyContent();
        lab.emulator.setContentStatus(id, "Ready");
        await stack.run("cancel", "--yes");
        await stack.up();
        assert.equal(await stack.resourceId("trailer"), id);
        assert.equal(onlyContent(), id);
        assert.equal(sentBy(lab.emulator, "POST").length, 1, "The content was created twice");
    });

    it("by kill -9 during the create itself leaves exactly one content after the next up (S1)", async () => {
        const stack = await lab.stack(trailer());
        const fault = lab.emulator.inject({ kind: "latency", ms: 5_000, when: "after", method: "POST" });
        const up = stack.start("up", "--yes", "--skip-preview");
        await lab.emulator.waitForRequest(({ method, accepted }) => method === "POST" && accepted, 60_000);
        up.kill();
        await up.result;
        fault.remove();
        await stack.run("cancel", "--yes");
        await stack.up();
        assert.equal(await stack.resourceId("trailer"), onlyContent());
        await stack.destroy();
        assert.equal(lab.emulator.contents().length, 0);
    });
});

/** The language host of the CLI is Pulumi's own and is not looked at. */
async function noProviderIn(folder: string): Promise<void> {
    const providers = () => processesIn(folder).filter(({ command }) => command.includes("dynamic-provider"));
    await waitFor(`the provider in ${folder} to end`, () => providers().length === 0, 60_000);
}
