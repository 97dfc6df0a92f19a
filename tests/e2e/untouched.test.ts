/** L9 through the real CLI, in both faces. All inputs and kinds: tests/unit/lifecycle/untouched.test.ts. */
import assert from "node:assert/strict";
import { declare } from "../support/program.ts";
import { requestsOf } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";

describe("An update changes what its preview shows, and nothing else (L9)", () => {
    const testbed = useTestbed();

    it("beside changes in the dashboard, before and after a refresh, with ignoreChanges (dynamic and native)", async () => {
        const film = (title: string) => ({
            title,
            content: [{ url: testbed.media.video() }],
            description: "Declared",
            tags: ["declared"],
            metadata: { season: "1", episode: "1" },
        });
        const stage = (title: string) => ({ title, region: "us-east-1", tags: ["declared"] });
        const program = (title: string, ignored: readonly string[] = []) => {
            const options = (path: string) =>
                JSON.stringify({ ignoreChanges: ignored.map((input) => `${path}${input}`) });
            const its = (face: string) => {
                const contents = { film: film(`${face} library ${title}`) };
                // To the dynamic types all contents are one text.
                const ofLibrary = face === "native" ? options("contents.film.") : "{}";
                return (
                    declare("Content", "film", film(`${face} ${title}`), options("")) +
                    declare("Livestream", "stage", stage(`${face} ${title}`), options("")) +
                    declare("ContentLibrary", "films", { contents }, ofLibrary)
                );
            };
            const natives = its("native").replaceAll(/videograph\.(\w+)\("/g, 'native.$1("native-');
            return `const native = require("pulumi-videograph/native");\n${its("dynamic")}${natives}`;
        };
        const stack = await testbed.stack(program("One"));
        await stack.up();
        const all = () => [...testbed.emulator.contents(), ...testbed.emulator.livestreams()];
        const changeOutside = (tags: string[]) => {
            for (const { contentId } of testbed.emulator.contents())
                testbed.emulator.updateContent(contentId, { tags, description: "Theirs" });
            for (const { streamUUID } of testbed.emulator.livestreams())
                testbed.emulator.updateLivestream(streamUUID, { tags });
        };
        const shown = () =>
            all()
                .map(({ title, tags }) => [title, ...tags].join())
                .toSorted();
        const update = async (reads: number, ...args: string[]) => {
            const requests = await requestsOf(testbed.emulator, () => stack.up(...args));
            assert.equal(requests.filter((request) => request.startsWith("GET")).length, reads);
            assert.equal(requests.filter((request) => request.startsWith("PUT")).length, 6);
            assert.equal(requests.length, reads + 6);
        };
        const expected = (title: string, tags: string, ofDynamicLibrary = tags) => [
            `dynamic library ${title},${ofDynamicLibrary}`,
            `native library ${title},${tags}`,
            ...["dynamic", "native"].flatMap((face) => Array(2).fill(`${face} ${title},${tags}`)),
        ];

        changeOutside(["theirs"]);
        await stack.program(program("Two"));
        await update(6);
        assert.deepEqual(shown(), expected("Two", "theirs").toSorted());
        assert.ok(testbed.emulator.contents().every(({ description }) => description === "Theirs"));

        // A refresh shows the drift, and `ignoreChanges` keeps it.
        changeOutside(["again"]);
        await stack.program(program("Three", ["tags", "description"]));
        await update(12, "--refresh");
        assert.deepEqual(shown(), expected("Three", "again", "declared").toSorted());
    });
});
