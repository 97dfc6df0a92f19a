/** `pulumi-videograph doctor` where all is well, by the real CLI. What it says of the rest: tests/unit/cli/doctor.test.ts. */
import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { sent } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import { expectCode, runIn } from "./support.ts";

describe("pulumi-videograph doctor", () => {
    const testbed = useTestbed();

    it("finds nothing amiss where all is well, changes nothing, and shows none of the credentials of the stack's configuration", async () => {
        const stack = await testbed.stack("");
        const { VIDEOGRAPH_ACCESS_TOKEN_ID: id = "", VIDEOGRAPH_SECRET_KEY: secret = "" } = stack.env;
        stack.env.VIDEOGRAPH_ACCESS_TOKEN_ID = undefined;
        stack.env.VIDEOGRAPH_SECRET_KEY = undefined;
        await stack.config("videograph:accessTokenId", id);
        await stack.config("videograph:secretKey", secret, "secret");
        const { stdout, stderr } = await expectCode(0, runIn(stack, "doctor"));
        const names = stdout.match(/(?<=^ok {7})\S.*?(?= {2}|$)/gm);
        assert.deepEqual(names, [
            ...["Node.js", "Pulumi CLI", "Project", "Pulumi SDK", "pulumi-videograph"],
            ...["Credentials", "Base URL", "Contents", "Livestreams", "Signing keys", "Clock", "Own state", "Journal"],
        ]);
        assert.match(stdout, /\n\n0 errors, 0 warnings\.\n$/);
        assert.match(
            stdout,
            / access token id from videograph:accessTokenId of the stack, secret key from videograph:/,
        );
        assert.equal(stderr, "");
        assert.deepEqual(sent(testbed.emulator), ["GET /contents", "GET /livestreams", "GET /signing-keys"]);
        assert.ok(!(await readdir(join(stack.folder, "home"))).includes("videograph"));
        const mistyped = await expectCode(1, runIn(stack, "orphans", "--stack", "nope"));
        assert.match(mistyped.stderr, /no stack named 'nope' found\. \[VG7002\]$/m);
    });
});
