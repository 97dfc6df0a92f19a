/** Adopted objects over several runs: previews say what happens, and nothing throws. */
import assert from "node:assert/strict";
import { declare } from "../support/program.ts";
import { useTestbed } from "../support/testbed.ts";

const trailer = (inputs: object) =>
    `exports.id = new videograph.Content("trailer", ${JSON.stringify(inputs)}, { customTimeouts: { create: "30s" } }).id;`;

describe("Adopted contents", () => {
    const testbed = useTestbed({ speed: 5 });

    it("are replaced once importId is given up for a source, refresh whatever became of them, and the preview or the error says so", async () => {
        const add = (title: string) => testbed.emulator.addContent({ title, playback_policy: ["signed"] }).contentId;
        const [first, second] = [add("Theirs"), add("Broken")];
        const playbackPolicy = ["signed"];
        const broken = (more: object) => declare("Content", "broken", { title: "Broken", ...more });
        const adopted = broken({ importId: second, playbackPolicy });
        const stack = await testbed.stack(trailer({ title: "Trailer", importId: first }) + adopted);
        const adopting = await stack.preview();
        assert.match(
            adopting.output,
            /`pulumi up` adopts the existing Content with this id, and fails if there is none\./,
        );
        await stack.up();
        testbed.emulator.setContentStatus(second, "Failed", "broken");
        await stack.refresh();

        const content = [{ url: testbed.media.video() }];
        const replaced = trailer({ title: "Trailer", content, playbackPolicy: ["public"] });
        await stack.program(replaced + adopted);
        const preview = await stack.preview();
        for (const expected of [
            /was adopted: a new one is created from the declared inputs, and the adopted one is deleted/,
            /replace/,
            /status: this change requires a replacement, but a resource with importId cannot be replaced/,
        ])
            assert.match(preview.output, expected);
        await stack.upFails(/Remove importId from the program first/);
        await stack.program(replaced + broken({ content }));
        await stack.up();
        const made = testbed.emulator.contents();
        assert.deepEqual(
            made.map(({ status }) => status),
            ["Ready", "Ready"],
        );
        for (const { contentId } of made) assert.ok(![first, second].includes(contentId));
        assert.deepEqual(await stack.planned(), []);
    });

    it("are refreshed although they cannot be replaced, which only an update refuses, in both faces", async () => {
        const add = () => testbed.emulator.addContent({ title: "Theirs" }).contentId;
        const ids = [add(), add()] as const;
        const program = (dynamic: object, options: string) =>
            declare("Content", "theirs", { title: "Theirs", ...dynamic }) +
            declare("Content", "native", { title: "Theirs" }, options).replace("videograph.", "native.");
        const native = 'const native = require("pulumi-videograph/native");\n';
        const stack = await testbed.stack(native + program({ importId: ids[0] }, `{ import: "${ids[1]}" }`));
        await stack.up();
        await stack.program(native + program({}, "{}"));
        await stack.up();
        for (const id of ids) testbed.emulator.setContentStatus(id, "Failed", "broken");
        const expected = ids.map(
            (id) => new RegExp(`Content ${id} requires replacement \\(status\\).*Declare content`),
        );
        const { output } = await stack.refresh();
        for (const pattern of expected) assert.match(output, pattern);
        for (const name of ["theirs", "native"]) assert.equal((await stack.resource(name)).outputs?.status, "Failed");
        await stack.upOfAllFails(...expected);
    });

    it("keep their object under a new name where the run that renamed them failed before its deletions, in both faces", async () => {
        const add = () => testbed.emulator.addContent({ title: "Theirs" }).contentId;
        const [dynamic, native] = [add(), add()];
        const film = (name: string, importId?: string) =>
            declare("Content", name, { title: "Theirs", ...(importId && { importId }) });
        const nativeFilm = (name: string) =>
            declare("Content", name, { title: "Theirs" }, `{ import: "${native}" }`).replace("videograph.", "native.");
        const program = (...declarations: string[]) =>
            ['const native = require("pulumi-videograph/native");', ...declarations].join("\n");
        const video = declare("Content", "video", { title: "Scene", content: [{ url: testbed.media.video() }] });
        const stack = await testbed.stack(program(film("film", dynamic), nativeFilm("native-film")));
        await stack.up();
        testbed.emulator.inject({ kind: "processing", fail: "no video", title: "Scene", times: 1 });
        await stack.program(program(film("renamed", dynamic), nativeFilm("native-renamed"), video));
        await stack.upFails(/no video/);
        assert.equal((await stack.resources()).length, 5);
        await stack.program(program(film("renamed"), nativeFilm("native-renamed"), video));
        const { output } = await stack.up();
        for (const id of [dynamic, native]) assert.match(output, new RegExp(`${id} was kept and not deleted`));
        assert.deepEqual(
            [await stack.resourceId("renamed"), await stack.resourceId("native-renamed")],
            [dynamic, native],
        );
        assert.equal(testbed.emulator.contents().length, 3);
        await stack.destroy();
        assert.deepEqual(testbed.emulator.contents(), []);
    });

    it("keep their object where --replace adopted it again and the run failed before its deletions, a library's too; what was created is deleted", async () => {
        const ids = [1, 2].map(() => testbed.emulator.addContent({ title: "Theirs" }).contentId);
        const [film, entry] = ids.map((importId) => ({ title: "Theirs", importId }));
        const library = (contents: object) => declare("ContentLibrary", "films", { contents });
        const made = (name: string) =>
            declare("Content", name, { title: name, content: [{ url: testbed.media.video() }] });
        const program = (one: object, other: object) =>
            declare("Content", "film", { ...one }) + library({ entry: other }) + made("film-made");
        const stack = await testbed.stack(program({ ...film }, { ...entry }));
        await stack.up();
        testbed.emulator.inject({ kind: "processing", fail: "no video", title: "scene", times: 1 });
        await stack.program(program({ ...film }, { ...entry }) + made("scene"));
        await stack.fails(["up", "--yes", "--skip-preview", "--replace", "**::film*"], /no video/);
        assert.equal((await stack.resources()).length, 7);
        await stack.program(program({ title: "Theirs" }, { title: "Theirs" }) + made("scene"));
        const { output } = await stack.up("--refresh");
        for (const id of ids) assert.match(output, new RegExp(`${id} was kept and not deleted`));
        assert.equal((await stack.resources()).length, 4);
        assert.equal(testbed.emulator.contents().length, 4);
        assert.deepEqual(await stack.planned(), []);
        await stack.destroy();
        assert.deepEqual(testbed.emulator.contents(), []);
    });
});
