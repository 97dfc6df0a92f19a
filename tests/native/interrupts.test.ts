/** N1: an `up` through the plugin that is interrupted or killed loses nothing, and the next one goes on. `kill -9` at every moment: e2e/kills.test.ts. */
import assert from "node:assert/strict";
import { useTestbed } from "../support/testbed.ts";
import type { TestStack } from "../support/testStack.ts";
import { waitFor } from "../support/waitFor.ts";

describe("An up through the plugin that is cut short", () => {
    const testbed = useTestbed({}, "native");
    const ids = () =>
        testbed.emulator
            .contents()
            .filter(({ title }) => title === "One")
            .map(({ contentId }) => contentId)
            .sort();
    const idsInState = async (stack: TestStack) =>
        (await stack.resources())
            .filter(({ type }) => !type.endsWith(":ContentReadiness"))
            .map(({ id }) => String(id))
            .sort();
    const library = (contents: number) => `
        for (let index = 0; index < ${contents}; index++)
            new videograph.Content("video-" + index, { title: "One", content: [{ url: "${testbed.media.video()}" }] });\n`;

    it("by the first Ctrl-C ends every wait at once, one for very many contents too, with every id in the state (N1)", async () => {
        testbed.emulator.inject({ kind: "processing", stuck: true });
        const [count, parallel] = [20, ["--parallel", "21"]];
        const others = Array.from({ length: 2_000 }, () => testbed.emulator.addContent({ title: "Other" }));
        const contentIds = others.map(({ contentId }) => contentId);
        for (const id of contentIds) testbed.emulator.setContentStatus(id, "Preparing");
        const stack = await testbed.stack(
            `${library(count)}new videograph.ContentReadiness("readiness", { contentIds: ${JSON.stringify(contentIds)} });`,
        );
        const up = stack.start("up", "--yes", "--skip-preview", ...parallel);
        await waitFor("all contents", () => ids().length === count);
        await waitFor("the wait for the others", () => up.output.includes("0/2,000 ready"));
        up.interrupt();
        // Its contents are stuck: nothing else ends it.
        const result = await up.result;
        assert.notEqual(result.code, 0);
        stack.checkForSecrets(result.output);
        assert.deepEqual(await idsInState(stack), ids());
        const { outputs = {}, id } = await stack.resource("readiness");
        assert.match(String(id), /^readiness-/);
        assert.deepEqual(outputs.contentIds, contentIds);
        assert.deepEqual((await stack.state()).pending_operations ?? [], []);

        for (const id of ids()) testbed.emulator.setContentStatus(id, "Ready");
        testbed.emulator.clearRequests();
        await stack.program(library(count));
        await stack.up(...parallel);
        assert.deepEqual([...new Set(testbed.emulator.requests.map(({ method }) => method))], ["GET"]);
        assert.deepEqual(await idsInState(stack), ids());
    });
});
