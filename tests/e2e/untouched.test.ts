/** L9 through the real CLI, in both faces. All inputs and kinds: tests/unit/lifecycle/untouched.test.ts. */
import assert from "node:assert/strict";
import { declare } from "../support/program.ts";
import { requestsOf } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";

describe("An update changes what its preview shows, and nothing else (L9)", () => {
    const testbed = useTestbed();

    it("beside changes in the dashboard, with ignoreChanges (dynamic and native)", async () => {
        const film = (title: string, policy = "public") => ({
            title,
            content: [{ url: testbed.media.video() }],
            description: "Declared",
            tags: ["declared"],
            metadata: { season: "1", episode: "1" },
            playbackPolicy: [policy],
        });
        const stage = (title: string) => ({ title, region: "us-east-1", tags: ["declared"] });
        const program = (title: string, policy: string, ignored: readonly string[] = []) => {
            const options = (path: string) =>
                JSON.stringify({ ignoreChanges: ignored.map((input) => `${path}${input}`) });
            const its = (face: string) => {
                const contents = { film: film(`${face} library ${title}`) };
                // To the dynamic types all contents are one text.
                const ofLibrary = face === "native" ? options("contents.film.") : "{}";
                return (
                    declare("Content", "film", film(`${face} ${title}`, policy), options("")) +
                    declare("Livestream", "stage", stage(`${face} ${title}`), options("")) +
                    declare("ContentLibrary", "films", { contents }, ofLibrary)
                );
            };
            const natives = its("native").replaceAll(/videograph\.(\w+)\("/g, 'native.$1("native-');
            return its("dynamic") + natives;
        };
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
