/** Subtitles: what a change of them is, and what an update sends (L4, L5, L8, S3, S5). What interrupts it: tests/e2e. */
import assert from "node:assert/strict";
import { unknownValue } from "../../../provider/dist/inputs/values.js";
import { content } from "../../../provider/dist/resources/content.js";
import { differenceOf } from "../../support/difference.ts";
import { Machine, type Made, type Process, type Properties, urnOf } from "../../support/machine.ts";

const base = { title: "One", content: [{ url: "https://media.example.com/a.mp4" }], playbackPolicy: ["public"] };
const text = (languageCode: string, file = `${languageCode}.vtt`) => ({
    url: `https://media.example.com/${file}`,
    name: `In ${languageCode}`,
    languageCode,
    supportClosedCaptions: false,
});
const signed = (file: string, signature: number) => [
    { ...text("en", file), url: `https://a.example/${file}?s=${signature}` },
];

describe("diff of subtitles", () => {
    const mark = "pulumi:p/s/n:11111111-22222222-33333333-0123456789ab";
    const before = { ...base, status: "Ready", __meta: { v: 1, fingerprint: "e", mark } };
    const adopted = { __meta: { v: 1, fingerprint: "e" } };
    function diff(old: unknown, now: unknown, more: { olds?: Properties; news?: Properties } = {}) {
        const olds = { ...before, ...(old === undefined ? {} : { subtitle: old }), ...more.olds };
        const news = { ...base, ...(now === undefined ? {} : { subtitle: now }), ...more.news };
        return differenceOf(olds, news);
    }
    const [en, de] = [text("en"), text("de")];
    const bare = { url: "https://media.example.com/x.vtt" };
    const named = { importId: "id-1" };
    const version = { olds: { sourceVersion: "1" }, news: { sourceVersion: "1" } };

    const cases: [string, "none" | "update" | "replace", unknown, unknown, Parameters<typeof diff>[2]?][] = [
        ["L5: an added one", "update", undefined, [en]],
        ["L5: a changed file", "update", [en, de], [text("de", "new.vtt"), en]],
        ["L5: another order", "none", [en, de], [de, en]],
        ["L5: no list in place of an empty one", "none", [], undefined],
        ["L5: a removed language", "replace", [en, de], [text("en", "new.vtt")]],
        ["L5: a removed list", "replace", [en], undefined],
        // Nobody says whether the service tells EN from en.
        ["L5: a language in another case", "replace", [en], [text("EN")]],
        ["L5: an added one without a language", "replace", [en], [en, bare]],
        ["L5: one without a language that stays", "none", [bare], [bare]],
        ["L5: a changed one without a language", "replace", [bare], [{ ...bare, url: "https://m.example/y.vtt" }]],
        ["an unknown URL", "update", [en], [{ ...en, url: unknownValue }]],
        ["an unknown language", "replace", [en], [{ ...en, languageCode: unknownValue }]],
        ["an unknown list", "replace", [en], unknownValue],
        ["sourceVersion: a URL that is signed again", "none", signed("en.vtt", 1), signed("en.vtt", 2), version],
        ["sourceVersion: another file", "update", signed("en.vtt", 1), signed("new.vtt", 2), version],
        ["L8: one for an adopted content", "update", undefined, [en], { olds: adopted }],
        ["L8: one that an adopted content had", "update", [en], undefined, { olds: adopted }],
        ["L8: one removed under importId", "update", [en, de], [en], { olds: named, news: named }],
    ];
    for (const [what, kind, old, now, more] of cases)
        it(`${what} is ${kind}`, () => {
            assert.equal(diff(old, now, more).is, kind === "none" ? kind : `${kind}: subtitle`);
        });

    it("sourceVersion: set for the first time, it leaves a URL that is signed again; without it that is sent again", () => {
        const set = diff(signed("en.vtt", 1), signed("en.vtt", 2), { news: { sourceVersion: "1" } });
        assert.equal(set.is, "update: sourceVersion");
        const removed = diff(signed("en.vtt", 1), signed("en.vtt", 3), { olds: { sourceVersion: "1" } });
        assert.equal(removed.is, "update: subtitle, sourceVersion");
        // What has no language cannot be sent again.
        const [first, second] = [1, 2].map((signature) => [{ url: `${bare.url}?signature=${signature}` }]);
        assert.equal(diff(first, second, { olds: { sourceVersion: "1" } }).is, "update: sourceVersion");
    });

    it("L5: the row says which languages are gone, and quotes nothing but short codes (S3)", () => {
        assert.match(diff([en, de], []).said, /"en", "de".* id-1 .*VG4020/);
        assert.match(diff([en, text("a secret")], []).said, /"en"/);
        for (const old of [[text("a secret")], [en, text("a secret")], [bare]])
            assert.match(diff(old, []).said, /^subtitle(?!.*secret).*VG4020/);
        assert.match(diff([en, de], unknownValue).said, /"en", "de"/);
        assert.match(diff([en], [en, bare]).said, /^subtitle\[1\].*languageCode/);
    });

    it("S5: a language that is declared twice is a problem in the preview", () => {
        const problems = (subtitle: unknown) => content.check({ ...base, subtitle }, undefined, {}).problems;
        const repeated = /^subtitle\[2\]\.languageCode [^|]*subtitle\[0\][^|]*VG2005\]$/;
        assert.match(problems([en, de, text("EN")]).join("|"), repeated);
        // The Kelvin sign is a capital k of which the small letter is an ordinary one.
        assert.equal(problems([text("k"), text("\u212a")]).length, 1);
        const unknown = { ...en, languageCode: unknownValue };
        assert.deepEqual(problems([unknown, unknown]), []);
    });
});

describe("an update of subtitles", () => {
    let machine: Machine;
    let process: Process;
    let made: Made;

    beforeEach(async () => {
        machine = new Machine();
        process = machine.start();
        made = await process.create({ ...base, subtitle: [text("en")] });
        machine.since();
    });

    const update = (news: Properties) => process.update(made, { ...base, ...news });
    const languages = () => machine.core.content(made.id)?.subtitle.map(({ language_code }) => language_code);

    it("L5: takes one GET, and one POST for each that was added or changed, with all four fields", async () => {
        const { url } = text("de");
        const list = [text("fr"), text("en", "new.vtt"), { url, languageCode: "de" }];
        const { outputs } = await update({ subtitle: list });
        const { body } = machine.core.requests.at(-1) ?? {};
        assert.deepEqual(body, { url, name: "de", language_code: "de", support_closed_captions: false });
        const post = `POST /contents/${made.id}/subtitles`;
        assert.deepEqual(machine.since(), [`GET /contents/${made.id}`, post, post, post]);
        assert.deepEqual([languages()?.sort(), outputs.subtitle], [["de", "en", "fr"], list]);
    });

    it("L4: waits until the content is Ready before it sends one, unless nobody waits", async () => {
        machine.core.setVariants({ subtitleBeforeReady: 409 });
        machine.core.setContentStatus(made.id, "Processing");
        const list = [text("en"), text("de")];
        const refused = await update({ subtitle: list, waitForReady: false });
        assert.match(refused.failed ?? "", /Processing.*VG4026/);
        void machine.clock.sleep(5_000).then(() => machine.core.setContentStatus(made.id, "Ready"));
        assert.equal((await update({ subtitle: list })).outputs.status, "Ready");
        assert.deepEqual(languages(), ["en", "de"]);
    });

    it("L4: may have no language in a create, and keeps the content in the state", async () => {
        const subtitle = [{ url: text("en").url }];
        const created = await process.create({ ...base, subtitle }, { urn: urnOf("nameless") });
        assert.deepEqual(created.outputs.subtitle, subtitle);
        assert.equal(machine.core.content(created.id)?.subtitle.length, 1);
    });

    it("L4: that sets the first one and fails leaves no list in the state: an empty one would be a list that the program has declared", async () => {
        const { contentId: importId } = machine.core.addContent({ title: "Theirs" });
        machine.core.inject({ kind: "status", status: 400, method: "POST" });
        const declared = { title: "Theirs", importId, subtitle: [text("de")] };
        const adopted = await process.create(declared, { urn: urnOf("adopted") });
        assert.match(adopted.failed ?? "", /subtitle\[0\].*VG4026/);
        assert.equal("subtitle" in adopted.outputs, false);
        // The object has no subtitle, so no change of them replaces it.
        const nameless = { ...declared, subtitle: [{ url: text("en").url }] };
        assert.equal((await process.diff(adopted, nameless, { urn: urnOf("adopted") })).kind, "update");
    });

    it("S5: is refused for an adopted content where one has no language, before anything is sent", async () => {
        const { contentId: importId } = machine.core.addContent({ title: "Theirs" });
        const nameless = { title: "Theirs", importId, subtitle: [{ url: text("en").url }] };
        await assert.rejects(process.create(nameless, { urn: urnOf("adopted") }), /subtitle\[0\].*languageCode/);
        assert.deepEqual(machine.since(), []);
    });
});
