/** `pulumi-videograph doctor`: what is well it calls so, and what is not it names, with what to do next. */
import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { sent } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import type { TestStack } from "../support/testStack.ts";
import { expectCode, runIn } from "./support.ts";

interface Answer {
    ok: boolean;
    checks: { check: string; status: string; text: string }[];
}

describe("pulumi-videograph doctor", () => {
    const testbed = useTestbed();

    const run = (stack: TestStack, ...args: string[]) => runIn(stack, "doctor", ...args);
    async function answer(code: number, stack: TestStack, ...args: string[]): Promise<Answer> {
        return JSON.parse((await expectCode(code, run(stack, "--json", ...args))).stdout) as Answer;
    }
    /** What is not well, as "error Contents". */
    const amiss = ({ checks }: Answer) =>
        checks.filter(({ status }) => status !== "ok").map(({ check, status }) => `${status} ${check}`);
    const text = ({ checks }: Answer, name: string) => checks.find(({ check }) => check === name)?.text ?? "";

    it("finds nothing amiss where all is well, changes nothing, and shows none of the credentials, wherever they are", async () => {
        const stack = await testbed.stack("");
        const { stdout, stderr } = await expectCode(0, run(stack));
        const lines = stdout.trimEnd().split("\n");
        assert.equal(lines.pop(), "0 errors, 0 warnings.");
        assert.equal(lines.pop(), "");
        for (const line of lines) assert.match(line, /^ok {7}\S/);
        assert.equal(stderr, "");
        assert.deepEqual(sent(testbed.emulator), ["GET /contents", "GET /livestreams", "GET /signing-keys"]);
        assert.ok(!(await readdir(join(stack.folder, "home"))).includes("videograph"));

        const { VIDEOGRAPH_ACCESS_TOKEN_ID: id = "", VIDEOGRAPH_SECRET_KEY: secret = "" } = stack.env;
        stack.env.VIDEOGRAPH_ACCESS_TOKEN_ID = undefined;
        stack.env.VIDEOGRAPH_SECRET_KEY = undefined;
        assert.deepEqual(amiss(await answer(1, stack)), ["error Credentials", "skipped Service"]);
        await stack.config("videograph:accessTokenId", id);
        await stack.config("videograph:secretKey", secret, "secret");
        const mistyped = await expectCode(1, runIn(stack, "orphans", "--stack", "nope"));
        assert.match(mistyped.stderr, /no stack named 'nope' found\. \[VG7002\]$/m);
        const found = await answer(0, stack);
        assert.equal(found.ok, true);
        assert.deepEqual(
            found.checks.map(({ check }) => check),
            [
                ...["Node.js", "Pulumi CLI", "Project", "Pulumi SDK", "pulumi-videograph"],
                ...["Credentials", "Base URL", "Contents", "Livestreams", "Signing keys", "Clock", "Journal"],
            ],
        );
        assert.equal(
            text(found, "Credentials"),
            "access token id from videograph:accessTokenId of the stack, secret key from videograph:secretKey of the stack",
        );
    });
});
