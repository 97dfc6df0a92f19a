/** `pulumi do --stateless`: the objects of the service by verbs, without a program and without a state. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { useLab } from "../support/lab.ts";
import { describe as told } from "../support/pulumiRun.ts";
import type { TestStack } from "../support/testStack.ts";

const plugin = join(import.meta.dirname, "..", "..", "provider", "plugin", "pulumi-resource-videograph");

describe("pulumi do", function () {
    this.timeout(300_000);
    const lab = useLab({}, "native");
    let stack: TestStack;
    /** Every run is searched for secrets. */
    const run = async (...args: string[]) => {
        const result = await stack.attempt("do", "--package", plugin, "--stateless", ...args);
        assert.equal(result.code, 0, told(result));
        return result.output;
    };
    const sent = () => lab.emulator.requests.map(({ method }) => method).filter((method) => method !== "GET");

    const kinds = {
        Content: {
            inputs: () => `content = [{ url = "${lab.media.video()}" }]\n`,
            objects: () => lab.emulator.contents().map(({ contentId, title }) => ({ id: contentId, title })),
            list: ["--status", "Ready"],
            lookup: (id: string) => ["videograph:getContent", "--content-id", id],
        },
        Livestream: {
            inputs: () => 'region = "us-east-1"\n',
            objects: () => lab.emulator.livestreams().map(({ streamUUID, title }) => ({ id: streamUUID, title })),
            list: ["--record=false"],
            lookup: (id: string) => ["videograph:getLivestream", "--stream-uuid", id],
        },
    };

    beforeEach(async () => {
        stack = await lab.stack("");
        stack.env.PULUMI_EXPERIMENTAL = "true";
    });

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
            assert.deepEqual(JSON.parse(await run(type, "list", "--title", "One", ...list)), [{ id, name: "One" }]);
            assert.deepEqual(JSON.parse(await run(type, "list", "--title", "None")), []);
            assert.match(await run(...lookup(id)), /"title": "One"/);
            lab.emulator.clearRequests();
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
});
