/** L4, S1 and S8: an `up` that is interrupted loses nothing, and the next one goes on. `kill -9`: see kills.test.ts. */
import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { LoggedRequest } from "videograph-emulator";
import { heldCreates, holds, objects, source, theOne, video } from "../support/law.ts";
import { sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import type { TestStack } from "../support/testStack.ts";
import { waitFor } from "../support/waitFor.ts";

describe("An up that is interrupted", () => {
    const testbed = useTestbed({ fetchSources: false, speed: 5 });
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
        const args = JSON.stringify({ title: "trailer", content: source("a") });
        const stage =
            'new videograph.Livestream("stage", { title: "Stage", region: "us-east-1" }, { dependsOn: trailer });';
        const program = `const trailer = new videograph.Content("trailer", ${args});${stage}`;
        await stack.program(program);
        const once = await interrupted(stack, "trailer");
        testbed.emulator.setContentStatus(idOf("trailer") ?? "", "Ready");
        const { code, output } = await once.result;
        assert.notEqual(code, 0);
        stack.checkForSecrets(output);
        assert.deepEqual(testbed.emulator.livestreams(), []);
        assert.deepEqual((await stack.state()).pending_operations ?? [], []);
        assert.equal(await stack.resourceId("trailer"), idOf("trailer"));

        await stack.program(`${program}${video("second")}`);
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

    it("by two Ctrl-C during a create: the corrected source has the only object, in both faces (K7)", async () => {
        const program = (file: string) => {
            const film = video("film", { content: source(file) });
            return `${film}{ const videograph = native; ${film.replaceAll('"film"', '"native"')} }`;
        };
        const native = 'const native = require("pulumi-videograph/native");\n';
        const titles = ["film", "native"];
        const stack = await testbed.stack(native + program("wrong"));
        // The answers come after the second signal: by then the engine discards what the providers say.
        stack.env.TEST_INTERRUPTED = join(stack.folder, "interrupted");
        const release = heldCreates(testbed);
        const up = stack.start("up", "--yes", "--skip-preview");
        await waitFor("the creates", () => objects(testbed).length === 2);
        const wrong = titles.map((title) => theOne(testbed, title));
        up.interrupt();
        await waitFor("the CLI to notice", () => /\^C received; cancelling/.test(up.output));
        up.interrupt();
        const noticed = async () =>
            (await readdir(stack.folder)).filter((name) => name.startsWith("interrupted")).length;
        await waitFor("the providers to notice", async () => (await noticed()) >= 2);
        release();
        assert.notEqual((await up.result).code, 0);
        assert.deepEqual(await stack.resources(), []);

        await stack.program(native + program("right"));
        await stack.up();
        const right = await Promise.all(titles.map((name) => stack.resourceId(name)));
        assert.ok(right.every((id) => !wrong.includes(id)));
        await holds(testbed, stack, right);
    });
});
