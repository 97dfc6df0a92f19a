/** When a 404 means that a recorded object is gone, and whether what is there is that object (S2). */
import assert from "node:assert/strict";
import { Machine, type Made, type Process, type Properties, stateOf, urnOf } from "../../support/machine.ts";

const inputs = { content: [{ url: "https://media.example.com/a.mp4" }], playbackPolicy: ["public"] };
const trust = { VIDEOGRAPH_TRUST_NOT_FOUND: "true" };

describe("the objects of a run", () => {
    let machine: Machine;
    let process: Process;
    let elapsed: () => number;

    beforeEach(() => {
        machine = new Machine();
    });

    /** Records one for each: what becomes of it afterwards, and how long its answers take; then a new run begins. */
    const recorded = async (fates: readonly string[]): Promise<Made[]> => {
        const made: Made[] = [];
        for (const [index, fate] of fates.entries()) {
            // Its token was rotated since.
            process = machine.start(fate.includes("before") ? "rotated" : "first");
            made.push(await process.create({ ...inputs, title: `${index}` }, { urn: urnOf(`${index}`) }));
            process.kill();
        }
        for (const [index, { id, outputs }] of made.entries()) {
            const [fate = "", ms] = (fates[index] ?? "").split(" after ");
            if (fate.startsWith("gone")) machine.core.deleteContent(id);
            if (fate.endsWith("without credentials"))
                outputs.__meta = { ...(outputs.__meta as Properties), fingerprint: "" };
            if (ms !== undefined) machine.core.inject({ path: `/contents/${id}`, kind: "latency", ms: Number(ms) });
        }
        machine.state = stateOf();
        process = machine.start("first");
        const begin = machine.clock.elapsed;
        elapsed = () => machine.clock.elapsed - begin;
        return made;
    };
    /** Whether something came of it, or the code of the error. */
    const outcome = (promise: Promise<unknown>) =>
        promise.then(
            (object) => (object === undefined ? "gone" : "there"),
            ({ message }: Error) => /\[(VG\d+)\]$/.exec(message)?.[1] ?? message,
        );
    const read = (made: Made, index: number) => outcome(process.read(made, { urn: urnOf(`${index}`) }));

    for (const [fates, outcomes, ms] of [
        // A 404 that stands alone counts after a while.
        [["gone"], ["gone"], 5_000],
        [["gone", "gone", "gone"], ["VG6103", "VG6103", "VG6103"], 5_000],
        [["gone", "gone", "there after 3000"], ["gone", "gone", "there"], 3_000],
        // One under a rotated token vouches for all, one under the token in use for its own.
        [["gone", "gone before", "there before after 1000"], ["gone", "gone", "there"], 1_000],
        [["gone", "gone before", "there"], ["gone", "VG6101", "there"], 5_000],
        [["gone", "gone before"], ["VG6103", "VG6101"], 5_000],
        // The record names no credentials.
        [["gone without credentials"], ["VG6101"], 0],
    ] as const) {
        it(`S2: that are ${fates.join(", ")} are read as ${outcomes.join(", ")} after ${ms} ms`, async () => {
            const made = await recorded(fates);
            assert.deepEqual(await Promise.all(made.map(read)), outcomes);
            assert.equal(elapsed(), ms);
        });
    }

    for (const [fate, expected, tries] of [
        ["there after 100", "gone", 1],
        ["gone", "VG6103", 1],
        // It may exist, so the advice of VG6103 would be wrong.
        ["failing", "VG5008", 5],
    ] as const) {
        it(`S2: that are deleted again after a kill, where one that the program declares is ${fate}: ${expected}`, async () => {
            const [kept, ...others] = await recorded([fate, "gone", "gone"]);
            assert.ok(kept);
            await process.diff(kept, { ...inputs, title: "0" }, { urn: urnOf("0") });
            if (fate === "failing") machine.core.inject({ path: `/contents/${kept.id}`, kind: "status", status: 500 });
            machine.since();
            const deletes = others.map((one, index) => outcome(process.delete(one, { urn: urnOf(`${index + 1}`) })));
            assert.deepEqual(await Promise.all(deletes), [expected, expected]);
            assert.equal(machine.since().filter((request) => request === `GET /contents/${kept.id}`).length, tries);
        });
    }

    it("S2: one after the other, the first 404 counts, and all later ones are refused without a wait of their own", async () => {
        const made = await recorded(["gone", "gone", "gone", "there"]);
        const outcomes: string[] = [];
        for (const [index, one] of made.entries()) outcomes.push(await read(one, index));
        assert.deepEqual(outcomes, ["gone", "VG6103", "VG6103", "there"]);
        assert.equal(elapsed(), 10_000);
        assert.equal(await read(made[2] as Made, 2), "gone");
    });

    it("S2: an object that a delete has read or deleted was seen, and one that it could not read was not", async () => {
        const [one, two, three] = (await recorded(["gone", "gone", "there"])) as [Made, Made, Made];
        machine.core.inject({ path: `/contents/${three.id}`, kind: "status", status: 500, times: 5 });
        const reads = [read(one, 0), read(two, 1)];
        await assert.rejects(process.delete(three, { urn: urnOf("2") }), /500/);
        assert.deepEqual(await Promise.all(reads), ["VG6103", "VG6103"]);
        await process.delete(three, { urn: urnOf("2") });
        assert.deepEqual(await Promise.all([read(one, 0), read(two, 1)]), ["gone", "gone"]);
    });

    for (const [times, expected] of [
        [1, "there"],
        [undefined, "VG6104"],
    ] as const) {
        it(`S2: that answer 404 ${times ?? "each time"}, and the list shows them: each operation is ${expected}`, async () => {
            for (const operation of ["read", "update", "delete"] as const) {
                const [made, other] = (await recorded(["there", "there"])) as [Made, Made];
                const call = { urn: urnOf("0") };
                assert.equal(await read(other, 1), "there");
                machine.core.inject({ path: `/contents/${made.id}`, kind: "status", status: 404, times });
                const done = {
                    read: () => process.read(made, call),
                    update: () => process.update(made, { ...inputs, title: "new" }, call),
                    delete: () => process.delete(made, call).then(() => "deleted"),
                };
                assert.equal(await outcome(done[operation]()), expected, operation);
                assert.equal(machine.core.content(made.id) === undefined, operation === "delete" && times === 1);
                machine.core.clearFaults();
                process.kill();
            }
        });
    }

    it("S2: a create that has found its object vouches for the token: what is gone counts as deleted", async () => {
        const made = await recorded(["gone", "gone"]);
        const film = { ...inputs, title: "Film" };
        const [urn, fault] = [urnOf("film"), { kind: "reset", when: "after" } as const];
        await machine.killedCreate((killed) => killed.create(film, { urn }), "after its POST", fault);
        process = machine.start("first");
        // The search reads it, and nothing else: it is Ready, and as declared.
        assert.equal((await process.create({ ...film, waitForReady: false }, { urn })).id, machine.ids.at(-1));
        assert.deepEqual(await Promise.all(made.map(read)), ["gone", "gone"]);
    });

    it("S8: a wait for another object ends with the process", async () => {
        const [made] = (await recorded(["gone"])) as [Made];
        void machine.clock.sleep(1_000).then(() => process.interrupt());
        assert.notEqual(await read(made, 0), "gone");
        assert.equal(elapsed(), 1_000);
    });

    for (const [fate, expected] of [
        ["there before", "there"],
        ["gone before", "VG6101"],
        ["there", "there"],
    ] as const) {
        it(`S2: of which one is ${fate}, recorded by one of this provider: a create is ${expected} (W15)`, async () => {
            const [made] = (await recorded([fate])) as [Made];
            // Recorded with other credentials: those in use are another environment's where it is gone.
            const { id, outputs } = made;
            machine.state = stateOf({ neighbours: [{ kind: "Content", id, olds: outputs }] });
            machine.since();
            const creates = ["new", "other"].map((title) =>
                outcome(process.create({ ...inputs, title }, { urn: urnOf(title) })),
            );
            assert.deepEqual(await Promise.all(creates), [expected, expected]);
            const requests = machine.since();
            assert.equal(requests.filter((one) => one === `GET /contents/${id}`).length, fate === "there" ? 0 : 1);
            assert.equal(requests.includes("POST /contents"), expected === "there");
        });
    }

    describe("of which one is new", () => {
        /** Recorded without a wait, so nobody has seen it. */
        const unseen = async () => {
            process = machine.start();
            return process.create({ ...inputs, title: "0", waitForReady: false }, { urn: urnOf("0") });
        };
        const hide = (times: number) =>
            machine.core.inject({ method: "GET", path: "/contents/*", kind: "status", status: 404, times });

        for (const [what, hidden, latency, aheadMs, shown, ms] of [
            ["is asked for again until it is there", 2, 0, 0, "there", 4_000],
            ["is gone when it is not shown for the whole grace", 99, 0, 0, "gone", 35_000],
            ["is not gone where an answer takes longer than the grace", 1, 29_500, -1_000, "there", 61_000],
            ["is asked for again where the clock was set back a little", 1, 0, 29_999, "there", 30_000],
            ["is gone where the clock was set back by more", 1, 0, 30_001, "gone", 5_000],
        ] as const) {
            it(`S2: ${what}`, async () => {
                const made = await unseen();
                hide(hidden);
                if (latency > 0) machine.core.inject({ path: "/contents/*", kind: "latency", ms: latency });
                machine.clock.setForward(-aheadMs);
                const begin = machine.clock.elapsed;
                assert.equal(await read(made, 0), shown);
                assert.equal(machine.clock.elapsed - begin, ms);
            });
        }
    });
});

describe("a recorded object under other credentials", () => {
    const mark = "pulumi:shop/dev/one:11111111-22222222-33333333-0123456789ab";
    const renamed = mark.replace("one", "old");
    const theirs = { managed_by: mark.replace("0123456789ab", "ffffffffffff") };

    // [what is shown, the recorded marker, the metadata, whether the time is the recorded one, whether the user vouches, the same?]
    for (const [what, recordedMark, shown, time, vouched, same] of [
        ["its marker", mark, { managed_by: mark }, undefined, false, true],
        ["its marker under another name", mark, { managed_by: renamed }, undefined, false, true],
        ["another marker, and its time", mark, theirs, true, false, false],
        ["no marker, and its time", mark, {}, true, false, false],
        ["its time, and no marker was recorded", undefined, {}, true, false, true],
        ["another time, and no marker was recorded", undefined, {}, false, false, false],
        ["its time and no metadata", mark, undefined, true, false, true],
        ["another time and no metadata", mark, undefined, false, false, false],
        ["nothing, and no marker was recorded", undefined, undefined, undefined, false, false],
        ["nothing", mark, undefined, undefined, false, false],
        // What was removed is not missed; what is another is another all the same.
        ["no marker, and the user vouches", mark, {}, undefined, true, true],
        ["no marker and its time, and the user vouches", mark, {}, true, true, true],
        ["another marker and its time, and the user vouches", mark, theirs, true, true, false],
        ["one where none was recorded, and the user vouches", undefined, theirs, undefined, true, false],
        ["no marker and another time, and the user vouches", mark, {}, false, true, false],
    ] as const) {
        it(`S2: is ${same ? "the same" : "another"} where it shows ${what}`, async () => {
            const machine = new Machine();
            const { contentId: id, createdOn } = machine.core.addContent({ title: "One" });
            machine.setMetadata(id, shown ?? {});
            const fields = {
                ...(shown === undefined && { metadata: "absent" as const }),
                ...(time === undefined && { created_at: "absent" as const }),
            };
            machine.core.setVariants({ fields });
            const meta = { v: 1, fingerprint: "before", ...(recordedMark && { mark: recordedMark }) };
            const outputs = {
                ...{ title: "One", __meta: meta },
                ...(time !== undefined && { createdOn: time ? createdOn : createdOn - 1_000 }),
            };
            const process = machine.start("first", vouched ? trust : {});
            const read = process.read({ id, outputs });
            if (same) assert.equal((await read)?.outputs.title, "One");
            else await assert.rejects(read, /VG6102/);
        });
    }
});
