/** Lookups: each form of each, their order and filters, and what is said when they fail. Of another provider: providers.test.ts. */
import assert from "node:assert/strict";
import { sent } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";

describe("Lookups", () => {
    const testbed = useTestbed({ speed: 5 });

    it("find signing keys, contents and livestreams by what is asked for, over all pages, wait for what a stack makes, and make a secret of every value that holds a stream key, in both faces (S3)", async () => {
        const data = testbed.emulator.addSigningKey({ productTypeId: 2, createdOn: 1_600_000_000_000 });
        for (let number = 0; number < 25; number++) {
            testbed.emulator.addContent({
                title: `Episode ${number}`,
                tags: number % 5 === 0 ? ["first", "tag"] : ["other"],
            });
        }
        testbed.emulator.setVariants({ streamKeyInPlaybackUrl: true });
        testbed.emulator.addLivestream({ title: "Recorded", record: true });
        const { streamKey } = testbed.emulator.addLivestream({ title: "Plain", record: false });
        const [{ contentId = "" } = {}] = testbed.emulator.contents();
        const [{ streamUUID = "" } = {}, plain] = testbed.emulator.livestreams();
        const asked = {
            getContent: { contentId },
            getLivestream: { streamUUID },
            getContents: {},
            getLivestreams: {},
            getSigningKeys: {},
        };
        const waiting = `
            const group = new pulumi.ComponentResource("shop:Group", "group");
            const stage = new videograph.Livestream("stage", { title: "Stage", region: "us-east-1" }, { parent: group });
            exports.videographGroup = videograph.getContentsOutput({}, { dependsOn: group }).contents.length;
            exports.made = videograph.getLivestreamOutput({ streamUUID: stage.streamUUID }).title;
            exports.key = videograph.getLivestreamOutput({ streamUUID: stage.streamUUID }).streamKey;
            for (const [face, types] of Object.entries({ videograph, native })) {
                const secretKey = stage.id.apply(() => process.env.VIDEOGRAPH_SECRET_KEY);
                const provider = new types.Provider(face + "-later", { secretKey });
                for (const [name, args] of Object.entries(${JSON.stringify(asked)})) {
                    const size = (found) => Object.keys(found).length > 0;
                    const code = ({ message }) => String(message.match(/VG\\d+/));
                    exports[face + "Output" + name] = types[name + "Output"](args, { provider }).apply(size);
                    exports[face + "Plain" + name] = types[name](args, { provider }).then(size, code);
                }
            }`;
        const stack = await testbed.stack(waiting);
        const first = await stack.preview();
        assert.match(first.output, /videographGroup *: \[unknown\]/);
        for (const face of ["videograph", "native"]) {
            for (const name of Object.keys(asked)) {
                assert.match(first.output, new RegExp(`${face}Output${name} *: \\[unknown\\]`));
                assert.match(first.output, new RegExp(`${face}Plain${name} *: "VG2012"`));
            }
        }
        assert.deepEqual(testbed.emulator.requests, []);
        await stack.program(`${waiting}
            for (const [face, { getLivestream, getLivestreamOutput, getLivestreamsOutput }] of Object.entries({ videograph, native })) {
                const found = getLivestream({ streamUUID: "${plain?.streamUUID}" });
                exports[face + "Output"] = getLivestreamOutput({ streamUUID: "${plain?.streamUUID}" }).playbackUrl;
                exports[face + "Plain"] = found.then(({ playbackUrl }) => playbackUrl);
                exports[face + "Title"] = found.then(({ title }) => title);
                exports[face + "Listed"] = getLivestreamsOutput({ record: false }).livestreams;
            }
            const titles = (list) => list.map((item) => item.title).sort();
            const { ...others } = exports;
            module.exports = async () => {
                const all = await videograph.getSigningKeys({});
                const one = await videograph.getSigningKeys({ signingKeyId: all.keys[0].signingKeyId });
                return {
                    ...others,
                    all: all.keys,
                    one: one.keys,
                    none: (await videograph.getSigningKeys({ environmentId: 4711 })).keys,
                    video: videograph.getSigningKeysOutput({ productTypeId: pulumi.output(1) }).keys,
                    contents: (await videograph.getContents({})).contents.length,
                    tagged: titles((await videograph.getContents({ tags: ["first"] })).contents),
                    titled: titles((await videograph.getContents({ title: "Episode 7" })).contents),
                    ready: videograph.getContentsOutput({ status: "ready" }).contents.apply((list) => list.length),
                    livestreams: titles((await videograph.getLivestreams({})).livestreams),
                    recorded: titles((await videograph.getLivestreams({ record: true })).livestreams),
                    content: (await videograph.getContent({ contentId: "${contentId}" })).title,
                    livestream: videograph.getLivestreamOutput({ streamUUID: "${streamUUID}" }).title,
                };
            };`);
        // Every run looks for stream keys in what is printed and stored.
        const { output } = await stack.up();
        const keys = testbed.emulator.signingKeys(1).sort((a, b) => a.createdOn - b.createdOn || a.id - b.id);
        const { made, key: _, ...found } = await stack.outputs();
        assert.equal(made, "Stage");
        assert.match(output, /key\s*: \[secret\]/);
        for (const face of ["videograph", "native"]) {
            for (const name of Object.keys(asked))
                for (const form of ["Output", "Plain"]) assert.equal(found[face + form + name], true);
            for (const hidden of ["Output", "Plain"])
                assert.match(output, new RegExp(`${face}${hidden}\\s*: \\[secret\\]`));
            assert.equal(found[`${face}Title`], "Plain");
            assert.ok(String(found[`${face}Output`]).includes(encodeURIComponent(streamKey)));
        }
        const others = Object.entries(found).filter(([name]) => !/^(videograph|native)/.test(name));
        assert.deepEqual(Object.fromEntries(others), {
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
        });
        assert.equal(sent(testbed.emulator).filter((request) => !request.startsWith("GET ")).length, 1);
    });

    it("that find nothing fail in the preview; a gateway's 404 is not believed, in both faces; the provider of the other face is refused", async () => {
        const vanished = testbed.emulator.addContent({ title: "Vanished", tags: ["a"] }).contentId;
        testbed.emulator.inject({ kind: "status", status: 404, body: "html", path: `/contents/${vanished}` });
        const [dynamically, natively] = ["videograph", "native"].map(
            (face) => `(await ${face}.getContents({ tags: ["a"] })).contents.map((content) => content.contentId)`,
        );
        const stack = await testbed.stack(`
            const failed = async (lookup) => {
                try {
                    return JSON.stringify(await lookup());
                } catch (error) {
                    return error.message;
                }
            };
            module.exports = async () => {
                const provider = new native.Provider("other", { accessTokenId: "other", secretKey: "other" });
                throw new Error([
                    await failed(() => videograph.getContent({ contentId: "no-such-id" })),
                    await failed(async () => ${dynamically}),
                    await failed(async () => ${natively}),
                    await failed(() => videograph.getContents({}, { provider })),
                ].join("\\n"));
            };`);
        // The SDK prints a stack trace for a plugin's function that fails.
        const { code, output } = await stack.attempt("preview");
        assert.notEqual(code, 0);
        assert.match(output, /GET \/contents\/no-such-id: the object does not exist/);
        assert.ok(output.split("comes from a gateway, a proxy or another server").length > 2);
        assert.match(output, /is no Provider of pulumi-videograph.*VG2038/);
    });
});
