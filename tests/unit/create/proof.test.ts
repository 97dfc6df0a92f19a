/** What the engine hands over proves which creates are complete (A2, A13, A29). */
import assert from "node:assert/strict";
import type { JournalEntry } from "../../../provider/dist/lifecycle/create/journal.js";
import { answered, keepsResumed, PendingWarning, recorded } from "../../../provider/dist/lifecycle/create/proof.js";
import { Interrupted } from "../../../provider/dist/lifecycle/index.js";
import { ThingService, urn } from "../../support/things.ts";

describe("proof of creates", () => {
    let service: ThingService;
    const entries = () => service.entries();
    const marker = "pulumi:shop/dev/a:0123456789ab";

    const open = async (more: Partial<JournalEntry> = {}) => {
        const process = service.start();
        await process.journal.open({
            kind: "Thing",
            urn,
            marker,
            fingerprint: "token",
            titles: [],
            shape: "",
            startedAt: 1_000,
            owner: process.journal.owner,
            ...more,
        });
        return process;
    };
    /** Everything that could be written fails; what was read before can be read. */
    const unwritable = <T extends { journal: object }>(process: T): T => {
        const fail = () => Promise.reject(new Error("EROFS"));
        Object.assign(process.journal, { note: fail, close: fail });
        return process;
    };

    beforeEach(() => {
        service = new ThingService();
    });

    it("the recorded object's entry is closed", async () => {
        const { journal } = await open();
        await recorded(journal, undefined);
        await recorded(journal, "pulumi:shop/dev/a:ffffffffffff");
        assert.equal((await entries()).length, 1);
        await recorded(journal, marker);
        assert.deepEqual(await entries(), []);
    });

    it("S1: an entry that a second object may belong to stays, and learns the id that it lost", async () => {
        const { journal } = await open({ posts: 2 });
        await recorded(journal, marker);
        assert.equal((await entries())[0]?.id, undefined);
        await recorded(journal, marker, "t1");
        assert.equal((await entries())[0]?.id, "t1");
        await recorded(journal, marker, "t2");
        assert.equal((await entries())[0]?.id, "t1");
    });

    it("a journal that cannot be read or written disturbs nothing", async () => {
        for (const more of [{}, { posts: 2 }]) {
            const { journal } = unwritable(await open(more));
            await recorded(journal, marker, "t1");
            await answered(journal, marker);
        }
        const { journal, operation } = await open();
        journal.find = () => Promise.reject(new Error("EACCES"));
        await recorded(journal, marker);
        assert.equal(await keepsResumed(operation, marker), false);
    });

    it("what the engine is given is noted, where it has a marker", async () => {
        const { journal } = await open();
        await answered(journal, undefined);
        assert.equal((await entries())[0]?.answered, undefined);
        await answered(journal, marker);
        assert.equal((await entries())[0]?.answered, true);
    });

    it("A29: what a create of this run resumed is kept once", async () => {
        const process = await open({ resumed: true });
        assert.equal(await keepsResumed(process.operation, undefined), false);
        assert.equal(await keepsResumed(process.operation, "pulumi:shop/dev/a:ffffffffffff"), false);
        assert.equal(await keepsResumed(process.operation, marker), true);
        assert.equal(await keepsResumed(process.operation, marker), false);
        assert.deepEqual(await entries(), []);
    });

    it("A29: what another process resumed is kept if it is of this run, and not if it is the end of an earlier one", async () => {
        await open({ resumed: true });
        const kept = keepsResumed(service.start().operation, marker);
        await service.clock.advance(90_000);
        assert.equal(await kept, true);

        const earlier = await open({ resumed: true });
        const later = service.start();
        const deleted = keepsResumed(later.operation, marker);
        await service.clock.advance(80_000);
        earlier.kill();
        await service.clock.advance(500);
        assert.equal(await deleted, false);
        assert.equal(later.progress.at(-1), "the earlier run has ended");
        assert.equal((await entries()).length, 1);
    });

    it("A29: an interrupt ends the wait for another process, and nothing is decided", async () => {
        await open({ resumed: true });
        const process = service.start();
        const kept = assert.rejects(keepsResumed(process.operation, marker), Interrupted);
        await service.clock.advance(1_000);
        process.interrupt();
        await kept;
        assert.equal((await entries()).length, 1);
    });

    it("A29: what an earlier run resumed, or this one created, is not kept", async () => {
        const process = await open({ resumed: true });
        process.kill();
        assert.equal(await keepsResumed(service.start().operation, marker), false);
        const { operation } = await open();
        assert.equal(await keepsResumed(operation, marker), false);
        assert.equal((await entries()).length, 1);
    });

    it("A29: it is kept although the journal cannot be written", async () => {
        const { operation } = unwritable(await open({ resumed: true }));
        assert.equal(await keepsResumed(operation, marker), true);
    });

    describe("A13: a destroy", () => {
        const warningsOf = async (id: string, process = service.start(), warning = new PendingWarning()) => {
            const said: string[] = [];
            await warning.beforeDelete(id, process.operation, { warn: (message) => void said.push(message) });
            return said;
        };
        const named = (name: string, index: number) => ({
            urn: urn.replace(/a$/, name),
            marker: `pulumi:shop/dev/${name}:${String(index).padStart(12, "0")}`,
        });

        it("names five of the creates that it leaves behind, and counts the others", async () => {
            for (let index = 0; index < 7; index++) (await open(named(`n::${index}`, index))).kill();
            const [said = "", ...more] = await warningsOf("t1");
            assert.match(said, /Thing "n::0", Thing "n::1", Thing "n::2", Thing "n::3", Thing "n::4" and 2 more/);
            assert.deepEqual(more, []);
        });

        it("names five without a count", async () => {
            for (let index = 0; index < 5; index++) (await open(named(`n${index}`, index))).kill();
            assert.doesNotMatch((await warningsOf("t1")).join(), /more/);
            assert.match((await warningsOf("t1")).join(), /"n4"[^,]*\./);
        });

        it("says it once, and not while a program runs", async () => {
            (await open()).kill();
            const warning = new PendingWarning();
            const process = service.start();
            assert.equal((await warningsOf("t1", process, warning)).length, 1);
            (await open(named("b", 1))).kill();
            assert.deepEqual(await warningsOf("t2", process, warning), []);
            const running = new PendingWarning();
            running.programRuns();
            assert.deepEqual(await warningsOf("t1", process, running), []);
        });

        it("says nothing of its own object, of replacements that it deletes, and of living processes", async () => {
            (await open({ id: "t1" })).kill();
            (await open({ replaces: "t1", ...named("b", 1) })).kill();
            await open(named("c", 2));
            assert.deepEqual(await warningsOf("t1"), []);
            assert.match((await warningsOf("t2")).join(), /Thing "a", Thing "b"/);
        });

        it("says nothing of what the engine was given, unless the CLI shows that no state has it", async () => {
            (await open({ answered: true })).kill();
            for (const [has, count] of [
                [undefined, 0],
                [true, 0],
                [false, 1],
            ] as const) {
                const process = service.start();
                const asked: unknown[] = [];
                process.operation.environment.recordedState.has = async (mark, of, { anyStack }) => {
                    asked.push([mark, of, anyStack]);
                    return has;
                };
                assert.equal((await warningsOf("t1", process)).length, count, `${has}`);
                assert.deepEqual(asked, [[marker, urn, true]]);
            }
        });

        it("names a replacement of its own object that the engine was given, and no state has", async () => {
            (await open({ replaces: "t1", answered: true })).kill();
            const process = service.start();
            process.operation.environment.recordedState.has = async () => false;
            assert.equal((await warningsOf("t1", process)).length, 1);
        });

        it("says nothing where the journal cannot be read, or the URN is not known", async () => {
            (await open()).kill();
            const process = service.start();
            process.journal.entriesOfStack = () => Promise.reject(new Error("EACCES"));
            assert.deepEqual(await warningsOf("t1", process), []);
            const unnamed = service.start();
            unnamed.operation.urn = undefined;
            assert.deepEqual(await warningsOf("t1", unnamed), []);
        });
    });
});
