/** Subtitles: added and changed in place, removed by a replacement (L4, L5, L8, S3, S5). */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Emulator, type Fault, startEmulator } from "videograph-emulator";
import { createIdentity } from "../../../provider/dist/inputs/properties.js";
import { unknownValue } from "../../../provider/dist/inputs/unknown.js";
import { PartialFailure } from "../../../provider/dist/lifecycle/index.js";
import { contentDefinition } from "../../../provider/dist/resources/content/definition.js";
import { content } from "../../../provider/dist/resources/content/lifecycle.js";
import { type Properties, providerRun, type RunSettings, tokens, urnOf } from "../../support/providerRun.ts";
import { sent } from "../../support/requests.ts";

const meta = { v: 1, env: "e", mark: "pulumi:p/s/n:11111111-22222222-33333333-0-0123456789ab" };
const base = { title: "One", content: [{ url: "https://media.example.com/a.mp4" }], playbackPolicy: ["public"] };
const text = (languageCode: string, file = `${languageCode}.vtt`) => ({
    url: `https://media.example.com/${file}`,
    name: `In ${languageCode}`,
    languageCode,
    supportClosedCaptions: false,
});

describe("diff of subtitles", () => {
    const before = { ...base, status: "Ready", __meta: meta };
    function diff(
        old: unknown,
        now: unknown,
        more: { olds?: Properties; news?: Properties; oldInputs?: Properties } = {},
    ) {
        const said: string[] = [];
        const say = (line: string) => said.push(line);
        const row = { urn: undefined, progress: say, info: say, warn: say };
        const olds = { ...before, ...(old === undefined ? {} : { subtitle: old }), ...more.olds };
        const news = { ...base, ...(now === undefined ? {} : { subtitle: now }), ...more.news };
        const difference = content.diff({ id: "id-1", olds, news, oldInputs: more.oldInputs }, row);
        return { because: undefined, ...difference, said: said.join("\n") };
    }
    const inPlace = { kind: "update", because: ["subtitle"], said: "" };
    const none = { kind: "none", because: undefined, said: "" };
    const bare = { url: "https://media.example.com/x.vtt" };

    it("L5: an added or changed one is an update, whatever the order", () => {
        assert.deepEqual(diff(undefined, [text("en")]), inPlace);
        assert.deepEqual(diff([text("en")], [text("de"), text("en")]), inPlace);
        assert.deepEqual(diff([text("en"), text("de")], [text("de", "new.vtt"), text("en")]), inPlace);
        assert.deepEqual(diff([text("en")], [{ ...text("en"), supportClosedCaptions: true }]), inPlace);
    });

    it("L5: another order, and no list in place of an empty one, are no change", () => {
        assert.deepEqual(diff([text("en"), text("de")], [text("de"), text("en")]), none);
        assert.deepEqual(diff([], undefined), none);
        assert.deepEqual(diff(undefined, []), none);
    });

    it("L5: a removed language replaces, and the row says which and why", () => {
        const removed = diff([text("en"), text("de")], [text("en", "new.vtt")]);
        assert.deepEqual({ ...removed, said: "" }, { kind: "replace", because: ["subtitle"], said: "" });
        assert.equal(
            removed.said,
            'subtitle: the program no longer declares languageCode "de", which cannot be removed from an existing object. ' +
                "Content id-1 is replaced by a new one, with a new id and new URLs. [VG4020]",
        );
        assert.equal(diff([text("en")], undefined).kind, "replace");
        assert.equal(diff([text("en")], []).kind, "replace");
        // Nobody says whether the service tells EN from en.
        assert.equal(diff([text("en")], [text("EN")]).kind, "replace");
    });

    it("L5: one without a language is no update, because nothing says which one it replaces", () => {
        const { said, ...added } = diff([text("en")], [text("en"), bare]);
        assert.deepEqual(added, { kind: "replace", because: ["subtitle"] });
        assert.match(said, /^subtitle\[1\] has no languageCode, so it cannot be added/);
        assert.deepEqual(diff([bare], [bare]), none);
        assert.equal(diff([bare], [bare, text("de")]).kind, "update");
        assert.equal(diff([bare], [{ ...bare, url: "https://media.example.com/y.vtt" }]).kind, "replace");
    });

    it("of two with one language, which earlier versions allowed, none is changed in place", () => {
        const both = [text("en"), text("en", "cc.vtt")];
        assert.deepEqual(diff(both, both), none);
        assert.equal(diff(both, [text("en"), text("en", "other.vtt")]).kind, "replace");
        assert.equal(diff(both, [text("en")]).kind, "replace");
    });

    it("a URL that a preview does not know is an update; a language or a list that it does not know may replace", () => {
        assert.deepEqual(diff([text("en")], [{ ...text("en"), url: unknownValue }]), inPlace);
        assert.deepEqual(diff(undefined, unknownValue), inPlace);
        assert.equal(diff([text("en")], [text("en"), unknownValue]).kind, "update");
        const maybe = diff([text("en")], [{ ...text("en"), languageCode: unknownValue }]);
        assert.equal(maybe.kind, "replace");
        assert.match(maybe.said, /no longer declares languageCode "en" \(as far as is known yet\)/);
        assert.equal(diff([text("en")], unknownValue).kind, "replace");
    });

    it("sourceVersion: a URL that is signed again is no change, and another file is", () => {
        const signed = (file: string, signature: number) => [
            { ...text("en", file), url: `https://a.example/${file}?s=${signature}` },
        ];
        const versioned = { olds: { sourceVersion: "1" }, news: { sourceVersion: "1" } };
        assert.deepEqual(diff(signed("en.vtt", 1), signed("en.vtt", 2), versioned), none);
        assert.deepEqual(diff(signed("en.vtt", 1), signed("new.vtt", 2), versioned), inPlace);
        assert.deepEqual(diff(signed("en.vtt", 1), signed("en.vtt", 2)), inPlace);
        // Set for the first time, and removed while the URL is that of the last run.
        const set = diff(signed("en.vtt", 1), signed("en.vtt", 2), { news: { sourceVersion: "1" } });
        assert.deepEqual(set, { kind: "update", because: ["sourceVersion"], said: "" });
        const removed = { olds: { sourceVersion: "1" }, oldInputs: { ...base, subtitle: signed("en.vtt", 3) } };
        assert.deepEqual(diff(signed("en.vtt", 1), signed("en.vtt", 3), removed).because, ["sourceVersion"]);
        assert.deepEqual(diff(signed("en.vtt", 1), signed("en.vtt", 4), removed).because, [
            "subtitle",
            "sourceVersion",
        ]);
    });

    it("sourceVersion: an interrupted create is the same one when only the signature differs", () => {
        const identity = (subtitle: unknown, sourceVersion?: string) =>
            JSON.stringify(
                createIdentity(contentDefinition.inputs, {
                    ...base,
                    subtitle,
                    ...(sourceVersion && { sourceVersion }),
                }),
            );
        const signed = (signature: number) => [{ ...text("en"), url: `https://a.example/en.vtt?s=${signature}` }];
        assert.equal(identity(signed(1), "1"), identity(signed(2), "1"));
        assert.notEqual(identity(signed(1)), identity(signed(2)));
        assert.notEqual(identity([text("en")], "1"), identity([text("en"), text("de")], "1"));
        assert.notEqual(identity([text("en")]), identity([text("en"), text("de")]));
    });

    it("L8: an adopted content takes them in place, and is not replaced when none is declared any more", () => {
        const { mark: _, ...adopted } = meta;
        assert.equal(diff(undefined, [text("en")], { olds: { __meta: adopted } }).kind, "update");
        assert.equal(diff([text("en")], undefined, { olds: { __meta: adopted } }).kind, "update");
        const refused = diff([text("en"), text("de")], [text("en")], {
            olds: { importId: "id-1" },
            news: { importId: "id-1" },
        });
        assert.equal(refused.kind, "update");
        assert.match(
            refused.said,
            /^subtitle: this change requires a replacement, but a resource with importId cannot/,
        );
    });

    it("S5: a language that is declared twice is a problem in the preview, except where it is recorded so", () => {
        const problems = (subtitle: unknown, olds?: unknown) =>
            content.check({ ...base, subtitle }, olds === undefined ? undefined : { ...base, subtitle: olds }, {})
                .problems;
        const twice = [text("en"), text("de"), text("EN")];
        assert.deepEqual(problems(twice), [
            "subtitle[2].languageCode repeats subtitle[0]: only one subtitle per languageCode is allowed (case-insensitive). " +
                "Remove one of the two [VG2005]",
        ]);
        assert.deepEqual(problems(twice, twice), []);
        assert.equal(problems(twice, [text("en")]).length, 1);
        assert.deepEqual(
            problems([
                { ...text("en"), languageCode: unknownValue },
                { ...text("de"), languageCode: unknownValue },
            ]),
            [],
        );
    });
});

describe("an update of subtitles", function () {
    this.timeout(30_000);
    const timeouts = {};
    const urn = urnOf("one");
    let emulator: Emulator;
    let folder: string;
    let id: string;
    let olds: Properties;

    before(async () => {
        emulator = await startEmulator({ fetchSources: false, processingTimeMs: 20, tokens });
    });
    after(async () => {
        await emulator.close();
    });
    beforeEach(async () => {
        folder = await mkdtemp(join(tmpdir(), "videograph-subtitles-"));
        emulator.reset();
        emulator.setVariants({ subtitleBeforeReady: "accepted" });
        ({ id, outputs: olds } = await run().create({ urn, timeouts, inputs: { ...base, subtitle: [text("en")] } }));
        emulator.clearRequests();
    });
    afterEach(() => rm(folder, { recursive: true }));

    const run = (settings: RunSettings = {}) => providerRun(emulator, folder, settings).content;
    const inject = (fault: Fault) =>
        emulator.inject({ method: "POST", path: "/contents/*/subtitles", ...fault } as Fault);
    const update = (news: Properties, from = olds, settings: RunSettings = {}) =>
        run(settings).update({ urn, timeouts, id, olds: from, news: { ...base, ...news } });
    const failure = (promise: Promise<unknown>): Promise<PartialFailure> =>
        promise.then(
            () => assert.fail("It should have failed"),
            (error) => (error instanceof PartialFailure ? error : assert.fail(`${error}`)),
        );
    /** The URLs that the service has, by language. */
    const there = () =>
        Object.fromEntries(
            (emulator.content(id)?.subtitle ?? []).map(({ language_code, url }) => [language_code, url]),
        );
    const urls = (list: ReturnType<typeof text>[]) =>
        Object.fromEntries(list.map(({ languageCode, url }) => [languageCode, url]));
    const unsettled = (outputs: Properties) => (outputs.__meta as Properties).unsettled;
    const said = async (from: Properties, news: Properties) => {
        const { content: host, rows } = providerRun(emulator, folder);
        const difference = await host.diff({ urn, id, olds: from, news: { ...base, ...news } });
        return { ...difference, rows };
    };

    it("L5: one GET, and one POST for each that was added or changed", async () => {
        const list = [text("fr"), text("en", "new.vtt"), text("de")];
        const outputs = await update({ subtitle: list });
        const post = `POST /contents/${id}/subtitles`;
        assert.deepEqual(sent(emulator), [`GET /contents/${id}`, post, post, post]);
        assert.deepEqual(there(), urls(list));
        assert.deepEqual(outputs.subtitle, list);
        assert.deepEqual((await said(outputs, { subtitle: list })).kind, "none");
        emulator.clearRequests();
        await update({ subtitle: [...list].reverse(), title: "Two" }, outputs);
        assert.deepEqual(sent(emulator), [`GET /contents/${id}`, `PUT /contents/${id}`]);
    });

    it("sends all four fields: the service requires them here", async () => {
        const { url } = text("de");
        await update({ subtitle: [text("en"), { url, languageCode: "de" }] });
        assert.deepEqual(emulator.requests.at(-1)?.body, {
            url,
            name: "de",
            language_code: "de",
            support_closed_captions: false,
        });
    });

    it("L4: records what was accepted, so that the next update goes on where this one failed", async () => {
        inject({ kind: "status", status: 422, after: 1, times: 1 });
        const list = [text("en", "new.vtt"), text("de"), text("fr")];
        const failed = await failure(update({ title: "Two", subtitle: list }));
        assert.match(
            failed.message,
            /^Content .* exists, but subtitle\[1\] \(languageCode "de"\) was not set: POST \/contents\/.*\/subtitles: .*HTTP 422.*replaceOnChanges: \["subtitle"\]/,
        );
        assert.equal(failed.outputs.title, "Two");
        assert.deepEqual(failed.outputs.subtitle, [text("en", "new.vtt")]);
        assert.equal(unsettled(failed.outputs), undefined);
        emulator.clearRequests();
        const outputs = await update({ title: "Two", subtitle: list }, failed.outputs);
        assert.deepEqual(sent(emulator).slice(1), Array(2).fill(`POST /contents/${id}/subtitles`));
        assert.deepEqual(outputs.subtitle, list);
        assert.deepEqual(there(), urls(list));
    });

    it("L4: a refused one that is taken out again leaves nothing to do", async () => {
        inject({ kind: "status", status: 422 });
        const { outputs } = await failure(update({ subtitle: [text("en"), text("de")] }));
        assert.equal((await said(outputs, { subtitle: [text("en")] })).kind, "none");
    });

    it("L4: a lost answer is sent again, and the language replaces itself", async () => {
        inject({ kind: "reset", when: "after", times: 1 });
        const list = [text("en"), text("de")];
        const outputs = await update({ subtitle: list });
        assert.deepEqual(there(), urls(list));
        assert.equal(unsettled(outputs), undefined);
        assert.equal(emulator.requests.filter(({ method }) => method === "POST").length, 2);
    });

    it("L4: a change whose answer was lost for good is settled by the next update, also when the program goes back", async () => {
        inject({ kind: "redirect", when: "after", times: 1 });
        const failed = await failure(update({ subtitle: [text("en", "new.vtt")] }));
        assert.deepEqual(failed.outputs.subtitle, [text("en")]);
        assert.deepEqual(unsettled(failed.outputs), { subtitle: ["en"] });
        // The service has the new one, which the state cannot know.
        const back = await said(failed.outputs, { subtitle: [text("en")] });
        assert.deepEqual([back.kind, back.kind !== "none" && back.because], ["update", ["status"]]);
        assert.match(back.rows.join(), /The last update of Content .* got no answer/);
        const outputs = await update({ subtitle: [text("en")] }, failed.outputs);
        assert.deepEqual(there(), urls([text("en")]));
        assert.equal(unsettled(outputs), undefined);
        assert.equal((await said(outputs, { subtitle: [text("en")] })).kind, "none");
    });

    it("L4: a refusal after a lost answer says nothing of what the lost one did", async () => {
        inject({ kind: "reset", when: "after", times: 1 });
        inject({ kind: "status", status: 422 });
        const { outputs } = await failure(update({ subtitle: [text("en"), text("de")] }));
        assert.deepEqual(unsettled(outputs), { subtitle: ["de"] });
        // Nothing but a replacement removes it, and no doubt is worth that: the row says so, once.
        assert.equal((await said(outputs, { subtitle: [text("en")] })).kind, "update");
        emulator.clearRequests();
        const { content: host, rows } = providerRun(emulator, folder);
        const settled = await host.update({
            urn,
            timeouts,
            id,
            olds: outputs,
            news: { ...base, subtitle: [text("en")] },
        });
        assert.match(rows.join(), /An earlier update may have added subtitle "de" to Content .* `pulumi up --replace`/);
        assert.deepEqual(sent(emulator), []);
        assert.equal((await said(settled, { subtitle: [text("en")] })).kind, "none");
    });

    it("L4: an interrupt while one is under way leaves it unsettled, and before it nothing", async () => {
        inject({ kind: "hang", when: "after", times: 1 });
        const interrupt = new AbortController();
        const list = [text("en"), text("de"), text("fr")];
        const running = failure(update({ subtitle: list }, olds, { signal: interrupt.signal }));
        await emulator.waitForRequest(({ path }) => path.endsWith("/subtitles"), 10_000);
        interrupt.abort(new Error("The run was interrupted."));
        const { outputs } = await running;
        assert.deepEqual(outputs.subtitle, [text("en")]);
        assert.deepEqual(unsettled(outputs), { subtitle: ["de"] });
        assert.deepEqual((await update({ subtitle: list }, outputs)).subtitle, list);
        assert.deepEqual(there(), urls(list));
    });

    it("L4: waits until the content is Ready before it sends one", async () => {
        emulator.setVariants({ subtitleBeforeReady: 409 });
        emulator.setContentStatus(id, "Processing");
        const running = update({ subtitle: [text("en"), text("de")] });
        const isGet = ({ method }: { method: string }) => method === "GET";
        // The second one is the wait's.
        const polled = () => emulator.waitForRequest(() => emulator.requests.filter(isGet).length > 1, 10_000);
        await Promise.race([polled(), running]);
        emulator.setContentStatus(id, "Ready");
        assert.equal((await running).status, "Ready");
        assert.deepEqual(Object.keys(there()), ["en", "de"]);
    });

    it("a refusal while the content is not Ready and nobody waits says what may help", async () => {
        emulator.setVariants({ subtitleBeforeReady: 409 });
        emulator.setContentStatus(id, "Processing");
        const news = { subtitle: [text("en"), text("de")], waitForReady: false };
        const { message } = await failure(update(news));
        assert.match(message, /Its status is Processing; if that is not Ready, wait for it first\./);
    });

    it("S2: nothing is sent where the content is not there, and a gateway's 404 is not believed", async () => {
        inject({ kind: "status", status: 404, body: "html", times: 1 });
        assert.deepEqual(await update({ subtitle: [text("en"), text("de")] }).then(() => Object.keys(there())), [
            "en",
            "de",
        ]);
        emulator.deleteContent(id);
        emulator.clearRequests();
        await assert.rejects(update({ subtitle: [text("en"), text("fr")] }), /no longer exists/);
        assert.equal(
            emulator.requests.some(({ method }) => method === "POST"),
            false,
        );
    });

    it("S2: a rotated token finds the object's marker before it sends one", async () => {
        emulator.updateContent(id, { metadata: [] });
        await assert.rejects(
            update({ subtitle: [text("en"), text("de")] }, olds, { token: "rotated" }),
            /does not have its marker/,
        );
        assert.equal(
            emulator.requests.some(({ method }) => method === "POST"),
            false,
        );
    });

    it("S3: what the service says of a presigned URL is not repeated, and the language is", async () => {
        const secret = "https://media.example.com/de.vtt?signature=abcdef0123456789";
        inject({
            kind: "answer",
            status: 422,
            json: { status: "Error", code: 422, message: `de: cannot fetch ${secret}` },
        });
        const { message } = await failure(update({ subtitle: [text("en"), { ...text("de"), url: secret }] }));
        assert.match(message, /"de: cannot fetch \[subtitle\[1\]\.url\]"/);
        assert.doesNotMatch(message, /abcdef/);
    });

    it("L8: what an adopted content declares is sent", async () => {
        const { contentId: importId } = emulator.addContent({ title: "Theirs" });
        const inputs = { title: "Theirs", importId, subtitle: [text("en"), text("de")] };
        inject({ kind: "status", status: 422, after: 1, times: 1 });
        const failed = await failure(run().create({ urn: urnOf("adopted"), timeouts, inputs }));
        assert.equal(failed.id, importId);
        assert.deepEqual(failed.outputs.subtitle, [text("en")]);
        await run().update({ urn: urnOf("adopted"), timeouts, id: importId, olds: failed.outputs, news: inputs });
        assert.equal(emulator.content(importId)?.subtitle.length, 2);
        const nameless = { ...inputs, subtitle: [{ url: text("en").url }] };
        emulator.clearRequests();
        await assert.rejects(
            run().create({ urn: urnOf("other"), timeouts, inputs: nameless }),
            /subtitle\[0\] needs languageCode/,
        );
        assert.deepEqual(sent(emulator), []);
    });
});
