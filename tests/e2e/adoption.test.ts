/** Adopted objects over several runs: previews say what happens, and nothing throws. */
import assert from "node:assert/strict";
import { declare } from "../support/program.ts";
import { useTestbed } from "../support/testbed.ts";

describe("Adopted contents", () => {
    const testbed = useTestbed({ speed: 5 });

    const add = (title = "Theirs", policy: "public" | "signed" = "public") =>
        testbed.emulator.addContent({ title, playback_policy: [policy] }).contentId;
    const film = (name: string, importId?: string) =>
        declare("Content", name, { title: "Theirs", ...(importId && { importId }) });
    const nativeFilm = (name: string, id?: string) =>
        declare("Content", name, { title: "Theirs" }, id && `{ import: "${id}" }`).replace("videograph.", "native.");

    it("are replaced once importId is given up for a source, refresh whatever became of them, and the row or the error says so, in both faces", async () => {
        const [first, second, third, fourth] = [add("Theirs", "signed"), add("Broken", "signed"), add(), add()];
        const adopted = declare("Content", "broken", { title: "Broken", importId: second, playbackPolicy: ["signed"] });
        const trailer = (more: object) => declare("Content", "trailer", { title: "Trailer", ...more });
        const stack = await testbed.stack(
            trailer({ importId: first }) + adopted + film("theirs", third) + nativeFilm("native", fourth),
        );
        const adopting = await stack.up();
        assert.match(adopting.output, /`pulumi up` adopts the Content with this id, and creates nothing\./);
        for (const id of [second, third, fourth]) testbed.emulator.setContentStatus(id, "Failed", "broken");
        // They are refreshed although they cannot be replaced, which only an update refuses.
        const expected = (ids: string[]) =>
            ids.map((id) => new RegExp(`Content ${id} requires replacement \\(status\\).*Declare content`));
        const { output } = await stack.refresh();
        for (const pattern of expected([fourth])) assert.match(output, pattern);
        for (const name of ["broken", "theirs", "native"])
            assert.equal((await stack.resource(name)).outputs?.status, "Failed");

        const content = [{ url: testbed.media.video() }];
        const replaced = trailer({ content, playbackPolicy: ["public"] });
        await stack.program(replaced + adopted + film("theirs") + nativeFilm("native"));
        await stack.upOfAllFails(
            /was adopted: it is replaced by a new one, and deleted/,
            /status: this change requires a replacement, which importId rules out.*Remove importId first/s,
            ...expected([third, fourth]),
        );
        // The old one is deleted once a run succeeds.
        const trailers = (await stack.resources()).filter(({ urn }) => urn.endsWith("::trailer")).map(({ id }) => id);
        assert.equal(trailers.length, 2);
        assert.ok(trailers.includes(first));
        const ids = testbed.emulator.contents().map(({ contentId }) => contentId);
        assert.deepEqual(ids.sort(), [second, third, fourth, ...trailers].sort());
    });

    it("keep their object where the run that renamed them, or adopted them again by --replace, failed before its deletions, a library's too, in both faces; what was created is deleted", async () => {
        const [first, second, third, fourth] = [add(), add(), add(), add()];
        const made = (name: string) =>
            declare("Content", name, { title: name, content: [{ url: testbed.media.video() }] });
        const again = (isAdopted: boolean) => {
            const adopting = (importId: string) => ({ title: "Theirs", ...(isAdopted && { importId }) });
            return (
                declare("Content", "again", adopting(third)) +
                declare("ContentLibrary", "again-films", { contents: { entry: adopting(fourth) } }) +
                made("again-made")
            );
        };
        const stack = await testbed.stack(film("film", first) + nativeFilm("native", second) + again(true));
        await stack.up();
        // It fails when all else is there: after a failure the engine begins nothing more.
        testbed.emulator.inject({ kind: "processing", fail: "no video", ms: 5_000, title: "scene", times: 1 });
        const renamed = nativeFilm("native-renamed", second) + made("scene");
        await stack.program(film("renamed", first) + renamed + again(true));
        await stack.fails(["up", "--yes", "--skip-preview", "--replace", "**::again*"], /no video/);
        assert.equal((await stack.resources()).length, 11);
        await stack.program(film("renamed") + renamed + again(false));
        const { output } = await stack.up("--refresh");
        for (const id of [first, second, third, fourth]) assert.match(output, new RegExp(`${id} was kept: a resource`));
        assert.deepEqual(
            [await stack.resourceId("renamed"), await stack.resourceId("native-renamed")],
            [first, second],
        );
        assert.equal((await stack.resources()).length, 6);
        assert.equal(testbed.emulator.contents().length, 6);
    });
});
