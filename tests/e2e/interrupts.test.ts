/** L4 and S8: an `up` that is interrupted loses nothing, and the next one goes on. `kill -9`: see kills.test.ts. */
import assert from "node:assert/strict";
import type { LoggedRequest } from "videograph-emulator";
import { sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import type { TestStack } from "../support/testStack.ts";
import { waitFor } from "../support/waitFor.ts";

describe("An up that is interrupted", () => {
    const testbed = useTestbed({ fetchSources: false });
    const video = (title: string) =>
        `new videograph.Content("${title}", { title: "${title}", content: [{ url: "https://media.example.com/a.mp4" }] })`;
    const idOf = (title: string) => testbed.emulator.contents().find((content) => content.title === title)?.contentId;

    /** An `up` whose first Ctrl-C comes while it waits for the content with that title. */
    async function interrupted(stack: TestStack, title: string) {
        testbed.emulator.inject({ kind: "processing", stuck: true, title });
        const up = stack.start("up", "--yes", "--skip-preview");
        const isPoll = ({ method, path }: LoggedRequest) => method === "GET" && path.endsWith(`/${idOf(title)}`);
        await testbed.emulator.waitForRequest(isPoll, 300_000);
        up.interrupt();
        await waitFor("the CLI to notice", () => /cancel|interrupt|\^C/i.test(up.output));
        return up;
    }

    it("by one Ctrl-C finishes what is running, by a second one ends the wait in seconds; the next up does the rest (S8, L4)", async () => {
        const stack = await testbed.stack("");
        const stage =
            'new videograph.Livestream("stage", { title: "Stage", region: "us-east-1" }, { dependsOn: trailer });';
        const program = `const trailer = ${video("trailer")};${stage}`;
        await stack.program(program);
        const once = await interrupted(stack, "trailer");
        testbed.emulator.setContentStatus(idOf("trailer") ?? "", "Ready");
        const { code, output } = await once.result;
        assert.notEqual(code, 0);
        stack.checkForSecrets(output);
        assert.deepEqual(testbed.emulator.livestreams(), []);
        assert.deepEqual((await stack.state()).pending_operations ?? [], []);
        assert.equal(await stack.resourceId("trailer"), idOf("trailer"));

        await stack.program(`${program}${video("second")};`);
        const twice = await interrupted(stack, "second");
        twice.interrupt();
        const ended = await twice.result;
        assert.notEqual(ended.code, 0);
        // Said by the provider, which the engine kills 5 s after the signal.
        assert.match(
            ended.output,
            /\(second\):\s+The run was interrupted\. Run the same command again to continue\. \[VG3014\]/,
        );

        testbed.emulator.setContentStatus(idOf("second") ?? "", "Ready");
        await stack.up();
        assert.equal(await stack.resourceId("second"), idOf("second"));
        assert.equal(sentBy(testbed.emulator, "POST").length, 3);
        assert.deepEqual([testbed.emulator.contents().length, testbed.emulator.livestreams().length], [2, 1]);
    });
});
