/** What the driver of the create protocol does to the service, the journal and the row (S1). */
import assert from "node:assert/strict";
import { Unconfirmed } from "../../../provider/dist/lifecycle/create/createOnce.js";
import { LifecycleError } from "../../../provider/dist/lifecycle/index.js";
import { lost, refused, ThingService, unavailable } from "../../support/things.ts";
import { rejection } from "../api/support.ts";

describe("the driver of the create protocol", () => {
    let service: ThingService;
    const marker = async () => (await service.entries()).map((entry) => entry.marker);

    beforeEach(() => {
        service = new ThingService();
    });

    describe("a lost answer", () => {
        it("is looked for at once among objects of the wanted shape and title, and nothing older is read", async () => {
            service.clock.setForward(3_600_000);
            const now = service.clock.now();
            service.add({ title: "a", createdOn: now - 30 * 60_000 });
            service.add({ title: "other" });
            service.posts.push({ accepted: 0, error: lost() });
            const process = service.start();
            const made = await process.create();
            assert.deepEqual([made.id, made.found, made.unseen], ["t3", true, undefined]);
            assert.deepEqual(service.requests, ["POST", "LIST round", "GET t3"]);
            assert.equal(service.clock.elapsed, 0);
            assert.match(process.info.join(), /^Thing t3 was created by an earlier request.* with 1 list request\./);
            assert.match(process.progress[0] ?? "", /^no answer; checking whether the thing was created/);
            assert.equal(process.progress.at(-1), "found again");
        });

        it("says the status that it had", async () => {
            service.posts.push({ accepted: 0, error: unavailable() });
            const process = service.start();
            await process.create();
            assert.match(process.progress[0] ?? "", /^HTTP 503; checking/);
        });

        it("says how many lists were read", async () => {
            service.posts.push({ accepted: 1_500, error: lost() });
            const process = service.start();
            const made = await process.create();
            assert.equal(made.found, true);
            assert.match(process.info.join(), /with 3 list requests\./);
        });

        it("leaves the object and its marker known to the process", async () => {
            service.posts.push({ accepted: 0, error: lost() });
            const process = service.start();
            const made = await process.create();
            assert.equal(process.managed.by(made.id), process.operation.urn);
            assert.deepEqual(await marker(), [made.marker]);
            assert.equal(service.things[0]?.metadata.managed_by, made.marker);
        });

        it("that cannot be looked for is an error, and the next run finds the object", async () => {
            service.posts.push({ accepted: 0, error: lost() });
            service.fault = (request) => (request.startsWith("LIST") ? new Error("no lists today") : undefined);
            const process = service.start();
            await assert.rejects(process.create(), /^LifecycleError: Whether the thing was created.* no lists today/);
            process.kill();
            service.fault = () => undefined;
            const made = await service.start().create();
            assert.deepEqual([service.ids, made.id, service.count("POST")], [["t1"], "t1", 1]);
        });

        it("three times ends with what the last POST met, and the entry stays", async () => {
            service.posts.push({ error: lost() }, { error: lost() }, { error: unavailable() });
            await assert.rejects(service.start().create(), /All 3 attempts to create this thing failed.*503/);
            assert.equal(service.count("POST"), 3);
            const [entry] = await service.entries();
            assert.deepEqual([entry?.posts, entry?.sentAt], [3, service.clock.now() - 10_000]);
        });

        it("followed by a refusal ends with the refusal, and the entry stays", async () => {
            service.posts.push({ error: lost() }, { error: refused() });
            await assert.rejects(service.start().create(), { name: "ApiError", message: "No such thing." });
            assert.equal((await marker()).length, 1);
        });
    });

    it("a created object is known by its answer, and nothing else is asked", async () => {
        const process = service.start();
        const made = await process.create();
        assert.deepEqual([made.found, made.unseen], [false, service.clock.now()]);
        await process.settle(made);
        assert.deepEqual(service.requests, ["POST"]);
        assert.deepEqual([process.warnings, process.info, process.progress], [[], [], []]);
        const [entry] = await service.entries();
        assert.deepEqual([entry?.id, entry?.posts, entry?.sentAt], [made.id, undefined, undefined]);
        // Other searches of this process need not read it.
        assert.ok(process.operation.environment.scans.hasOtherMarker(`Thing ${made.id}`, "another"));
    });

    it("a created object is kept although its id cannot be noted", async () => {
        const process = service.start();
        process.journal.note = () => Promise.reject(new Error("EROFS"));
        assert.equal((await process.create()).id, "t1");
    });

    describe("an interrupt", () => {
        it("before the POST was sent closes the entry", async () => {
            const process = service.start();
            const interrupted = new Promise<never>((_, reject) => {
                process.operation.signal.addEventListener("abort", () => reject(process.operation.signal.reason));
            });
            service.post = () => interrupted;
            service.clock.sleep(1_000).then(() => process.interrupt());
            await assert.rejects(process.create(), /interrupted/);
            assert.deepEqual(await marker(), []);
        });

        it("while the POST was under way proves nothing about it: the entry stays", async () => {
            const process = service.start();
            service.posts.push({ accepted: 2_000, after: 1_000, error: lost() });
            service.clock.sleep(500).then(() => process.interrupt());
            await assert.rejects(process.create(), /interrupted/);
            process.kill();
            await service.clock.advance(5_000);
            const made = await service.start().create();
            assert.deepEqual([service.ids, made.id, service.count("POST")], [["t1"], "t1", 1]);
        });

        it("during the search ends it at once, and sends nothing again", async () => {
            const process = service.start();
            service.posts.push({ error: lost() });
            service.clock.sleep(500).then(() => process.interrupt());
            await assert.rejects(process.create(), /interrupted/);
            assert.deepEqual([service.clock.elapsed, service.count("POST")], [500, 1]);
        });
    });

    describe("a second object", () => {
        it("of any POST is deleted: doubt lasts a minute from the last lost answer", async () => {
            service.posts.push({ error: lost() }, { accepted: 59_000, error: lost() });
            const process = service.start();
            const made = await process.create();
            await process.settle(made);
            assert.equal(service.clock.elapsed, 80_000);
            assert.deepEqual([service.ids, process.warnings], [[made.id], []]);
            assert.equal((await service.entries())[0]?.settled, true);
            assert.ok(process.progress.some((line) => line.startsWith("waiting until no second")));
            assert.equal(process.progress.at(-1), "there is no second object");
        });

        it("S1: is none that is the first one, whose id the answer to the create spells otherwise than the list", async () => {
            const post = service.post.bind(service);
            service.post = async (thing) => {
                const made = await post(thing);
                return { ...made, id: made.id.toUpperCase() };
            };
            service.posts.push({ error: lost() });
            const process = service.start();
            const made = await process.create();
            await process.settle(made);
            assert.deepEqual([made.id, service.ids], ["T1", ["t1"]]);
            process.kill();
            // Nobody knows that it was looked for.
            await service.start().journal.note(made.marker, { settled: false });
            await service.start().removeAbandoned(made.marker, made.id);
            assert.deepEqual([service.ids, await service.entries()], [["t1"], []]);
        });

        it("whose title the service rewrote is deleted too", async () => {
            service.posts.push({ accepted: 50_000, error: lost() });
            const process = service.start();
            const made = await process.create();
            service.clock.sleep(45_000).then(() => {
                for (const thing of service.things) if (thing.id !== made.id) thing.title = "REWRITTEN";
            });
            await process.settle(made);
            assert.deepEqual(service.ids, [made.id]);
        });

        it("is not waited for where one POST alone was sent", async () => {
            service.posts.push({ accepted: 0, error: lost() });
            const process = service.start();
            await process.settle(await process.create());
            assert.equal(service.clock.elapsed, 0);
            assert.equal((await service.entries())[0]?.settled, undefined);
        });

        it("is waited for no longer than the operation may last, and is said to be possible", async () => {
            service.posts.push({ accepted: 59_000, error: lost() });
            const process = service.start();
            const made = await process.create({ timeoutMs: 20_000 });
            await process.settle(made);
            assert.equal(service.clock.elapsed, 20_000);
            assert.match(
                process.warnings.join(),
                /second thing.* could not be checked: The time for the whole operation/,
            );
            assert.ok(process.warnings.join().includes(made.marker));
            assert.equal((await service.entries())[0]?.settled, undefined);
        });

        it("that cannot be deleted is said to be possible", async () => {
            service.posts.push({ accepted: 50_000, error: lost() });
            const process = service.start();
            const made = await process.create();
            service.fault = (request) => (request.startsWith("DELETE") ? new Error("not today") : undefined);
            await process.settle(made);
            assert.match(process.warnings.join(), /not today/);
            assert.equal((await service.entries())[0]?.settled, undefined);
        });

        it("that another process has looked for meanwhile is not waited for", async () => {
            service.posts.push({ error: lost() });
            const process = service.start();
            const made = await process.create();
            await process.journal.note(made.marker, { settled: true });
            await process.settle(made);
            assert.equal(service.clock.elapsed, 10_000);
        });
    });

    describe("an interrupted create", () => {
        /** Accepted after so many ms, or never; the process was killed before its answer. */
        const interrupted = async (accepted?: number) => {
            const process = service.start();
            service.posts.push({ ...(accepted !== undefined && { accepted }), after: 1_000, error: lost() });
            service.clock.sleep(500).then(() => process.interrupt());
            await assert.rejects(process.create());
            process.kill();
            service.requests.length = 0;
            return marker();
        };

        it("is found at once by the title of that time, in the lists of its shape", async () => {
            await interrupted(0);
            const start = service.clock.elapsed;
            const made = await service.start().create({ title: "b" });
            assert.deepEqual([made.id, made.found], ["t1", true]);
            assert.deepEqual(service.requests, ["LIST round", "GET t1"]);
            assert.equal(service.clock.elapsed, start);
            // Nothing was sent, so no second object is possible.
            assert.equal((await service.entries())[0]?.posts, undefined);
        });

        it("that was never accepted is sent again with the same marker, and found by the title of now", async () => {
            const before = await interrupted();
            service.posts.push({ accepted: 0, error: lost() });
            const process = service.start();
            const made = await process.create({ title: "b" });
            assert.ok(process.progress.includes("not found"));
            assert.deepEqual([before, await marker()], [[made.marker], [made.marker]]);
            assert.equal(service.requests.at(-1), "GET t1");
            // The ten seconds before the POST, and none after it.
            assert.equal(service.clock.elapsed, 11_000);
            const [entry] = await service.entries();
            assert.deepEqual([entry?.posts, entry?.resumed], [2, true]);
        });

        it("keeps the count of all its POSTs", async () => {
            const [marker = ""] = await interrupted();
            await service.start().journal.note(marker, { posts: 3 });
            await service.start().create();
            assert.equal((await service.entries())[0]?.posts, 3);
        });

        it("S2: of other credentials gets no second POST with its marker, and its entry stays however old it is", async () => {
            const [before] = await interrupted();
            await service.clock.advance(3_600_000);
            const made = await service.start("other").create();
            assert.notEqual(made.marker, before);
            assert.deepEqual(await marker(), [before, made.marker]);
        });

        it("S2: of other credentials that may still be accepted is waited for, looked for once more, and found", async () => {
            const [before] = await interrupted(40_000);
            // As a list may show it: without its metadata, and with a title that the service has rewritten.
            service.listed = ({ metadata: _, ...item }) => ({ ...item, title: "REWRITTEN" });
            const process = service.start("rotated");
            const made = await process.create({ title: "b" });
            assert.deepEqual([made.marker, made.found, service.ids], [before, true, [made.id]]);
            assert.equal(service.count("POST"), 0);
            assert.match(process.progress.join("\n"), /waiting until what was sent before cannot be accepted any more/);
            assert.equal(service.requests.filter((request) => request === "LIST round").length, 6);
        });

        it("S2: of other credentials is found at once where it is there", async () => {
            await interrupted(0);
            const start = service.clock.elapsed;
            const made = await service.start("rotated").create();
            assert.deepEqual([made.found, service.ids, service.clock.elapsed], [true, [made.id], start]);
        });

        it("S2: of other credentials that may still be accepted: no POST before, also when the time is over", async () => {
            const before = await interrupted();
            const start = service.clock.elapsed;
            await assert.rejects(service.start("other").create({ timeoutMs: 30_000 }), /The time for the whole/);
            assert.deepEqual([await marker(), service.count("POST")], [before, 0]);
            assert.equal(service.clock.elapsed - start, 30_000);
            const process = service.start("other");
            service.clock.sleep(20_000).then(() => process.interrupt());
            await assert.rejects(process.create(), /interrupted/);
            assert.deepEqual([await marker(), service.count("POST")], [before, 0]);
            const made = await service.start("other").create();
            assert.deepEqual([made.found, service.ids], [false, [made.id]]);
        });

        it("S2: of other credentials is not waited for once nothing can be accepted any more", async () => {
            await interrupted();
            await service.clock.advance(300_000);
            const start = service.clock.elapsed;
            const made = await service.start("other").create();
            assert.deepEqual([made.found, service.clock.elapsed - start], [false, 10_000]);
        });

        it("of another identity is deleted wherever it is listed, with every object of its marker", async () => {
            await interrupted(0);
            for (const id of ["twin", "triplet"])
                service.add({ ...(service.things[0] as (typeof service.things)[0]), id, title: "REWRITTEN" });
            const made = await service.start().create({ shape: "square" });
            assert.deepEqual([service.ids, made.found], [[made.id], false]);
            assert.deepEqual(await marker(), [made.marker]);
        });

        it("of another identity is found in the last list, and where it is found in the first no other is read for it", async () => {
            for (const [shape, now] of [
                ["square", "round"],
                ["round", "square"],
            ] as const) {
                service.requests.length = 0;
                service.files.clear();
                service.things.length = 0;
                const process = service.start();
                const { id } = await process.create({ shape });
                process.forgetId();
                process.kill();
                service.requests.length = 0;
                const made = await service.start().create({ shape: now });
                assert.deepEqual(service.ids, [made.id]);
                const found = service.requests.indexOf(`GET ${id}`);
                assert.deepEqual(
                    service.requests.slice(0, found),
                    shape === "round" ? ["LIST round"] : ["LIST round", "LIST square"],
                );
                assert.equal(service.requests[found + 1], `DELETE ${id}`);
            }
        });

        it("of another identity that cannot be deleted is an error, and its entry stays", async () => {
            const before = await interrupted(0);
            service.fault = (request) => (request.startsWith("DELETE") ? new Error("not today") : undefined);
            await assert.rejects(service.start().create({ shape: "square" }), { message: "not today" });
            assert.deepEqual([await marker(), service.count("POST")], [before, 0]);
        });

        it("of another identity that was sent twice: its entry is closed once no second object can be accepted", async () => {
            for (const later of [0, 300_000]) {
                service.files.clear();
                service.things.length = 0;
                const [before = ""] = await interrupted(0);
                await service.start().journal.note(before, { posts: 2, sentAt: service.clock.now() });
                await service.clock.advance(later);
                const made = await service.start().create({ shape: "square" });
                assert.deepEqual(service.ids, [made.id]);
                assert.deepEqual(await marker(), later === 0 ? [before, made.marker] : [made.marker]);
            }
        });

        it("of another identity that is not found: its entry stays while it may still be accepted", async () => {
            const before = await interrupted(40_000);
            const made = await service.start().create({ shape: "square" });
            assert.deepEqual(await marker(), [...before, made.marker]);
        });

        it("of another identity that is not found: its entry is closed once nothing can be accepted any more", async () => {
            await interrupted();
            await service.clock.advance(300_000);
            const made = await service.start().create({ shape: "square" });
            assert.deepEqual(await marker(), [made.marker]);
        });

        it("S2: of another identity and other credentials is not found: its entry stays however old it is", async () => {
            const before = await interrupted();
            await service.clock.advance(300_000);
            const made = await service.start("other").create({ shape: "square" });
            assert.deepEqual(await marker(), [...before, made.marker]);
            const entries = await service.entries();
            assert.deepEqual(
                entries.map(({ searchedUnder }) => searchedUnder),
                [["other"], undefined],
            );
        });

        it("of another identity: an interrupt ends the search, and nothing is sent", async () => {
            const before = await interrupted();
            const process = service.start();
            service.clock.sleep(500).then(() => process.interrupt());
            await assert.rejects(process.create({ shape: "square" }), /interrupted/);
            assert.deepEqual([await marker(), service.count("POST")], [before, 0]);
        });

        it("that its own process repeats is not another run's", async () => {
            const process = service.start();
            service.posts.push({ error: lost() });
            service.fault = () => new Error("not today");
            await assert.rejects(process.create());
            service.fault = () => undefined;
            await process.create();
            assert.equal((await service.entries())[0]?.resumed, undefined);
        });
    });

    it("A4: a repeated create goes on with its own object, whatever the engine has shown of the state", async () => {
        for (const shown of [undefined, "unknown", "older"]) {
            const process = service.start();
            const predecessor = shown === "older" ? { id: shown, olds: {} } : undefined;
            if (shown !== undefined) process.managed.noteRecorded(process.operation.urn, predecessor);
            const first = await process.create();
            await process.journal.note(first.marker, { answered: true });
            assert.equal((await process.create()).id, first.id, shown);
            await process.journal.close(first.marker);
        }
    });

    it("L4: a repeated create keeps the object that its first try handed over, where it cannot be looked for", async () => {
        const process = service.start();
        const first = await process.create();
        await process.journal.note(first.marker, { answered: true });
        service.fault = () => new Error("not today");
        const kept = await rejection(Unconfirmed, process.create());
        assert.deepEqual([kept.id, kept.marker], [first.id, first.marker]);
    });

    it("an object that was handed over by another process, or not at all, is not kept unseen", async () => {
        for (const [isOwn, answered] of [
            [false, true],
            [true, undefined],
        ] as const) {
            service = new ThingService();
            const first = service.start();
            const { marker: mark } = await first.create();
            await first.journal.note(mark, { answered });
            if (!isOwn) first.kill();
            service.fault = () => new Error("not today");
            const error = await rejection(LifecycleError, (isOwn ? first : service.start()).create());
            assert.match(error.message, /Whether the thing was created.* not today/);
            assert.deepEqual(await marker(), [mark]);
        }
    });

    it("an object that was handed over and is gone is not kept when a second POST was sent", async () => {
        const process = service.start();
        const first = await process.create();
        await process.journal.note(first.marker, { answered: true });
        service.things.length = 0;
        service.posts.push({ error: lost() });
        service.fault = (request) =>
            request.startsWith("LIST") && service.count("POST") > 1 ? new Error("not today") : undefined;
        const error = await rejection(LifecycleError, process.create());
        assert.match(error.message, /Whether the thing was created.* not today/);
    });

    it("A29: another process's object that the engine was given is left alone where the state has the resource", async () => {
        const first = service.start();
        const { marker: mark, id } = await first.create();
        await first.journal.note(mark, { answered: true });
        first.kill();
        const process = service.start();
        process.managed.noteRecorded(process.operation.urn);
        assert.notEqual((await process.create()).id, id);
    });

    it("the entry of the object that is to be replaced is not resumed", async () => {
        const first = service.start();
        const { id } = await first.create();
        first.kill();
        const process = service.start();
        process.managed.noteRecorded(process.operation.urn, { id, olds: {} });
        const made = await process.create();
        assert.notEqual(made.id, id);
        assert.equal((await service.entries()).at(-1)?.replaces, id);
    });

    it("a journal that cannot be read is an error before anything is sent", async () => {
        const process = service.start();
        process.journal.entriesFor = () => Promise.reject(new Error("EACCES: permission denied"));
        await assert.rejects(
            process.create(),
            /journal of pending creates cannot be read \(EACCES.*VIDEOGRAPH_JOURNAL_DIR/,
        );
        assert.equal(service.requests.length, 0);
    });

    it("a create without a URN has a marker all the same", async () => {
        const process = service.start();
        process.operation.urn = undefined;
        const made = await process.create();
        assert.match(made.marker, /^pulumi:unknown\/unknown\/unknown:/);
        assert.match([...service.files.values()].join(), /"urn":""/);
    });
});
