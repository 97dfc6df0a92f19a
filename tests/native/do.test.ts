/** `pulumi do`: the objects of the service by verbs, without a program; with `--stateless` without a state, too. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { install } from "../../provider/dist/native/install.js";
import { describe as told } from "../support/pulumiRun.ts";
import { useTestbed } from "../support/testbed.ts";
import type { TestStack } from "../support/testStack.ts";

const plugin = join(import.meta.dirname, "..", "..", "provider", "plugin", "pulumi-resource-videograph");

describe("pulumi do", function () {
    this.timeout(300_000);
    const testbed = useTestbed({}, "native");
    let stack: TestStack;
    /** Every run is searched for secrets. */
    const run = async (...args: string[]) => {
        const result = await stack.attempt("do", "--package", plugin, "--stateless", ...args);
        assert.equal(result.code, 0, told(result));
        return result.output;
    };
    const sent = () => testbed.emulator.requests.map(({ method }) => method).filter((method) => method !== "GET");

    const kinds = {
        Content: {
            inputs: () => `content = [{ url = "${testbed.media.video()}" }]\n`,
            objects: () => testbed.emulator.contents().map(({ contentId, title }) => ({ id: contentId, title })),
            list: ["--status", "Ready"],
            lookup: (id: string) => ["videograph:getContent", "--content-id", id],
        },
        Livestream: {
            inputs: () => 'region = "us-east-1"\n',
            objects: () => testbed.emulator.livestreams().map(({ streamUUID, title }) => ({ id: streamUUID, title })),
            list: ["--record=false"],
            lookup: (id: string) => ["videograph:getLivestream", "--stream-uuid", id],
        },
    };

    beforeEach(async () => {
        stack = await testbed.stack("");
        stack.env.PULUMI_EXPERIMENTAL = "true";
    });

    /** Every other run of this file is searched for it. */
    async function showsSecretsWhenAsked(id: string): Promise<void> {
        assert.match(await run("videograph:Livestream", "read", id), /streamKey *: \[secret\]/);
        const args = ["--package", plugin, "--stateless", "videograph:Livestream", "read", id, "--show-secrets"];
        const { output } = await stack.start("do", ...args).result;
        const [{ streamKey } = assert.fail("There is no livestream")] = testbed.emulator.livestreams();
        assert.match(output, new RegExp(`streamKey *: "${streamKey}"`));
    }

    for (const [kind, { inputs, objects, list, lookup }] of Object.entries(kinds)) {
        const type = `videograph:${kind}`;
        const create = (title: string, ...args: string[]) =>
            run(type, "create", "--yes", "--input", "pcl", "--input-file", "inputs.pp", "--title", title, ...args);

        it(`${kind}: create, dry run, read, list, function, patch, upsert and delete`, async () => {
            await stack.write("inputs.pp", inputs());
            await create("Not yet", "--dry-run");
            assert.deepEqual(objects(), []);
            await create("One");
            const [{ id } = assert.fail("Nothing was created")] = objects();
            assert.match(await run(type, "read", id), /title *: "One"/);
            if (kind === "Livestream") await showsSecretsWhenAsked(id);
            assert.deepEqual(JSON.parse(await run(type, "list", "--title", "One", ...list)), [{ id, name: "One" }]);
            assert.deepEqual(JSON.parse(await run(type, "list", "--title", "None")), []);
            assert.match(await run(...lookup(id)), /"title": "One"/);
            testbed.emulator.clearRequests();
            const preview = await run(type, "patch", id, "--yes", "--title", "Two", "--dry-run");
            assert.match(preview, /diff: ~title\]/);
            assert.deepEqual(sent(), []);
            const patched = await run(type, "patch", id, "--yes", "--title", "Two");
            assert.match(patched, /diff: ~title\]/);
            assert.doesNotMatch(patched, /replaces the resource/);
            const again = ["--input", "pcl", "--input-file", "inputs.pp", "--title", "Three"];
            assert.doesNotMatch(await run(type, "upsert", id, "--yes", ...again), /replaces the resource/);
            assert.deepEqual(sent(), ["PUT", "PUT"]);
            assert.deepEqual(objects(), [{ id, title: "Three" }]);
            await run(type, "delete", id, "--yes", "--dry-run");
            assert.equal(objects().length, 1);
            await run(type, "delete", id, "--yes");
            assert.deepEqual(objects(), []);
        });

        it(`${kind}: two creates are two objects, although the engine has one name for both (K10)`, async () => {
            await stack.write("inputs.pp", inputs());
            await create("One");
            await create("Two");
            assert.deepEqual(
                objects()
                    .map(({ title }) => title)
                    .sort(),
                ["One", "Two"],
            );
        });
    }

    it("in a stack: objects of the state, by name, which `up` leaves alone", async () => {
        // The state names the plugin, not its path.
        const { version } = JSON.parse(await readFile(join(dirname(plugin), "schema.json"), "utf8"));
        install(dirname(plugin), join(stack.folder, "home", "plugins"), `resource-videograph-v${version}`);
        const verb = (...args: string[]) => stack.run("do", ...args);
        for (const [kind, { inputs, objects }] of Object.entries(kinds)) {
            const type = `videograph:${kind}`;
            const given = ["--yes", "--input", "pcl", "--input-file", "inputs.pp"];
            await stack.write("inputs.pp", inputs());
            await verb(type, "create", kind, ...given, "--title", "One");
            const [{ id } = assert.fail("Nothing was created")] = objects();
            assert.equal(await stack.resourceId(kind), id);
            const again = await stack.attempt("do", type, "create", kind, ...given, "--title", "Twin");
            assert.notEqual(again.code, 0, told(again));
            await verb(type, "patch", kind, "--yes", "--title", "Two");
            await verb(type, "upsert", kind, ...given, "--title", "Three");
            assert.deepEqual(objects(), [{ id, title: "Three" }]);
        }
        assert.match((await verb("show-resources")).output, /Content .*\nLivestream /);
        assert.match((await stack.preview("--expect-no-changes")).output, /3 unchanged/);
        for (const kind of Object.keys(kinds)) await verb(`videograph:${kind}`, "delete", kind, "--yes");
        assert.deepEqual([...testbed.emulator.contents(), ...testbed.emulator.livestreams()], []);
    });
});
