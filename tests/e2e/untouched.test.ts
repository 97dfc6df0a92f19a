/** L9 through the real CLI, in both faces. All inputs and kinds: tests/unit/lifecycle/untouched.test.ts. */
import assert from "node:assert/strict";
import { requestsOf } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";

const withSmallKeys = (metadata: readonly { key: string; value: string }[]) =>
    metadata.map(({ key, value }) => ({ key: key.toLowerCase(), value }));

describe("An update changes what its preview shows, and nothing else (L9)", () => {
    const testbed = useTestbed();

    it("beside changes in the dashboard, with ignoreChanges, on a service that keeps no capitals in the keys of metadata (dynamic and native)", async () => {
        const program = (title: string, policy: string, ignored: readonly string[] = []) => `
            const ignoreChanges = ${JSON.stringify(ignored)};
            const content = [{ url: "${testbed.media.video()}" }];
            const tags = ["declared"];
            const metadata = { Season: "${title}", Episode: "1" };
            const film = { content, tags, description: "Declared", metadata };
            for (const [face, { Content, Livestream, ContentLibrary }] of Object.entries({ dynamic, native })) {
                const title = face + " ${title}";
                new Content(face + "-film", { ...film, title, playbackPolicy: ["${policy}"] }, { ignoreChanges });
                new Livestream(face + "-stage", { title, region: "us-east-1", tags, metadata }, { ignoreChanges });
                const contents = { film: { ...film, title: face + " library ${title}" } };
                // To the dynamic types all contents are one text.
                const inLibrary = face === "native" ? ignoreChanges.map((input) => "contents.film." + input) : [];
                new ContentLibrary(face + "-films", { contents }, { ignoreChanges: inLibrary });
            }`;
        const stack = await testbed.stack(program("One", "public"));
        await stack.up();
        const { emulator } = testbed;
        const objects = () => [...emulator.contents(), ...emulator.livestreams()];
        const inSmallLetters = () => {
            for (const { contentId, metadata } of emulator.contents())
                emulator.updateContent(contentId, { metadata: withSmallKeys(metadata) });
            for (const { streamUUID, metadata } of emulator.livestreams())
                emulator.updateLivestream(streamUUID, { metadata: withSmallKeys(metadata) });
        };
        inSmallLetters();
        for (const { contentId } of emulator.contents())
            emulator.updateContent(contentId, { tags: ["theirs"], description: "Theirs" });
        for (const { streamUUID } of emulator.livestreams())
            emulator.updateLivestream(streamUUID, { tags: ["theirs"] });
        await stack.program(program("Two", "signed", ["tags", "description", "playbackPolicy"]));
        const requests = await requestsOf(testbed.emulator, () => stack.up());
        for (const method of ["GET", "PUT"])
            assert.equal(requests.filter((request) => request.startsWith(method)).length, 6);
        assert.equal(requests.length, 12);
        const titles = ["dynamic library Two", "native library Two"];
        for (const face of ["dynamic", "native"]) titles.push(...Array(2).fill(`${face} Two`));
        const shown = objects().map(({ title, tags }) => `${title},${tags}`);
        assert.deepEqual(shown.toSorted(), titles.map((title) => `${title},theirs`).toSorted());
        assert.ok(emulator.contents().every(({ description }) => description === "Theirs"));

        const pairs = objects().map(({ metadata }) => metadata.map(({ key, value }) => `${key}: ${value}`).sort());
        for (const [episode, season, mark, ...more] of pairs) {
            assert.deepEqual([episode, season, more], ["Episode: 1", "Season: Two", []]);
            assert.match(mark ?? "", /^managed_by: pulumi:/);
        }
        inSmallLetters();
        for (const { contentId } of emulator.contents())
            emulator.updateContent(contentId, { tags: ["declared"], description: "Declared" });
        const again = await requestsOf(testbed.emulator, () => stack.up("--refresh"));
        assert.deepEqual(
            again.filter((request) => !request.startsWith("GET")),
            [],
        );
        assert.deepEqual(await stack.planned(), []);
    });
});
