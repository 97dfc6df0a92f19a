/** ContentLibrary through the real CLI: many contents as one resource. */
import assert from "node:assert/strict";
import { requestsOf, sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";

interface Entry {
    title?: string;
    playbackPolicy?: string[];
    /** The object that each face's library adopts, in place of a source. */
    adopts?: Record<string, string>;
}

describe("ContentLibrary", () => {
    const testbed = useTestbed();
    const faces = ["dynamic", "native"] as const;
    /** A library in each of these faces. The title of an entry has its face and its key. */
    const libraries = (entries: Record<string, Entry>, more: Partial<Record<"dynamic" | "native", string>>) => `
        const faces = { dynamic, native };
        const entries = Object.entries(${JSON.stringify(entries)});
        const defaults = { tags: ["archive"] };
        for (const [face, [args, options]] of Object.entries({ ${Object.entries(more)
            .map(([face, args]) => `${face}: [${args}]`)
            .join(", ")} })) {
            const contents = Object.fromEntries(entries.map(([key, { adopts, ...entry }]) => {
                const its = adopts ? { importId: adopts[face] } : { content: [{ url: "${testbed.media.video()}" }] };
                return [key, { title: face + " " + key, ...its, ...entry }];
            }));
            const films = new faces[face].ContentLibrary(face, { contents, defaults, ...args }, options);
            exports[face] = films.contents;
            for (const [key] of entries)
                films.contents[key].playbackUrl.apply(() => console.log(face + " " + key + " is known"));
        }`;
    const both = (entries: Record<string, Entry>, more = "{}") => libraries(entries, { dynamic: more, native: more });
    const titles = () =>
        testbed.emulator
            .contents()
            .map(({ title }) => title)
            .sort();
    const ofBoth = (...keys: string[]) => faces.flatMap((face) => keys.map((key) => `${face} ${key}`)).sort();
    const count = (method: string) => sentBy(testbed.emulator, method).length;
    const bothSay = (output: string, pattern: RegExp) => {
        const [, said = output] = output.split("Diagnostics:");
        assert.equal(said.match(pattern)?.length, 2, `${pattern} twice in\n${output}`);
    };

    it("lives in both faces: created, left alone, changed, refreshed, with a failure, emptied (L1, L2, L3, L5, L6, N3)", async () => {
        const adopts = Object.fromEntries(
            // They are as declared, so that nothing marks them as the first key's.
            faces.map((face) => [
                face,
                testbed.emulator.addContent({ title: `${face} theirs`, tags: ["archive"] }).contentId,
            ]),
        );
        const theirs = { adopts };
        const stack = await testbed.stack(both({ harbour: {}, ice: {}, snow: {}, fog: {}, theirs }));
        const created = await stack.up();
        for (const face of faces)
            assert.match(created.output, new RegExp(`ContentLibrary ${face} created \\([\\d.]+s\\) 5/5 ready\\s*\\n`));
        assert.equal(count("POST"), 8);
        const outputs = async () =>
            (await stack.outputs()) as Record<string, Record<string, { status: string; contentId: string }>>;
        const first = await outputs();
        for (const face of faces)
            assert.deepEqual(
                Object.values(first[face] ?? {}).map(({ status }) => status),
                Array(5).fill("Ready"),
            );
        assert.deepEqual(titles(), ofBoth("fog", "harbour", "ice", "snow", "theirs"));
        // A preview without the key of the state can read it.
        const records = (await stack.resources()).flatMap(({ outputs }) => outputs?.__entries ?? []);
        assert.deepEqual(
            records.map((record) => typeof record),
            ["string", "string"],
        );
        const harbour = { title: "Harbour" };
        const ice = { playbackPolicy: ["signed"] };
        await stack.program(
            libraries(
                { harbour, ice },
                { dynamic: '{}, { ignoreChanges: ["contents"] }', native: '{}, { ignoreChanges: ["*"] }' },
            ),
        );
        assert.deepEqual(await requestsOf(testbed.emulator, () => stack.up("--expect-no-changes")), []);

        await stack.program(both({ harbour, ice, rain: {}, fog: {}, theirs }));
        stack.env.PULUMI_EXPERIMENTAL = "true";
        const preview = (await stack.preview("--save-plan=plan.json")).output;
        bothSay(
            preview,
            /Contents of the library: 1 to update \(harbour\), 1 to replace \(ice\), 1 to create \(rain\), 1 to delete \(snow\)\. \[VG2034\]/g,
        );
        bothSay(preview, /1 of the library's contents get a new id and playback URL: .*\(ice\)\. \[VG4061\]/g);
        assert.match(preview, /~ harbour\s*: \{\s+~ title: "native harbour" => "Harbour"\s+\}/);
        assert.match(preview, /~ ice\s*: \{\s+\+ playbackPolicy: \[/);
        assert.match(preview, /\+ rain\s*: \{.*\+ title\s*: "native rain"/s);
        assert.match(preview, /- snow\s*: \{.*- title\s*: "native snow"/s);
        // The outputs of a content that does not change stay known (N3).
        assert.deepEqual(preview.match(/\w+ \w+(?= is known)/g)?.sort(), ["native fog", "native theirs"]);
        testbed.emulator.clearRequests();
        assert.doesNotMatch((await stack.up("--plan=plan.json")).output, /VG4061/);
        assert.deepEqual(titles(), ["Harbour", "Harbour", ...ofBoth("fog", "ice", "rain", "theirs")].sort());
        assert.deepEqual([count("POST"), count("PUT"), count("DELETE")], [4, 2, 4]);

        // Nothing is deleted as long as something fails; all others go on, and an adopted content moves to another key.
        for (const face of faces) testbed.emulator.deleteContent(first[face]?.fog?.contentId ?? "");
        for (const face of faces)
            testbed.emulator.inject({ kind: "processing", fail: "no video track", title: `${face} new`, times: 1 });
        await stack.program(both({ fog: {}, new: {}, moved: { ...theirs, title: "moved" } }));
        const failed = await stack.attempt("up", "--yes", "--skip-preview", "--refresh", "--continue-on-error");
        assert.notEqual(failed.code, 0);
        bothSay(failed.output, /deleted outside of Pulumi: fog.*\[VG4032\]/g);
        assert.match(
            failed.output,
            /1 of \d contents of the library failed.*VG4030.*\n\s+- \w+: Content .*no video track/s,
        );
        bothSay(failed.output, /new: Content .*no video track/g);
        assert.deepEqual(
            titles().filter((title) => /(ice|rain|fog)$/.test(title)),
            ofBoth("fog", "ice", "rain"),
        );
        await stack.up();
        assert.deepEqual(titles(), ["moved", "moved", ...ofBoth("fog", "new")].sort());
        assert.ok(testbed.emulator.contents().every(({ status }) => status === "Ready"));
        const second = await outputs();
        for (const face of faces) assert.equal(second[face]?.moved?.contentId, adopts[face]);

        const part = libraries({ new: {} }, { dynamic: '{}, { ignoreChanges: ["contents.fog"] }' });
        await stack.program(`{${libraries({}, { native: "{}" })}}\n{${part}}`);
        await stack.previewFails(
            /The program declares no contents, but the library has 3: fog, .*\[VG2036\]/,
            /ignoreChanges names a part of contents.*VG2037/,
        );
    });

    it("counts no content whose inputs a preview does not know yet, has its outputs in either form, and refuses to lose many", async () => {
        const films = (policy: string, form: string, length = 12) => `
            const content = [{ url: "${testbed.media.video()}" }];
            const other = new videograph.Content("other", { title: "Other", content, playbackPolicy: ["${policy}"] });
            const source = other.playbackUrl.apply(() => content);
            const all = Array.from({ length: ${length} }, (_, index) => ({ key: "film-" + index, title: "Film", content: source }));
            const contents = Object.fromEntries(all.map(({ key, ...film }) => [key, film]));
            const catalogue = pulumi.output(all).apply((lines) => lines.map((line) => JSON.stringify(line)).join("\\n"));
            const films = new videograph.ContentLibrary("films", { ${form} });
            exports.status = films.contents.apply((its) => its["film-10"]?.status);`;
        const stack = await testbed.stack(films("public", "catalogue"), "native");
        await stack.up();
        await stack.program(films("signed", "contents"));
        // With its preview.
        const requests = await requestsOf(testbed.emulator, () => stack.run("up", "--yes"));
        assert.equal(requests.filter((one) => /^(POST|DELETE)/.test(one)).length, 2);
        assert.equal((await stack.outputs()).status, "Ready");
        await stack.program(films("signed", "contents", 1));
        await stack.previewFails(
            /would delete or replace 11 of the library.s 12 contents, but maxDeletes allows only 10: film-1, film-10, .*set maxDeletes to at least 11\. \[VG2035\]/,
        );
    });
});
