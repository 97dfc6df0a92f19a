/** S3: secrets appear nowhere in plain text. Each run's output and state are checked by the stack itself. */
import assert from "node:assert/strict";
import { declare } from "../support/program.ts";
import { useTestbed } from "../support/testbed.ts";

describe("Secrets (S3)", () => {
    const testbed = useTestbed();

    it("stay secret in state, export, diffs and errors: declared, in a source's URL, or of an explicit provider", async () => {
        const secret = "declared-secret-1234";
        const signature = "X-Signature-5f7c1b";
        const { VIDEOGRAPH_ACCESS_TOKEN_ID, VIDEOGRAPH_SECRET_KEY, VIDEOGRAPH_BASE_URL } = testbed.emulator.env;
        // Spaces around a setting do not count: they make `false` a text that can be searched for.
        const settings = (owner: string) => ({
            accessTokenId: `${owner}-token-8d21`,
            secretKey: `${owner}-key-8d21`,
            baseUrl: `https://${owner}-8d21.example.com`,
            region: `${owner}-region-8d21`,
            trustNotFound: owner === "own" ? "   false" : "false   ",
        });
        const program = (suffix: string, policy = "public", more = "") => `
            const hidden = (text) => pulumi.secret("${secret}-" + text + "${suffix}");
            const provider = new videograph.Provider("eu", {
                accessTokenId: ${JSON.stringify(VIDEOGRAPH_ACCESS_TOKEN_ID)},
                secretKey: ${JSON.stringify(VIDEOGRAPH_SECRET_KEY)},
                baseUrl: ${JSON.stringify(VIDEOGRAPH_BASE_URL)},
            });
            const declared = (policy) => ({
                title: hidden("title"),
                description: hidden("description"),
                tags: [hidden("tag")],
                metadata: { key: hidden("metadata") },
                content: [{ url: pulumi.secret("${testbed.media.video()}") }],
                playbackPolicy: [policy],
            });
            const trailer = new videograph.Content("trailer", declared("public"));
            new videograph.Content("replaced", declared("${policy}"));
            new videograph.ContentLibrary("films", { contents: { one: declared("public") } });
            const stage = new videograph.Livestream("stage", {
                title: hidden("stage"),
                region: "us-east-1",
                metadata: pulumi.secret({ key: "${secret}-pair" }),
            });
            const signed = new videograph.Content("signed", {
                title: "Signed",
                content: [{ url: "${testbed.media.video("trailer.mp4")}?sig=${signature}${suffix}" }],
                ${more}
            }, { provider });
            const own = ${JSON.stringify(settings("own"))};
            const secrets = Object.fromEntries(Object.entries(own).map(([name, text]) => [name, pulumi.secret(text)]));
            const { trustNotFound: _, ...dynamic } = secrets;
            new videograph.Provider("dynamic-of-stack");
            new videograph.Provider("dynamic-of-program", dynamic);
            const native = require("pulumi-videograph/native");
            new native.Provider("native-of-stack");
            new native.Provider("native-of-program", secrets);
            exports.title = trailer.title;
            exports.metadata = stage.metadata;
            exports.content = signed.content;`;
        const stack = await testbed.stack(program(""));
        const { region, ...ofStack } = settings("stack");
        const secrets = Object.entries(ofStack).flatMap(([name, text]) => ["--secret", `videograph:${name}=${text}`]);
        await stack.run("config", "set-all", ...secrets, "--plaintext", `videograph:region=${region}`);
        stack.secrets.push(secret, signature, ...[ofStack, settings("own")].flatMap(Object.values));
        const up = await stack.up("--diff");
        assert.match(up.output, /title\s*: \[secret\]/);
        assert.match(up.output, /content\s*: \[secret\]/);
        const exported = await stack.export();
        stack.checkForSecrets(exported);
        // What the user did not make a secret is none: in the inputs and outputs of the default provider and of five others.
        assert.equal(exported.split(`"${region}"`).length - 1, 12);
        // The packed record of a library would show the text to no search.
        assert.match(exported, /"__entries": \{/);
        assert.doesNotMatch(exported, /"__entries": "/);
        const contents = testbed.emulator.contents();
        const content = contents.find(({ title }) => title === `${secret}-title`);
        assert.equal(content?.metadata.find(({ key }) => key === "key")?.value, `${secret}-metadata`);
        const source = contents.find(({ title }) => title === "Signed")?.sourceUrls[0];
        assert.equal(source, `${testbed.media.video("trailer.mp4")}?sig=${signature}`);

        // Errors of the service that echo what they were sent.
        const bodies = ["envelope", "json", "html", "empty", "malformed"] as const;
        const titles = [...bodies, "echo"];
        const url = `${testbed.media.video()}?token=echoed-token-77`;
        const echoed = titles.map((title) => declare("Content", title, { title, content: [{ url }] }));
        stack.secrets.push("echoed-token-77");
        testbed.emulator.inject({ kind: "status", status: 400, method: "PUT" });
        for (const body of bodies)
            testbed.emulator.inject({ kind: "status", status: 400, method: "POST", body, title: body });
        const json = { status: "Error", code: 400, message: `Cannot fetch ${url}` };
        testbed.emulator.inject({ kind: "answer", status: 400, json, method: "POST", title: "echo" });
        const changed = program("-2", "signed", `sourceVersion: "1",`);
        await stack.program(changed + echoed.join(""));
        const { output } = await stack.upOfAllFails(/Cannot fetch \[content\[0\]\.url\]/);
        for (const title of ["trailer", ...titles])
            assert.match(output, new RegExp(`\\(${title}\\):\\n(?: +.*\\n)*? +error: .*400`));
        testbed.emulator.clearFaults();
        await stack.program(changed);
        // With its preview, and with a refresh.
        await stack.run("up", "--yes", "--diff", "--refresh");
        assert.equal(testbed.emulator.contents().length, contents.length);
    });

    it("of the configuration are not even in the output of --debug", async () => {
        const stack = await testbed.stack(`
            const provider = new videograph.Provider("eu", { secretKey: new pulumi.Config("videograph").getSecret("secretKey") });
            exports.id = new videograph.Livestream("stage", { title: "Stage", region: "us-east-1" }).id;
            exports.other = new videograph.Livestream("other", { title: "Other", region: "us-east-1" }, { provider }).id;`);
        const { VIDEOGRAPH_ACCESS_TOKEN_ID, VIDEOGRAPH_SECRET_KEY } = testbed.emulator.env;
        // The stream key is a property, and those the SDK prints by itself: only the credentials are looked for.
        const credential = [VIDEOGRAPH_SECRET_KEY, btoa(`${VIDEOGRAPH_ACCESS_TOKEN_ID}:${VIDEOGRAPH_SECRET_KEY}`)];
        const debugged = async (...args: string[]) => {
            const { code, output } = await stack.start(...args, "--debug").result;
            assert.equal(code, 0);
            // Only a run of the program has something to say.
            if (args[0] === "up") assert.match(output, /debug:/);
            for (const text of credential) assert.ok(!output.includes(text), "The output holds the credentials");
        };
        await stack.config("videograph:secretKey", VIDEOGRAPH_SECRET_KEY, "secret");
        // The one has it from the environment, and the other from the configuration.
        await debugged("up", "--yes", "--skip-preview");
        delete stack.env.VIDEOGRAPH_SECRET_KEY;
        await debugged("refresh", "--yes", "--skip-preview");
    });
});
