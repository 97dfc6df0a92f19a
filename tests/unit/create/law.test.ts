/** The one law (S1, S9): which earlier creates are adopted, deleted, refused or left alone. */
import assert from "node:assert/strict";
import { Unconfirmed } from "../../../provider/dist/create/createOnce.js";
import { parseMarker } from "../../../provider/dist/evidence/marker.js";
import { lost, missing, stateOf, ThingService } from "../../support/things.ts";
import { rejection } from "../api/support.ts";

const birth = "2026-01-01T00:00:00.000000001Z";
const otherBirth = "2026-02-02T00:00:00.000000002Z";

describe("the one law", () => {
    let service: ThingService;

    beforeEach(() => {
        service = new ThingService();
    });

    /** A process that is killed after its POST was accepted. Gives the id. */
    async function killed(more: { title?: string; identity?: unknown } = {}): Promise<string> {
        const process = service.start();
        service.posts.push({ accepted: 0, error: lost() });
        service.fault = (request) =>
            service.count("POST") > 0 && request.startsWith("LIST") ? new Error("killed") : undefined;
        service.clock.sleep(500).then(() => process.interrupt());
        await assert.rejects(process.create(more));
        service.fault = () => undefined;
        process.kill();
        await service.clock.advance(120_000);
        return service.ids[0] ?? "";
    }

    /** A create whose answer the engine was given. */
    async function told(more: { identity?: unknown } = {}): Promise<string> {
        const process = service.start();
        const { id } = await process.told(await process.create(more));
        process.kill();
        await service.clock.advance(120_000);
        return id;
    }

    const open = async () => (await service.entries()).filter((entry) => !entry.told).length;

    describe("an open entry of this state", () => {
        it("with the same inputs is adopted, under a new marker", async () => {
            const id = await killed();
            service.state = stateOf({ birth, pending: 1 });
            const made = await service.start().create();
            assert.deepEqual([made.id, made.adopted, service.count("POST")], [id, true, 1]);
            assert.notEqual(made.marker, service.things[0]?.metadata.managed_by);
            assert.equal(parseMarker(made.marker)?.k, 1);
            const [entry, ...others] = await service.entries();
            assert.deepEqual([entry?.id, entry?.marker, others], [id, made.marker, []]);
        });

        it("with other inputs is deleted, and a new object created", async () => {
            const id = await killed({ identity: "old" });
            const made = await service.start().create({ identity: "new" });
            assert.deepEqual([service.ids, made.adopted], [[made.id], false]);
            assert.equal(service.count(`DELETE ${id}`), 1);
        });

        it("of which nothing was sent is closed without a wait", async () => {
            const process = service.start();
            service.fault = () => new Error("no network");
            process.journal.close = async () => undefined;
            await assert.rejects(process.create(), /no network/);
            process.kill();
            service.fault = () => undefined;
            assert.equal(await open(), 1);
            service.state = stateOf({ birth, pending: 1 });
            await service.start().create();
            assert.deepEqual([service.clock.elapsed, service.ids.length, await open()], [0, 1, 1]);
        });

        it("that is not found is waited for until nothing can be accepted any more", async () => {
            const process = service.start();
            service.posts.push({ accepted: 60_000, error: lost() });
            service.clock.sleep(500).then(() => process.interrupt());
            await assert.rejects(process.create());
            process.kill();
            const later = service.start();
            const made = await later.create();
            assert.deepEqual([service.ids, made.adopted, service.count("POST")], [[made.id], true, 1]);
            assert.ok(
                later.progress.some((line) => /^waiting until nothing can be accepted .* \(\d+ s left\)$/.test(line)),
            );
        });

        it("that was never accepted is followed by a POST", async () => {
            const process = service.start();
            service.posts.push({ error: lost() });
            service.clock.sleep(500).then(() => process.interrupt());
            await assert.rejects(process.create());
            process.kill();
            const made = await service.start().create();
            assert.deepEqual(
                [service.ids, service.count("POST"), service.clock.elapsed >= 70_000],
                [[made.id], 2, true],
            );
        });

        it("of a killed adoption finds the object by the marker that it had", async () => {
            const id = await killed();
            const process = service.start();
            assert.equal((await process.create()).id, id);
            process.kill();
            assert.equal((await service.start().create()).id, id);
            assert.equal(service.count("POST"), 1);
        });
    });

    it("of a POST that left late is waited for from then on (a queue, or rate limits)", async () => {
        const process = service.start();
        const post = service.post.bind(service);
        service.post = async (thing) => {
            await service.clock.sleep(300_000);
            await process.noteTry();
            return post(thing);
        };
        service.posts.push({ accepted: 30_000, error: lost() });
        service.clock.sleep(300_500).then(() => process.interrupt());
        await assert.rejects(process.create());
        process.kill();
        service.post = post;
        const made = await service.start().create();
        assert.deepEqual([service.ids, made.adopted, service.count("POST")], [[made.id], true, 1]);
    });

    describe("an open entry of another state, or where this state cannot be read", () => {
        for (const [name, state] of [
            ["another birth", stateOf({ birth: otherBirth })],
            ["an unreadable state", undefined],
        ] as const) {
            it(`is refused with the object's id and the ways out (${name})`, async () => {
                const id = await killed();
                service.state = state;
                const message = String(await rejection(Error, service.start().create()));
                assert.match(message, new RegExp(`created Thing ${id} `));
                assert.match(message, new RegExp(`VIDEOGRAPH_UNRECORDED=${id} `));
                assert.match(
                    message,
                    /VIDEOGRAPH_UNRECORDED=create .*pulumi-videograph forget [0-9a-f]{12}`\. \[VG3016/,
                );
                assert.deepEqual([service.ids, await open()], [[id], 1]);
            });
        }
    });

    describe("a told entry", () => {
        it("whose object the state has is closed (--replace, a tainted resource)", async () => {
            const id = await told();
            service.state = stateOf({ has: [id] });
            const made = await service.start().create();
            assert.deepEqual([service.ids, await service.entries().then((all) => all.length)], [[made.id, id], 1]);
        });

        it("of another state is left alone (K3, K10)", async () => {
            const id = await told();
            service.state = stateOf({ birth: otherBirth });
            const made = await service.start().create();
            assert.deepEqual([service.ids, (await service.entries()).length], [[made.id, id], 2]);
        });

        it("where the state cannot be read is left alone", async () => {
            service.state = undefined;
            const id = await told();
            const made = await service.start().create();
            assert.deepEqual(service.ids, [made.id, id]);
        });

        it("whose object is gone is closed", async () => {
            const id = await told();
            service.things.length = 0;
            const made = await service.start().create();
            assert.deepEqual(
                [service.ids, service.count(`GET ${id}`), (await service.entries()).length],
                [[made.id], 2, 1],
            );
        });

        it("with an unexplained operation and the same inputs is adopted (a kill before the checkpoint)", async () => {
            const id = await told();
            service.state = stateOf({ birth, pending: 1 });
            assert.equal((await service.start().create()).id, id);
        });

        it("with an unexplained operation and other inputs is refused, and nothing is deleted (K1, K7)", async () => {
            const id = await told({ identity: "old" });
            service.state = stateOf({ birth, pending: 1 });
            await assert.rejects(service.start().create({ identity: "new" }), new RegExp(`${id}.*VG3015`));
            assert.deepEqual(service.ids, [id]);
        });

        it("that nothing explains was released: it is refused, and nothing is adopted (K2, K18)", async () => {
            const id = await told();
            await assert.rejects(service.start().create(), new RegExp(`${id}.*no longer has it.*VG3015`));
            assert.deepEqual(service.ids, [id]);
        });

        it("is explained by an operation only if no open entry explains that", async () => {
            const id = await told();
            const process = service.start();
            service.fault = () => new Error("no network");
            process.journal.close = async () => undefined;
            await assert.rejects(process.create());
            process.kill();
            service.fault = () => undefined;
            service.state = stateOf({ birth, pending: 1 });
            await assert.rejects(service.start().create(), new RegExp(`${id}.*VG3015`));
        });
    });

    it("an object that was found and that the state has by its id is recorded, whatever its marker says", async () => {
        const id = await killed({ identity: "old" });
        service.state = { ...stateOf({ birth }), has: (one) => one.id === id };
        const made = await service.start().create({ identity: "new" });
        assert.deepEqual(service.ids, [made.id, id]);
        assert.equal((await service.entries()).length, 1);
    });

    it("a told object that another machine has adopted since is refused, although an operation is unexplained", async () => {
        const id = await told();
        const [thing] = service.things;
        if (thing) thing.metadata = { managed_by: String(thing.metadata.managed_by).replace(/.{12}$/, "ffffffffffff") };
        service.state = stateOf({ birth, pending: 1 });
        await assert.rejects(service.start().create(), new RegExp(`${id}.*VG3015`));
    });

    it("a refusal closes no entry: each still explains what it explained", async () => {
        await told();
        const process = service.start();
        service.fault = () => new Error("no network");
        process.journal.close = async () => undefined;
        await assert.rejects(process.create());
        process.kill();
        service.fault = () => undefined;
        service.state = stateOf({ birth, pending: 1 });
        for (const _ of [1, 2]) await assert.rejects(service.start().create(), /VG3015/);
        assert.equal((await service.entries()).length, 2);
    });

    it("an entry of other credentials is refused", async () => {
        const id = await killed();
        const other = service.start({ token: "other" });
        await assert.rejects(other.create(), /other credentials.*VIDEOGRAPH_TRUST_NOT_FOUND=true.*forget.*VG3018/);
        assert.deepEqual(service.ids, [id]);
    });

    describe("a create that the engine repeats in this process", () => {
        it("goes on with the object of its first try", async () => {
            const process = service.start();
            const first = await process.told(await process.create());
            const second = await process.create();
            assert.deepEqual([second.id, service.count("POST")], [first.id, 1]);
        });

        it("is not posted again where its new object answers 404 for a moment", async () => {
            const process = service.start();
            const first = await process.told(await process.create());
            let misses = 3;
            service.fault = (request) => (request.startsWith("GET") && misses-- > 0 ? missing() : undefined);
            assert.equal((await process.create()).id, first.id);
            assert.equal(service.count("POST"), 1);
        });

        it("keeps the id that it has handed over, though the object cannot be read now (L4)", async () => {
            const process = service.start();
            const first = await process.told(await process.create());
            service.fault = (request) => (request.startsWith("GET") ? new Error("no network") : undefined);
            const error = await rejection(Unconfirmed, process.create());
            assert.deepEqual([error.id, error.marker], [first.id, first.marker]);
        });
    });

    describe("a create that a lost machine began", () => {
        /** What a create on another machine leaves on the service: its disk is gone. */
        async function lostMachine(more: { identity?: unknown; title?: string } = {}): Promise<string> {
            const id = await killed(more);
            service.files.clear();
            service.state = stateOf({ birth, pending: 1 });
            return id;
        }

        it("is adopted where it has the same inputs (K6)", async () => {
            const id = await lostMachine();
            const made = await service.start().create();
            assert.deepEqual([made.id, service.count("POST"), parseMarker(made.marker)?.k], [id, 1, 1]);
        });

        it("is refused where its object is so old that it may have been recorded, and released since", async () => {
            const id = await told();
            service.files.clear();
            service.state = stateOf({ birth, pending: 1 });
            await service.clock.advance(3 * 24 * 3_600_000);
            await assert.rejects(service.start().create(), new RegExp(`${id}.*older than three days.*VG3017`));
        });

        it("is found by the title that its operation has", async () => {
            const id = await lostMachine({ title: "before" });
            service.state = stateOf({ birth, pending: 1, titles: ["before"] });
            assert.equal((await service.start().create({ title: "after" })).id, id);
        });

        it("is refused where it has other inputs", async () => {
            const id = await lostMachine({ identity: "old" });
            await assert.rejects(service.start().create({ identity: "new" }), new RegExp(`${id}.*VG3017`));
            assert.deepEqual(service.ids, [id]);
        });

        it("is waited for, and then sent, where nothing shows", async () => {
            service.state = stateOf({ birth, pending: 1 });
            const made = await service.start().create();
            assert.deepEqual([service.ids, service.clock.elapsed >= 70_000], [[made.id], true]);
        });

        it("is not waited for again where a recorded create of the resource has seen it", async () => {
            service.state = { ...stateOf({ birth, pending: 1 }), resolved: 1 };
            await service.start().create();
            assert.equal(service.clock.elapsed, 0);
        });

        it("is refused where an open entry explains its operation", async () => {
            const id = await lostMachine();
            const process = service.start();
            service.fault = () => new Error("no network");
            process.journal.close = async () => undefined;
            await assert.rejects(process.create());
            process.kill();
            service.fault = () => undefined;
            await assert.rejects(service.start().create(), new RegExp(`${id}.*VG3017`));
        });

        it("is never an object of another lineage, of the state's rows, or that saw the operation already", async () => {
            const id = await lostMachine();
            for (const state of [
                stateOf({ birth: otherBirth, pending: 1 }),
                stateOf({ birth, pending: 1, has: [id] }),
            ]) {
                service.state = state;
                const process = service.start();
                const made = await process.create();
                assert.notEqual(made.id, id);
                service.files.clear();
            }
            assert.equal(service.count("DELETE"), 0);
        });
    });

    describe("VIDEOGRAPH_UNRECORDED", () => {
        it("with the id adopts a refused object", async () => {
            const id = await told();
            const made = await service.start({ unrecorded: [id] }).create();
            assert.deepEqual([made.id, made.adopted, service.count("POST")], [id, true, 1]);
        });

        it("=create leaves it alone, says so, and forgets its entry", async () => {
            const id = await told();
            const process = service.start({ unrecorded: "create" });
            const made = await process.create();
            assert.deepEqual(service.ids, [made.id, id]);
            assert.match(process.warnings.join(), new RegExp(`leaves .*${id} alone.*VG3022`));
            assert.equal((await service.entries()).length, 1);
        });

        it("with another id changes nothing", async () => {
            const id = await told();
            await assert.rejects(service.start({ unrecorded: ["t99"] }).create(), /VG3015/);
            assert.deepEqual(service.ids, [id]);
        });
    });
});
