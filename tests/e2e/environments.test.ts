/** S2 with several environments: whatever credentials a run has, nothing leaves the state or the service that should not. */
import assert from "node:assert/strict";
import { startEmulator } from "videograph-emulator";
import { stream, video } from "../support/law.ts";
import { sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";

const refresh = ["refresh", "--yes", "--skip-preview"];
const destroy = ["destroy", "--yes", "--skip-preview"];

describe("Ids that mean other objects in another environment (S2)", () => {
    const variants = { idShape: "sequential" } as const;
    const testbed = useTestbed({ speed: 5, variants });
    const token = { id: "other-token", secret: "other-secret-key-77" };
    const program = (trailer: string, stage: string) => `
        const content = [{ url: "${testbed.media.video()}" }];
        const second = new videograph.Livestream("second", { title: "Second", region: "us-east-1" });
        const trailer = new videograph.Content("trailer", { title: "${trailer}", content }, { dependsOn: second });
        new videograph.Livestream("stage", { title: "${stage}", region: "us-east-1" }, { dependsOn: trailer });`;

    it("are neither read into the state nor changed nor deleted, without a mark or of another stack, and nothing is created there (W15)", async () => {
        const stack = await testbed.stack(program("Trailer", "Stage"));
        await stack.up();
        const all = await stack.ids();
        await using elsewhere = await startEmulator({ variants, tokens: [token] });
        // Ids are counted, also those of an earlier try of this test.
        for (let next = 1; next < Number(all.trailer); next++)
            elsewhere.deleteContent(elsewhere.addContent({ title: "Gone" }).contentId);
        const value = "pulumi:other/prod/trailer:11111111-22222222-33333333-0123456789ab";
        elsewhere.addContent({ title: "Someone else's", metadata: [{ key: "managed_by", value }] });
        elsewhere.addLivestream({ title: "Someone else's" });
        // The second livestream is in the own environment alone: a coinciding id must not vouch for the 404 of this one.
        const theirs = [elsewhere.contents(), elsewhere.livestreams()];
        assert.deepEqual(
            theirs.flat().map((object) => ("contentId" in object ? object.contentId : object.streamUUID)),
            [all.trailer, all.stage],
        );

        Object.assign(stack.env, elsewhere.env);
        stack.secrets.push(token.secret);
        await stack.fails(refresh, /VG6102/);
        // None waits for another, which fails.
        const changed = program("Another title", "Other stage").replaceAll(/, { dependsOn: \w+ }/g, "");
        await stack.program(`${changed}\nnew videograph.Content("new", { title: "New", content });`);
        await stack.upOfAllFails(/trailer.*VG6102/, /stage.*VG6102/, /\(new\):[^(]*VG6102/);
        await stack.fails(destroy, /VG6102/);
        assert.deepEqual(await stack.ids(), all);
        assert.deepEqual([elsewhere.contents(), elsewhere.livestreams()], theirs);
        assert.deepEqual(sentBy(elsewhere, "POST", "PUT", "DELETE"), []);
    });
});

describe("Objects that answer 404 (S2)", () => {
    const testbed = useTestbed({ speed: 5, fetchSources: false }, "native");
    /** No envelope, as the service's error bodies are not documented. */
    const notFound = (path: string) =>
        testbed.emulator.inject({ kind: "answer", status: 404, json: { statusCode: 404, message: "x" }, path });

    it("are gone where another object is there (K15), and refused where none is, whatever their JSON and the token, until the stack's configuration says that they are (native)", async () => {
        const { env } = testbed.emulator;
        const old = { id: "old-token", secret: "old-secret-key-12", environmentId: 1 };
        testbed.emulator.addToken(old);
        const stack = await testbed.stack(video("trailer") + stream("stage") + video("third"));
        stack.secrets.push(old.secret);
        Object.assign(stack.env, { VIDEOGRAPH_ACCESS_TOKEN_ID: old.id, VIDEOGRAPH_SECRET_KEY: old.secret });
        await stack.up();
        const all = await stack.ids();
        const untrusted = /VIDEOGRAPH_TRUST_NOT_FOUND=true/;

        // Everything is gone, under the same credentials: that is another environment.
        const json = { status: "Success", code: 200, message: "", data: [] };
        const lists = ["/contents", "/livestreams"].map(
            (path) => ({ kind: "answer", status: 200, json, path }) as const,
        );
        const nothing = [notFound("/*/*"), ...lists.map((list) => testbed.emulator.inject(list))];
        await stack.fails(refresh, /(Content|Livestream) \S+ returns 404, .*every object/, untrusted);
        assert.deepEqual(await stack.ids(), all);
        for (const fault of nothing) fault.remove();
        const one = notFound(`/contents/${all.third}`);
        testbed.emulator.deleteContent(all.third ?? "");
        await stack.refresh();
        const { third: _, ...kept } = all;
        assert.deepEqual(await stack.ids(), kept);
        one.remove();

        // All are gone, with a rotated token.
        testbed.emulator.revokeToken(old.id);
        Object.assign(stack.env, env);
        for (const { contentId } of testbed.emulator.contents()) testbed.emulator.deleteContent(contentId);
        for (const { streamUUID } of testbed.emulator.livestreams()) testbed.emulator.deleteLivestream(streamUUID);
        // Something of the package is still declared: without, the engine deletes with the configuration of the last up.
        await stack.program(stream("other"));
        await stack.config("videograph:trustNotFound", "true");
        await stack.up();
        assert.deepEqual(Object.keys(await stack.ids()), ["other"]);
    });
});

describe("Two environments in one program", () => {
    const testbed = useTestbed({ speed: 5 });
    const stored = (environmentId: number) => [
        ...testbed.emulator.contents(environmentId).map(({ contentId }) => contentId),
        ...testbed.emulator.livestreams(environmentId).map(({ streamUUID }) => streamUUID),
    ];

    it("each keeps to its own, whatever the process's variables say, also when the other's key is refused, and its key can be rotated", async () => {
        const stack = await testbed.stack("");
        const use = (name: string, environmentId: number, id: string, secret = `secret-key-of-${id}`) => {
            if (environmentId > 0) testbed.emulator.addToken({ id, secret, environmentId });
            Object.assign(stack.env, { [`${name}_TOKEN_ID`]: id, [`${name}_KEY`]: secret });
            stack.secrets.push(secret);
        };
        // The default provider's settings, which no resource here may use.
        stack.env.VIDEOGRAPH_ACCESS_TOKEN_ID = "nobody";
        stack.env.VIDEOGRAPH_SECRET_KEY = "nobody-secret-00";
        stack.env.VIDEOGRAPH_BASE_URL = "http://127.0.0.1:9";
        use("eu", 0, "eu-token");
        use("us", 3, "us-token");
        await stack.program(`
            for (const name of ["eu", "us"]) {
                const [accessTokenId, key] = [process.env[name + "_TOKEN_ID"], process.env[name + "_KEY"]];
                const settings = { accessTokenId, secretKey: pulumi.secret(key), baseUrl: "${testbed.emulator.url}" };
                const provider = new videograph.Provider(name, settings);
                const content = [{ url: "${testbed.media.video()}" }];
                new videograph.Content(name + "-trailer", { title: "Trailer", content }, { provider });
                new videograph.Livestream(name + "-stage", { title: "Stage", region: "us-east-1" }, { provider });
            }`);
        const { output } = await stack.upOfAllFails(/401.*the videograph\.Provider/);
        // The state was right, and had no create of "eu" any more.
        assert.doesNotMatch(output, /VG3038/);
        const made = await stack.ids();
        assert.deepEqual(stored(3), [made["us-trailer"], made["us-stage"]]);
        for (const { streamKey } of testbed.emulator.livestreams(3)) stack.secrets.push(streamKey);

        // The other's token is rotated: that provider is updated, and no resource of its is.
        testbed.emulator.clearRequests();
        testbed.emulator.revokeToken("us-token");
        use("eu", 2, "eu-token");
        use("us", 3, "us-token-2");
        await stack.up();
        const now = await stack.ids();
        assert.deepEqual({ ...now, ...made }, now);
        assert.ok(testbed.emulator.requests.every(({ environmentId }) => environmentId === 2));
        assert.deepEqual(stored(2), [now["eu-trailer"], now["eu-stage"]]);
        assert.deepEqual([stored(1).length, stored(3).length], [0, 2]);

        // A plain destroy runs with what the last up recorded of each.
        await stack.destroy();
        assert.deepEqual([...stored(2), ...stored(3), ...(await stack.resources())], []);
    });
});
