/** S1 and S9 without a state: each `pulumi do … create --stateless` makes an object of its own, which no stack takes over. (K10) */
import assert from "node:assert/strict";
import { join } from "node:path";
import { objects, stream, titled } from "../support/law.ts";
import { useTestbed } from "../support/testbed.ts";

const plugin = join(import.meta.dirname, "..", "..", "provider", "plugin", "pulumi-resource-videograph");

describe("pulumi do (S1, S9)", function () {
    this.timeout(600_000);
    const testbed = useTestbed({ fetchSources: false }, "native");

    it("twice without a state makes two objects, and a stack with the same names a third one (K10)", async () => {
        const stack = await testbed.stack("");
        stack.env.PULUMI_EXPERIMENTAL = "true";
        const create = (title: string) => {
            const inputs = ["--title", title, "--region", "us-east-1", "--record=false"];
            return stack.run(
                "do",
                "videograph:Livestream",
                "create",
                "--stateless",
                "--yes",
                "--package",
                plugin,
                ...inputs,
            );
        };
        await create("First");
        const [first] = objects(testbed);
        assert.deepEqual(titled(testbed, "First"), [first]);
        await create("Second");
        assert.deepEqual(titled(testbed, "First"), [first]);
        assert.equal(titled(testbed, "Second").length, 1);
        const made = objects(testbed);

        // The names that the engine gives to what has none.
        await stack.write("Pulumi.yaml", "name: default\nruntime: nodejs\n");
        await stack.run("stack", "init", "dev");
        await stack.program(stream("Livestream", { title: "Second" }));
        await stack.up("--stack", "dev");
        assert.equal(objects(testbed).length, 3);
        assert.equal(titled(testbed, "Second").length, 2);
        await stack.destroy("--stack", "dev");
        assert.deepEqual(objects(testbed), made);
    });
});
