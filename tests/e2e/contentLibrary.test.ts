/** ContentLibrary through the real CLI: many contents as one resource. */
import assert from "node:assert/strict";
import { requestsOf, sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import { waitFor } from "../support/waitFor.ts";

describe("ContentLibrary", () => {
    const testbed = useTestbed();
    const library = (entries: Record<string, object>, more = "") => `
        const url = "${testbed.media.video()}";
        const entries = ${JSON.stringify(entries)};
        const contents = Object.fromEntries(Object.entries(entries).map(([key, entry]) =>
            [key, { title: key, content: [{ url }], ...entry }]));
        const films = new videograph.ContentLibrary("films", { contents, defaults: { tags: ["archive"] } ${more} });
        exports.contents = films.contents;
        exports.harbour = films.contents.apply(c => c.harbour && c.harbour.playbackUrl);
        for (const key of Object.keys(entries))
            films.contents[key].playbackUrl.apply(url => console.log(key + " is at " + url));`;
    const titles = () =>
        testbed.emulator
            .contents()
            .map(({ title }) => title)
            .sort();

    it("takes the resource options that name contents", async () => {
        const stack = await testbed.stack("");
        const changed = { harbour: { playbackPolicy: ["signed"] }, rain: {} };
        const withOptions = (options: string) => stack.program(library(changed, `}, { ${options}`));
        await stack.program(library({ harbour: {}, ice: {} }));
        await stack.up();
        for (const paths of ['["contents"]', '["*"]']) {
            await withOptions(`ignoreChanges: ${paths}`);
            assert.deepEqual(await requestsOf(testbed.emulator, () => stack.up("--expect-no-changes")), []);
        }
        await withOptions('replaceOnChanges: ["contents"]');
        assert.match((await stack.preview()).output, /1 to replace/);
        await withOptions('ignoreChanges: ["contents.harbour"]');
        await stack.previewFails(/ignoreChanges names a part of contents.*VG2037/);
    });

    for (const face of ["dynamic", "native"] as const)
        it(`lives: create, nothing, update, replace, delete, refresh, destroy (${face})`, async () => {
            const stack = await testbed.stack(library({ harbour: {}, ice: {}, snow: {}, fog: {} }), face);
            const created = await requestsOf(testbed.emulator, async () => {
                assert.match((await stack.up()).output, /ContentLibrary films created \([\d.]+s\) 4\/4 ready\s*\n/);
            });
            assert.equal(created.filter((one) => one === "POST /contents").length, 4);
            const { contents, harbour } = (await stack.outputs()) as {
                contents: Record<string, { status: string; contentId: string }>;
                harbour: string;
            };
            assert.deepEqual(
                Object.values(contents).map(({ status }) => status),
                ["Ready", "Ready", "Ready", "Ready"],
            );
            assert.match(harbour, /^http/);
            assert.deepEqual(titles(), ["fog", "harbour", "ice", "snow"]);
            assert.deepEqual(await requestsOf(testbed.emulator, () => stack.up("--expect-no-changes")), []);

            await stack.program(
                library({ harbour: { title: "Harbour" }, ice: { playbackPolicy: ["signed"] }, rain: {}, fog: {} }),
            );
            const preview = await stack.preview("--diff");
            assert.match(
                preview.output,
                /Contents of the library: 1 updated \(harbour\), 1 replaced \(ice\), 1 created \(rain\), 1 deleted \(snow\)\. \[VG2034\]/,
            );
            if (face === "native") {
                assert.match(preview.output, /~ harbour\s*: \{\s+~ title: "harbour" => "Harbour"\s+\}/);
                assert.match(preview.output, /~ ice\s*: \{\s+\+ playbackPolicy: \[/);
                assert.match(preview.output, /\+ rain\s*: \{.*\+ title\s*: "rain"/s);
                assert.match(preview.output, /- snow\s*: \{.*- title\s*: "snow"/s);
                // The outputs of a content that does not change stay known (N3).
                assert.deepEqual(preview.output.match(/\w+(?= is at http)/g), ["fog"]);
            }
            testbed.emulator.clearRequests();
            await stack.up();
            assert.deepEqual(titles(), ["Harbour", "fog", "ice", "rain"]);
            assert.equal(sentBy(testbed.emulator, "POST").length, 2);
            assert.equal(sentBy(testbed.emulator, "PUT").length, 1);
            assert.equal(sentBy(testbed.emulator, "DELETE").length, 2);

            testbed.emulator.deleteContent(contents.fog?.contentId ?? "");
            const refreshed = await stack.refresh();
            assert.match(refreshed.output, /deleted outside of Pulumi: fog.*\[VG4032\]/);
            await stack.up();
            assert.deepEqual(titles(), ["Harbour", "fog", "ice", "rain"]);
            await stack.destroy();
            assert.deepEqual(titles(), []);
        });

    it("refuses an emptied map, and more deletions than maxDeletes allows, in the preview and in the update", async () => {
        const all = Object.fromEntries(Array.from({ length: 14 }, (_, index) => [`film-${index}`, {}]));
        const stack = await testbed.stack(library(all));
        await stack.up();
        await stack.program(library({}));
        await stack.previewFails(
            /The program declares no contents, but the library has 14: film-0, .* and 4 more\. .*\[VG2036\]/,
        );
        await stack.upFails(/VG2036/);
        await stack.program(library({ "film-0": {} }));
        await stack.previewFails(
            /would delete or replace 13 of the 14 contents .* maxDeletes allows only 10: film-1, film-10, .*set maxDeletes to at least 13\. \[VG2035\]/,
        );
        assert.equal(titles().length, 14);
        await stack.program(library({ "film-0": {} }, ", maxDeletes: 13"));
        await stack.up();
        assert.deepEqual(titles(), ["film-0"]);
    });

    it("counts no content whose inputs a preview does not know yet, and has its outputs in either form", async () => {
        const films = (policy: string, form: string) => `
            const content = [{ url: "${testbed.media.video()}" }];
            const other = new videograph.Content("other", { title: "Other", content, playbackPolicy: ["${policy}"] });
            const source = other.playbackUrl.apply(() => content);
            const all = Array.from({ length: 11 }, (_, index) => ({ key: "film-" + index, title: "Film", content: source }));
            const contents = Object.fromEntries(all.map(({ key, ...film }) => [key, film]));
            const catalogue = pulumi.output(all).apply((lines) => lines.map((line) => JSON.stringify(line)).join("\\n"));
            const films = new videograph.ContentLibrary("films", { ${form} });
            exports.status = films.contents.apply((its) => its["film-10"]?.status);`;
        const stack = await testbed.stack(films("public", "contents"), "native");
        await stack.up();
        await stack.program(films("signed", "contents"));
        await stack.preview();
        const requests = await requestsOf(testbed.emulator, () => stack.up());
        assert.deepEqual(requests.filter((one) => /^(POST|DELETE)/.test(one)).length, 2);
        await stack.program(films("signed", "catalogue"));
        await stack.up();
        assert.equal((await stack.outputs()).status, "Ready");
    });

    it("goes on with all others when one fails, and with the rest in the next up", async () => {
        const stack = await testbed.stack(library({ harbour: {}, ice: {}, snow: {} }));
        const fault = testbed.emulator.inject({ kind: "processing", fail: "no video track", after: 1, times: 1 });
        await stack.upFails(/1 of 3 contents of the library failed.*VG4030.*\n\s+- \w+: Content .*no video track/s);
        fault.remove();
        assert.equal(titles().length, 3);
        await stack.up();
        assert.deepEqual(titles(), ["harbour", "ice", "snow"]);
        assert.ok(testbed.emulator.contents().every(({ status }) => status === "Ready"));
    });

    it("is interrupted while a replaced content waits for its deletion: the next up deletes it", async () => {
        const stack = await testbed.stack(library({ harbour: {} }), "native");
        await stack.up();
        const refused = testbed.emulator.inject({ kind: "status", status: 403, method: "DELETE" });
        await stack.program(library({ harbour: { playbackPolicy: ["signed"] } }));
        await stack.upFails(/1 of 1 contents of the library failed.*Run the same command again.*VG4030/s);
        refused.remove();
        assert.deepEqual(titles(), ["harbour", "harbour"]);

        const stuck = testbed.emulator.inject({ kind: "processing", stuck: true });
        await stack.program(library({ harbour: { playbackPolicy: ["signed"] }, ice: {} }));
        const up = stack.start("up", "--yes", "--skip-preview");
        await waitFor("the create", () => titles().includes("ice"));
        up.interrupt();
        assert.match((await up.result).output, /VG4031/);
        stuck.remove();
        for (const { contentId } of testbed.emulator.contents()) testbed.emulator.setContentStatus(contentId, "Ready");
        await stack.up();
        assert.deepEqual(titles(), ["harbour", "ice"]);
    });

    it("deletes nothing as long as something fails, and moves an adopted content to another key", async () => {
        // It is as declared, so that nothing marks it as the first key's.
        const { contentId } = testbed.emulator.addContent({ title: "theirs", tags: ["archive"] });
        const theirs = { title: "theirs", importId: contentId, content: null };
        const stack = await testbed.stack(library({ old: {}, theirs }));
        await stack.up();
        testbed.emulator.inject({ kind: "processing", fail: "no video", title: "new", times: 1 });
        await stack.program(library({ new: {}, moved: theirs }));
        await stack.upFails(/new: .*no video/);
        assert.deepEqual(titles(), ["new", "old", "theirs"]);
        await stack.up();
        assert.deepEqual(titles(), ["new", "theirs"]);
        const { contents } = (await stack.outputs()) as { contents: Record<string, { contentId: string }> };
        assert.deepEqual([Object.keys(contents).sort(), contents.moved?.contentId], [["moved", "new"], contentId]);

        // Without importId, and with a source, it is replaced as the preview says.
        await stack.program(library({ new: {}, moved: { title: "ours" } }));
        assert.match((await stack.preview()).output, /1 replaced \(moved\)/);
        await stack.up();
        assert.deepEqual(titles(), ["new", "ours"]);
    });
});
