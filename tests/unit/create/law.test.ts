/** The one law (S1, S9): which earlier creates are adopted, deleted, refused or left alone. */
import assert from "node:assert/strict";
import type { Fault } from "videograph-emulator";
import { FileJournal } from "../../../provider/dist/evidence/fileJournal.js";
import { Machine, type Made, type Process, type Properties, stateOf, urnOf } from "../../support/machine.ts";
import { memoryFiles } from "../../support/memoryFiles.ts";

const birth = "2026-01-01T00:00:00.000000001Z";
const otherBirth = "2026-02-02T00:00:00.000000002Z";
const waitForReady = false;
const inputs = { title: "One", content: [{ url: "https://media.example.com/a.mp4" }], waitForReady };
const others = { ...inputs, content: [{ url: "https://media.example.com/b.mp4" }] };
const lists = { method: "GET", path: "/contents" } as const;

describe("the one law", () => {
    let machine: Machine;

    beforeEach(() => {
        machine = new Machine();
    });

    const post = { method: "POST", path: "/contents", times: 1 } as const;
    const count = (method: string) => machine.core.requests.filter((request) => request.method === method).length;
    const entries = () => new FileJournal({ folder: "/journal", files: memoryFiles(machine.files) }).entries();
    const open = async () => (await entries()).length;
    const markOf = ({ outputs }: Made) => String((outputs.__meta as Properties).mark);
    const create = (declared: Properties = inputs) => machine.start().create(declared);
    const refused = (expected: RegExp, declared?: Properties) => assert.rejects(create(declared), expected);

    /** Ends a process in the middle of its create, as a kill does. */
    async function cutOff(process: Process, declared: Properties, isKilled = true): Promise<void> {
        void machine.clock.sleep(500).then(() => process.interrupt());
        // A killed process closes no entry.
        if (isKilled) machine.files.delete = () => false;
        process.isEnding = isKilled;
        await process.create(declared).catch(() => undefined);
        Reflect.deleteProperty(machine.files, "delete");
        machine.core.clearFaults();
        process.kill();
    }

    /** A process that is killed after its POST, of which this has become. */
    async function lostPost(fault: Fault, declared: Properties = inputs): Promise<void> {
        const before = count("POST");
        machine.core.inject({ ...post, ...fault });
        machine.core.inject({ ...lists, kind: "hang", where: () => count("POST") > before });
        await cutOff(machine.start(), declared);
    }

    /** A process that is killed after its POST was accepted. Returns the id. */
    async function killed(declared?: Properties): Promise<string> {
        await lostPost({ kind: "reset", when: "after" }, declared);
        await machine.clock.advance(120_000);
        return machine.ids.at(-1) ?? assert.fail();
    }

    /** A process that waits until its content is Ready, which never happens. It has not answered the engine. */
    async function waiting({ isAlive = false } = {}): Promise<void> {
        machine.core.inject({ kind: "processing", stuck: true, times: 1 });
        const process = machine.start();
        process.create({ ...inputs, waitForReady: true }).catch(() => undefined);
        await machine.clock.advance(2_000);
        if (!isAlive) process.kill();
    }

    /** A process that is killed, or sees that its engine has ended, before its POST. */
    async function unsent(isKilled = true): Promise<void> {
        machine.core.inject({ ...lists, kind: "hang" });
        await cutOff(machine.start(), inputs, isKilled);
    }

    /** A create whose answer has left for the engine. */
    async function answered(declared: Properties = inputs): Promise<string> {
        const process = machine.start();
        const { id } = await process.create(declared);
        process.kill();
        await machine.clock.advance(120_000);
        return id;
    }

    describe("an open entry of this state", () => {
        it("with the same inputs is adopted, under a new marker", async () => {
            const id = await killed();
            const [old] = await entries();
            machine.state = stateOf({ birth, lostPids: [1] });
            const made = await create();
            assert.deepEqual([made.id, count("POST")], [id, 1]);
            assert.notEqual(markOf(made), old?.marker);
            assert.equal(await open(), 0);
        });

        it("with other inputs is deleted, and a new object created", async () => {
            const id = await killed();
            const made = await create(others);
            assert.deepEqual([machine.ids, made.id === id, count("DELETE")], [[made.id], false, 1]);
        });

        it("whose object another stack has adopted since is left alone, also where the source has changed", async () => {
            await waiting();
            const [id = ""] = machine.ids;
            const others = { managed_by: "pulumi:other/prod/x:0123abcd-0123abcd-0123abcd-0123456789ab" };
            machine.core.updateContent(id, {
                metadata: Object.entries(others).map(([key, value]) => ({ key, value })),
            });
            await machine.clock.advance(120_000);
            await create({ ...inputs, content: [{ url: "https://media.example.com/b.mp4" }] });
            assert.deepEqual([machine.ids.includes(id), count("DELETE")], [true, 0]);
        });

        it("of a stack with the same names that is at work is nothing to this one", async () => {
            machine.state = stateOf({ birth: otherBirth });
            await waiting({ isAlive: true });
            machine.state = stateOf({ birth });
            const before = machine.clock.elapsed;
            await create();
            assert.deepEqual([machine.ids.length, machine.clock.elapsed - before < 2_000], [2, true]);
        });

        for (const isKilled of [true, false])
            it(`of a process that ${isKilled ? "was killed" : "has ended"} before its POST costs no wait, whatever its credentials`, async () => {
                await unsent(isKilled);
                assert.equal(await open(), 1);
                machine.state = stateOf({ birth, lostPids: [1] });
                const before = machine.clock.elapsed;
                await machine.start("rotated").create(inputs);
                assert.deepEqual([machine.clock.elapsed - before, machine.ids.length, await open()], [0, 1, 0]);
            });

        const sent: [what: string, fault: Fault, posts: number][] = [
            [
                "that is not found is waited for until nothing can be accepted",
                { kind: "lateAcceptance", ms: 60_000 },
                1,
            ],
            ["that was never accepted is followed by a POST", { kind: "reset" }, 2],
        ];
        for (const [what, fault, posts] of sent) {
            it(what, async () => {
                await lostPost(fault);
                const later = machine.start();
                const made = await later.create(inputs);
                assert.deepEqual([machine.ids, count("POST")], [[made.id], posts]);
                assert.ok(
                    later.rows.some((row) => /^waiting until no .* can still be accepted \(\d+ s left\)$/.test(row)),
                );
                if (posts === 2) assert.ok(machine.clock.elapsed >= 70_000);
            });
        }
    });

    for (const [name, state] of [
        ["of another state", stateOf({ birth: otherBirth })],
        ["where this state cannot be read", undefined],
    ] as const) {
        it(`an open entry ${name} is refused with the object's id and the ways out`, async () => {
            const id = await killed();
            machine.state = state;
            await refused(
                new RegExp(
                    `created Content ${id}, .*VIDEOGRAPH_UNRECORDED=${id} .*` +
                        `VIDEOGRAPH_UNRECORDED=-${id} .*pulumi-videograph forget [0-9a-f]{12}\`.*\\[VG3016`,
                ),
            );
            assert.deepEqual([machine.ids, await open()], [[id], 1]);
        });
    }

    describe("an answered create", () => {
        it("leaves no entry: a released object is nobody's, and the next create makes its own (W13)", async () => {
            const id = await answered();
            assert.equal(await open(), 0);
            const made = await create(others);
            assert.deepEqual([machine.ids, count("PUT") + count("DELETE")], [[id, made.id], 0]);
        });

        it("is adopted where the state shows that it never ended: a kill before the checkpoint", async () => {
            const id = await answered();
            machine.state = stateOf({ birth, lostPids: [1] });
            assert.deepEqual([(await create()).id, count("POST")], [id, 1]);
        });

        const doubts: [what: string, code: RegExp, arrange: () => void][] = [
            ["with other inputs, if it never ended in the state", /VG3017/, () => stateIs({ lostPids: [1] })],
            ["without checkpoints, whatever became of it", /VG3016/, () => stateIs({})],
        ];
        const stateIs = (said: object) => {
            machine.state = stateOf({ birth, ...said });
        };
        for (const [what, code, arrange] of doubts) {
            it(`is refused again and again ${what}, and nothing is changed or forgotten`, async () => {
                machine.skipsCheckpoints = code.test("VG3016");
                const id = await answered();
                machine.skipsCheckpoints = false;
                arrange();
                const left = await open();
                machine.core.clearRequests();
                for (const _ of [1, 2]) await refused(new RegExp(`${id}.*${code.source}`), others);
                assert.deepEqual([count("POST") + count("PUT") + count("DELETE"), await open()], [0, left]);
            });
        }

        it("is ours where the state names its attempt, although the run that sent it could not read the state (W2)", async () => {
            machine.state = undefined;
            const id = await killed();
            machine.state = stateOf({ birth, lostPids: [1] });
            assert.deepEqual([(await create()).id, count("POST")], [id, 1]);
        });
    });

    describe("a create that ended in doubt", () => {
        /** Its answer is lost, and the list cannot be read. */
        async function inDoubt(
            declared = inputs,
            token = "first",
            { when = "after" as "before" | "after" } = {},
        ): Promise<Made> {
            machine.core.inject({ ...post, kind: "reset", when });
            machine.state = stateOf({ birth });
            const before = count("POST");
            machine.core.inject({ ...lists, kind: "status", status: 503, where: () => count("POST") > before });
            const process = machine.start(token);
            const row = await process.create(declared);
            process.kill();
            machine.core.clearFaults();
            machine.files.clear();
            machine.state = stateOf({ birth, rows: [row] });
            return row;
        }

        it("is a row of the state without an id: the next create on any machine goes on with it (W1)", async () => {
            const row = await inDoubt();
            assert.match(row.id, /^unconfirmed-[0-9a-f]{12}$/);
            assert.equal(row.outputs.status, "Unconfirmed");
            const next = machine.start();
            assert.deepEqual(await next.diff(row, inputs), { kind: "replace", because: ["status"] });
            assert.match(next.said.join(), /pulumi refresh.*VG3027/);
            const made = await next.create(inputs);
            const [id = ""] = machine.ids;
            assert.deepEqual([made.id, count("POST")], [id, 1]);
            machine.core.clearRequests();
            await next.delete(row);
            assert.deepEqual([machine.ids, machine.core.requests.length], [[id], 0]);
            // Also where the run was killed before that.
            await machine.start().delete(row);
            assert.deepEqual([machine.ids, count("DELETE")], [[id], 0]);
        });

        it("is searched for, waited for, and then sent, where nothing shows", async () => {
            const row = await inDoubt(inputs, "first", { when: "before" });
            const made = await create();
            assert.deepEqual([machine.ids, count("POST")], [[made.id], 2]);
            await machine.start().delete(row);
            assert.deepEqual([machine.ids, count("DELETE")], [[made.id], 0]);
        });

        it("is deleted by a create with other inputs, which the row alone proves", async () => {
            await inDoubt();
            const [id = ""] = machine.ids;
            const made = await create(others);
            assert.deepEqual([machine.ids, made.id === id, count("DELETE")], [[made.id], false, 1]);
        });

        it("is refused under other credentials (W3)", async () => {
            await inDoubt();
            await assert.rejects(machine.start("foreign").create(inputs), /VG3018/);
            assert.equal(count("POST"), 1);
        });

        it("is proven by the row that the engine shows, where the state cannot be read", async () => {
            const row = await inDoubt();
            machine.state = undefined;
            const next = machine.start();
            await next.diff(row, inputs);
            assert.deepEqual([(await next.create(inputs)).id, count("POST")], [machine.ids[0], 1]);
        });

        it("gets its object from a refresh; leaves with it where there is none; stays where nobody can know", async () => {
            const found = await inDoubt();
            const refreshed = (await machine.start().read(found)) ?? assert.fail();
            assert.deepEqual([refreshed.id, refreshed.outputs.status], [machine.ids[0], "Ready"]);
            assert.equal((refreshed.outputs.__meta as Properties).unconfirmed, undefined);
            const next = machine.start();
            const recorded = { id: refreshed.id ?? "", outputs: refreshed.outputs };
            assert.deepEqual(await next.diff(recorded, inputs), { kind: "none" });

            const row = await inDoubt(inputs, "first", { when: "before" });
            for (const token of ["foreign", "first"]) {
                if (token === "first") machine.core.inject({ ...lists, kind: "status", status: 403 });
                const process = machine.start(token);
                assert.deepEqual(await process.read(row), { outputs: row.outputs });
                assert.match(process.said.join(), /still unknown.*VG3029/);
                await assert.rejects(process.delete(row), /VG3029/);
                machine.core.clearFaults();
            }
            const before = machine.clock.elapsed;
            assert.equal(await machine.start().read(row), undefined);
            assert.ok(machine.clock.elapsed - before >= 70_000);
        });

        it("is deleted with its row, and nothing else is", async () => {
            const row = await inDoubt();
            machine.core.addContent({ title: inputs.title });
            await machine.start().delete(row);
            assert.deepEqual([machine.ids.length, count("DELETE")], [1, 1]);
        });

        it("is never updated: the engine would keep its id", async () => {
            const row = await inDoubt();
            const updated = await machine.start().update(row, others);
            assert.deepEqual([updated.id, updated.outputs], [row.id, row.outputs]);
            assert.match(updated.failed ?? "", /VG3028/);
        });

        it("stays the object of the resource whose adoption of it failed, also after a refresh", async () => {
            const row = await inDoubt();
            machine.core.inject({ method: "PUT", path: "/contents/*", kind: "status", status: 422 });
            const made = await create();
            assert.match(made.failed ?? "", /422/);
            machine.core.clearFaults();
            const refresh = machine.start();
            await Promise.all([refresh.read(made), refresh.read(row).then((read) => assert.equal(read, undefined))]);
            const next = machine.start();
            await next.diff(made, inputs);
            await next.delete(row);
            assert.deepEqual([machine.ids, count("DELETE")], [[made.id], 0]);
        });
    });

    for (const how of ["a refresh", "an update"])
        it(`the object of an adoption whose PUT failed is still the resource's own under a rotated token, after ${how}`, async () => {
            const id = await killed();
            machine.core.inject({ method: "PUT", path: "/contents/*", kind: "status", status: 422 });
            const made = await create();
            machine.core.clearFaults();
            assert.deepEqual([made.id, made.failed === undefined], [id, false]);
            const process = machine.start();
            const news = { ...inputs, title: "Two" };
            const seen = how === "a refresh" ? await process.read(made) : await process.update(made, news);
            process.kill();
            const outputs = seen?.outputs ?? {};
            assert.ok(await machine.start("rotated").read({ id, outputs }));
        });

    it("an object that was found and that the state has by its id is recorded, whatever its marker says", async () => {
        const id = await killed();
        machine.state = stateOf({ birth, has: [id] });
        const made = await create(others);
        assert.deepEqual([machine.ids, await open()], [[id, made.id], 0]);
    });

    it("an entry of other credentials is refused", async () => {
        const id = await killed();
        const another = machine.start("rotated").create(inputs);
        await assert.rejects(another, /other credentials.*VIDEOGRAPH_TRUST_NOT_FOUND=true.*forget.*VG3018/);
        assert.deepEqual(machine.ids, [id]);
    });

    describe("a create that the engine repeats in this process", () => {
        const object = { method: "GET", path: "/contents/*", kind: "status" } as const;

        it("goes on with what was created without an answer, although the state cannot be read", async () => {
            machine.state = undefined;
            const process = machine.start();
            machine.core.inject({ ...post, kind: "reset", when: "after" });
            machine.core.inject({ ...lists, kind: "status", status: 403, where: () => count("POST") > 0 });
            assert.match((await process.create(inputs)).failed ?? "", /403/);
            machine.core.clearFaults();
            assert.deepEqual([(await process.create(inputs)).id, count("POST")], [machine.ids[0], 1]);
        });

        it("is not posted again where its new object answers 404 for a moment", async () => {
            const process = machine.start();
            const { id } = await process.create(inputs);
            machine.core.inject({ ...object, status: 404, times: 1 });
            assert.equal((await process.create(inputs)).id, id);
            assert.equal(count("POST"), 1);
        });

        it("fails where that object cannot be read, and the next run goes on with it", async () => {
            const process = machine.start();
            const { id } = await process.create(inputs);
            machine.core.inject({ ...object, status: 403 });
            await assert.rejects(process.create(inputs), /403/);
            machine.core.clearFaults();
            assert.deepEqual([(await machine.start().create(inputs)).id, count("POST")], [id, 1]);
        });
    });

    describe("a create that a lost machine began", () => {
        /** Its disk is gone. */
        function lose(): void {
            machine.files.clear();
            machine.state = stateOf({ birth, lostPids: [1] });
        }

        it("is found by the title that its operation has", async () => {
            const id = await killed({ ...inputs, title: "Before" });
            lose();
            machine.state = stateOf({ birth, lostPids: [1], titles: ["Before"] });
            assert.equal((await create()).id, id);
        });

        it("is refused where it has other inputs", async () => {
            const id = await killed();
            lose();
            await refused(new RegExp(`${id}.*VG3017`), others);
            assert.deepEqual(machine.ids, [id]);
        });

        it("is waited for, and then sent, where nothing shows; the state has then seen it, and no later create waits again", async () => {
            machine.state = stateOf({ birth, lostPids: [9], handledPids: [8] });
            const { pending, handled } = machine.state;
            const { outputs } = await create();
            assert.equal(machine.clock.elapsed >= 70_000, true);
            assert.deepEqual((outputs.__meta as Properties).handled, [...handled, pending[0]?.prefix]);
        });

        it("is adopted where it has the same inputs (K6), and is not all that is settled: another may still be accepted", async () => {
            const id = await killed();
            machine.files.clear();
            machine.state = stateOf({ birth, lostPids: [1, 9] });
            const made = await create();
            assert.deepEqual(
                [made.id, (made.outputs.__meta as Properties).handled],
                [id, [machine.state.pending[0]?.prefix]],
            );
        });

        it("is never an object of the state's rows", async () => {
            const id = await killed();
            lose();
            machine.state = stateOf({ birth, lostPids: [1], has: [id] });
            assert.notEqual((await create()).id, id);
            assert.equal(count("DELETE"), 0);
        });
    });

    describe("VIDEOGRAPH_UNRECORDED", () => {
        const decided = (VIDEOGRAPH_UNRECORDED: string) => machine.start("first", { VIDEOGRAPH_UNRECORDED });

        /** An object that no create may take without a word of the user. */
        async function doubted(): Promise<string> {
            const id = await killed();
            machine.state = stateOf({ birth: otherBirth });
            return id;
        }

        it("with the id adopts a refused object, and says whose word that is (W5)", async () => {
            const id = await doubted();
            const process = decided(id);
            assert.deepEqual([(await process.create(inputs)).id, count("POST")], [id, 1]);
            assert.match(process.said.join(), /VIDEOGRAPH_UNRECORDED names it.*VG3025/);
        });

        for (const [word, left] of [
            ["create", 1],
            ["-<id>", 1],
        ] as const)
            it(`=${word} leaves it alone, says so, and forgets its entry`, async () => {
                const id = await doubted();
                const process = decided(word.replace("<id>", id));
                const made = await process.create(inputs);
                assert.deepEqual([machine.ids, await open()], [[id, made.id], left - 1]);
                assert.match(process.said.join(), new RegExp(`leaves .*${id} alone.*VG3022`));
            });

        describe("of a stack whose own create was killed on another machine", () => {
            let ids: string[];

            beforeEach(async () => {
                await doubted();
                const here = [...machine.files];
                machine.files.clear();
                await killed();
                machine.files.clear();
                for (const [path, text] of here) machine.files.set(path, text);
                machine.state = stateOf({ birth: otherBirth, lostPids: [2] });
                ids = [...machine.ids];
            });

            for (const word of ["create", "-<id>"])
                it(`=${word} goes on with that`, async () => {
                    const process = decided(word.replace("<id>", ids[0] ?? ""));
                    assert.deepEqual([(await process.create(inputs)).id, machine.ids], [ids[1], ids]);
                    assert.equal(await open(), 0);
                });

            it("=<id> says what becomes of that", async () => {
                const process = decided(String(ids[0]));
                assert.deepEqual([(await process.create(inputs)).id, machine.ids], [ids[0], ids]);
                assert.match(process.said.join(), new RegExp(`leaves ${ids[1]} alone.*VG3022`));
                assert.equal(await open(), 0);
            });
        });

        it("with an object that is not marked gives it to one resource of the run (W5)", async () => {
            const urns = [urnOf("one"), urnOf("two")];
            machine.state = stateOf({ birth, lostPids: [9], urns });
            const { contentId: unread } = machine.core.addContent({ title: inputs.title });
            machine.core.inject({ kind: "status", status: 404, method: "GET", path: `/contents/${unread}` });
            const { contentId: id } = machine.core.addContent({ title: "Another" });
            const process = decided(id);
            const made = await Promise.allSettled(urns.map((urn) => process.create(inputs, { urn })));
            assert.deepEqual(
                made.map((one) => (one.status === "fulfilled" ? one.value.id : one.reason.message.slice(-8))),
                [id, "[VG3024]"],
            );
        });

        for (const wrong of ["a,create", "create,-a", "a,-a", "a,A", "-", "a,,b", "--a", "-create"])
            it(`=${wrong} is an error before anything is sent (W6)`, async () => {
                const { problems } = await decided(wrong).content.check({ urn: undefined, news: inputs });
                assert.match(problems.join(), /VG3026/);
            });

        describe("whose adoption was killed before it was sent", () => {
            let id: string;

            beforeEach(async () => {
                id = await doubted();
                machine.core.inject({ method: "PUT", path: "/contents/*", kind: "hang" });
                const adopting = decided(id);
                void adopting.create(inputs).catch(() => undefined);
                await machine.clock.advance(100);
                adopting.kill();
                machine.core.clearFaults();
            });

            it("is refused once more where the program has changed, and never deleted", async () => {
                await assert.rejects(create(others), (error: Error) => error.message.includes(id));
                await decided("create").create(others);
                assert.deepEqual([machine.ids.includes(id), machine.ids.length, count("DELETE")], [true, 2, 0]);
            });

            it("is left alone where the user says so by then", async () => {
                assert.notEqual((await decided("create").create(inputs)).id, id);
                assert.equal(count("DELETE"), 0);
            });
        });

        it("with the id of an object that has other inputs says so", async () => {
            const id = await doubted();
            const process = decided(id);
            await process.create(others);
            assert.match(process.said.join(), new RegExp(`${id} was created with different inputs.*VG3023`));
        });

        it("with another id changes nothing", async () => {
            const id = await doubted();
            await assert.rejects(decided("another").create(inputs), /VG3016/);
            assert.deepEqual(machine.ids, [id]);
        });

        it("with the ids of several resources in doubt adopts that of this one", async () => {
            const id = await killed();
            const value = String(machine.core.content(id)?.metadata[0]?.value).replace(/-[0-9a-f]{8}-/, "-00000000-");
            const { contentId: other } = machine.core.addContent({ title: "Another" });
            machine.core.updateContent(other, { metadata: [{ key: "managed_by", value }] });
            machine.core.inject({ kind: "status", status: 404, method: "GET", path: `/contents/${id}`, times: 1 });
            assert.equal((await decided(`${other},${id}`).create(inputs)).id, id);
        });
    });
});
