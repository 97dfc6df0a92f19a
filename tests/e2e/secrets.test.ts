/** S3: secrets appear nowhere in plain text. Each run's output and state are checked by the stack itself. */
import assert from "node:assert/strict";
import { useLab } from "../support/lab.ts";

describe("Secrets (S3)", function () {
    this.timeout(180_000);
    const lab = useLab();

    it("stay secret in state, export, diffs and errors, as input of either resource", async () => {
        const secret = "declared-secret-1234";
        const program = (suffix: string, policy = "public") => `
            const hidden = (text) => pulumi.secret("${secret}-" + text + "${suffix}");
            const trailer = new videograph.Content("trailer", {
                title: hidden("title"),
                description: hidden("description"),
                tags: [hidden("tag")],
                metadata: { key: hidden("metadata") },
                content: [{ url: pulumi.secret("${lab.media.video()}") }],
                playbackPolicy: ["${policy}"],
            });
            const stage = new videograph.Livestream("stage", {
                title: hidden("stage"),
                region: "us-east-1",
                metadata: pulumi.secret({ key: "${secret}-pair" }),
            });
            exports.title = trailer.title;
            exports.metadata = stage.metadata;`;
        const stack = await lab.stack(program(""));
        stack.secrets.push(secret);
        await stack.preview();
        const up = await stack.up("--diff");
        assert.match(up.output, /title\s*: \[secret\]/);
        stack.checkForSecrets(await stack.export());
        const [content] = lab.emulator.contents();
        assert.equal(content?.title, `${secret}-title`);
        assert.equal(content.metadata.find(({ key }) => key === "key")?.value, `${secret}-metadata`);

        await stack.refresh("--diff", "--expect-no-changes");
        await stack.program(program("-2"));
        await stack.preview();
        await stack.up("--diff");
        // Errors of the service that echo what they were sent.
        await stack.program(program("-3"));
        lab.emulator.inject({ kind: "status", status: 400, method: "PUT" });
        await stack.upFails(/400/);
        lab.emulator.clearFaults();
        await stack.program(program("-3", "signed"));
        await stack.up("--diff");
        await stack.destroy();
        assert.equal(lab.emulator.contents().length, 0);
    });

    it("include the query string and user info of a source URL, without anyone saying so", async () => {
        const signature = "X-Signature-5f7c1b";
        const program = (query: string, more = "") => `
            const trailer = new videograph.Content("trailer", {
                title: "Trailer",
                content: [{ url: "${lab.media.video("trailer.mp4")}?${query}" }],
                ${more}
            });
            exports.content = trailer.content;
            exports.id = trailer.id;`;
        const stack = await lab.stack(program(`sig=${signature}`));
        stack.secrets.push(signature);
        await stack.preview();
        const up = await stack.up();
        assert.match(up.output, /content\s*: \[secret\]/);
        assert.equal(lab.emulator.contents()[0]?.sourceUrls[0], `${lab.media.video("trailer.mp4")}?sig=${signature}`);
        stack.checkForSecrets(await stack.export());
        await stack.refresh("--diff");
        // Another signature, with and without a version.
        await stack.program(program(`sig=${signature}-second`, `sourceVersion: "1",`));
        await stack.preview();
        await stack.up("--diff");
        assert.equal(lab.emulator.contents().length, 1);
    });

    it("of a source that fails are in no error and no initErrors", async () => {
        const signature = "X-Signature-8e2d40";
        const stack = await lab.stack(`
            new videograph.Content("trailer", {
                title: "Trailer",
                content: [{ url: "${lab.media.missing}?sig=${signature}" }],
            });`);
        stack.secrets.push(signature);
        await stack.upFails(/Failed/);
        assert.ok(((await stack.resource("trailer")).initErrors ?? []).length > 0);
        stack.checkForSecrets(await stack.export());
    });

    it("are quoted by no error when the service echoes them", async () => {
        const stack = await lab.stack(`
            new videograph.Content("trailer", {
                title: "Trailer",
                content: [{ url: "${lab.media.video()}?token=echoed-token-77" }],
            });`);
        stack.secrets.push("echoed-token-77");
        for (const body of ["envelope", "json", "html", "empty", "malformed"] as const) {
            const fault = lab.emulator.inject({ kind: "status", status: 400, method: "POST", body });
            await stack.upFails(/400/);
            fault.remove();
        }
    });

    it("of the configuration are not even in the output of --debug", async () => {
        const stack = await lab.stack(`
            exports.id = new videograph.Livestream("stage", { title: "Stage", region: "us-east-1" }).id;`);
        const { VIDEOGRAPH_ACCESS_TOKEN_ID, VIDEOGRAPH_SECRET_KEY } = lab.emulator.env;
        // The stream key is a property, and those the SDK prints by itself: only the credentials are looked for.
        const credential = [VIDEOGRAPH_SECRET_KEY, btoa(`${VIDEOGRAPH_ACCESS_TOKEN_ID}:${VIDEOGRAPH_SECRET_KEY}`)];
        const debugged = async (...args: string[]) => {
            const { code, output } = await stack.start(...args, "--debug").result;
            assert.equal(code, 0);
            // Only a run of the program has something to say.
            if (args[0] === "up") assert.match(output, /debug:/);
            for (const text of credential) assert.ok(!output.includes(text), "The output holds the credentials");
        };
        await debugged("up", "--yes", "--skip-preview");
        delete stack.env.VIDEOGRAPH_SECRET_KEY;
        await stack.config("videograph:secretKey", VIDEOGRAPH_SECRET_KEY, "secret");
        await debugged("up", "--yes", "--skip-preview");
        await debugged("refresh", "--yes", "--skip-preview");
        await stack.program(`
            const provider = new videograph.Provider("eu", { secretKey: new pulumi.Config("videograph").getSecret("secretKey") });
            exports.id = new videograph.Livestream("stage", { title: "Stage", region: "us-east-1" }, { provider }).id;`);
        await debugged("up", "--yes", "--skip-preview");
        await debugged("destroy", "--yes", "--skip-preview");
    });

    it("are in neither the state nor the output of an explicit provider", async () => {
        const { VIDEOGRAPH_ACCESS_TOKEN_ID, VIDEOGRAPH_SECRET_KEY, VIDEOGRAPH_BASE_URL } = lab.emulator.env;
        const stack = await lab.stack(`
            const provider = new videograph.Provider("eu", {
                accessTokenId: ${JSON.stringify(VIDEOGRAPH_ACCESS_TOKEN_ID)},
                secretKey: ${JSON.stringify(VIDEOGRAPH_SECRET_KEY)},
                baseUrl: ${JSON.stringify(VIDEOGRAPH_BASE_URL)},
            });
            exports.id = new videograph.Content("trailer", {
                title: "Trailer",
                content: [{ url: "${lab.media.video()}" }],
            }, { provider }).id;`);
        for (const name of Object.keys(lab.emulator.env)) delete stack.env[name];
        await stack.preview();
        await stack.up("--diff");
        stack.checkForSecrets(await stack.export());
        await stack.refresh("--expect-no-changes");
        await stack.destroy();
        assert.equal(lab.emulator.contents().length, 0);
    });
});
