/**
 * The lifecycle of an object as either face calls it, against the emulated service: what is sent, what is recorded, and what is
 * kept when something fails.
 */
import assert from "node:assert/strict";
import type { Fault } from "videograph-emulator";
import { Machine, type Made, type Process, type Properties, type Said, stateOf, urnOf } from "../../support/machine.ts";

const source = [{ url: "https://media.example.com/a.mp4" }];
const inputs = { title: "One", content: source, playbackPolicy: ["public"] };
const theirs = "pulumi:shop/prod/theirs:11111111-22222222-33333333-ba9876543210";
const any = "/contents/*";
const metaOf = ({ outputs }: { outputs: Properties }) => outputs.__meta as Properties;
const pairs = (metadata: Record<string, unknown>) =>
    Object.entries(metadata).map(([key, value]) => ({ key, value: String(value) }));

describe("a lifecycle", () => {
    let machine: Machine;
    let process: Process;

    beforeEach(() => {
        machine = new Machine();
        process = machine.start();
    });

    const inject = (fault: Fault) => machine.core.inject(fault);
    const inStatus = (status: string) => (id: string) => machine.core.setContentStatus(id, status);
    const changed = (fields: object) => (id: string) => machine.core.updateContent(id, fields as never);
    const another = (id: string) => machine.setMetadata(id, { managed_by: theirs });
    const stored = (id: string) => machine.core.content(id) ?? assert.fail(`${id} is gone`);
    const metadataOf = (id: string) => machine.metadataOf(id);
    const bodies = (method: string) =>
        machine.core.requests.filter((request) => request.method === method).map(({ body }) => body as Properties);
    /** A content that was created and is Ready. */
    const existing = async (more: Properties = {}) => {
        const made = await process.create({ ...inputs, ...more });
        machine.core.clearRequests();
        return made;
    };
    /** A process of the next run. */
    const next = (token?: string, variables?: Record<string, string>) => {
        process.kill();
        machine.state = stateOf({ has: machine.ids });
        process = machine.start(token, variables);
        return process;
    };
    /** A create that is killed after it was accepted, and the process of the next run. */
    const lost = async (create: (killed: Process) => Promise<unknown>, state: Said) => {
        await machine.killedCreate(create);
        machine.state = stateOf(state);
        process = machine.start();
    };
    const trust = { VIDEOGRAPH_TRUST_NOT_FOUND: "true" };

    describe("that creates", () => {
        it("S2: has seen the object where the wait or a refresh has shown it; one that is being deleted is gone", async () => {
            inject({ kind: "processing", stuck: true });
            const seen = await process.create(inputs, { timeouts: { create: 6_000 } });
            assert.equal(metaOf(seen).unseenSince, undefined);
            inject({ method: "GET", path: any, kind: "status", status: 403 });
            const unseen = await process.create(inputs, { urn: urnOf("never"), timeouts: { create: 6_000 } });
            assert.equal(typeof metaOf(unseen).unseenSince, "number");
            machine.core.clearFaults();
            assert.equal(metaOf((await process.read(unseen)) as Made).unseenSince, undefined);
            inStatus("Deleting")(unseen.id);
            assert.equal(await process.read(unseen), undefined);
        });

        it("L4: brings an object that is found again to what is declared; an input counts once it is accepted", async () => {
            await lost((killed) => killed.create({ ...inputs, description: "old" }), { lostPids: [2] });
            inject({ method: "PUT", path: any, kind: "status", status: 422, times: 1 });
            const wanted = { ...inputs, description: "new" };
            const failed = await process.create(wanted);
            assert.match(failed.failed ?? "", /VG3007/);
            assert.deepEqual([machine.ids, failed.outputs.description], [[failed.id], "old"]);
            assert.deepEqual(await process.diff(failed, wanted), { kind: "update", because: ["description"] });
            const { outputs } = await process.update(failed, wanted);
            assert.deepEqual([outputs.description, stored(failed.id).description], ["new", "new"]);
        });
    });

    describe("that replaces what has Failed (P2)", () => {
        const failing = async () => {
            inject({ kind: "processing", fail: "out of order", times: 1 });
            const failed = await process.create(inputs);
            assert.match(failed.failed ?? "", /VG4001/);
            next();
            return failed;
        };
        const replace = async (failed: Made, news: Properties) => {
            assert.equal((await process.diff(failed, news)).kind, "replace");
            const made = await process.create(news);
            await process.delete(failed);
            return made;
        };

        for (const status of ["Ready", "Processing"])
            it(`L3: keeps an object that is ${status} by now, as the program declares it now`, async () => {
                const failed = await failing();
                inStatus(status)(failed.id);
                void machine.clock.sleep(5_000).then(() => inStatus("Ready")(failed.id));
                const wanted = { ...inputs, title: "Two" };
                const made = await replace(failed, wanted);
                assert.deepEqual([made.id, machine.ids, made.failed], [failed.id, [failed.id], undefined]);
                assert.deepEqual([made.outputs.status, stored(made.id).title], ["Ready", "Two"]);
                assert.deepEqual([bodies("POST").length, bodies("DELETE").length], [1, 0]);
                assert.deepEqual(await process.diff(made, wanted), { kind: "none" });
                assert.match(process.said.join("\n"), /VG4012.*VG3013/s);
                // Nothing but this run has kept it.
                await next().delete(made);
                assert.deepEqual(machine.ids, []);
            });

        for (const witness of ["state", "journal"])
            it(`S1: leaves to the law what a killed create of its replacement may have made, which the ${witness} names`, async () => {
                const failed = await failing();
                const replaced = async (killed: Process) => {
                    assert.equal((await killed.diff(failed, inputs)).kind, "replace");
                    await killed.create(inputs);
                };
                await lost(replaced, { lostPids: [3], has: [failed.id] });
                const [, second] = machine.ids;
                if (witness === "state") machine.lose();
                else machine.state = stateOf({ has: [failed.id] });
                inStatus("Ready")(failed.id);
                const made = await replace(failed, inputs);
                assert.deepEqual([made.id, machine.ids], [second, [second]]);
            });

        const otherSource = { content: [{ url: "https://media.example.com/b.mp4" }] };
        const mended = { status: "Ready", reason: null };
        const unreadable = (id: string) =>
            inject({ kind: "status", status: 403, method: "GET", path: `/contents/${id}`, times: 1 });
        const takenOver = (id: string) => {
            inStatus("Ready")(id);
            another(id);
        };
        const others: [string, (id: string) => unknown, Properties?][] = [
            ["is Failed still", () => undefined],
            ["is to have another source", inStatus("Ready"), otherSource],
            ["is gone", (id) => machine.core.deleteContent(id)],
            ["is being deleted", inStatus("Deleting")],
            ["has another policy by now", changed({ playbackPolicy: ["signed"], fixed: mended })],
            ["cannot be read", unreadable],
            ["another stack has adopted since (S9)", takenOver],
        ];
        for (const [what, change, more] of others)
            it(`L3: replaces an object that ${what}`, async () => {
                const failed = await failing();
                change(failed.id);
                const made = await replace(failed, { ...inputs, ...more });
                assert.notEqual(made.id, failed.id);
                assert.deepEqual(machine.ids, change === takenOver ? [failed.id, made.id] : [made.id]);
            });
    });

    describe("that adopts", () => {
        const adopt = (id: string, more: Properties = {}) => process.create({ title: "One", importId: id, ...more });

        it("L8: sends nothing for an object that is as declared, and gives it no marker", async () => {
            const { contentId: id } = machine.core.addContent({ title: "One", metadata: pairs({ k: "v" }) });
            const made = await adopt(id);
            assert.deepEqual(machine.since(), [`GET /contents/${id}`]);
            assert.deepEqual([metaOf(made).mark, metadataOf(id)], [undefined, { k: "v" }]);
            // K24: its first PUT marks it.
            const updated = await process.update(made, { title: "Two", importId: id });
            assert.equal(metaOf(updated).mark, metadataOf(id).managed_by);
            assert.deepEqual([metaOf(updated).imported, stored(id).title], [true, "Two"]);
        });

        it("S9: gives an object that this resource had a new marker, and closes its entry", async () => {
            // Its answer was not heard.
            process.isEnding = true;
            const { id } = await existing();
            assert.equal(machine.files.size, 1);
            const { managed_by: old } = metadataOf(id);
            next();
            const made = await adopt(id);
            assert.notEqual(metaOf(made).mark, old);
            assert.equal(metaOf(made).mark, metadataOf(id).managed_by);
            assert.equal(machine.files.size, 0);
        });

        const refused: [string, (id: string) => unknown, string][] = [
            ["does not exist", (id) => machine.core.deleteContent(id), "VG6002"],
            ["has Failed", inStatus("Failed"), "VG6003"],
            ["is being deleted", inStatus("Deleting"), "VG6003"],
            ["was created otherwise", changed({ playbackPolicy: ["signed"] }), "VG6007"],
            ["has the marker of another stack", another, "VG6004"],
            ["cannot be changed", () => inject({ method: "PUT", kind: "status", status: 422, times: 1 }), "HTTP 422"],
        ];
        for (const [what, change, code] of refused) {
            it(`L8: refuses an object that ${what}, unchanged`, async () => {
                const { contentId: id } = machine.core.addContent({ title: "Theirs" });
                change(id);
                await assert.rejects(adopt(id, { playbackPolicy: ["public"] }), new RegExp(code));
                if (machine.core.content(id)) assert.equal(stored(id).title, "Theirs");
            });
        }

        it("S9: refuses the object of a stack that has a copy of this state: it has its lineage, and other names", async () => {
            const { id } = await existing();
            const { managed_by: own = "" } = metadataOf(id);
            machine.setMetadata(id, { managed_by: own.replace("/dev/", "/copied/") });
            next();
            await assert.rejects(adopt(id), /shop\/copied\/one.*VG6004/);
        });

        it("L8: never adopts its own predecessor", async () => {
            const made = await existing();
            await process.diff(made, inputs);
            await assert.rejects(adopt(made.id), /VG60\d\d/);
            assert.deepEqual(machine.since(), []);
        });

        it("S9: nothing that another resource adopts, in whatever case its id is written; the engine may repeat a create (L4)", async () => {
            const { contentId: id } = machine.core.addContent({ title: "Theirs" });
            const upper = { title: "One", importId: id.toUpperCase() };
            const first = adopt(id);
            await assert.rejects(process.create(upper, { urn: urnOf("two") }), /VG2023/);
            await first;
            const made = await adopt(id);
            assert.equal((await process.diff(made, upper)).kind, "none");
            const { problems } = await process.content.check({ urn: urnOf("one"), news: upper, olds: made.outputs });
            assert.deepEqual(problems, []);
        });

        it("S5: an imported object is not replaced without an input that every create needs", async () => {
            const { contentId: id } = machine.core.addContent({ title: "Theirs", playback_policy: ["signed"] });
            const found = await machine.run(process.content.find({ urn: urnOf("one"), timeouts: {}, id }));
            assert.ok(found);
            const made = { id, outputs: { ...found.inputs, __meta: found.outputs.__meta } };
            const news = { ...found.inputs, playbackPolicy: ["public"] };
            machine.since();
            assert.equal((await process.diff(made, news)).kind, "update");
            await assert.rejects(process.update(made, news), /\(playbackPolicy\).*Declare content/);
            assert.deepEqual(machine.since(), []);
            assert.equal((await process.diff(made, { ...news, content: source })).kind, "replace");
        });
    });

    describe("that updates", () => {
        it("L5: sends nothing where nothing differs, and one GET and one PUT otherwise", async () => {
            const made = await existing({ metadata: { k: "v" } });
            const news = { ...inputs, metadata: { k: "v" } };
            await process.update(made, { ...news, waitForReady: false });
            assert.deepEqual(machine.since(), []);
            machine.core.updateContent(made.id, { description: "theirs", tags: ["a"] });
            const updated = await next("rotated").update(made, { ...news, title: "Two" });
            const metadata = pairs({ k: "v", managed_by: metaOf(made).mark });
            const unmanaged = { description: "theirs", tags: ["a"], save_original_copy: false };
            assert.deepEqual(bodies("PUT"), [{ title: "Two", ...unmanaged, metadata }]);
            assert.deepEqual(machine.since(), [`GET /contents/${made.id}`, `PUT /contents/${made.id}`]);
            assert.notEqual(metaOf(updated).fingerprint, metaOf(made).fingerprint);
        });

        it("S9: puts its marker back, and keeps it beside declared metadata and keys that nobody declares (L9)", async () => {
            const made = await existing();
            const managed_by = String(metaOf(made).mark);
            machine.setMetadata(made.id, {});
            await process.update(made, { ...inputs, title: "Two" });
            assert.deepEqual(metadataOf(made.id), { managed_by });
            machine.setMetadata(made.id, { k: "v", managed_by });
            const updated = await process.update(made, { ...inputs, title: "Two", metadata: { own: "1" } });
            assert.deepEqual(metadataOf(made.id), { k: "v", own: "1", managed_by });
            assert.equal(metaOf(updated).mark, managed_by);
            // What the service does not tell is left alone.
            machine.core.setVariants({ fields: { metadata: "absent" } });
            await process.update(made, { ...inputs, title: "Three" });
            assert.equal(bodies("PUT").at(-1)?.metadata, undefined);
            assert.equal(metadataOf(made.id).managed_by, managed_by);
        });

        it("L5: waits by what the program declares now, with the update's time limit", async () => {
            inject({ kind: "processing", stuck: true });
            const made = await process.create({ ...inputs, waitForReady: false });
            assert.equal((await process.update(made, { ...inputs, waitForReady: false })).failed, undefined);
            const began = machine.clock.elapsed;
            const waited = await process.update(made, inputs, { timeouts: { create: 1_000, update: 5_000 } });
            assert.match(waited.failed ?? "", /VG4003/);
            assert.equal(machine.clock.elapsed - began, 5_000);
        });
    });

    describe("that deletes", () => {
        it("L7: a refusal counts where the object is there, and not while it is being deleted; no answer is no delete", async () => {
            const made = await existing();
            const [read, removed] = [`GET /contents/${made.id}`, `DELETE /contents/${made.id}`];
            for (const [status, asked] of [
                [409, [read, removed, read]],
                [500, [read, removed]],
            ] as const) {
                inject({ method: "DELETE", kind: "status", status });
                await assert.rejects(process.delete(made), new RegExp(`${status}`));
                const requests = machine.since();
                assert.deepEqual(status === 409 ? requests : [...new Set(requests)], asked);
                machine.core.clearFaults();
            }
            inject({ method: "DELETE", kind: "status", status: 409 });
            inStatus("Deleting")(made.id);
            await process.delete(made);
        });

        it("L7: follows a livestream until it is gone, or until its time is over, with a warning", async () => {
            for (const [deletingTimeMs, took, warnings] of [
                [3_000, 3_600, 0],
                [600_000, 4_000, 1],
            ] as const) {
                const slow = new Machine({ deletingTimeMs });
                const its = slow.start();
                const made = await its.create({ title: "Stage", region: "us-east-1" }, {}, its.livestream);
                const begin = slow.clock.elapsed;
                await its.delete(made, { timeouts: { delete: 4_000 } }, its.livestream);
                assert.ok(slow.clock.elapsed - begin <= took, `${slow.clock.elapsed - begin} ms`);
                assert.equal(its.said.filter((line) => line.includes("VG4103")).length, warnings);
                assert.equal(slow.core.requests.filter(({ method }) => method === "DELETE").length, 1);
            }
        });

        it("names the option where it is the user's time limit that ends a request, and not the network", async () => {
            const made = await existing();
            machine.core.inject({ kind: "hang" });
            const late = (option: string) => new RegExp(` 4 s, when .* option customTimeouts: \\{ ${option}: .*VG5009`);
            await assert.rejects(process.delete(made, { timeouts: { delete: 4_000 } }), late("delete"));
            // What a create asks before it begins.
            const silent = new Machine();
            silent.core.inject({ kind: "hang", method: "GET" });
            await assert.rejects(silent.start().create(inputs, { timeouts: { create: 4_000 } }), late("create"));
        });

        it("S8: ends with the process, and the object is kept", async () => {
            const made = await existing();
            process.interrupt();
            await assert.rejects(process.delete(made));
            assert.deepEqual(machine.ids, [made.id]);
        });
    });

    describe("under other credentials", () => {
        it("S2: trustNotFound is the way out where the marker was removed, and where the object is gone", async () => {
            const made = await existing();
            machine.core.updateContent(made.id, { metadata: [] });
            await assert.rejects(next("rotated").delete(made), /VIDEOGRAPH_TRUST_NOT_FOUND/);
            await next("rotated", trust).update(made, { ...inputs, title: "Two" });
            // The update has put the marker back.
            assert.equal((await next("rotated").read(made))?.outputs.title, "Two");
            machine.core.deleteContent(made.id);
            await next("rotated", trust).delete(made);
        });

        it("S2: replaces nothing with the token of another environment; one read shows that a token was rotated", async () => {
            const made = await existing();
            const news = { ...inputs, playbackPolicy: ["signed"] };
            assert.equal((await next("foreign").diff(made, news)).kind, "replace");
            await assert.rejects(process.create(news), /VG61\d\d/);
            assert.deepEqual(machine.ids, [made.id]);
            next("rotated");
            machine.since();
            await process.diff(made, news);
            assert.notEqual((await process.create(news)).id, made.id);
            const requests = machine.since().slice(0, 3);
            assert.deepEqual(requests, [`GET /contents/${made.id}`, "GET /contents", "POST /contents"]);
        });

        it("L5: what replaces an object has the default policy, even where the old one was not shown one", async () => {
            const news = { title: "Theirs", content: source };
            const urn = urnOf("one");
            const checked = await process.content.check({ urn, olds: { title: "Theirs" }, news });
            assert.deepEqual([checked.problems, checked.inputs.playbackPolicy], [[], undefined]);
            const made = await process.create(checked.inputs);
            assert.deepEqual(stored(made.id).playbackPolicy, ["public"]);
            assert.deepEqual(await process.diff(made, checked.inputs), { kind: "none" });
        });
    });
});
