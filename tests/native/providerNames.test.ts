/** Providers and projects that are named like Pulumi's own: whose settings count, and whose the configuration is. */
import assert from "node:assert/strict";
import { type Emulator, startEmulator } from "videograph-emulator";
import manifest from "../../provider/package.json" with { type: "json" };
import { useTestbed } from "../support/testbed.ts";

const token = { id: "token-of-eu", secret: "secret-key-of-eu-31" };
const defaultName = `default_${manifest.version.replace(/[.+-]/g, "_")}`;
const names = ["default", defaultName, `${defaultName}_https_example`, "default_eu", "pulumi", "videograph"];

describe("A provider's name", () => {
    const testbed = useTestbed({}, "native");
    let eu: Emulator;
    beforeEach(async () => {
        eu = await startEmulator({ tokens: [token] });
    });
    afterEach(() => eu?.close());

    /** Providers as the SDKs of other languages register them: without what the class of this package adds. */
    const explicit = () => `
        const settings = ${JSON.stringify({ accessTokenId: token.id, secretKey: token.secret, baseUrl: eu.url, region: "eu-1" })};
        exports.seen = ${JSON.stringify(names)}.map((name) => {
            const provider = new pulumi.ProviderResource("videograph", name, settings, { version: "${manifest.version}" });
            new videograph.Livestream(name, { title: name }, { provider });
            return videograph.getLivestreamsOutput({ record: true }, { provider }).apply(({ livestreams }) => livestreams.length);
        });\n`;

    it("does not make it the engine's: its settings win over the environment, and a project named videograph has configuration of its own (D1, D3)", async () => {
        const stack = await testbed.stack(explicit());
        stack.secrets.push(token.secret);
        await stack.rename("videograph");
        await stack.config("videograph:sourceUrl", "https://media.example.com/a.mp4");
        await stack.config("videograph:regions", "[eu, us]");
        await stack.config("videograph:ownSettings", "accessTokenId");
        await stack.config("videograph:databasePassword", "database-password-9", "secret");
        await stack.config("videograph:secretKey", "wrong-secret-key-of-the-stack", "secret");
        eu.addLivestream({ title: "Recorded", record: true });
        await stack.up();
        const { seen } = await stack.outputs();
        assert.deepEqual(
            seen,
            names.map(() => 1),
        );
        const made = eu.livestreams().filter(({ record }) => !record);
        assert.deepEqual(made.map(({ title }) => title).sort(), [...names].sort());
        assert.ok(made.every(({ region }) => region === "eu-1"));
        await stack.refresh("--expect-no-changes");
        // The engine's own provider of the same name takes the settings of the environment.
        await stack.program('new videograph.Livestream("stage", { title: "Stage", region: "us-east-1" });');
        await stack.up();
        assert.equal(eu.livestreams().length, 1);
        await stack.refresh("--expect-no-changes");
        await stack.config("videograph:acessTokenID", "mistyped");
        await stack.previewFails(/acessTokenID is not a known property.*`accessTokenId`/);
        assert.deepEqual(
            testbed.emulator.livestreams().map(({ title }) => title),
            ["Stage"],
        );
    });
});
