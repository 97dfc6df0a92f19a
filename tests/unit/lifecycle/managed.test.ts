/** Whole lifecycles in one process, as either face runs them, against the emulator: what a defect needed several runs for. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Emulator, type Fault, startEmulator } from "videograph-emulator";
import { Interrupted, PartialFailure } from "../../../provider/dist/lifecycle/index.js";
import { type Properties, providerRun, type RunSettings, tokens, urnOf } from "../../support/providerRun.ts";
import { rejection } from "../api/support.ts";

const source = [{ url: "https://media.example.com/a.mp4" }];
const timeouts = {};

describe("a lifecycle", function () {
    this.timeout(30_000);
    let emulator: Emulator;
    let folder: string;

    before(async () => {
        emulator = await startEmulator({
            fetchSources: false,
            processingTimeMs: 20,
            deletingTimeMs: 20,
            tokens,
        });
    });
    after(async () => {
        await emulator.close();
    });
    beforeEach(async () => {
        folder = await mkdtemp(join(tmpdir(), "videograph-lifecycle-"));
        emulator.reset();
    });
    afterEach(() => rm(folder, { recursive: true }));

    const run = (settings: RunSettings = {}) => providerRun(emulator, folder, settings);

    const failure = (promise: Promise<unknown>) => rejection(PartialFailure, promise);
    const inject = (fault: Fault) => emulator.inject(fault);

    it("S2: a new object whose delete is refused, and that cannot be read yet, does not count as deleted", async () => {
        const urn = urnOf("new");
        const created = await run().content.create({
            urn,
            timeouts,
            inputs: { title: "One", content: source, waitForReady: false },
        });
        inject({ method: "DELETE", path: "/contents/*", kind: "status", status: 413, times: 1 });
        inject({ method: "GET", path: "/contents/*", kind: "status", status: 404, times: 1 });
        const { id, outputs: olds } = created;
        await assert.rejects(run().content.delete({ urn, timeouts, id, olds }), /HTTP 413/);
        assert.equal(emulator.contents().length, 1);
    });

    it("L4: an input counts as applied once the service has accepted it, in a create that was found again too", async () => {
        const urn = urnOf("found");
        const inputs = { title: "One", description: "old", content: source, playbackPolicy: ["public"] };
        // The first run dies while its create is answered.
        inject({ method: "POST", path: "/contents", kind: "hang", when: "after", times: 1 });
        void run()
            .content.create({ urn, timeouts, inputs })
            .catch(() => undefined);
        while (emulator.contents().length === 0) await new Promise((resolve) => setImmediate(resolve));
        const [id = ""] = emulator.contents().map(({ contentId }) => contentId);
        inject({ method: "PUT", path: "/contents/*", kind: "status", status: 422, times: 1 });
        const wanted = { ...inputs, description: "new" };
        const failed = await failure(run().content.create({ urn, timeouts, inputs: wanted }));
        assert.equal(failed.id, id);
        assert.equal(failed.outputs.description, "old");
        const next = run();
        const olds = failed.outputs;
        assert.deepEqual(await next.content.diff({ urn, id, olds, news: wanted }), {
            kind: "update",
            because: ["description"],
        });
        const outputs = await next.content.update({ urn, timeouts, id, olds, news: wanted });
        assert.equal(outputs.description, "new");
        assert.equal(emulator.contents()[0]?.description, "new");
        assert.equal(emulator.contents().length, 1);
    });

    it("L4: a create that is repeated after an interrupt keeps the object of the first try, and the next up goes on", async () => {
        const urn = urnOf("repeated");
        const inputs = { title: "One", description: "d", content: source, playbackPolicy: ["public"] };
        inject({ kind: "processing", stuck: true, times: 1 });
        const interrupt = new AbortController();
        const { content: host } = run({ signal: interrupt.signal });
        const first = failure(host.create({ urn, timeouts, inputs }));
        while (!emulator.requests.some(({ method, path }) => method === "GET" && /contents\/./.test(path)))
            await new Promise(setImmediate);
        interrupt.abort(new Interrupted());
        const { id } = await first;
        // An onError hook wants it tried again, and the engine forgets what the first try gave it.
        const { id: again, outputs: olds } = await failure(host.create({ urn, timeouts, inputs }));
        assert.equal(again, id);
        emulator.setContentStatus(id, "Ready");
        const next = run().content;
        const difference = await next.diff({ urn, id, olds, oldInputs: inputs, news: inputs });
        assert.equal(difference.kind, "update");
        const outputs = await next.update({ urn, timeouts, id, olds, news: inputs });
        assert.deepEqual([outputs.status, outputs.title, outputs.description], ["Ready", "One", "d"]);
        assert.deepEqual(
            emulator.contents().map(({ contentId }) => contentId),
            [id],
        );
    });

    it("S5: an imported object is not replaced without an input that every create needs", async () => {
        const { contentId: id } = emulator.addContent({ title: "Theirs", playback_policy: ["signed"] });
        const { content: host } = run();
        const urn = urnOf("imported");
        const found = await host.find({ urn, timeouts, id });
        assert.ok(found);
        const { inputs, outputs } = found;
        const olds = { ...inputs, __meta: outputs.__meta };
        const news = { ...inputs, playbackPolicy: ["public"] };
        const requests = emulator.requests.length;
        // A refresh asks for the difference too: only the update refuses.
        for (const [because, change] of Object.entries({
            playbackPolicy: { olds, news },
            status: { olds: { ...olds, status: "Failed" }, news: inputs },
        })) {
            assert.equal((await host.diff({ urn, id, oldInputs: inputs, ...change })).kind, "update");
            await assert.rejects(
                host.update({ urn, timeouts, id, ...change }),
                new RegExp(`Content ${id} requires replacement \\(${because}\\).*Declare content`),
            );
        }
        assert.equal(emulator.requests.length, requests);
        const complete = { ...news, content: source };
        assert.equal((await host.diff({ urn, id, olds, oldInputs: inputs, news: complete })).kind, "replace");
    });

    it("L5: what replaces an imported object has the default policy, even where the import was not shown one", async () => {
        const { content: host } = run();
        const urn = urnOf("replaced");
        const news = { title: "Theirs", content: source };
        const { inputs, problems } = await host.check({ urn, olds: { title: "Theirs" }, news });
        assert.deepEqual(problems, []);
        assert.equal(inputs.playbackPolicy, undefined);
        const { id, outputs: olds } = await host.create({ urn, timeouts, inputs });
        assert.deepEqual(emulator.content(id)?.playbackPolicy, ["public"]);
        assert.deepEqual(await host.diff({ urn, id, olds, oldInputs: inputs, news: inputs }), { kind: "none" });
    });

    it("S4: a livestream is kept whatever its answer lacks", async () => {
        for (const [index, lacking] of ["rtmpsUrl", "createdOn", "streamKey", "playbackUrl"].entries()) {
            const urn = urnOf(`lacking-${index}`, "Livestream");
            const host = run().livestream;
            const { inputs } = await host.check({ urn, news: { title: lacking, region: "us-east-1" } });
            const { id, outputs } = await host.create({ urn, timeouts, inputs });
            const olds = { ...outputs, [lacking]: null };
            assert.deepEqual(await host.diff({ urn, id, olds, news: inputs }), { kind: "none" });
            assert.equal((await host.read({ urn, timeouts, id, olds }))?.outputs.title, lacking);
        }
    });

    it("L8: two resources with one importId: refused in the preview, and adopted once in a run", async () => {
        const { contentId: importId } = emulator.addContent({ title: "Theirs" });
        const { content: host } = run();
        const news = { title: "Ours", importId };
        assert.deepEqual((await host.check({ urn: urnOf("a"), news })).problems, []);
        assert.match((await host.check({ urn: urnOf("b"), news })).problems.join(), /has the same importId/);
        assert.deepEqual((await host.check({ urn: urnOf("a"), news })).problems, []);
        const both = await Promise.allSettled(
            ["a", "b"].map((name) => host.create({ urn: urnOf(name), timeouts, inputs: news })),
        );
        assert.deepEqual(both.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
        assert.equal(emulator.requests.filter(({ method }) => method === "PUT").length, 1);
    });

    it("L8: an adoption that failed leaves the object free", async () => {
        const { contentId: importId } = emulator.addContent({ title: "Theirs" });
        const { content: host } = run();
        inject({ method: "PUT", path: "/contents/*", kind: "status", status: 422, times: 1 });
        const inputs = { title: "Ours", importId };
        await assert.rejects(host.create({ urn: urnOf("a"), timeouts, inputs }), /422/);
        assert.equal((await host.create({ urn: urnOf("b"), timeouts, inputs })).id, importId);
    });

    it("L8: an adopted object that would have to be replaced is refused by the update, and nothing is sent", async () => {
        const { contentId: importId } = emulator.addContent({ title: "Theirs", playback_policy: ["public"] });
        const { content: host } = run();
        const urn = urnOf("a");
        const { outputs } = await host.create({
            urn,
            timeouts,
            inputs: { title: "Theirs", importId, playbackPolicy: ["public"] },
        });
        const requests = emulator.requests.length;
        for (const olds of [
            { ...outputs, playbackPolicy: ["signed"] },
            { ...outputs, status: "Failed" },
        ]) {
            const news = { title: "Theirs", importId, playbackPolicy: ["public"] };
            assert.equal((await host.diff({ urn, id: importId, olds, news })).kind, "update");
            await assert.rejects(
                host.update({ urn, timeouts, id: importId, olds, news }),
                /(playbackPolicy|status): this change requires a replacement/,
            );
        }
        assert.equal(emulator.requests.length, requests);
    });

    it("S2: a rotated token and a removed marker: trustNotFound is the way out, for read, update and delete", async () => {
        const urn = urnOf("a");
        const inputs = { title: "One", content: source, playbackPolicy: ["public"] };
        const { id, outputs: olds } = await run().content.create({ urn, timeouts, inputs });
        emulator.updateContent(id, { metadata: [] });
        const strange = /does not have its marker\..* VIDEOGRAPH_TRUST_NOT_FOUND=true/;
        const plain = run({ token: "rotated" }).content;
        await assert.rejects(plain.read({ urn, timeouts, id, olds }), strange);
        await assert.rejects(plain.delete({ urn, timeouts, id, olds }), strange);
        const trusting = run({ token: "rotated", trustNotFound: "true" }).content;
        assert.equal((await trusting.read({ urn, timeouts, id, olds }))?.outputs.title, "One");
        const news = { ...inputs, title: "Two" };
        const updated = await trusting.update({ urn, timeouts, id, olds, news });
        assert.equal(emulator.contents()[0]?.title, "Two");
        // The update has put the marker back.
        assert.equal((await plain.read({ urn, timeouts, id, olds }))?.outputs.title, "Two");
        await plain.delete({ urn, timeouts, id, olds: updated });
        assert.deepEqual(emulator.contents(), []);
    });

    it("S2: nothing is replaced with the token of another environment, and one read shows that a token was rotated", async () => {
        const urn = urnOf("a");
        const inputs = { title: "One", content: source, playbackPolicy: ["public"] };
        const { id, outputs: olds } = await run().content.create({ urn, timeouts, inputs });
        const news = { ...inputs, playbackPolicy: ["signed"] };
        const foreign = run({ token: "foreign" }).content;
        assert.equal((await foreign.diff({ urn, id, olds, news })).kind, "replace");
        await assert.rejects(foreign.create({ urn, timeouts, inputs: news }), /was recorded with other credentials/);
        assert.equal(emulator.contents().length, 1);
        const since = emulator.requests.length;
        const rotated = run({ token: "rotated" }).content;
        await rotated.diff({ urn, id, olds, news });
        assert.notEqual((await rotated.create({ urn, timeouts, inputs: news })).id, id);
        const sent = emulator.requests
            .slice(since)
            .map(({ method, path }) => `${method} ${path.replace(/^.*contents/, "contents")}`);
        assert.deepEqual(sent.slice(0, 3), [`GET contents/${id}`, "GET contents", "POST contents"]);
    });

    it("S2: with trustNotFound another marker is another object all the same", async () => {
        const urn = urnOf("a");
        const inputs = { title: "One", content: source, playbackPolicy: ["public"] };
        const { id, outputs: olds } = await run().content.create({ urn, timeouts, inputs });
        emulator.updateContent(id, {
            metadata: [{ key: "managed_by", value: "pulumi:shop/prod/a:11111111-22222222-33333333-0-0123456789ab" }],
        });
        const trusting = run({ token: "rotated", trustNotFound: "true" }).content;
        await assert.rejects(trusting.delete({ urn, timeouts, id, olds }), /does not have its marker/);
        assert.equal(emulator.contents().length, 1);
    });

    it("S2: a wait that has seen the object ends the time in which a 404 proves nothing", async () => {
        const inputs: Properties = { title: "One", content: source, playbackPolicy: ["public"] };
        inject({ kind: "processing", stuck: true, times: 1 });
        const seen = await failure(run().content.create({ urn: urnOf("seen"), timeouts: { create: 6_000 }, inputs }));
        assert.equal((seen.outputs.__meta as Properties).unseen, undefined);
        inject({ method: "GET", path: "/contents/*", kind: "status", status: 403 });
        const never = await failure(run().content.create({ urn: urnOf("never"), timeouts: { create: 6_000 }, inputs }));
        assert.equal(typeof (never.outputs.__meta as Properties).unseen, "number");
    });
});
