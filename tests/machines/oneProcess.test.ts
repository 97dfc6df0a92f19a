/** Many runs in one process of the Automation API are as many processes (E2): what one has found out is not so in the next. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { secretsProvider } from "../support/keyService.ts";
import { PulumiRun } from "../support/pulumiRun.ts";
import { useTestbed } from "../support/testbed.ts";

/** Prints a line of JSON for each run: its outputs, or its error. */
const runs = `
const { LocalWorkspace } = require("@pulumi/pulumi/automation");
const pulumi = require("@pulumi/pulumi");
const dynamic = require("pulumi-videograph");
const native = require("pulumi-videograph/native");

const stacks = new Map();
async function stackOf(stackName, program, config) {
    const workDir = require("node:path").join(__dirname, "workspaces", stackName);
    const options = { workDir, secretsProvider: process.env.SECRETS_PROVIDER, stackSettings: { [stackName]: { config, secretsProvider: process.env.SECRETS_PROVIDER } } };
    const stack = await LocalWorkspace.createOrSelectStack({ stackName, projectName: "many", program }, options);
    // What the API asks afterwards are more runs of the CLI.
    return Object.assign(stack, { outputs: async () => ({}), info: async () => undefined });
}
async function run(name, program, config = {}) {
    let outputs;
    try {
        const stack = stacks.get(name) ?? (await stackOf(name, program, config));
        stacks.set(name, stack);
        stack.workspace.program = async () => (outputs = await program());
        stack.workspace.pulumiHome = process.env.PULUMI_HOME;
        await stack.up();
        console.log(JSON.stringify({ outputs }));
    } catch (error) {
        console.log(JSON.stringify({ error: error.message }));
    }
}

const titles = async () => ({ titles: (await dynamic.getContents()).contents.map(({ title }) => title) });
(async () => {
    await run("one", titles);
    await run("one", titles);
    process.env.PULUMI_HOME = process.env.SECOND_HOME;
    await run("two", async () => {
        new native.Livestream("stage", { title: "Stage", region: "us-east-1" });
        return { ...(await titles()), native: (await native.getContents()).contents.map(({ title }) => title) };
    });
    const [ownId, ownKey] = [process.env.VIDEOGRAPH_ACCESS_TOKEN_ID, process.env.VIDEOGRAPH_SECRET_KEY];
    delete process.env.VIDEOGRAPH_ACCESS_TOKEN_ID;
    delete process.env.VIDEOGRAPH_SECRET_KEY;
    const settings = (accessTokenId, secretKey) => ({ "videograph:accessTokenId": accessTokenId, "videograph:secretKey": secretKey });
    const other = settings(process.env.OTHER_ID, process.env.OTHER_KEY);
    await Promise.all([run("three", titles, settings(ownId, ownKey)), run("four", titles, other)]);
})();
`;

describe("Several runs and several stacks in one process", () => {
    const testbed = useTestbed();

    it("use a token again that an earlier run was refused, install the plugin in a second home, and keep to their own settings", async () => {
        const stack = await testbed.stack("");
        const [other, secondHome] = [{ id: "other-token", secret: "other-secret-key-1" }, join(stack.folder, "second")];
        testbed.emulator.addToken({ ...other, environmentId: 2 });
        testbed.emulator.addContent({ title: "Ours" });
        testbed.emulator.addContent({ title: "Theirs" }, 2);
        // An activation that takes a moment, as after a rotation.
        testbed.emulator.inject({ kind: "status", status: 401, times: 1 });
        for (const name of ["one", "two", "three", "four"])
            await mkdir(join(stack.folder, "workspaces", name), { recursive: true });
        await stack.write("runs.cjs", runs);
        const more = {
            SECRETS_PROVIDER: secretsProvider,
            SECOND_HOME: secondHome,
            OTHER_ID: other.id,
            OTHER_KEY: other.secret,
        };
        const env = { ...stack.environment, ...more } as Record<string, string>;
        const { code, stdout, output } = await new PulumiRun(
            "node",
            [join(stack.folder, "runs.cjs")],
            stack.folder,
            env,
        ).result;
        stack.checkForSecrets(output);
        assert.equal(code, 0, output);
        const [first, ...rest] = stdout
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line));
        assert.match(first.error, /HTTP 401.*VG1010/);
        const [again, native, ...both] = rest;
        assert.deepEqual(again, { outputs: { titles: ["Ours"] } });
        assert.deepEqual(native, { outputs: { titles: ["Ours"], native: ["Ours"] } });
        assert.ok(existsSync(join(secondHome, "plugins")), "the plugin is in the second home");
        assert.deepEqual(both.map(({ outputs }) => outputs.titles[0]).sort(), ["Ours", "Theirs"]);
    });
});
