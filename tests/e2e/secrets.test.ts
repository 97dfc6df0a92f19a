/** S3: secrets appear nowhere in plain text. Each run's output and state are checked by the stack itself. */
import assert from "node:assert/strict";
import { declare } from "../support/program.ts";
import { useTestbed } from "../support/testbed.ts";

describe("Secrets (S3)", () => {
    const testbed = useTestbed();

    it("of providers and of the configuration stay secret in the state, diffs and errors, and the credentials in the output of --debug, too", async () => {
        const { VIDEOGRAPH_ACCESS_TOKEN_ID, VIDEOGRAPH_SECRET_KEY, VIDEOGRAPH_BASE_URL } = testbed.emulator.env;
        // Spaces around a setting do not count: they make `false` a text that can be searched for.
        const settings = (owner: string) => ({
            accessTokenId: `${owner}-token-8d21`,
            secretKey: `${owner}-key-8d21`,
            baseUrl: `https://${owner}-8d21.example.com`,
            region: `${owner}-region-8d21`,
            trustNotFound: owner === "own" ? "   false" : "false   ",
        });
        const program = (title: string, more = "") => `
            const provider = new videograph.Provider("eu", {
                accessTokenId: ${JSON.stringify(VIDEOGRAPH_ACCESS_TOKEN_ID)},
                secretKey: new pulumi.Config().requireSecret("key"),
                baseUrl: ${JSON.stringify(VIDEOGRAPH_BASE_URL)},
            });
            new videograph.Livestream("stage", { title: "${title}", region: "us-east-1" });
            new videograph.Livestream("of-provider", { title: "${title}", region: "us-east-1" }, { provider });
            const own = ${JSON.stringify(settings("own"))};
            const secrets = Object.fromEntries(Object.entries(own).map(([name, text]) => [name, pulumi.secret(text)]));
            const { trustNotFound: _, ...withoutFlag } = secrets;
            new videograph.Provider("dynamic-of-stack");
            new videograph.Provider("dynamic-of-program", withoutFlag);
            new native.Provider("native-of-stack");
            new native.Provider("native-of-program", secrets);
            ${more}`;
        const stack = await testbed.stack(program("Stage"));
        const { region, ...ofStack } = settings("stack");
        const secrets = Object.entries(ofStack).flatMap(([name, text]) => ["--secret", `videograph:${name}=${text}`]);
        secrets.push("--secret", `key=${VIDEOGRAPH_SECRET_KEY}`);
        // Not by `run`: the failure's message would hold the values.
        const set = stack.start("config", "set-all", ...secrets, "--plaintext", `videograph:region=${region}`);
        assert.equal((await set.result).code, 0);
        // Properties are printed by the SDK itself: of this run's output only the credentials are looked for.
        const credentials = [VIDEOGRAPH_SECRET_KEY, btoa(`${VIDEOGRAPH_ACCESS_TOKEN_ID}:${VIDEOGRAPH_SECRET_KEY}`)];
        const debugged = await stack.start("up", "--yes", "--skip-preview", "--debug").result;
        assert.equal(debugged.code, 0);
        assert.match(debugged.output, /debug:/);
        for (const text of [...credentials, ofStack.secretKey])
            assert.ok(!debugged.output.includes(text), "The output holds the credentials");

        stack.secrets.push(...[ofStack, settings("own")].flatMap(Object.values));
        const url = `${testbed.media.video()}?token=echoed-token-77`;
        stack.secrets.push("echoed-token-77");
        const json = { status: "Error", code: 400, message: `Cannot fetch ${url}` };
        testbed.emulator.inject({ kind: "answer", status: 400, json, method: "POST", title: "echo" });
        await stack.program(program("Other", declare("Content", "echo", { title: "echo", content: [{ url }] })));
        const args = ["up", "--yes", "--skip-preview", "--diff", "--refresh"];
        await stack.fails(args, /error: .*400.*Cannot fetch \[content\[0\]\.url\]/);
        // What the user did not make a secret is none: in the inputs and outputs of the default provider and of five others.
        assert.equal((await stack.stateText()).split(`"${region}"`).length - 1, 12);
    });
});
