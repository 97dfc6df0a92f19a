/** Which open entry a create goes on from (S1, A2, A4, A6, A29). */
import assert from "node:assert/strict";
import type { JournalEntry } from "../../../provider/dist/lifecycle/create/journal.js";
import { type ThingProcess, ThingService } from "../../support/things.ts";

describe("the entry that a create goes on from", () => {
    let service: ThingService;
    let startedAt = 0;

    beforeEach(() => {
        service = new ThingService();
        startedAt = service.clock.now();
    });

    /** An entry of a process, and its object; each is younger than the one before. */
    const pending = async (process: ThingProcess, more: Partial<JournalEntry> = {}) => {
        const made = await process.create();
        const entry = await process.journal.find(made.marker);
        assert.ok(entry);
        await process.journal.open({ ...entry, startedAt: ++startedAt, ...more });
        return made;
    };
    /** Several entries of one resource: each create begins as if there were no other. */
    const several = async (all: { token: string; more?: Partial<JournalEntry> }[]) => {
        const ids: string[] = [];
        for (const { token, more } of all) {
            const files = new Map(service.files);
            service.files.clear();
            const process = service.start(token);
            ids.push((await pending(process, more)).id);
            process.kill();
            for (const [path, text] of files) service.files.set(path, text);
        }
        return ids;
    };

    it("is of its kind", async () => {
        const [id] = await several([{ token: "token", more: { kind: "Other" } }]);
        assert.notEqual((await service.start().create()).id, id);
    });

    it("is the youngest of those with the credentials in use", async () => {
        const [, second] = await several([{ token: "token" }, { token: "token" }, { token: "rotated" }]);
        assert.equal((await service.start().create()).id, second);
    });

    it("is the one with the credentials in use, also where another's is younger", async () => {
        const [first] = await several([{ token: "token" }, { token: "rotated" }]);
        assert.equal((await service.start().create()).id, first);
        service.files.clear();
        // The program wants another object than either.
        const process = service.start();
        const own = await pending(process, { shape: "older" });
        process.kill();
        const other = service.start("rotated");
        other.journal.entriesFor = async () => [];
        const younger = await pending(other, { shape: "older" });
        other.kill();
        await service.start().create();
        assert.ok(!service.ids.includes(own.id));
        assert.ok(service.ids.includes(younger.id));
    });

    it("is the youngest of others, where there is none with the credentials in use", async () => {
        const [, , third] = await several([{ token: "one" }, { token: "two" }, { token: "three" }]);
        assert.equal((await service.start().create()).id, third);
    });

    it("A4: is its own, before all others", async () => {
        const process = service.start();
        const own = await pending(process);
        const files = new Map(service.files);
        service.files.clear();
        await several([{ token: "token" }]);
        for (const [path, text] of files) service.files.set(path, text);
        // The clock was set back since: its own is not the youngest.
        const later = service.start();
        later.journal.isOwnedElsewhere = () => false;
        Object.defineProperty(later.journal, "owner", { value: process.journal.owner });
        assert.equal((await later.create()).id, own.id);
    });

    it("is left to a living process for 90 seconds", async () => {
        const { id } = await pending(service.start());
        const process = service.start();
        const start = service.clock.elapsed;
        assert.equal((await process.create()).id, id);
        assert.equal(service.clock.elapsed - start, 90_000);
        assert.match(process.progress[0] ?? "", /waiting for an earlier run of this stack/);
        assert.ok(process.progress.includes("the earlier run has ended"));
    });

    it("is left to a living process no longer than it lives", async () => {
        const owner = service.start();
        const { id } = await pending(owner);
        service.clock.sleep(1_200).then(() => owner.kill());
        assert.equal((await service.start().create()).id, id);
        assert.equal(service.clock.elapsed, 1_500);
    });

    it("an interrupt ends the wait for a living process", async () => {
        await pending(service.start());
        const process = service.start();
        service.clock.sleep(1_200).then(() => process.interrupt());
        await assert.rejects(process.create(), /interrupted/);
        assert.equal(service.clock.elapsed, 1_200);
    });

    describe("where the CLI says what the state has", () => {
        const asked = (process: ThingProcess, has: boolean | undefined) => {
            const questions: unknown[] = [];
            process.operation.environment.recordedState.has = async (marker, urn, { anyStack }) => {
                questions.push([marker, urn, anyStack]);
                return has;
            };
            return questions;
        };

        it("is not one of a recorded object: that one is closed", async () => {
            for (const answered of [true, undefined]) {
                service.files.clear();
                const first = service.start();
                const { id, marker: mark } = await pending(first, { answered });
                first.kill();
                const process = service.start();
                const questions = asked(process, true);
                assert.notEqual((await process.create()).id, id);
                assert.deepEqual(questions, [[mark, process.operation.urn, answered === true]]);
                assert.equal(await process.journal.find(mark), undefined);
            }
        });

        it("is one that no state has, or of which nothing is known", async () => {
            for (const has of [false, undefined]) {
                service.files.clear();
                const first = service.start();
                const { id } = await pending(first, { answered: true });
                first.kill();
                const process = service.start();
                asked(process, has);
                assert.equal((await process.create()).id, id);
            }
        });

        it("is its own without a question", async () => {
            const process = service.start();
            const questions = asked(process, true);
            const { id } = await pending(process, { answered: true });
            assert.equal((await process.create()).id, id);
            assert.deepEqual(questions, []);
        });
    });

    describe("of a replacement", () => {
        it("is never that of the object to be replaced", async () => {
            const [id = ""] = await several([{ token: "token" }]);
            const process = service.start();
            process.managed.noteRecorded(process.operation.urn, { id, olds: {} });
            assert.notEqual((await process.create()).id, id);
        });

        it("is any other", async () => {
            const [id = ""] = await several([{ token: "token", more: { answered: true } }]);
            const process = service.start();
            process.managed.noteRecorded(process.operation.urn, { id: "another", olds: {} });
            assert.equal((await process.create()).id, id);
        });

        it("of an object whose id was not shown is one that the engine was not given", async () => {
            for (const answered of [true, undefined]) {
                service.files.clear();
                const [id = ""] = await several([{ token: "token", more: { answered } }]);
                const process = service.start();
                process.managed.noteRecorded(process.operation.urn);
                assert.equal((await process.create()).id === id, answered !== true);
            }
        });

        it("of an object whose id was not shown is also one whose object is not known yet", async () => {
            const [id = ""] = await several([{ token: "token", more: { id: undefined } }]);
            const process = service.start();
            process.managed.noteRecorded(process.operation.urn);
            assert.equal((await process.create()).id, id);
        });
    });
});
