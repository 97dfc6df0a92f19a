/** What an update and a delete do about the objects of interrupted creates (S1, S2, A16). */
import assert from "node:assert/strict";
import { newMarker } from "../../../provider/dist/lifecycle/create/marker.js";
import { lost, type Thing, ThingService } from "../../support/things.ts";

describe("abandoned creates", () => {
    let service: ThingService;
    /** The marker and the id that the state has. */
    let recorded: { marker: string; id: string };
    const markers = async () => (await service.entries()).map((entry) => entry.marker);

    beforeEach(async () => {
        service = new ThingService();
        const process = service.start();
        const { marker, id } = await process.create({ title: "recorded" });
        await process.journal.close(marker);
        process.kill();
        recorded = { marker, id };
    });

    /** A replacement that was killed; it was accepted after so many ms, or never. */
    const abandoned = async (accepted?: number) => {
        const process = service.start();
        process.managed.noteRecorded(process.operation.urn, { id: recorded.id, olds: {} });
        service.posts.push({ ...(accepted !== undefined && { accepted }), after: 10, error: lost() });
        service.clock.sleep(5).then(() => process.interrupt());
        await assert.rejects(process.create({ title: "new" }));
        process.kill();
        service.requests.length = 0;
        const [marker = ""] = await markers();
        return { marker, at: service.clock.elapsed };
    };
    const update = (token?: string) => {
        const process = service.start(token);
        return process.removeAbandoned(recorded.marker, recorded.id).then(() => process);
    };

    it("an update deletes the object at once, and closes the entry", async () => {
        const { at } = await abandoned(0);
        const process = await update();
        assert.deepEqual([service.ids, await markers()], [[recorded.id], []]);
        assert.equal(service.clock.elapsed, at);
        assert.match(process.progress[0] ?? "", /what an interrupted create left behind/);
        assert.equal(process.progress.at(-1), "nothing is left behind");
    });

    for (const [posts, known, what] of [
        [1, true, "is left alone, and nothing is sent"],
        [2, true, "is left alone, and a second one of the same create goes"],
        [2, false, "is left alone with all of its create, where a machine that failed has lost its id"],
    ] as const) {
        it(`what \`state move\` has given to another stack ${what}`, async () => {
            const earlier = service.start();
            const { marker, id } = await earlier.create({ title: "moved" });
            await earlier.journal.note(marker, { answered: true, posts, sentAt: 0 });
            earlier.kill();
            await service.clock.advance(300_000);
            service.things.push({ ...service.things.find((thing) => thing.id === id), id: "second" } as Thing);
            service.requests.length = 0;
            const process = service.start();
            if (!known) process.forgetId();
            process.operation.environment.recordedState.has = async (mark, urn, { anyStack }) =>
                anyStack && mark === marker && urn === process.operation.urn;
            await process.removeAbandoned(recorded.marker, recorded.id);
            const isSearched = posts === 2 && known;
            const left = isSearched ? [recorded.id, id] : [recorded.id, id, "second"];
            assert.deepEqual([service.ids.sort(), await markers()], [left.sort(), []]);
            assert.equal(service.requests.length > 0, isSearched);
        });
    }

    it("S9: what a run that succeeded has recorded, and no state has any more, was released: it is left alone", async () => {
        const earlier = service.start();
        const { marker, id } = await earlier.create({ title: "released" });
        const at = service.clock.now();
        await earlier.journal.note(marker, { answered: true });
        earlier.kill();
        await service.clock.advance(300_000);
        const process = service.start();
        const { environment, signal, urn } = process.operation;
        const asked: unknown[] = [];
        environment.recordedState.has = async () => false;
        environment.recordedState.succeeded = async (...question) => asked.push(question) > 0;
        service.requests.length = 0;
        await process.removeAbandoned(recorded.marker, recorded.id);
        assert.deepEqual([service.ids.sort(), await markers(), service.requests], [[recorded.id, id].sort(), [], []]);
        assert.deepEqual(asked, [[at, urn, { organization: process.journal.organization, signal }]]);
    });

    it("S1: what was not answered is not released, whatever became of its run", async () => {
        await abandoned(0);
        const process = service.start();
        process.operation.environment.recordedState.succeeded = async () => true;
        await process.removeAbandoned(recorded.marker, recorded.id);
        assert.deepEqual([service.ids, await markers()], [[recorded.id], []]);
    });

    it("the CLI is asked neither for what the engine was never given, nor for the recorded object itself", async () => {
        const earlier = service.start();
        const { marker, id } = await earlier.create({ title: "own" });
        await earlier.journal.note(marker, { answered: true, posts: 2, sentAt: 0 });
        const [own] = await service.entries();
        assert.ok(own);
        await earlier.journal.open({ ...own, marker: newMarker(own.urn, () => 0.5), answered: false });
        earlier.kill();
        const process = service.start();
        process.operation.environment.recordedState.has = () => assert.fail("It asks");
        await process.removeAbandoned(marker, id);
        assert.deepEqual([service.ids.sort(), await markers()], [[recorded.id, id].sort(), []]);
    });

    it("an update finds it in any list", async () => {
        await abandoned(0);
        await service.start().removeAbandoned(recorded.marker, recorded.id, "square");
        assert.deepEqual(service.ids, [recorded.id]);
    });

    it("an update waits for what may still be accepted, whatever title it has, and deletes it", async () => {
        const { at } = await abandoned(50_000);
        service.clock.sleep(55_000).then(() => {
            for (const thing of service.things) if (thing.id !== recorded.id) thing.title = "REWRITTEN";
        });
        await update();
        assert.deepEqual([service.ids, await markers()], [[recorded.id], []]);
        // Ten seconds of search, then until a minute after the last try.
        assert.ok(service.clock.elapsed - at >= 60_000 && service.clock.elapsed - at <= 80_000);
    });

    it("an update does not wait where all is decided", async () => {
        await abandoned();
        await service.clock.advance(300_000);
        const start = service.clock.elapsed;
        await update();
        assert.deepEqual([service.ids, await markers()], [[recorded.id], []]);
        assert.equal(service.clock.elapsed - start, 10_000);
    });

    it("S2: under other credentials what is not found stays, and is not looked for again under them", async () => {
        const { marker, at } = await abandoned(50_000);
        await update("other");
        assert.equal(service.clock.elapsed - at, 10_000);
        assert.deepEqual(
            (await service.entries()).map((entry) => [entry.marker, entry.searchedUnder]),
            [[marker, ["other"]]],
        );
        await update("third");
        assert.deepEqual((await service.entries())[0]?.searchedUnder, ["other", "third"]);
        service.requests.length = 0;
        await update("other");
        assert.deepEqual(service.requests, []);
        await update();
        assert.deepEqual([service.ids, await markers()], [[recorded.id], []]);
    });

    it("S2: under other credentials what is found is deleted, and its entry is closed", async () => {
        await abandoned(0);
        await update("rotated");
        assert.deepEqual([service.ids, await markers()], [[recorded.id], []]);
    });

    it("after a second POST every object is deleted, not only the first that is found", async () => {
        const { marker } = await abandoned(0);
        const twin = service.things[0];
        assert.ok(twin);
        service.add({ ...twin, id: "twin" });
        await service.start().journal.note(marker, { posts: 2 });
        await update();
        assert.deepEqual([service.ids, await markers()], [[recorded.id], []]);
    });

    it("that is the recorded object's own entry: second objects are deleted, and the recorded one is kept", async () => {
        const [thing] = service.things;
        assert.ok(thing);
        const process = service.start();
        service.posts.push({ accepted: 30_000, error: lost() });
        service.things.length = 0;
        const made = await process.create({ title: "recorded" });
        process.kill();
        service.requests.length = 0;
        await service.start().removeAbandoned(made.marker, made.id);
        assert.deepEqual([service.ids, await markers()], [[made.id], []]);
    });

    it("that is the recorded object's own entry: where that was deleted outside, its second object may be all there is", async () => {
        const process = service.start();
        service.posts.push({ accepted: 30_000, error: lost() });
        const made = await process.create({ title: "recorded" });
        process.kill();
        await service.clock.advance(60_000);
        service.things.splice(service.ids.indexOf(made.id), 1);
        service.requests.length = 0;
        await service.start().removeAbandoned(made.marker, made.id);
        assert.deepEqual([service.requests, service.ids.length], [[`GET ${made.id}`], 2]);
    });

    it("a settled entry of the recorded object is nobody's business", async () => {
        const process = service.start();
        const made = await process.create({ title: "x" });
        process.kill();
        service.requests.length = 0;
        await service.start().removeAbandoned(made.marker, made.id);
        assert.deepEqual([service.requests, await markers()], [[], [made.marker]]);
    });

    it("of another kind with the same name is left alone", async () => {
        const { marker } = await abandoned(0);
        for (const [path, text] of service.files)
            service.files.set(path, text.replace('"kind":"Thing"', '"kind":"Other"'));
        await update();
        assert.deepEqual([service.requests, await markers(), service.ids.length], [[], [marker], 2]);
    });

    it("that a living process works on is left alone", async () => {
        const { marker } = await abandoned(0);
        service.alive.add(2);
        await update();
        assert.deepEqual([service.requests, await markers()], [[], [marker]]);
    });

    it("is not known without a URN", async () => {
        const { marker } = await abandoned(0);
        const process = service.start();
        process.operation.urn = undefined;
        await process.removeAbandoned(recorded.marker, recorded.id);
        assert.deepEqual([service.requests, await markers()], [[], [marker]]);
    });

    it("that cannot be looked for is an error, and stays", async () => {
        const { marker } = await abandoned(0);
        service.fault = (request) => (request.startsWith("LIST") ? new Error("no lists today") : undefined);
        await assert.rejects(update(), /no lists today/);
        assert.deepEqual(await markers(), [marker]);
    });

    it("an interrupt ends the search and the wait, and the entry stays", async () => {
        for (const ms of [500, 30_000]) {
            const { marker, at } = await abandoned(50_000);
            const process = service.start();
            service.clock.sleep(ms).then(() => process.interrupt());
            await assert.rejects(process.removeAbandoned(recorded.marker, recorded.id), /interrupted/);
            assert.equal(service.clock.elapsed - at, ms);
            assert.deepEqual(await markers(), [marker]);
            await process.journal.close(marker);
        }
    });

    it("an interrupt ends the request under way", async () => {
        const hang = (start: string) => {
            const answer = ThingService.prototype.answer.bind(service);
            service.answer = async (request, signal, body) => {
                if (request.startsWith(start)) await service.clock.sleep(60_000, signal);
                return answer(request, signal, body);
            };
        };
        const interruptedAfter = async (mark: string, id: string) => {
            const process = service.start();
            const start = service.clock.elapsed;
            service.clock.sleep(500).then(() => process.interrupt());
            await assert.rejects(process.removeAbandoned(mark, id), /interrupted/);
            assert.equal(service.clock.elapsed - start, 500);
        };
        const { marker } = await abandoned(0);
        for (const request of ["LIST", "GET", "DELETE"]) {
            hang(request);
            await interruptedAfter(recorded.marker, recorded.id);
        }
        assert.deepEqual(await markers(), [marker]);
        // Its own entry, where a second object is possible.
        await service.start().journal.note(marker, { posts: 2, id: "t2" });
        hang("GET");
        await interruptedAfter(marker, "t2");
    });

    describe("and the delete of the recorded object", () => {
        const remove = (known: boolean) => {
            const process = service.start();
            if (known) process.managed.noteRecorded(process.operation.urn, { id: recorded.id, olds: {} });
            return process.endPending(recorded.marker, recorded.id);
        };

        it("deletes what a replacement of it left", async () => {
            await abandoned(0);
            await remove(false);
            assert.deepEqual([service.ids, await markers()], [[recorded.id], []]);
        });

        it("leaves to the create of this run what it is to resume", async () => {
            const { marker } = await abandoned(0);
            await remove(true);
            assert.deepEqual([service.ids.length, await markers(), service.requests], [2, [marker], []]);
        });

        it("leaves to the engine what it was given", async () => {
            const { marker } = await abandoned(0);
            await service.start().journal.note(marker, { answered: true });
            await remove(false);
            assert.deepEqual([service.ids.length, await markers(), service.requests], [2, [marker], []]);
        });

        it("leaves alone what is a replacement of another object", async () => {
            const { marker } = await abandoned(0);
            const process = service.start();
            await process.endPending(recorded.marker, "another");
            assert.deepEqual([service.ids.length, await markers(), service.requests], [2, [marker], []]);
        });

        it("deletes second objects of its own create, and closes its entry", async () => {
            const process = service.start();
            service.posts.push({ accepted: 30_000, error: lost() });
            const made = await process.create({ title: "x" });
            process.kill();
            service.things.splice(service.ids.indexOf(made.id), 1);
            await service.clock.advance(60_000);
            await service.start().endPending(made.marker, made.id);
            assert.deepEqual([service.ids, await markers()], [[recorded.id], []]);
        });

        it("waits for the end of a killed run's process, which may still send, and leaves alone what one that stays alive works on", async () => {
            const earlier = service.start();
            service.posts.push({ accepted: 30_000, error: lost() });
            const made = await earlier.create({ title: "x" });
            service.things.splice(service.ids.indexOf(made.id), 1);
            const before = service.clock.elapsed;
            await service.start().endPending(made.marker, made.id);
            assert.deepEqual(
                [service.clock.elapsed - before, service.ids.length, await markers()],
                [90_000, 2, [made.marker]],
            );
            service.clock.sleep(40_000).then(() => earlier.kill());
            await service.start().endPending(made.marker, made.id);
            assert.deepEqual([service.ids, await markers()], [[recorded.id], []]);
        });
    });
});
