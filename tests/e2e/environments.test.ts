/** S2 with several environments: whatever credentials a run has, nothing leaves the state or the service that should not. */
import assert from "node:assert/strict";
import { type Emulator, startEmulator } from "videograph-emulator";
import { declare } from "../support/program.ts";
import { requestsOf, sent, sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import type { TestStack } from "../support/testStack.ts";

const refresh = ["refresh", "--yes", "--skip-preview"];
const destroy = ["destroy", "--yes", "--skip-preview"];

/** The ids of the package's resources, by name. */
async function ids(stack: TestStack): Promise<Record<string, string | undefined>> {
    return Object.fromEntries((await stack.resources()).map(({ urn, id }) => [urn.split("::").at(-1), id]));
}

describe("Ids that mean other objects in another environment (S2)", () => {
    const variants = { idShape: "sequential" } as const;
    const testbed = useTestbed({ speed: 5, variants });
    const token = { id: "other-token", secret: "other-secret-key-77" };
    const program = (title = "Trailer") => `
        const content = [{ url: "${testbed.media.video()}" }];
        const trailer = new videograph.Content("trailer", { title: "${title}", content });
        new videograph.Livestream("stage", { title: "Stage", region: "us-east-1" }, { dependsOn: trailer });\n`;

    it("are neither read into the state nor changed nor deleted, without a mark or of another stack", async () => {
        const stack = await testbed.stack(program());
        await stack.up();
        const before = await ids(stack);
        // It is in the own environment alone: a coinciding id must not vouch for the 404 of this one.
        const second = declare("Livestream", "second", { title: "Second", region: "us-east-1" });
        await stack.program(program() + second);
        await using elsewhere = await startEmulator({ variants, tokens: [token] });
        // Ids are counted, also those of an earlier try of this test.
        for (let next = 1; next < Number(before.trailer); next++)
            elsewhere.deleteContent(elsewhere.addContent({ title: "Gone" }).contentId);
        const value = "pulumi:other/prod/trailer:11111111-22222222-33333333-0123456789ab";
        elsewhere.addContent({ title: "Someone else's", metadata: [{ key: "managed_by", value }] });
        elsewhere.addLivestream({ title: "Someone else's" });
        await stack.up();
        const all = await ids(stack);
        assert.deepEqual({ ...all, ...before }, all);
        const theirs = [elsewhere.contents(), elsewhere.livestreams()];
        assert.deepEqual(
            theirs.flat().map((object) => ("contentId" in object ? object.contentId : object.streamUUID)),
            [before.trailer, before.stage],
        );

        Object.assign(stack.env, elsewhere.env);
        stack.secrets.push(token.secret);
        for (const trust of [undefined, "true"]) {
            stack.env.VIDEOGRAPH_TRUST_NOT_FOUND = trust;
            // With trust the one that answers 404 may go; here its state is kept for the next round.
            const target =
                trust === undefined
                    ? []
                    : ["--target", await urn(stack, "trailer"), "--target", await urn(stack, "stage")];
            await stack.fails([...refresh, ...target], /has its id does not/);
            await stack.fails([...destroy, ...target], /has its id does not/);
            assert.deepEqual(await ids(stack), all);
        }
        delete stack.env.VIDEOGRAPH_TRUST_NOT_FOUND;
        // Each by itself: the engine begins nothing more once one has failed.
        await stack.program(program("Another title") + second);
        await stack.upFails(/trailer/, /has its id does not/);
        await stack.program(program().replace("Stage", "Other stage") + second);
        await stack.upFails(/stage/, /has its id does not/);
        assert.deepEqual(await ids(stack), all);
        assert.deepEqual([elsewhere.contents(), elsewhere.livestreams()], theirs);
        assert.deepEqual(sentBy(elsewhere, "POST", "PUT", "DELETE"), []);

        Object.assign(stack.env, testbed.emulator.env);
        await stack.up();
        assert.equal(sentBy(testbed.emulator, "POST").length, 3);
        assert.deepEqual(await ids(stack), all);
        await stack.destroy();
        assert.equal(testbed.emulator.contents().length + testbed.emulator.livestreams().length, 0);
    });
});

async function urn(stack: TestStack, name: string): Promise<string> {
    return (await stack.resource(name)).urn;
}

describe("A token of the same environment that was rotated (S2)", () => {
    const testbed = useTestbed({ speed: 5 });
    const program = (title = "Trailer") =>
        declare("Content", "trailer", { title, content: [{ url: testbed.media.video() }] }) +
        declare("Livestream", "stage", { title, region: "us-east-1" });

    /** A stack with both resources, and `more`, whose old token is worth nothing any more. */
    async function rotated(more = "") {
        testbed.emulator.addToken({ id: "old-token", secret: "old-secret-key-12", environmentId: 1 });
        const stack = await testbed.stack(program() + more);
        stack.secrets.push("old-secret-key-12");
        const { env } = testbed.emulator;
        Object.assign(stack.env, {
            VIDEOGRAPH_ACCESS_TOKEN_ID: "old-token",
            VIDEOGRAPH_SECRET_KEY: "old-secret-key-12",
        });
        await stack.up();
        testbed.emulator.revokeToken("old-token");
        Object.assign(stack.env, env);
        testbed.emulator.clearRequests();
        return { stack, before: await ids(stack) };
    }
    const removeAll = () => {
        for (const { contentId } of testbed.emulator.contents()) testbed.emulator.deleteContent(contentId);
        for (const { streamUUID } of testbed.emulator.livestreams()) testbed.emulator.deleteLivestream(streamUUID);
    };

    it("changes nothing by itself, costs one request each in a refresh, and updates as before", async () => {
        const { stack, before } = await rotated();
        assert.deepEqual(await requestsOf(testbed.emulator, () => stack.up("--expect-no-changes")), []);
        const requests = await requestsOf(testbed.emulator, () => stack.refresh("--expect-no-changes"));
        assert.equal(requests.length, 2);
        await stack.program(program("Another title"));
        await stack.up();
        assert.deepEqual(await ids(stack), before);
        assert.equal(sentBy(testbed.emulator, "PUT").length, 2);
    });

    it("is refused where everything is gone, as one of another environment is, until the environment or the stack's configuration says that it is", async () => {
        const { stack, before } = await rotated(declare("Livestream", "third", { title: "3", region: "us-east-1" }));
        const untrusted = /VIDEOGRAPH_TRUST_NOT_FOUND=true/;
        const foreign = { id: "foreign-token", secret: "foreign-secret-key-33", environmentId: 2 };
        testbed.emulator.addToken(foreign);
        stack.secrets.push(foreign.secret);
        Object.assign(stack.env, {
            VIDEOGRAPH_ACCESS_TOKEN_ID: foreign.id,
            VIDEOGRAPH_SECRET_KEY: foreign.secret,
        });
        await stack.fails(destroy, untrusted);
        assert.deepEqual(sentBy(testbed.emulator, "PUT", "DELETE"), []);
        Object.assign(stack.env, testbed.emulator.env);
        removeAll();
        await stack.fails(refresh, untrusted);
        assert.deepEqual(await ids(stack), before);
        stack.env.VIDEOGRAPH_TRUST_NOT_FOUND = "true";
        await stack.refresh("--target", await urn(stack, "third"));
        delete stack.env.VIDEOGRAPH_TRUST_NOT_FOUND;
        const { third: _, ...kept } = before;
        assert.deepEqual(await ids(stack), kept);

        // Something of the package is still declared: without, the engine deletes with the configuration of the last up.
        const more = declare("Livestream", "other", { title: "Other", region: "us-east-1" });
        await stack.program(more);
        await stack.upFails(untrusted);
        assert.deepEqual(await ids(stack), kept);

        await stack.config("videograph:trustNotFound", "true");
        // A plain refresh runs with the configuration of the last up.
        const trailer = ["--target", await urn(stack, "trailer")];
        await stack.fails([...refresh, ...trailer], untrusted);
        await stack.program(program());
        assert.deepEqual(await requestsOf(testbed.emulator, () => stack.up("--expect-no-changes")), []);
        await stack.program(program() + more);
        await stack.up();
        const { other } = await ids(stack);
        await stack.refresh(...trailer);
        assert.deepEqual(await ids(stack), { stage: before.stage, other });
        await stack.program(more);
        await stack.up();
        assert.deepEqual(await ids(stack), { other });
    });
});

describe("A run with the token of another environment that only creates (S2)", () => {
    const testbed = useTestbed({ speed: 5, fetchSources: false });
    const foreign = { id: "foreign-token", secret: "foreign-secret-key-33", environmentId: 2 };
    const content = [{ url: "https://media.example.com/a.mp4" }];
    const both = (name: string, options?: string) => {
        const text = declare("Content", name, { title: name, content }, options);
        return text + text.replaceAll(`"${name}"`, `"native-${name}"`).replace("videograph.", "native.");
    };
    const native = 'const native = require("pulumi-videograph/native");\n';

    it("creates nothing, in both faces; a rotated token and another provider's do (W15)", async () => {
        testbed.emulator.addToken(foreign);
        testbed.emulator.addToken({ id: "rotated-token", secret: "rotated-secret-key-9", environmentId: 1 });
        const stack = await testbed.stack(native + both("first"));
        stack.secrets.push(foreign.secret, "rotated-secret-key-9");
        await stack.up();
        const library = declare("ContentLibrary", "films", { contents: { one: { title: "one", content } } });
        const use = (id: string, secret: string) =>
            Object.assign(stack.env, { VIDEOGRAPH_ACCESS_TOKEN_ID: id, VIDEOGRAPH_SECRET_KEY: secret });
        use(foreign.id, foreign.secret);
        await stack.program(native + both("first") + both("second") + library);
        testbed.emulator.clearRequests();
        await stack.upOfAllFails(/VG6101/, /VG6101/, /VG6101/);
        assert.deepEqual(sentBy(testbed.emulator, "POST"), []);

        use("rotated-token", "rotated-secret-key-9");
        await stack.up();
        assert.equal(testbed.emulator.contents(1).length, 5);

        // What another provider has elsewhere says nothing of this one.
        Object.assign(stack.env, testbed.emulator.env);
        const settings = { accessTokenId: foreign.id, secretKey: foreign.secret };
        const providers = ["videograph", "native"].map(
            (face) => `const ${face}Eu = new ${face}.Provider("eu", ${JSON.stringify(settings)});`,
        );
        const third = both("third", "{ provider: faceEu }")
            .replace("faceEu", "videographEu")
            .replace("faceEu", "nativeEu");
        await stack.program([native, ...providers, both("first"), both("second"), library, third].join("\n"));
        await stack.up();
        assert.equal(testbed.emulator.contents(2).length, 2);
        await stack.destroy();
        assert.deepEqual([testbed.emulator.contents(1), testbed.emulator.contents(2)], [[], []]);
    });
});

describe("Two environments in one program", () => {
    const testbed = useTestbed({ speed: 5 });
    let us: Emulator;
    before(async () => {
        us = await startEmulator({
            tokens: [{ id: "us-token", secret: "us-secret-key-51" }],
            processingTimeMs: 200,
            deletingTimeMs: 200,
        });
    });
    after(() => us.close());
    beforeEach(() => us.reset());

    const provider = (name: string, baseUrl: string) => `
        const ${name} = new videograph.Provider("${name}", {
            accessTokenId: config.require("${name}TokenId"),
            secretKey: config.requireSecret("${name}Key"),
            baseUrl: "${baseUrl}",
        });`;
    const resources = (name: string) =>
        declare(
            "Content",
            `${name}-trailer`,
            { title: "Trailer", content: [{ url: testbed.media.video() }] },
            `{ provider: ${name} }`,
        ) + declare("Livestream", `${name}-stage`, { title: "Stage", region: "us-east-1" }, `{ provider: ${name} }`);
    const stored = (emulator: Emulator, environmentId: number) => [
        ...emulator.contents(environmentId).map(({ contentId }) => contentId),
        ...emulator.livestreams(environmentId).map(({ streamUUID }) => streamUUID),
    ];

    it("each keeps to its own, whatever the process's variables say, also when the other's key is refused, and its key can be rotated", async () => {
        const stack = await testbed.stack("");
        testbed.emulator.addToken({ id: "eu-token", secret: "eu-secret-key-68", environmentId: 2 });
        // The default provider's settings, which no resource here may use.
        stack.env.VIDEOGRAPH_ACCESS_TOKEN_ID = "nobody";
        stack.env.VIDEOGRAPH_SECRET_KEY = "nobody-secret-00";
        stack.env.VIDEOGRAPH_BASE_URL = "http://127.0.0.1:9";
        await stack.config("euTokenId", "eu-token");
        await stack.config("euKey", "not-the-key-4711", "secret");
        await stack.config("usTokenId", "us-token");
        await stack.config("usKey", "us-secret-key-51", "secret");
        const declared = `const config = new pulumi.Config();\n${provider("eu", testbed.emulator.url)}${provider("us", us.url)}
            ${resources("eu")}${resources("us")}`;
        await stack.program(declared);
        await stack.upOfAllFails(/401/);
        assert.equal(stored(us, 1).length, 2);
        await stack.config("euKey", "eu-secret-key-68", "secret");
        await stack.up();
        const before = await ids(stack);
        assert.deepEqual(stored(testbed.emulator, 2), [before["eu-trailer"], before["eu-stage"]]);
        assert.deepEqual(stored(us, 1), [before["us-trailer"], before["us-stage"]]);
        assert.deepEqual(stored(testbed.emulator, 1), []);
        assert.equal(sentBy(us, "POST").length, 2);
        for (const { streamKey } of us.livestreams()) stack.secrets.push(streamKey);
        us.clearRequests();
        assert.deepEqual(await requestsOf(testbed.emulator, () => stack.up("--expect-no-changes")), []);
        assert.deepEqual(sent(us), []);

        // One environment's token is rotated: the provider is updated, and no resource is.
        testbed.emulator.addToken({ id: "eu-token-2", secret: "eu-secret-key-69", environmentId: 2 });
        testbed.emulator.revokeToken("eu-token");
        await stack.config("euTokenId", "eu-token-2");
        await stack.config("euKey", "eu-secret-key-69", "secret");
        assert.deepEqual(await requestsOf(testbed.emulator, () => stack.up()), []);
        assert.deepEqual(sent(us), []);
        assert.deepEqual(await ids(stack), before);

        // Plain refresh and destroy run with what the last up recorded of each.
        us.clearRequests();
        const read = await requestsOf(testbed.emulator, () => stack.refresh("--expect-no-changes"));
        assert.deepEqual(read.sort(), [
            `GET /contents/${before["eu-trailer"]}`,
            `GET /livestreams/${before["eu-stage"]}`,
        ]);
        assert.deepEqual(sent(us).sort(), [
            `GET /contents/${before["us-trailer"]}`,
            `GET /livestreams/${before["us-stage"]}`,
        ]);
        await stack.destroy();
        assert.deepEqual([...stored(testbed.emulator, 2), ...stored(us, 1)], []);
        assert.deepEqual(await stack.resources(), []);
    });
});
