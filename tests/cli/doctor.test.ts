/** `pulumi-videograph doctor`: what is well it calls so, and what is not it names, with what to do next. */
import assert from "node:assert/strict";
import { chmod, mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sent } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import type { TestStack } from "../support/testStack.ts";
import { expectCode, runIn } from "./support.ts";

interface Answer {
    ok: boolean;
    checks: { check: string; status: string; text: string }[];
}

describe("pulumi-videograph doctor", function () {
    this.timeout(180_000);
    const testbed = useTestbed();

    const run = (stack: TestStack, ...args: string[]) => runIn(stack, testbed.cli, "doctor", ...args);
    async function answer(code: number, stack: TestStack, ...args: string[]): Promise<Answer> {
        return JSON.parse((await expectCode(code, run(stack, "--json", ...args))).stdout) as Answer;
    }
    /** What is not well, as "error Contents". */
    const amiss = ({ checks }: Answer) =>
        checks.filter(({ status }) => status !== "ok").map(({ check, status }) => `${status} ${check}`);
    const checkOf = ({ checks }: Answer, name: string) => checks.find(({ check }) => check === name);
    const text = (found: Answer, name: string) => checkOf(found, name)?.text ?? "";

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

        const { ok, checks } = await answer(0, stack);
        assert.equal(ok, true);
        assert.deepEqual(
            checks.map(({ check }) => check),
            [
                ...["Node.js", "Pulumi CLI", "Project", "Pulumi SDK", "pulumi-videograph"],
                ...["Credentials", "Base URL", "Contents", "Livestreams", "Signing keys", "Clock", "Journal"],
            ],
        );

        const { VIDEOGRAPH_ACCESS_TOKEN_ID: id = "", VIDEOGRAPH_SECRET_KEY: secret = "" } = stack.env;
        stack.env.VIDEOGRAPH_ACCESS_TOKEN_ID = undefined;
        stack.env.VIDEOGRAPH_SECRET_KEY = undefined;
        assert.deepEqual(amiss(await answer(1, stack)), ["error Credentials", "skipped Service"]);
        await stack.config("videograph:accessTokenId", id);
        await stack.config("videograph:secretKey", secret, "secret");
        const found = await answer(0, stack);
        assert.equal(
            text(found, "Credentials"),
            "access token id from videograph:accessTokenId of the stack, secret key from videograph:secretKey of the stack",
        );
        stack.env.VIDEOGRAPH_SECRET_KEY = secret;
        assert.match(
            text(await answer(0, stack), "Credentials"),
            /secret key from VIDEOGRAPH_SECRET_KEY \(overrides videograph:secretKey of the stack\)$/,
        );
    });

    it("warns of a proxy between Pulumi's own processes", async () => {
        const stack = await testbed.stack("");
        stack.env.https_proxy = "http://user:proxy-secret-6@127.0.0.1:9";
        stack.secrets.push("proxy-secret-6");
        assert.deepEqual(amiss(await answer(0, stack)), ["warning Pulumi's proxy"]);
    });

    it("names a Node.js, a CLI and an SDK that are too old", async () => {
        const stack = await testbed.stack("");
        const old = join(stack.folder, "old");
        await mkdir(old);
        const shim = async (name: string, script: string) => {
            await writeFile(join(old, name), `#!/bin/sh\n${script}\n`);
            await chmod(join(old, name), 0o755);
        };
        await shim("node", "echo v20.19.0");
        await shim("pulumi", `[ "$1" = version ] && echo v3.250.0 || exec ${join(testbed.cli.folder, "pulumi")} "$@"`);
        const modules = join(stack.folder, "node_modules");
        await rm(modules);
        await mkdir(join(modules, "@pulumi", "pulumi"), { recursive: true });
        await writeFile(join(modules, "@pulumi", "pulumi", "package.json"), '{ "version": "3.200.0" }');
        stack.env.PATH = `${old}:${testbed.cli.folder}:/usr/bin:/bin`;
        const found = await answer(1, stack);
        const expected = ["error Node.js", "warning Pulumi CLI", "error Pulumi SDK", "error pulumi-videograph"];
        assert.deepEqual(amiss(found), expected);
        assert.match(text(found, "Node.js"), /20\.19\.0, .* Put 22\.19\.0 or newer/);
        assert.match(text(found, "Pulumi CLI"), /3\.250\.0 is older than 3\.259\.0/);
        assert.match(text(found, "Pulumi SDK"), /3\.200\.0 is too old\. Install 3\.268\.0/);
    });

    it("accepts a stack whose resources all use named providers", async () => {
        const stack = await testbed.stack(
            'new videograph.Provider("eu", { accessTokenId: process.env.ID, secretKey: process.env.KEY });',
        );
        stack.env.ID = stack.env.VIDEOGRAPH_ACCESS_TOKEN_ID;
        stack.env.KEY = stack.env.VIDEOGRAPH_SECRET_KEY;
        stack.env.VIDEOGRAPH_ACCESS_TOKEN_ID = stack.env.VIDEOGRAPH_SECRET_KEY = undefined;
        await stack.up();
        const found = await answer(0, stack);
        assert.deepEqual(amiss(found), ["warning Credentials", "skipped Service"]);
        assert.match(text(found, "Credentials"), /named providers \(eu\)/);
    });

    it("names wrong credentials after one request, and missing permissions one by one", async () => {
        const stack = await testbed.stack("");
        const right = stack.env.VIDEOGRAPH_SECRET_KEY;
        stack.env.VIDEOGRAPH_SECRET_KEY = "wrong-secret-71";
        stack.secrets.push("wrong-secret-71");
        const wrong = await answer(1, stack);
        assert.deepEqual(amiss(wrong), ["error Contents"]);
        assert.match(text(wrong, "Contents"), /does not accept the access token.*VIDEOGRAPH_SECRET_KEY/);
        assert.equal(testbed.emulator.requests.length, 1);

        stack.env.VIDEOGRAPH_SECRET_KEY = right;
        testbed.emulator.inject({ kind: "status", status: 403, path: "/signing-keys" });
        const partly = await answer(1, stack);
        assert.deepEqual(amiss(partly), ["error Signing keys"]);
        assert.match(text(partly, "Signing keys"), /not allowed to do this/);
    });

    it("warns of a clock that is wrong", async () => {
        const stack = await testbed.stack("");
        // The emulator's clock follows this process; the command's is moved by what runs before it.
        stack.env.NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent("const now = Date.now; Date.now = () => now() - 3e5;")}`;
        const late = await answer(0, stack);
        assert.deepEqual(amiss(late), ["warning Clock"]);
        assert.match(text(late, "Clock"), /This machine's clock is (4 m 59 s|5 m) behind the service's\./);
    });

    it("tells an unreachable service from a wrong address, and ends soon", async () => {
        const stack = await testbed.stack("");
        stack.env.VIDEOGRAPH_BASE_URL = "http://127.0.0.1:1";
        const unreachable = await answer(1, stack);
        assert.deepEqual(amiss(unreachable), ["error Contents"]);
        assert.match(text(unreachable, "Contents"), /connection was refused.*http:\/\/127\.0\.0\.1:1/);
        stack.env.VIDEOGRAPH_BASE_URL = "http://example.com";
        assert.deepEqual(amiss(await answer(1, stack)), ["error Base URL"]);
        stack.env.VIDEOGRAPH_BASE_URL = "https://videograph.invalid";
        stack.env.HTTPS_PROXY = "http://user:proxy-secret-5@127.0.0.1:1";
        stack.secrets.push("proxy-secret-5");
        const proxied = await answer(1, stack);
        assert.deepEqual(amiss(proxied), ["error Contents"]);
        assert.match(text(proxied, "Contents"), /the proxy refused the connection; check its address in HTTPS_PROXY/);
    });

    it("finds packages that the project lacks, and a journal that cannot be written", async () => {
        const stack = await testbed.stack("");
        await rm(join(stack.folder, "node_modules"));
        const lacking = await answer(1, stack);
        assert.deepEqual(amiss(lacking), ["error Pulumi SDK", "error pulumi-videograph"]);
        assert.match(
            text(lacking, "pulumi-videograph"),
            /Add it to the dependencies of that folder's own package\.json/,
        );

        const modules = join(stack.folder, "node_modules");
        await mkdir(join(modules, "pulumi-videograph"), { recursive: true });
        await mkdir(join(modules, "@pulumi"));
        await writeFile(join(modules, "pulumi-videograph", "package.json"), '{ "version": "0.0.1" }');
        const repository = join(import.meta.dirname, "..", "..");
        await symlink(join(repository, "node_modules", "@pulumi", "pulumi"), join(modules, "@pulumi", "pulumi"));
        await writeFile(join(stack.folder, "journal"), "a file");
        stack.env.VIDEOGRAPH_JOURNAL_DIR = join(stack.folder, "journal");
        const other = await answer(1, stack);
        assert.deepEqual(amiss(other), ["warning pulumi-videograph", "error Journal"]);
        assert.match(text(other, "pulumi-videograph"), /The project has 0\.0\.1, and this command is /);
    });

    it("works outside of a project, and without a Pulumi CLI", async () => {
        const stack = await testbed.stack("");
        await rm(join(stack.folder, "Pulumi.yaml"));
        const outside = await answer(0, stack);
        assert.deepEqual(amiss(outside), ["warning Project"]);
        stack.env.PATH = "";
        const without = await answer(1, stack);
        assert.deepEqual(amiss(without), ["error Node.js", "error Pulumi CLI", "warning Project"]);
        assert.match(text(without, "Pulumi CLI"), /Install the Pulumi CLI or put it on the PATH\./);
    });
});
