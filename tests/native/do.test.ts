/** `pulumi do`: the objects of the service by verbs, without a program; with `--stateless` without a state, too. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { install } from "../../provider/dist/native/install.js";
import { stream } from "../support/law.ts";
import { useTestbed } from "../support/testbed.ts";
import type { TestStack } from "../support/testStack.ts";

const plugin = join(import.meta.dirname, "..", "..", "provider", "plugin", "pulumi-resource-videograph");

describe("pulumi do", () => {
    const testbed = useTestbed({}, "native");
    let stack: TestStack;
    const run = async (...args: string[]) => {
        const { output } = await stack.run("do", "--package", plugin, "--stateless", ...args);
        // There is no state to be read.
        assert.doesNotMatch(output, /VG3038/);
        return output;
    };
    const sent = () => testbed.emulator.requests.map(({ method }) => method).filter((method) => method !== "GET");

    const livestreams = () =>
        testbed.emulator.livestreams().map(({ streamUUID, title }) => ({ id: streamUUID, title }));
    const contents = () => testbed.emulator.contents().map(({ contentId, title }) => ({ id: contentId, title }));
    const inputs = ["--yes", "--input", "pcl", "--input-file", "inputs.pp", "--title"];

    beforeEach(async () => {
        stack = await testbed.stack("");
        stack.env.PULUMI_EXPERIMENTAL = "true";
        await stack.write("inputs.pp", 'region = "us-east-1"\n');
    });

    it("without a state: create, dry run, read, list, function, patch, upsert and delete, of objects that no stack takes over (S1, S9, N2)", async () => {
        const type = "videograph:Livestream";
        await run(type, "create", ...inputs, "Not yet", "--dry-run");
        assert.deepEqual(livestreams(), []);
        await run(type, "create", ...inputs, "One");
        const [{ id } = assert.fail("Nothing was created")] = livestreams();
        assert.match(
            await run(type, "read", id),
            /title *: "One"[\s\S]*streamKey *: \[secret\]|streamKey *: \[secret\][\s\S]*title *: "One"/,
        );
        assert.match(await run("videograph:getLivestream", "--stream-uuid", id), /"title": "One"/);
        // Of a content that exists the program's inputs are not known: it is patched in place all the same.
        const { contentId } = testbed.emulator.addContent({ title: "One", mp4_support: true });
        const listed = JSON.parse(await run("videograph:Content", "list", "--status", "Ready"));
        assert.deepEqual(listed, [{ id: contentId, name: "One" }]);
        testbed.emulator.clearRequests();
        const patched = await run("videograph:Content", "patch", contentId, "--yes", "--title", "Two");
        assert.match(patched, /diff: ~title\]/);
        assert.doesNotMatch(patched, /replaces the resource/);
        assert.doesNotMatch(await run(type, "upsert", id, ...inputs, "Three"), /replaces the resource/);
        assert.deepEqual(sent(), ["PUT", "PUT"]);
        assert.deepEqual(contents(), [{ id: contentId, title: "Two" }]);
        assert.deepEqual(livestreams(), [{ id, title: "Three" }]);
        // Two creates are two objects, although the engine has one name for both, which a stack may use as well (K10).
        await run(type, "create", ...inputs, "Four");
        assert.equal(livestreams().length, 2);
        await run(type, "delete", id, "--yes");
        await stack.rename("default", "dev");
        await stack.program(stream("Livestream", { title: "Four" }));
        await stack.up();
        assert.deepEqual(
            livestreams().map(({ title }) => title),
            ["Four", "Four"],
        );
    });

    it("in a stack: objects of the state, by name, which `up` leaves alone", async () => {
        // The state names the plugin, not its path.
        const { version } = JSON.parse(await readFile(join(dirname(plugin), "schema.json"), "utf8"));
        install(dirname(plugin), join(stack.folder, "home", "plugins"), `resource-videograph-v${version}`);
        const verb = (...args: string[]) => stack.run("do", ...args);
        const type = "videograph:Content";
        await stack.write("inputs.pp", `content = [{ url = "${testbed.media.video()}" }]\n`);
        await verb(type, "create", "film", ...inputs, "One");
        const [{ id } = assert.fail("Nothing was created")] = contents();
        assert.equal(await stack.resourceId("film"), id);
        await verb(type, "patch", "film", "--yes", "--title", "Two");
        assert.deepEqual(contents(), [{ id, title: "Two" }]);
        assert.match((await stack.preview("--expect-no-changes")).output, /2 unchanged/);
        await verb(type, "delete", "film", "--yes");
        assert.deepEqual(contents(), []);
    });
});
