/** Credentials and addresses: where they come from, and what is said when they are wrong. */
import assert from "node:assert/strict";
import { useLab } from "../support/lab.ts";
import { declare } from "../support/program.ts";
import { requestsOf, sentBy } from "../support/requests.ts";
import type { TestStack } from "../support/testStack.ts";

describe("Configuration", function () {
    this.timeout(180_000);
    const lab = useLab();
    const trailer = (title = "Trailer") =>
        declare("Content", "trailer", { title, content: [{ url: lab.media.video() }] });

    /** After a failure that is no fault of the program, the next `up` with the right settings must do it all. */
    async function recovers(stack: TestStack): Promise<void> {
        Object.assign(stack.env, lab.emulator.env);
        await stack.up();
        assert.equal(lab.emulator.contents().length, 1);
        assert.deepEqual(await requestsOf(lab.emulator, () => stack.up("--expect-no-changes")), []);
    }

    it("is taken from the stack's configuration", async () => {
        const stack = await lab.stack(trailer());
        const { VIDEOGRAPH_ACCESS_TOKEN_ID, VIDEOGRAPH_SECRET_KEY, VIDEOGRAPH_BASE_URL } = lab.emulator.env;
        for (const name of Object.keys(lab.emulator.env)) delete stack.env[name];
        await stack.config("videograph:accessTokenId", VIDEOGRAPH_ACCESS_TOKEN_ID);
        await stack.config("videograph:secretKey", VIDEOGRAPH_SECRET_KEY, "secret");
        await stack.config("videograph:baseUrl", VIDEOGRAPH_BASE_URL);
        await stack.up();
        assert.equal(lab.emulator.contents().length, 1);
        stack.checkForSecrets(await stack.export());
        await stack.refresh("--expect-no-changes");
        await stack.destroy();
        assert.equal(lab.emulator.contents().length, 0);
    });

    it("is overruled by the environment, in plain refresh and destroy too, after a key was rotated", async () => {
        const stack = await lab.stack(trailer());
        lab.emulator.addToken({ id: "first", secret: "first-secret-key", environmentId: 1 });
        for (const name of ["VIDEOGRAPH_ACCESS_TOKEN_ID", "VIDEOGRAPH_SECRET_KEY"]) delete stack.env[name];
        await stack.config("videograph:accessTokenId", "first");
        await stack.config("videograph:secretKey", "first-secret-key", "secret");
        await stack.up();
        lab.emulator.revokeToken("first");
        await stack.fails(
            ["refresh", "--yes", "--skip-preview"],
            /401.*the stack's configuration \(videograph:accessTokenId, videograph:secretKey\)\. A plain `pulumi refresh`/,
        );
        Object.assign(stack.env, lab.emulator.env);
        await stack.refresh("--expect-no-changes");
        await stack.destroy();
        assert.equal(lab.emulator.contents().length, 0);
    });

    it("that is wrong fails with what to do, and the next up does it all", async () => {
        const stack = await lab.stack(trailer());
        stack.env.VIDEOGRAPH_SECRET_KEY = "wrong-secret-key-0815";
        stack.secrets.push("wrong-secret-key-0815");
        await stack.upFails(/trailer/, /401/, /the environment \(.*VIDEOGRAPH_SECRET_KEY\), which overrides the stack/);
        assert.equal(sentBy(lab.emulator, "POST").length, 1);
        await recovers(stack);
    });

    it("that is missing names both ways to set it; preview works without", async () => {
        const stack = await lab.stack(trailer());
        delete stack.env.VIDEOGRAPH_ACCESS_TOKEN_ID;
        delete stack.env.VIDEOGRAPH_SECRET_KEY;
        assert.deepEqual(await stack.planned(), ["create trailer"]);
        await stack.upFails(
            /VIDEOGRAPH_ACCESS_TOKEN_ID/,
            /VIDEOGRAPH_SECRET_KEY/,
            /videograph:accessTokenId/,
            /videograph:secretKey/,
        );
        stack.env.VIDEOGRAPH_ACCESS_TOKEN_ID = "only-half";
        await stack.upFails(/secretKey is missing\. Set the environment variable VIDEOGRAPH_SECRET_KEY, or/);
        assert.deepEqual(lab.emulator.requests, []);
        await recovers(stack);
    });

    it("that is missing is told to destroy and refresh as well", async () => {
        const stack = await lab.stack(trailer());
        await stack.up();
        delete stack.env.VIDEOGRAPH_SECRET_KEY;
        await stack.fails(["refresh", "--yes", "--skip-preview"], /VIDEOGRAPH_SECRET_KEY/);
        await stack.fails(["destroy", "--yes", "--skip-preview"], /VIDEOGRAPH_SECRET_KEY/);
        assert.equal(lab.emulator.contents().length, 1);
        await recovers(stack);
    });

    it("with an address where nobody answers fails within a minute, naming the address and where it is set", async () => {
        const stack = await lab.stack(trailer());
        // The discard port: nothing listens there.
        stack.env.VIDEOGRAPH_BASE_URL = "http://127.0.0.1:9";
        const failed = await stack.upFails(/trailer/, /refused/, /127\.0\.0\.1:9/, /VIDEOGRAPH_BASE_URL/);
        assert.ok(failed.ms < 60_000, `It took ${failed.ms} ms`);
        assert.deepEqual(await stack.resources(), []);
        await recovers(stack);
    });

    it("with a host that does not exist says so", async () => {
        const stack = await lab.stack(trailer());
        stack.env.VIDEOGRAPH_BASE_URL = "https://videograph.invalid";
        await stack.upFails(/trailer/, /videograph\.invalid/, /VIDEOGRAPH_BASE_URL/);
        await recovers(stack);
    });

    it("refuses http: to anywhere but this machine, and an address that is none, without a request", async () => {
        const stack = await lab.stack(trailer());
        for (const baseUrl of ["http://api.videograph.example", "http://127.0.0.1.example.com", "not an address"]) {
            stack.env.VIDEOGRAPH_BASE_URL = baseUrl;
            await stack.upFails(/VIDEOGRAPH_BASE_URL|videograph:baseUrl/);
        }
        stack.env.VIDEOGRAPH_BASE_URL = "http://user:pass-4711@127.0.0.1:9";
        stack.secrets.push("pass-4711");
        await stack.upFails();
        assert.deepEqual(await stack.resources(), []);
        await recovers(stack);
    });
});
