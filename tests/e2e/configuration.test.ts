/** Credentials and addresses: where they come from, and what is said when they are wrong. Wrong addresses: docs/troubleshooting.test.ts. */
import assert from "node:assert/strict";
import { stream } from "../support/law.ts";
import { declare } from "../support/program.ts";
import { sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";

const refresh = ["refresh", "--yes", "--skip-preview"];

describe("Configuration", () => {
    const testbed = useTestbed({ speed: 5 });
    const trailer = () =>
        declare("Content", "trailer", { title: "Trailer", content: [{ url: testbed.media.video() }] });

    it("is taken from the stack, and overruled by the environment, in plain refresh and destroy too, after a key was rotated", async () => {
        // The first calls of the provider come at once.
        const stack = await testbed.stack(trailer() + stream("one") + stream("two"));
        testbed.emulator.addToken({ id: "first", secret: "first-secret-key", environmentId: 1 });
        for (const name of Object.keys(testbed.emulator.env)) delete stack.env[name];
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

    it("that is wrong or missing fails with what to do, before anything is sent that could be in doubt; a preview needs none", async () => {
        const stack = await testbed.stack(trailer());
        stack.env.VIDEOGRAPH_SECRET_KEY = "wrong-secret-key-0815";
        stack.secrets.push("wrong-secret-key-0815");
        await stack.upFails(/trailer/, /401/, /the environment \(.*VIDEOGRAPH_SECRET_KEY\), which overrides the stack/);
        // The first page of the list fails, with nothing in doubt.
        assert.deepEqual([sentBy(testbed.emulator, "GET").length, sentBy(testbed.emulator, "POST").length], [1, 0]);
        testbed.emulator.clearRequests();

        delete stack.env.VIDEOGRAPH_ACCESS_TOKEN_ID;
        delete stack.env.VIDEOGRAPH_SECRET_KEY;
        // With its preview, which ends well.
        const { output } = await stack.fails(
            ["up", "--yes"],
            /\+ 1 to create/,
            /VIDEOGRAPH_ACCESS_TOKEN_ID/,
            /VIDEOGRAPH_SECRET_KEY/,
            /videograph:accessTokenId/,
            /videograph:secretKey/,
        );
        assert.doesNotMatch(output.split("to create")[0] ?? "", /VIDEOGRAPH_/);
        assert.deepEqual(testbed.emulator.requests, []);
        assert.deepEqual(await stack.resources(), []);
    });
});
