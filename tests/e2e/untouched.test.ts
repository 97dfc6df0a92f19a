/** L9 through the real CLI, in both faces. All inputs and kinds: tests/unit/lifecycle/untouched.test.ts. */
import assert from "node:assert/strict";
import { requestsOf } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";

describe("An update changes what its preview shows, and nothing else (L9)", () => {
    const testbed = useTestbed();

    it("beside changes in the dashboard, with ignoreChanges (dynamic and native)", async () => {
        const program = (title: string, policy: string, ignored: readonly string[] = []) => `
            const ignoreChanges = ${JSON.stringify(ignored)};
            const content = [{ url: "${testbed.media.video()}" }];
            const tags = ["declared"];
            const film = { content, tags, description: "Declared", metadata: { season: "1", episode: "1" } };
            for (const [face, { Content, Livestream, ContentLibrary }] of Object.entries({ dynamic, native })) {
                const title = face + " ${title}";
                new Content(face + "-film", { ...film, title, playbackPolicy: ["${policy}"] }, { ignoreChanges });
                new Livestream(face + "-stage", { title, region: "us-east-1", tags }, { ignoreChanges });
                const contents = { film: { ...film, title: face + " library ${title}" } };
                // To the dynamic types all contents are one text.
                const inLibrary = face === "native" ? ignoreChanges.map((input) => "contents.film." + input) : [];
                new ContentLibrary(face + "-films", { contents }, { ignoreChanges: inLibrary });
            }`;
        const stack = await testbed.stack(program("One", "public"));
        await stack.up();
        const { emulator } = testbed;
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
        const shown = [...emulator.contents(), ...emulator.livestreams()].map(({ title, tags }) => `${title},${tags}`);
        assert.deepEqual(shown.toSorted(), titles.map((title) => `${title},theirs`).toSorted());
        assert.ok(emulator.contents().every(({ description }) => description === "Theirs"));
    });
});
