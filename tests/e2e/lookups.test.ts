/** Lookups: each form of each, their order and filters, and what is said when they fail. */
import assert from "node:assert/strict";
import { sent } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";

describe("Lookups", () => {
    const testbed = useTestbed({ speed: 5 });

    it("find signing keys, contents and livestreams by what is asked for, over all pages, in the environment of their provider", async () => {
        const data = testbed.emulator.addSigningKey({ productTypeId: 2, createdOn: 1_600_000_000_000 });
        for (let number = 0; number < 25; number++) {
            testbed.emulator.addContent({
                title: `Episode ${number}`,
                tags: number % 5 === 0 ? ["first", "tag"] : ["other"],
            });
        }
        testbed.emulator.addLivestream({ title: "Recorded", record: true });
        testbed.emulator.addLivestream({ title: "Plain", record: false });
        const [{ contentId = "" } = {}] = testbed.emulator.contents();
        const [{ streamUUID = "" } = {}] = testbed.emulator.livestreams();
        testbed.emulator.addToken({ id: "second", secret: "second-secret-key", environmentId: 2 });
        testbed.emulator.addContent({ title: "Of the second" }, 2);
        const stack = await testbed.stack(`
            const provider = new videograph.Provider("second", {
                accessTokenId: "second",
                secretKey: "second-secret-key",
            });
            const titles = (list) => list.map((item) => item.title).sort();
            module.exports = async () => {
                const all = await videograph.getSigningKeys({});
                const one = await videograph.getSigningKeys({ signingKeyId: all.keys[0].signingKeyId });
                return {
                    all: all.keys,
                    one: one.keys,
                    none: (await videograph.getSigningKeys({ environmentId: 4711 })).keys,
                    video: videograph.getSigningKeysOutput({ productTypeId: pulumi.output(1) }).keys,
                    contents: (await videograph.getContents({})).contents.length,
                    tagged: titles((await videograph.getContents({ tags: ["first"] })).contents),
                    titled: titles((await videograph.getContents({ title: "Episode 7" })).contents),
                    ready: videograph.getContentsOutput({ status: "Ready" }).contents.apply((list) => list.length),
                    livestreams: titles((await videograph.getLivestreams({})).livestreams),
                    recorded: titles((await videograph.getLivestreams({ record: true })).livestreams),
                    content: (await videograph.getContent({ contentId: "${contentId}" })).title,
                    livestream: videograph.getLivestreamOutput({ streamUUID: "${streamUUID}" }).title,
                    theirs: videograph.getContentsOutput({}, { provider }).contents.apply(titles),
                };
            };`);
        stack.secrets.push("second-secret-key");
        await stack.up();
        const keys = testbed.emulator.signingKeys(1).sort((a, b) => a.createdOn - b.createdOn || a.id - b.id);
        assert.deepEqual(await stack.outputs(), {
            all: keys,
            one: [data],
            none: [],
            video: keys.filter(({ productTypeId }) => productTypeId === 1),
            contents: 25,
            tagged: ["Episode 0", "Episode 10", "Episode 15", "Episode 20", "Episode 5"],
            titled: ["Episode 7"],
            ready: 25,
            livestreams: ["Plain", "Recorded"],
            recorded: ["Recorded"],
            content: "Episode 0",
            livestream: "Recorded",
            theirs: ["Of the second"],
        });
        assert.ok(sent(testbed.emulator).every((request) => request.startsWith("GET ")));
    });

    it("of what a stack makes wait for it, and are unknown in the first preview", async () => {
        const stack = await testbed.stack(`
            const stage = new videograph.Livestream("stage", { title: "Stage", region: "us-east-1" });
            exports.title = videograph.getLivestreamOutput({ streamUUID: stage.streamUUID }).title;
            exports.key = videograph.getLivestreamOutput({ streamUUID: stage.streamUUID }).streamKey;`);
        await stack.preview();
        assert.deepEqual(testbed.emulator.requests, []);
        const up = await stack.up();
        assert.match(up.output, /key\s*: \[secret\]/);
        assert.equal((await stack.outputs()).title, "Stage");
    });

    it("that find nothing fail in the preview", async () => {
        const stack = await testbed.stack(`
            module.exports = async () => ({ it: await videograph.getContent({ contentId: "no-such-id" }) });`);
        const { output } = await stack.previewFails(/GET \/contents\/\[contentId\]: the object does not exist/);
        // An argument may be a secret: the engine does not say.
        assert.doesNotMatch(output, /no-such-id/);
    });

    it("of both faces make a secret of every value that holds a stream key (S3)", async () => {
        testbed.emulator.setVariants({ streamKeyInPlaybackUrl: true });
        const { streamUUID, streamKey } = testbed.emulator.addLivestream({ title: "Stage" });
        const stack = await testbed.stack(`
            const native = require("pulumi-videograph/native");
            for (const [face, { getLivestream, getLivestreamOutput, getLivestreamsOutput }] of Object.entries({ videograph, native })) {
                const found = getLivestream({ streamUUID: "${streamUUID}" });
                exports[face + "Output"] = getLivestreamOutput({ streamUUID: "${streamUUID}" }).playbackUrl;
                exports[face + "Plain"] = found.then(({ playbackUrl }) => playbackUrl);
                exports[face + "Title"] = found.then(({ title }) => title);
                exports[face + "Listed"] = getLivestreamsOutput({}).livestreams;
            }`);
        // Every run looks for stream keys in what is printed and stored.
        const { output } = await stack.up();
        const outputs = await stack.outputs();
        for (const face of ["videograph", "native"]) {
            for (const hidden of ["Output", "Plain"])
                assert.match(output, new RegExp(`${face}${hidden}\\s*: \\[secret\\]`));
            assert.equal(outputs[`${face}Title`], "Stage");
            assert.ok(String(outputs[`${face}Output`]).includes(encodeURIComponent(streamKey)));
        }
    });

    it("of both faces believe a gateway's 404 only where every 404 is to be trusted", async () => {
        const { contentId } = testbed.emulator.addContent({ title: "Kept", tags: ["a"] });
        const vanished = testbed.emulator.addContent({ title: "Vanished", tags: ["a"] }).contentId;
        testbed.emulator.inject({ kind: "status", status: 404, body: "html", path: `/contents/${vanished}` });
        const stack = await testbed.stack("");
        for (const face of ["dynamic", "native"] as const) {
            stack.face = face;
            await stack.program(`
                module.exports = async () => ({
                    ids: (await videograph.getContents({ tags: ["a"] })).contents.map((content) => content.contentId),
                });`);
            // The SDK prints a stack trace for a plugin's function that fails.
            assert.match((await stack.attempt("preview")).output, /does not come from the service itself/);
        }
        await stack.config("videograph:trustNotFound", "true");
        await stack.up();
        assert.deepEqual(await stack.outputs(), { ids: [contentId] });
    });

    it("refuse the provider of the other face, whose settings they would not have", async () => {
        const stack = await testbed.stack(`
            const { Provider } = require("pulumi-videograph/native");
            const provider = new Provider("other", { accessTokenId: "other", secretKey: "other" });
            exports.all = videograph.getContentsOutput({}, { provider });`);
        await stack.previewFails(/is no Provider of pulumi-videograph.*VG2038/);
    });
});
