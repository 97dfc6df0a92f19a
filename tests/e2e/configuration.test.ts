/** Credentials and addresses: where they come from. What is said when they are missing or wrong: docs/troubleshooting.test.ts, lawPost.test.ts. */
import assert from "node:assert/strict";
import { stream } from "../support/law.ts";
import { declare } from "../support/program.ts";
import { useTestbed } from "../support/testbed.ts";

const refresh = ["refresh", "--yes", "--skip-preview"];

describe("Configuration", () => {
    const testbed = useTestbed({ speed: 5 });
    const trailer = () =>
        declare("Content", "trailer", { title: "Trailer", content: [{ url: testbed.media.video() }] });

    it("is not needed for a preview, is taken from the stack, and overruled by the environment, in plain refresh and destroy too, after a key was rotated", async () => {
        // The first calls of the provider come at once.
        const stack = await testbed.stack(trailer() + stream("one") + stream("two"));
        testbed.emulator.addToken({ id: "first", secret: "first-secret-key", environmentId: 1 });
        for (const name of Object.keys(testbed.emulator.env)) delete stack.env[name];
        await stack.preview();
        await stack.config("videograph:accessTokenId", "first");
        await stack.config("videograph:secretKey", "first-secret-key", "secret");
        await stack.config("videograph:baseUrl", testbed.emulator.env.VIDEOGRAPH_BASE_URL);
        await stack.up();
        assert.equal((await stack.resources()).length, 3);
        testbed.emulator.revokeToken("first");
        await stack.fails(
            refresh,
            /401.*the stack's configuration \(videograph:accessTokenId, videograph:secretKey\)\. A plain `pulumi refresh`/,
        );
        Object.assign(stack.env, testbed.emulator.env);
        await stack.destroy("--refresh");
        assert.equal(testbed.emulator.contents().length, 0);
    });
});
