/** Which objects the search for a lost create reads, what it concludes from them, and what it does not (S1, A14). */
import assert from "node:assert/strict";
import { lost, missing, refused, ThingService } from "../../support/things.ts";

const hour = 3_600_000;
const foreign = { managed_by: "pulumi:other/dev/x:0123456789ab" };

describe("the search for a lost create", () => {
    let service: ThingService;

    beforeEach(async () => {
        service = new ThingService();
        await service.clock.advance(5 * hour);
        service.posts.push({ accepted: 0, error: lost() });
    });

    const create = async (process = service.start()) => {
        const start = service.clock.elapsed;
        const made = await process.create();
        return { made, process, ms: service.clock.elapsed - start };
    };
    /** An entry whose create was accepted at once; its process was killed, and knew the object's id or not. */
    const interrupted = async ({ knowsId }: { knowsId: boolean }) => {
        const process = service.start();
        const made = await process.create();
        if (!knowsId) process.forgetId();
        process.kill();
        service.requests.length = 0;
        return made;
    };
    const reads = () => service.requests.filter((request) => request.startsWith("GET"));

    it("reads the object that the entry names, and no list", async () => {
        const { id } = await interrupted({ knowsId: true });
        assert.equal((await create()).made.id, id);
        assert.deepEqual(service.requests, [`GET ${id}`]);
    });

    it("reads it once; if it is not there the lists decide", async () => {
        await interrupted({ knowsId: true });
        service.things.length = 0;
        const { ms } = await create();
        assert.deepEqual([reads(), service.count("LIST"), service.count("POST"), ms], [["GET t1"], 5, 1, 10_000]);
    });

    it("does not return an object that is being deleted, by its id or by a list", async () => {
        await interrupted({ knowsId: true });
        for (const thing of service.things) thing.status = "Deleting";
        const { made } = await create();
        assert.deepEqual([made.id, made.found], ["t2", false]);
    });

    it("reads other titles in its last round alone", async () => {
        service.listed = ({ metadata: _, ...item }) => ({ ...item, title: "REWRITTEN" });
        const { made, ms } = await create();
        assert.deepEqual([made.found, ms, reads()], [true, 10_000, ["GET t1"]]);
    });

    it("takes a listed object without a title for one that it may be", async () => {
        service.listed = ({ id, shape, createdOn }) => ({ id, shape, ...(createdOn && { createdOn }) });
        assert.deepEqual((await create()).ms, 0);
    });

    it("takes a listed object without a date for one that it may be", async () => {
        service.listed = ({ id, title }) => ({ id, title });
        assert.deepEqual((await create()).ms, 0);
    });

    it("reads no object that is known to have another marker, of a list or of an earlier read", async () => {
        service.posts[0] = { error: lost() };
        service.add({ title: "a", metadata: foreign });
        const listing = service.add({ title: "a", metadata: { managed_by: "pulumi:other/dev/y:0123456789ab" } });
        service.listed = ({ metadata, ...item }) => (item.id === listing.id ? { ...item, metadata } : item);
        const { made } = await create();
        assert.equal(made.found, false);
        assert.deepEqual(reads(), ["GET t1"]);
    });

    it("reads again, in every round, what may get its metadata a moment later", async () => {
        service.posts[0] = { error: lost() };
        const late = service.add({ title: "a" });
        delete (late as Partial<typeof late>).metadata;
        assert.equal((await create()).made.found, false);
        assert.equal(reads().length, 5);
    });

    it("S1: reads again what shows an empty list of metadata until it gets its own", async () => {
        const until = service.clock.elapsed + 2_000;
        const answer = service.answer.bind(service);
        service.answer = async (request, signal, body) => {
            const object = await answer(request, signal, body);
            const isLate = request.startsWith("GET") && service.clock.elapsed < until;
            return isLate ? { ...object, metadata: {} } : object;
        };
        const { made, ms } = await create();
        assert.deepEqual([made.found, ms, service.count("POST")], [true, 3_000, 1]);
    });

    it("finds an object by the marker that a list shows, whatever its title", async () => {
        service.listed = (thing) => ({ ...thing, title: "REWRITTEN" });
        service.add({ metadata: foreign });
        const { made, ms } = await create();
        assert.deepEqual([made.id, ms, reads()], ["t2", 0, ["GET t2"]]);
    });

    it("S1: finds an object although the service has rewritten the names in its marker, as it does with titles", async () => {
        for (const isListed of [true, false]) {
            service.things.length = 0;
            service.posts[0] = { accepted: 0, error: lost() };
            const answer = service.answer.bind(service);
            service.answer = async (request, signal, body) => {
                for (const { metadata } of service.things)
                    metadata.managed_by = metadata.managed_by?.replace("/a:", "/A:") ?? "";
                return answer(request, signal, body);
            };
            if (isListed) service.listed = (thing) => thing;
            const process = service.start();
            const { made, ms } = await create(process);
            assert.deepEqual([made.found, ms], [true, 0]);
            await process.settle(made);
            assert.deepEqual(service.ids, [made.id]);
            await process.journal.close(made.marker);
        }
    });

    it("leaves out what another resource of this run manages, but not what its own may have made", async () => {
        service.posts[0] = { error: lost() };
        const [theirs, own] = [service.add({ title: "x" }), service.add({ title: "y" })];
        const process = service.start();
        process.managed.note(theirs.id, `${process.operation.urn}b`);
        process.managed.note(own.id, process.operation.urn);
        await create(process);
        assert.deepEqual(reads(), [`GET ${own.id}`]);
    });

    it("reads 500 objects without a date at most, in each round anew", async () => {
        for (let count = 0; count < 510; count++) service.add({ title: `x${count}`, metadata: foreign });
        service.listed = ({ id, title, shape }) => ({ id, title: shape === "round" ? "REWRITTEN" : title });
        // Newest first: the object is the first of 511.
        const { made } = await create();
        assert.deepEqual([made.found, reads().length], [true, 1]);
        service.posts.push({ error: lost() });
        service.requests.length = 0;
        const process = service.start();
        for (const entry of await service.entries()) await process.journal.close(entry.marker);
        await process.create();
        assert.equal(reads().length, 500);
    });

    it("reads nothing that is older than the create, by the clocks of both and a margin", async () => {
        service.posts[0] = { error: lost() };
        const now = service.clock.now();
        const metadata = { season: "2" };
        const [young, old] = [now - 4 * 60_000, now - 6 * 60_000].map((createdOn) =>
            service.add({ createdOn, metadata }),
        );
        await create();
        assert.equal(service.count(`GET ${young?.id}`), 1);
        assert.equal(service.count(`GET ${old?.id}`), 0);
    });

    it("compares ages by the service's clock, where that is behind", async () => {
        service.clockAhead = -2 * hour;
        assert.equal((await create()).made.found, true);
    });

    it("compares ages by its own clock, where the service's is ahead", async () => {
        service.clockAhead = 2 * hour;
        assert.equal((await create()).made.found, true);
    });

    it("after hours still finds what an earlier run made", async () => {
        const { id } = await interrupted({ knowsId: false });
        await service.clock.advance(30 * hour);
        const now = service.clock.now();
        const old = service.add({ createdOn: now - 32 * hour });
        const { made } = await create();
        assert.deepEqual([made.id, service.count(`GET ${old.id}`)], [id, 0]);
    });

    it("finds it although the clocks were half an hour apart when it was created", async () => {
        service.clockAhead = -hour / 2;
        const { id } = await interrupted({ knowsId: false });
        service.clockAhead = 0;
        assert.equal((await create()).made.id, id);
    });

    it("finds it although the clock was far ahead when it was created", async () => {
        service.clock.setForward(24 * hour);
        service.clockAhead = -24 * hour;
        const { id } = await interrupted({ knowsId: false });
        service.clock.setForward(-24 * hour);
        service.clockAhead = 0;
        assert.equal((await create()).made.id, id);
    });

    it("reads no page on which all has to be older, before its last round", async () => {
        service.posts[0] = { error: lost() };
        service.pageSize = 30;
        const now = service.clock.now();
        for (let count = 0; count < 90; count++) {
            service.add({ title: `t${(count * 7) % 10}`, createdOn: now - 10 * hour + count });
        }
        await create();
        assert.equal(service.count("LIST"), 4 + 3);
    });

    describe("in a list that shows what is Ready first, and by age only within that", () => {
        beforeEach(() => {
            service.pageSize = 30;
            const now = service.clock.now();
            for (let count = 0; count < 90; count++) {
                const title = `t${(count * 7) % 10}`;
                service.add({ title, createdOn: now - 10 * hour + count, status: "Ready", metadata: foreign });
            }
            const isReady = ({ status }: { status?: string }) => (status === "Ready" ? 0 : 1);
            service.sorted = (things) => things.toSorted((a, b) => isReady(a) - isReady(b));
        });

        it("S1: finds what is not Ready before it concludes anything", async () => {
            const { made, ms } = await create();
            assert.deepEqual([made.found, ms, service.count("POST")], [true, 10_000, 1]);
        });

        it("S1: finds a second object", async () => {
            service.posts[0] = { accepted: 50_000, error: lost() };
            const { made, process } = await create();
            assert.equal(service.count("POST"), 2);
            await process.settle(made);
            assert.deepEqual(
                service.things.filter(({ status }) => status === undefined).map(({ id }) => id),
                [made.id],
            );
        });

        it("S1: finds what is accepted after the create was interrupted", async () => {
            const process = service.start();
            service.posts[0] = { accepted: 50_000, after: 10, error: lost() };
            service.clock.sleep(5).then(() => process.interrupt());
            await assert.rejects(process.create());
            process.kill();
            await service.start().removeAbandoned("pulumi:shop/dev/a:000000000000", "recorded");
            await service.clock.advance(100_000);
            assert.equal(service.things.filter(({ status }) => status === undefined).length, 0);
        });

        it("S1: finds what an interrupted create has left", async () => {
            const { id } = await interrupted({ knowsId: false });
            await service.start().removeAbandoned("pulumi:shop/dev/a:000000000000", "recorded");
            assert.ok(!service.ids.includes(id));
        });
    });

    it("reads all pages where the rest may be as young", async () => {
        service.pageSize = 30;
        const now = service.clock.now();
        for (let count = 0; count < 90; count++) {
            service.add({ title: `t${(count * 7) % 10}`, createdOn: now - 1_000 + count });
        }
        service.posts[0] = { error: lost() };
        await create();
        assert.equal(service.count("LIST"), 3 * 5);
    });

    it("says what it reads", async () => {
        const { process } = await create();
        assert.match(process.progress.join(), /looking for the thing: 1 list request/);
    });

    describe("that meets errors", () => {
        it("goes on: one complete round is enough", async () => {
            service.posts[0] = { error: lost() };
            let lists = 0;
            service.fault = (request) => (request.startsWith("LIST") && ++lists < 3 ? refused(500) : undefined);
            const { made } = await create();
            assert.deepEqual([made.found, service.count("POST")], [false, 2]);
        });

        it("in the last round ends without a conclusion", async () => {
            service.posts[0] = { error: lost() };
            let lists = 0;
            service.fault = (request) => (request.startsWith("LIST") && ++lists === 5 ? refused(500) : undefined);
            await assert.rejects(create(), /looking for it failed: No such thing/);
            assert.equal(service.count("POST"), 1);
        });

        it("ends with the operation's time", async () => {
            service.fault = () => refused(500);
            const start = service.clock.elapsed;
            await assert.rejects(service.start().create({ timeoutMs: 5_000 }), /looking for it failed/);
            assert.equal(service.clock.elapsed - start, 6_000);
        });

        it("concludes nothing from rounds before the operation's time was over", async () => {
            service.posts[0] = { error: lost() };
            await assert.rejects(service.start().create({ timeoutMs: 5_000 }), /looking for it failed: The time for/);
            assert.equal(service.count("POST"), 1);
        });

        it("says that it was interrupted, also in its last round", async () => {
            service.posts[0] = { error: lost() };
            const process = service.start();
            const start = service.clock.elapsed;
            const answer = service.answer.bind(service);
            service.answer = async (request, signal, body) => {
                if (service.clock.elapsed - start >= 10_000) await service.clock.sleep(60_000, signal);
                return answer(request, signal, body);
            };
            service.clock.sleep(11_000).then(() => process.interrupt());
            await assert.rejects(process.create(), { name: "Interrupted" });
            assert.equal(service.clock.elapsed - start, 11_000);
        });

        it("ends in the middle of a list with the operation's time", async () => {
            const answer = service.answer.bind(service);
            service.answer = async (request, signal, body) => {
                if (request.startsWith("LIST")) await service.clock.sleep(60_000, signal);
                return answer(request, signal, body);
            };
            const start = service.clock.elapsed;
            await assert.rejects(service.start().create({ timeoutMs: 5_000 }), /looking for it failed: The time for/);
            assert.equal(service.clock.elapsed - start, 5_000);
        });
    });

    describe("of an object that is listed and cannot be read", () => {
        it("waits until it can", async () => {
            const until = service.clock.elapsed + 2_000;
            service.fault = (request) =>
                request.startsWith("GET") && service.clock.elapsed < until ? missing() : undefined;
            const { made, ms } = await create();
            assert.deepEqual([made.found, ms, service.count("POST")], [true, 3_000, 1]);
        });

        it("concludes nothing where it never can", async () => {
            service.fault = (request) => (request.startsWith("GET") ? missing() : undefined);
            await assert.rejects(create(), /Thing t1 is listed, but cannot be read yet/);
            assert.equal(service.count("POST"), 1);
        });

        it("is not concerned by those of other titles", async () => {
            service.posts[0] = { error: lost() };
            service.add({ title: "other" });
            service.fault = (request) => (request.startsWith("GET") ? missing() : undefined);
            assert.equal((await create()).made.found, false);
        });

        it("nor by one that is not listed any more", async () => {
            service.posts[0] = { error: lost() };
            service.add({ title: "a" });
            service.fault = (request) => (request.startsWith("GET") ? missing() : undefined);
            service.clock.sleep(500).then(() => service.things.pop());
            assert.equal((await create()).made.found, false);
        });

        it("does not matter where the object was found", async () => {
            service.fault = (request) => {
                if (request.startsWith("LIST") && service.things.length === 1) service.add({ title: "a" });
                return request === "GET t2" ? missing() : undefined;
            };
            const { made, ms } = await create();
            assert.deepEqual([made.id, ms, reads()], ["t1", 0, ["GET t2", "GET t1"]]);
        });
    });
});
