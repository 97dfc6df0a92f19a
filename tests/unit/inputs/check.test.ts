/** Bad input: everything at once, each problem with its path and the way out, never a value (S5). */
import assert from "node:assert/strict";
import { unknownValue } from "../../../provider/dist/inputs/values.js";
import { clip } from "../../../provider/dist/resources/clip.js";
import { content } from "../../../provider/dist/resources/content.js";
import { checkLibrary } from "../../../provider/dist/resources/contentLibrary/entries.js";
import { livestream } from "../../../provider/dist/resources/livestream.js";
import type { Properties } from "../../support/machine.ts";

const source = [{ url: "https://media.example.com/a.mp4" }];
const film = { title: "a", content: source };
const check = (news: Properties, olds?: Properties) => content.check(news, olds, {});
const library = (news: Properties, olds?: Properties) => checkLibrary(news, olds, {});

describe("check", () => {
    it("S5: whatever stands in the place of a list or of pairs is a problem, and no failure", () => {
        for (const odd of ["a", 1, [null], [null, null]]) {
            const news = { ...film, metadata: odd, subtitle: odd, tags: odd, watermark: odd };
            for (const olds of [undefined, { title: "a", importId: "1", subtitle: [] }])
                assert.ok(check(olds ? { ...news, importId: "1" } : news, olds).problems.length >= 4, `${odd}`);
        }
    });

    it("S5: an output that is given as an input, a list in place of a library's keys, a livestream in place of a content; what a new library adopts", () => {
        const [output] = livestream.check({ title: "a", region: "us-east-1", streamKey: "b" }, undefined, {}).problems;
        assert.equal(output, "streamKey is an output, which the service makes: remove it [VG2050]");
        const { problems } = library({ contents: [{ title: "a" }] });
        assert.match(problems.join(), /^contents must be an object whose keys name .* \[VG2001\]$/);
        const contents = { a: { title: "a", importId: "1" }, b: film };
        assert.deepEqual(library({ contents }).notes, ["Contents of the library: 1 to create, 1 to adopt. [VG2034]"]);
        assert.deepEqual(library({ contents }, { contents }).notes ?? [], []);
        const teaser = { contentId: "1", startTime: 1, endTime: 2 };
        const propertiesOf = (id: string, isLivestream = false) => (isLivestream && id === "1" ? {} : undefined);
        const [foreign] = clip.check(teaser, undefined, { propertiesOf }).problems;
        assert.match(foreign ?? "", /^contentId must be the id of a content, .* not of a livestream/);
    });

    it("S5: a clip of itself, or beyond the end of its source, and a thumbnail that nobody waits for", () => {
        const teaser = { contentId: "1", startTime: 1, endTime: 11 };
        const problems = (news: object, known: object) => clip.check({ ...teaser, ...news }, undefined, known).problems;
        assert.match(problems({ importId: "1" }, {}).join(), /^contentId .*cannot be cut from itself \[VG4204\]$/);
        const propertiesOf = () => ({ status: "Ready", duration: 10_000 });
        assert.match(problems({}, { propertiesOf }).join(), /^endTime must be at most 10,/);
        const unready = { ...film, thumbnail: { position: 1, width: 2, height: 1 }, waitForReady: false };
        assert.match(check(unready).problems.join(), /^thumbnail needs a Ready content.*\[VG4028\]$/);
    });

    it("S5: every bad entry of a library is named with its path", () => {
        const contents = { "": film, "a/b": film, "a::b": film, odd: { title: 3, waitForReady: false } };
        const problems = library({ contents }).problems.join("\n");
        for (const key of ["", "a/b", "a::b"])
            assert.ok(problems.includes(`contents["${key}"] needs another key: unique, not empty`), key);
        for (const wrong of ["title must be a string", "content is required", "waitForReady is not for a library"])
            assert.ok(problems.includes(`contents["odd"].${wrong}`), wrong);
    });

    it("S5: a mistake in the defaults of a library is named once, there, and not in each entry", () => {
        const contents = { a: film, b: film };
        const problems = (defaults: object) => library({ contents, defaults }).problems;
        assert.deepEqual(problems({ tags: "a" }), ['defaults.tags must be a list, such as ["…"] [VG2001]']);
        assert.match(problems({ playbackPolcy: ["signed"] }).join(), /^defaults.playbackPolcy .*to `playbackPolicy`/);
        assert.match(problems({ waitForReady: false }).join(), /^defaults.waitForReady is not for a library: .*VG2053/);
        // As Python sends what a library does not have.
        assert.match(
            problems({ wait_for_ready: false }).join(),
            /^defaults.waitForReady is not for a library: .*VG2053/,
        );
        const one = library({ contents: { a: { ...film, wait_for_ready: false } } }).problems;
        assert.match(one.join(), /^contents\["a"\].waitForReady is not for a library: .*VG2053/);
        for (const ofEach of ["title", "content", "importId"])
            assert.match(problems({ [ofEach]: "a" }).join(), new RegExp(`^defaults.${ofEach} is .*VG2006`));
        // A value that is not known yet, and a default that is switched off.
        assert.deepEqual(problems({ description: unknownValue, tags: null }), []);
    });

    it("S5: a catalogue that is one JSON document is told what it must be, once", () => {
        const line = { key: "a", ...film };
        for (const [document, indent] of [
            [[line, line], 0],
            [[line, line], 2],
            [{ a: film, b: film }, 0],
            [{ a: film }, 2],
            [[], 0],
            [line, 2],
        ] as const) {
            const { problems } = library({ catalogue: JSON.stringify(document, undefined, indent) });
            assert.match(problems.join(), /^catalogue is one JSON document, .*VG2054\]$/);
        }
        const lines = `${JSON.stringify(line)}\n{}\n`.concat("no JSON\n".repeat(30));
        const { problems } = library({ catalogue: lines });
        assert.equal(problems[0], "catalogue, line 2 is not a JSON object with a key [VG2031]");
        // As of entries: the rest is counted.
        assert.equal(problems.length, 21);
        assert.match(problems.at(-1) ?? "", /^and 11 more/);
    });

    it("S5: the right form of a value has its unit, and is one of those that are known", () => {
        const url = "https://media.example.com/a";
        const [xPos, language] = check({
            ...film,
            watermark: [{ url, xPos: 5 }],
            subtitle: [{ url, languageCode: true }],
        }).problems;
        assert.equal(xPos, 'watermark[0].xPos must be a string, such as "40px" or "70%" [VG2001]');
        assert.equal(language, 'subtitle[0].languageCode must be a string, such as "en" or "pt-BR" [VG2001]');
        const [region] = livestream.check({ title: "a", region: 1 }, undefined, {}).problems;
        assert.equal(region, 'region must be a string, such as "us-east-1" [VG2001]');
    });

    it("fills in the default policy for what is created, and not for what was taken over", () => {
        assert.deepEqual(check(film).inputs.playbackPolicy, ["public"]);
        assert.equal(check({ title: "a", importId: "1" }).inputs.playbackPolicy, undefined);
        // importId taken out again: still nothing was ever declared.
        assert.equal(check({ title: "a" }, { title: "a", importId: "1" }).inputs.playbackPolicy, undefined);
        assert.deepEqual(check({ title: "a" }, { title: "a", importId: "1" }).problems, []);
        assert.deepEqual(check({ title: "a" }, { title: "a" }).problems, []);
    });

    it("the region's default acts at creation only", () => {
        const news = { title: "a" };
        assert.equal(livestream.check(news, undefined, { region: "us-east-1" }).inputs.region, "us-east-1");
        const olds = { title: "a", region: "us-east-1", record: false };
        assert.equal(livestream.check(news, olds, { region: "ap-south-1" }).inputs.region, "us-east-1");
        assert.deepEqual(livestream.check(news, undefined, {}).problems, [
            "region is required (us-east-1, us-west-1, ap-south-1 or another one: as an input, as videograph:region or as VIDEOGRAPH_REGION) [VG2002]",
        ]);
    });

    it("S9: another importId is refused, because no diff is asked of a resource that --replace names", () => {
        const olds = { title: "a", importId: "1" };
        assert.match(check({ ...olds, importId: "2" }, olds).problems.join(), /^importId names .* Content 1, .*VG2020/);
        assert.deepEqual(check({ ...olds, importId: unknownValue }, olds).problems, []);
    });

    it("L8: what an adopted object cannot become is refused before anything is sent", () => {
        const olds = { title: "a", importId: "1", playbackPolicy: ["public"] };
        const problems = (change: object) => check({ ...olds, ...change }, olds).problems.join();
        assert.match(problems({ playbackPolicy: ["signed"] }), /^playbackPolicy: this change requires a replacement/);
        for (const change of [{ playbackPolicy: unknownValue }, { importId: unknownValue }, { title: "b" }])
            assert.equal(problems(change), "");
    });

    it("L8: says that it adopts, once", () => {
        const adopting = { title: "a", importId: "1" };
        assert.match(check(adopting).notes?.join() ?? "", /adopts the Content with this id/);
        assert.deepEqual(check(adopting, adopting).notes, []);
        // It is refused.
        assert.deepEqual(check({ title: "a", importId: "" }).notes, []);
    });

    it("S3: says why an input with an ordinary query is a secret, when it becomes one", () => {
        const from = (query: string) => ({ title: "a", content: [{ url: `https://media.example.com/a.mp4${query}` }] });
        const notes = (news: Properties, olds?: Properties) => check(news, olds).notes ?? [];
        const subtitle = [{ url: "https://media.example.com/en.vtt" }, { url: "https://media.example.com/de.vtt?2" }];
        const [first = "", second = ""] = notes({ ...from("?v=2"), subtitle });
        assert.match(first, /^content\[0\]\.url has a query, .* content is shown as \[secret\]/);
        assert.match(second, /^subtitle\[1\]\.url .* subtitle is shown /);
        assert.equal(notes(from("?v=2"), from("")).length, 1);
        assert.deepEqual(notes(from("?v=3"), from("?v=2")), []);
        for (const query of ["", "#v=2"]) assert.deepEqual(notes(from(query)), [], query);
    });

    it("says that another signature replaces the video, each time it is another, unless sourceVersion is set", () => {
        const at = (query: string) => ({ content: [{ url: `https://media.example.com/a.mp4?${query}` }] });
        const signed = ["X-Amz-Date=1&X-Amz-Signature=2", "Expires=1&Signature=2&Key-Pair-Id=3", "sv=1&sr=b&sig=2"];
        const said = /^content\[0\]\.url seems to be signed: .* Set sourceVersion: [^?]*\[VG2051\]$/;
        for (const query of [...signed, "token=1"]) {
            const news = { title: "a", ...at(query) };
            for (const olds of [undefined, { title: "a", ...at("token=0") }])
                assert.match(check(news, olds).notes?.join("\n") ?? "", said, query);
            assert.deepEqual(check(news, { ...news, title: "b" }).notes, [], query);
            for (const sourceVersion of ["1", unknownValue])
                assert.deepEqual(check({ ...news, sourceVersion }).notes, [], query);
        }
        const subtitle = [{ url: "https://media.example.com/a.vtt?sig=1" }];
        assert.deepEqual(check({ ...film, subtitle }).notes, []);
        const [a, b] = ["a", "b"].map((title) => ({ title, ...at("sig=1") }));
        const first = library({ contents: { a, b } }).notes?.join("\n") ?? "";
        assert.match(first, /^contents\["a"\]\.content\[0\]\.url seems .*VG2051\]$/);
        const versioned = library({ contents: { a: { ...a, sourceVersion: "1" }, b } });
        assert.match(versioned.notes?.join() ?? "", /^contents\["b"\]/);
    });

    it("refuse the marker's key, also in capitals: a service may not tell them apart", () => {
        for (const key of ["managed_by", "Managed_By"])
            assert.deepEqual(check({ ...film, metadata: { [key]: "me", by: "me" } }).problems.length, 1, key);
    });

    it("refuse an entry's own `key`, which is no property of a content, in every form", () => {
        for (const news of [
            { contents: { a: { ...film, key: "K-17" } } },
            { contents: { a: film }, defaults: { key: "K-17" } },
            { catalogue: JSON.stringify({ key: "a", ...film }), defaults: { key: "K-17" } },
        ])
            assert.match(library(news).problems.join(), /^(contents\["a"\]|defaults)\.key .*VG2006\]$/);
    });

    it("warns of a region that may be a typo, when it is first set", () => {
        const warnings = (region: string, olds?: Properties) =>
            livestream.check({ title: "a", region }, olds, {}).warnings;
        const unusual = /^region is not one of the known values .*us-east-1, us-west-1, ap-south-1/;
        assert.match(warnings("us-esat-1")?.join() ?? "", unusual);
        assert.match(warnings("us-esat-1")?.join() ?? "", /correct it to `us-east-1` now/);
        assert.match(warnings("mars-1")?.join() ?? "", /correct it now/);
        assert.deepEqual(warnings("ap-south-1"), []);
        assert.equal(warnings("us-esat-1", { title: "a", region: "eu-west-1" })?.length, 1);
        assert.deepEqual(warnings(unknownValue), []);
        assert.deepEqual(warnings("eu-west-1", { title: "a", region: "eu-west-1" }), []);
    });

    it("warns of what looks like no language and no position, at its place", () => {
        const url = "https://media.example.com/a";
        const warnings = (inputs: object) => check({ ...film, ...inputs }).warnings ?? [];
        const odd = { watermark: [{ url, xPos: "110%", yPos: "10" }], subtitle: [{ url, languageCode: "xx" }] };
        const places = warnings(odd).map((text) => text.split(" is not one of the known values (such as")[0]);
        assert.deepEqual(places, ["watermark[0].xPos", "watermark[0].yPos", "subtitle[0].languageCode"]);
        const subtitle = ["pt-BR", "deu"].map((languageCode) => ({ url, languageCode }));
        const usual = { watermark: [{ url, xPos: "100%", yPos: "1.5px" }], subtitle };
        assert.deepEqual([...warnings(usual), ...warnings({ watermark: "none", subtitle: [unknownValue] })], []);
    });
});
