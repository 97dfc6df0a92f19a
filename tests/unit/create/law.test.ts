/** The one law (S1, S9): which earlier creates are adopted, deleted, refused or left alone. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Fault } from "videograph-emulator";
import { Journal } from "../../../provider/dist/evidence/journal.js";
import { Machine, type Made, type Properties, type Said, stateOf, urnOf } from "../../support/machine.ts";
import { memoryFiles } from "../../support/memoryFiles.ts";

const otherBirth = "2026-02-02T00:00:00.000000002Z";
const waitForReady = false;
const inputs = { title: "One", content: [{ url: "https://media.example.com/a.mp4" }], waitForReady };
const others = { ...inputs, content: [{ url: "https://media.example.com/b.mp4" }] };
const lists = { method: "GET", path: "/contents" } as const;
const post = { method: "POST", path: "/contents", times: 1 } as const;

describe("the one law", () => {
    let machine: Machine;

    beforeEach(() => {
        machine = new Machine();
    });

    const count = (method: string) => machine.core.requests.filter((request) => request.method === method).length;
    const open = async () =>
        (await new Journal({ folder: "/journal", files: memoryFiles(machine.files) }).entries()).length;
    const create = (declared: Properties = inputs) => machine.start().create(declared);

    const killedAfterPost = (fate?: Fault, declared: Properties = inputs) =>
        machine.killedCreate((process) => process.create(declared), "after its POST", fate);

    /** One that was killed two minutes ago, when nothing can be accepted any more. */
    async function killedCreate(): Promise<string> {
        const id = await killedAfterPost();
        await machine.clock.advance(120_000);
        return id;
    }

    /** Its answer is lost, and the list cannot be read. On a machine that is lost. */
    async function createInDoubt(
        when: "before" | "after" = "after",
        fault: Fault = { kind: "reset", when },
    ): Promise<Made> {
        machine.core.inject({ ...post, ...fault });
        machine.state = stateOf();
        const before = count("POST");
        machine.core.inject({ ...lists, kind: "status", status: 503, where: () => count("POST") > before });
        const process = machine.start();
        const row = await process.create(inputs);
        process.kill();
        machine.core.clearFaults();
        machine.lose();
        machine.state = stateOf({ rows: [row] });
        return row;
    }

    async function answered(skipsCheckpoints = false): Promise<void> {
        machine.skipsCheckpoints = skipsCheckpoints;
        const process = machine.start();
        await process.create(inputs);
        process.kill();
        machine.skipsCheckpoints = false;
        await machine.clock.advance(120_000);
    }

    async function unsent(isKilled: boolean): Promise<void> {
        if (isKilled) await machine.killedCreate((process) => process.create(inputs), "before its POST");
        else {
            machine.core.inject({ ...lists, kind: "hang" });
            await machine.cutOff((process) => process.create(inputs), false);
        }
        assert.equal(await open(), 1);
    }

    /** What became of the first create. Its process has the pid 1. */
    const begin = {
        "killed after its POST": killedCreate,
        "killed before its POST": () => unsent(true),
        "ended before its POST": () => unsent(false),
        "killed, never accepted": () => killedAfterPost({ kind: "reset" }),
        "killed, accepted late": () => killedAfterPost({ kind: "lateAcceptance", ms: 60_000 }),
        answered: () => answered(),
        "answered, no checkpoints": () => answered(true),
        "in doubt": () => createInDoubt(),
        "in doubt, never accepted": () => createInDoubt("before"),
    };

    interface Row {
        earlier: keyof typeof begin;
        /** The state could not be read by its run. */
        wasUnreadable?: boolean;
        /** What the state says to the next create, besides its unconfirmed record. */
        state?: Said | "is unreadable" | "has the object";
        /** The disk of its machine. */
        disk?: "lost";
        token?: string;
        stack?: "renamed";
        program?: typeof inputs;
        /** `VIDEOGRAPH_UNRECORDED`, and what is said of it. */
        word?: string;
        says?: RegExp;
        next: "adopts" | "makes its own" | "replaces" | "VG3016" | "VG3017" | "VG3018" | "VG3039";
        /** Until nothing can be accepted any more. */
        waits?: boolean;
    }

    const inStack = (stack: string) => urnOf("one").replace(":dev:", `:${stack}:`);
    const pending: Said = { lostPids: [1] };
    const titled: Said = { ...pending, titles: [inputs.title] };
    const killed = { earlier: "killed after its POST" } as const;
    const refused = { ...killed, state: { birth: otherBirth } };
    const inDoubt = { earlier: "in doubt" } as const;
    const rows: Row[] = [
        // On one machine whose state is read: "one machine, kills…" of tests/explore.
        { ...killed, next: "adopts" },
        { ...killed, program: others, next: "replaces" },
        { ...refused, next: "VG3016" },
        { ...killed, state: "is unreadable", next: "VG3039" },
        { ...killed, token: "rotated", next: "VG3018" },
        { ...killed, stack: "renamed", state: { ...pending, urns: [inStack("renamed")] }, next: "adopts" },
        // Perhaps of a copy of the state, which has the same birth.
        { ...killed, stack: "renamed", next: "VG3016" },
        // W2: ours by the attempt.
        { ...killed, wasUnreadable: true, state: pending, next: "adopts" },
        { ...killed, disk: "lost", state: pending, next: "adopts" },
        { ...killed, disk: "lost", state: pending, program: others, next: "VG3017" },
        { ...killed, disk: "lost", state: { lostPids: [1, 9] }, next: "adopts", waits: true },
        { ...killed, disk: "lost", state: titled, program: { ...inputs, title: "Two" }, next: "adopts" },
        // Whatever its marker says.
        { ...killed, state: "has the object", program: others, next: "makes its own" },
        { ...killed, disk: "lost", state: "has the object", program: others, next: "makes its own" },
        { earlier: "killed before its POST", state: pending, token: "rotated", next: "makes its own" },
        { earlier: "ended before its POST", state: pending, token: "rotated", next: "makes its own" },
        { earlier: "killed, accepted late", next: "adopts", waits: true },
        { earlier: "killed, never accepted", next: "makes its own", waits: true },
        { earlier: "killed, never accepted", disk: "lost", state: pending, next: "makes its own", waits: true },
        // W13: a released object is nobody's. A kill before the checkpoint leaves the pending operation.
        { earlier: "answered", program: others, next: "makes its own" },
        { earlier: "answered", state: pending, program: others, next: "VG3017" },
        { earlier: "answered, no checkpoints", program: others, next: "VG3016" },
        // W1: the record is a witness on any machine.
        { ...inDoubt, next: "adopts" },
        { ...inDoubt, program: others, next: "replaces" },
        { ...inDoubt, token: "foreign", next: "VG3018" },
        { earlier: "in doubt, never accepted", next: "makes its own", waits: true },
        // W5: the user decides what is refused, and what nothing on this machine knows.
        { ...refused, word: "<id>", next: "adopts", says: /VIDEOGRAPH_UNRECORDED names it.*VG3025/ },
        { ...refused, program: others, word: "<id>", next: "adopts", says: /inputs that differ.*VG3023/ },
        { ...refused, word: "create", next: "makes its own", says: /leaves .* alone.*VG3022/ },
        { ...refused, word: "-<id>", next: "makes its own", says: /leaves .* alone.*VG3022/ },
        { ...killed, program: others, word: "<id>", next: "adopts" },
        { ...killed, program: others, word: "-<id>", next: "makes its own", says: /leaves .* alone.*VG3022/ },
        { ...killed, disk: "lost", word: "<id>", next: "adopts" },
        { ...refused, disk: "lost", word: "<id>", next: "makes its own" },
    ];

    const nameOf = (state: Row["state"] = {}) => {
        if (typeof state === "string") return `where the state ${state}`;
        if (state.birth) return "where the state is another one's";
        return state.lostPids ? "where the state has its operation" : "";
    };

    for (const { earlier, wasUnreadable, state = {}, disk, token, program = inputs, word, next, ...row } of rows) {
        const { says, stack = "dev", waits = false } = row;
        const urn = inStack(stack);
        const given = [
            `a create that was ${earlier}`,
            wasUnreadable ? "in a run that could not read its state" : "",
            disk ? "on a machine that is lost" : "",
            nameOf(state),
            token ? `under the ${token} token` : "",
            stack === "dev" ? "" : "in a stack that is renamed",
            program === inputs ? "" : "with other inputs",
            word ? `named by VIDEOGRAPH_UNRECORDED=${word}` : "",
        ];
        const refusal = next.startsWith("VG") ? "is refused with " : "";
        it(`${given.filter(Boolean).join(", ")}: the next one ${refusal}${next}${waits ? ", after a wait" : ""}`, async () => {
            if (wasUnreadable) machine.state = undefined;
            await begin[earlier]();
            const [id] = machine.ids;
            if (disk === "lost") machine.lose();
            if (earlier.startsWith("in doubt")) assert.ok(machine.state);
            else if (state === "has the object") machine.state = stateOf({ ...pending, has: [id ?? ""] });
            else machine.state = state === "is unreadable" ? undefined : stateOf(state);
            const left = await open();
            machine.core.clearRequests();
            const { elapsed } = machine.clock;
            if (refusal) {
                const ways = next === "VG3018" ? "" : `VIDEOGRAPH_UNRECORDED=${id} .*VIDEOGRAPH_UNRECORDED=-${id} .*`;
                // Again and again, and nothing is changed or forgotten.
                for (const _ of [1, 2])
                    await assert.rejects(machine.start(token).create(program, { urn }), new RegExp(ways + next, "s"));
                assert.equal(count("POST") + count("PUT") + count("DELETE"), 0);
                assert.equal(await open(), left);
                return;
            }
            const process = machine.start(token, word ? { VIDEOGRAPH_UNRECORDED: word.replace("<id>", `${id}`) } : {});
            const made = await process.create(program, { urn });
            if (says) assert.match(process.said.join(), says);
            const others = next === "makes its own" && id !== undefined ? [id] : [];
            assert.deepEqual(machine.ids, [...others, made.id]);
            const sent = [next === "adopts" ? 0 : 1, next === "replaces" ? 1 : 0];
            assert.deepEqual([count("POST"), count("DELETE"), await open()], [...sent, 0]);
            if (next === "makes its own") assert.equal(count("PUT"), 0);
            // No other resource of the run may take it.
            const taken = process.create({ title: "Two", importId: made.id }, { urn: urnOf("two") });
            await assert.rejects(taken, /VG2023/);
            assert.equal(machine.clock.elapsed - elapsed >= 50_000, waits);
            const wait = /^waiting until no .* still be accepted \(\d+ s left\)$/;
            assert.equal(process.rows.find((row) => wait.test(row)) !== undefined, waits);
        });
    }

    it("the create of a stack with the same names that is at work is nothing to this one", async () => {
        machine.state = stateOf({ birth: otherBirth });
        machine.core.inject({ kind: "processing", stuck: true, times: 1 });
        void machine.start().create({ ...inputs, waitForReady: true });
        await machine.clock.advance(2_000);
        machine.state = stateOf();
        const { elapsed } = machine.clock;
        await create();
        assert.deepEqual([machine.ids.length, machine.clock.elapsed - elapsed < 2_000], [2, true]);
    });

    it("what a create has taken care of is recorded with it, and what an earlier one has", async () => {
        machine.state = stateOf({ lostPids: [9], settledPids: [8] });
        const { unfinished, handled } = machine.state(urnOf("one"), "Content");
        const { outputs } = await create();
        assert.deepEqual((outputs.__meta as Properties).handled, [...handled, unfinished[0]?.nonce]);
    });

    for (const how of ["a refresh", "an update"])
        it(`the object of an adoption whose PUT failed is still the resource's own under a rotated token, after ${how}`, async () => {
            const id = await killedCreate();
            machine.core.inject({ method: "PUT", path: "/contents/*", kind: "status", status: 422 });
            const made = await create();
            machine.core.clearFaults();
            assert.deepEqual([made.id, made.failed === undefined], [id, false]);
            const process = machine.start();
            const news = { ...inputs, title: "Two" };
            const seen = how === "a refresh" ? await process.read(made) : await process.update(made, news);
            process.kill();
            assert.ok(await machine.start("rotated").read({ id, outputs: seen?.outputs ?? {} }));
        });

    describe("a create that ended in doubt", () => {
        for (const when of ["after", "before"] as const)
            it(`is a row of the state: it is replaced, and its delete then sends nothing; the POST was lost ${when} it was accepted`, async () => {
                const row = await createInDoubt(when);
                assert.match(row.id, /^unconfirmed-[0-9a-f]{12}$/);
                assert.equal(row.outputs.status, "Unconfirmed");
                const process = machine.start();
                assert.deepEqual(await process.diff(row, inputs), { kind: "replace", because: ["status"] });
                assert.match(process.said.join(), /pulumi refresh.*VG3027/);
                const made = await process.create(inputs);
                machine.core.clearRequests();
                await process.delete(row);
                assert.equal(machine.core.requests.length, 0);
                // Also where the run was killed before that.
                await machine.start().delete(row);
                assert.deepEqual([machine.ids, count("DELETE")], [[made.id], 0]);
            });

        it("is proven by the row that the engine shows, where the state cannot be read", async () => {
            const row = await createInDoubt();
            machine.state = undefined;
            const process = machine.start();
            await process.diff(row, inputs);
            assert.deepEqual([(await process.create(inputs)).id, count("POST")], [machine.ids[0], 1]);
        });

        it("gets its object from a refresh; leaves with it where there is none; stays where nobody can know", async () => {
            const found = await createInDoubt();
            // Another delete of the same run may be removing what the list shows.
            machine.core.inject({ ...lists, kind: "status", status: 403, times: 1 });
            const asked = machine.clock.elapsed;
            const refreshed = (await machine.start().read(found)) ?? assert.fail();
            assert.ok(machine.clock.elapsed - asked < 10_000);
            assert.deepEqual([refreshed.id, refreshed.outputs.status], [machine.ids[0], "Ready"]);
            assert.equal((refreshed.outputs.__meta as Properties).unconfirmed, undefined);
            const recorded = { id: refreshed.id ?? "", outputs: refreshed.outputs };
            assert.deepEqual(await machine.start().diff(recorded, inputs), { kind: "none" });

            const row = await createInDoubt("before");
            for (const token of ["foreign", "first"]) {
                if (token === "first") machine.core.inject({ ...lists, kind: "status", status: 403 });
                const process = machine.start(token);
                assert.deepEqual(await process.read(row), { outputs: row.outputs });
                assert.match(process.said.join(), /still unknown.*VG3029/);
                await assert.rejects(process.delete(row), /VG3029/);
                machine.core.clearFaults();
            }
            const { elapsed } = machine.clock;
            const refresh = machine.start();
            await refresh.diff(recorded, inputs);
            assert.equal(await refresh.read(row), undefined);
            assert.ok(machine.clock.elapsed - elapsed >= 70_000);
            // A state of an hour ago: a later run may have adopted the object under another marker, so the row stays until `up` asks the user.
            const process = machine.start();
            assert.deepEqual(await process.read(row), { outputs: row.outputs });
            assert.match(
                process.said.join(),
                new RegExp(`${recorded.id} was made for this resource.*VG3040.*VG3029`, "s"),
            );
        });

        it("gets its object from a refresh that waits where it is accepted late", async () => {
            const row = await createInDoubt("before", { kind: "lateAcceptance", ms: 120_000 });
            assert.deepEqual(machine.ids, []);
            assert.equal((await machine.start().read(row))?.id, machine.ids[0] ?? assert.fail());
        });

        it("leaves with its row the object that the user leaves alone", async () => {
            const row = await createInDoubt();
            const process = machine.start("first", { VIDEOGRAPH_UNRECORDED: `-${machine.ids[0]}` });
            assert.equal(await process.read(row), undefined);
            await process.delete(row);
            assert.deepEqual([machine.ids.length, count("DELETE")], [1, 0]);
        });

        it("is deleted with its row, and nothing else is; it is never updated, because the engine would keep its id", async () => {
            const row = await createInDoubt();
            const updated = await machine.start().update(row, others);
            assert.deepEqual([updated.id, updated.outputs], [row.id, row.outputs]);
            assert.match(updated.failed ?? "", /VG3028/);
            machine.core.addContent({ title: inputs.title });
            await machine.start().delete(row);
            assert.deepEqual([machine.ids.length, count("DELETE")], [1, 1]);
        });

        it("stays the object of the resource whose adoption of it failed, also after a refresh", async () => {
            const row = await createInDoubt();
            machine.core.inject({ method: "PUT", path: "/contents/*", kind: "status", status: 422 });
            const made = await create();
            assert.match(made.failed ?? "", /422/);
            machine.core.clearFaults();
            const refresh = machine.start();
            await Promise.all([refresh.read(made), refresh.read(row).then((read) => assert.equal(read, undefined))]);
            const process = machine.start();
            await process.diff(made, inputs);
            await process.delete(row);
            assert.deepEqual([machine.ids, count("DELETE")], [[made.id], 0]);
        });
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
            assert.deepEqual([(await process.create(inputs)).id, count("POST")], [id, 1]);
        });

        it("is recorded as unconfirmed where the repetition fails, because an older engine forgets the first answer", async () => {
            const process = machine.start();
            const { id } = await process.create(inputs);
            machine.core.inject({ ...object, status: 403 });
            const repeated = await process.create(inputs);
            assert.match(`${repeated.id} ${repeated.failed}`, /^unconfirmed-.*403.*VG3002/s);
            machine.core.clearFaults();
            machine.lose();
            machine.state = stateOf({ rows: [repeated] });
            assert.deepEqual([(await create()).id, count("POST")], [id, 1]);
        });
    });

    describe("VIDEOGRAPH_UNRECORDED", () => {
        const decided = (VIDEOGRAPH_UNRECORDED: string) => machine.start("first", { VIDEOGRAPH_UNRECORDED });

        /** A run that adopts the object at the user's word is killed at its PUT. */
        async function killedAdoption(id: string, declared: typeof inputs): Promise<void> {
            machine.core.inject({ method: "PUT", path: "/contents/*", kind: "hang" });
            const adopting = decided(id);
            void adopting.create(declared).catch(() => undefined);
            await machine.clock.advance(100);
            adopting.kill();
            machine.core.clearFaults();
        }

        for (const [word, goesOn] of [
            ["create", true],
            ["-<id>", true],
            ["<id>", false],
        ] as const)
            it(`=${word} ${goesOn ? "goes on with" : "says what becomes of"} an own create that was killed on another machine`, async () => {
                await killedCreate();
                const here = [...machine.files];
                machine.lose();
                await killedCreate();
                machine.lose();
                for (const [path, text] of here) machine.files.set(path, text);
                machine.state = stateOf({ birth: otherBirth, lostPids: [2] });
                const [foreign = "", own] = machine.ids;
                const process = decided(word.replace("<id>", foreign));
                assert.equal((await process.create(inputs)).id, goesOn ? own : foreign);
                assert.deepEqual([machine.ids, await open()], [[foreign, own], 0]);
                assert.match(process.said.join(), new RegExp(`leaves .*${goesOn ? foreign : own} alone.*VG3022`));
            });

        it("with an object that is removed keeps it, because a resource of another provider may import it", async () => {
            const made = await create();
            const process = decided(made.id);
            await process.delete(made);
            assert.deepEqual([machine.ids, count("DELETE")], [[made.id], 0]);
            assert.match(process.said.join(), /VIDEOGRAPH_UNRECORDED names it.*VG3035/);
        });

        it("with a library that another provider serves keeps every object that is removed: it may be that library's now", async () => {
            const made = await create();
            const process = decided("all:films");
            await process.delete(made);
            assert.deepEqual([machine.ids, count("DELETE")], [[made.id], 0]);
            assert.match(process.said.join(), /a resource that may have adopted it.*VG3035/);
            // The library is this provider's: what it adopts is known.
            const here = decided("all:films");
            here.session.claims.onCheck(urnOf("films", "ContentLibrary"), { isNew: true });
            await here.delete(made);
            assert.deepEqual([machine.ids, count("DELETE")], [[], 1]);
        });

        it("with an object that is to be replaced does not adopt it, also where the state cannot be read", async () => {
            const made = await decided("").create(inputs);
            machine.state = undefined;
            const process = decided(made.id);
            await process.diff(made, others);
            await process.create(others);
            assert.deepEqual([machine.ids.length, count("PUT")], [2, 0]);
        });

        it("with the ids of several resources in doubt adopts that of this one", async () => {
            const id = await killedCreate();
            const value = String(machine.core.content(id)?.metadata[0]?.value).replace(/-[0-9a-f]{8}-/, "-00000000-");
            const { contentId: other } = machine.core.addContent({ title: "Another" });
            machine.core.updateContent(other, { metadata: [{ key: "managed_by", value }] });
            machine.core.inject({ kind: "status", status: 404, method: "GET", path: `/contents/${id}`, times: 1 });
            assert.equal((await decided(`${other},${id}`).create(inputs)).id, id);
        });

        it("is an error before anything is sent where it contradicts itself (W6)", async () => {
            const uuid = randomUUID();
            const twice = `${uuid},${uuid.toUpperCase()}`;
            const ofAll = ["all", "-all", "all:", "-all:", "al:films", "all:films,-all:films", "all:films,all:films"];
            for (const wrong of ["a,create", "create,-a", "a,-a", twice, "-", "a,,b", "--a", "-create", ...ofAll]) {
                const { problems } = await decided(wrong).content.check({ urn: "", news: inputs });
                assert.match(problems.join(), /VG3026/, wrong);
            }
        });

        it("leaves alone what a changed create would have deleted, and no later create asks about it", async () => {
            const id = await killedCreate();
            const process = decided(`-${id}`);
            const made = await process.create(others);
            assert.match(process.said.join(), new RegExp(`leaves ${id} alone.*VG3022`));
            machine.state = stateOf({ settled: made.outputs, has: [made.id] });
            await killedAfterPost({ kind: "reset" }, others);
            const next = await create(others);
            assert.deepEqual([machine.ids, count("DELETE")], [[id, made.id, next.id], 0]);
        });

        it("with an object of other inputs keeps it, where its adoption was killed and the state still has its record", async () => {
            await createInDoubt();
            const [id = ""] = machine.ids;
            await killedAdoption(id, others);
            assert.deepEqual([(await create(others)).id, machine.ids, count("DELETE")], [id, [id], 0]);
        });

        for (const declared of [inputs, others])
            it(`whose adoption was killed before it was sent can be taken back${declared === inputs ? "" : ", and is refused once more where the program has changed"}`, async () => {
                const id = await killedCreate();
                machine.state = stateOf({ birth: otherBirth });
                await killedAdoption(id, inputs);
                if (declared === others)
                    await assert.rejects(create(declared), (error: Error) => error.message.includes(id));
                const made = await decided("create").create(declared);
                assert.deepEqual([machine.ids, count("DELETE")], [[id, made.id], 0]);
            });
    });
});
