/** Creates through the real adapter with planned answers: one object, whatever happens to answers and processes (S1). */
import assert from "node:assert/strict";
import { Machine } from "../../support/scriptedLife.ts";

describe("create", () => {
    let machine: Machine;

    beforeEach(() => {
        machine = new Machine();
    });

    const ids = () => machine.service.contents.map(({ contentId }) => contentId);
    const posts = () => machine.service.count("POST");

    it("sends one POST, and keeps the entry open until the state is known to have the object", async () => {
        const made = await machine.start().create("a");
        assert.deepEqual([ids(), posts(), machine.entries], [[made.id], 1, 1]);
        assert.deepEqual(await machine.start().diff("a", made), { changes: false });
        assert.equal(machine.entries, 0);
    });

    it("S1: finds the object of a lost answer, and says what that cost", async () => {
        machine.service.posts.push({ accepted: 0 });
        const process = machine.start();
        const made = await process.create("a");
        assert.deepEqual([ids(), posts()], [[made.id], 1]);
        assert.match(
            process.said.join(),
            /Content c1 was created by an earlier request\. It was found again with \d+ list request/,
        );
    });

    it("S1: an HTTP 503 is not called a lost answer", async () => {
        machine.service.posts.push({ accepted: 0, status: 503 });
        const made = await machine.start().create("a");
        assert.deepEqual([ids(), posts()], [[made.id], 1]);
    });

    it("S1: sends again, with the same marker, what was never accepted", async () => {
        machine.service.posts.push({});
        const made = await machine.start().create("a");
        assert.deepEqual([ids(), posts()], [[made.id], 2]);
    });

    it("S1: gives up after three POSTs, keeps the entry, and the next run goes on with it", async () => {
        machine.service.posts.push({}, {}, { accepted: 30_000 });
        await assert.rejects(
            machine.start().create("a"),
            /All 3 attempts to create this content failed, and no object with this marker was found/,
        );
        assert.equal(machine.entries, 1);
        await machine.clock.advance(60_000);
        const made = await machine.start().create("a");
        assert.deepEqual([ids(), posts()], [[made.id], 3]);
    });

    it("S1: deletes what is accepted 60 s after its answer was lost", async () => {
        machine.service.posts.push({ accepted: 59_000 });
        const made = await machine.start().create("a");
        await machine.clock.advance(120_000);
        assert.deepEqual([ids(), posts()], [[made.id], 2]);
        assert.deepEqual(await machine.start().diff("a", made), { changes: false });
        assert.equal(machine.entries, 0);
    });

    it("S1: a run that cannot wait for a second object leaves that to the next update", async () => {
        machine.service.posts.push({ accepted: 59_000 });
        const process = machine.start();
        const made = await process.create("a", { __timeouts: { create: "30s" } });
        assert.match(process.said.join(), /second content beside c1 could not be checked: .* \[VG3006, VG3004\]/);
        process.kill();
        await machine.clock.advance(120_000);
        assert.equal(ids().length, 2);
        const later = machine.start();
        assert.deepEqual(await later.diff("a", made), { changes: true });
        await later.update("a", made);
        assert.deepEqual(ids(), [made.id]);
        assert.deepEqual(await machine.start().diff("a", made), { changes: false });
    });

    it("S1: a second object stays when the recorded one was deleted outside", async () => {
        machine.service.posts.push({ accepted: 59_000 });
        const process = machine.start();
        const made = await process.create("a", { __timeouts: { create: "30s" } });
        process.kill();
        await machine.clock.advance(120_000);
        machine.service.contents.splice(
            0,
            2,
            ...machine.service.contents.filter(({ contentId }) => contentId !== made.id),
        );
        await machine.start().update("a", made);
        assert.equal(ids().length, 1);
    });

    it("S1: a destroy deletes the second object as well", async () => {
        machine.service.posts.push({ accepted: 59_000 });
        const process = machine.start();
        const made = await process.create("a", { __timeouts: { create: "30s" } });
        process.kill();
        await machine.clock.advance(120_000);
        await machine.start().delete(made);
        assert.deepEqual([ids(), machine.entries], [[], 0]);
    });

    it("closes the entry of a refused create", async () => {
        machine.service.posts.push({ status: 422 });
        await assert.rejects(machine.start().create("a"), /422|no/);
        assert.equal(machine.entries, 0);
    });

    it("S1: a refusal after a lost answer leaves the entry, for the first POST may have been accepted", async () => {
        machine.service.posts.push({ accepted: 50_000 }, { status: 422 });
        await assert.rejects(machine.start().create("a"));
        assert.equal(machine.entries, 1);
        await machine.clock.advance(60_000);
        const made = await machine.start().create("a");
        assert.deepEqual([ids(), posts()], [[made.id], 2]);
    });

    it("S1: nothing is sent again as long as the list cannot be read", async () => {
        machine.service.posts.push({});
        machine.service.fault = (request) => (request === "GET /contents" ? 403 : undefined);
        await assert.rejects(machine.start().create("a"), /looking for it failed/);
        assert.deepEqual([posts(), machine.entries], [1, 1]);
    });

    it("S1: an object that is being deleted is not the object", async () => {
        machine.service.posts.push({ accepted: 0 });
        machine.service.fault = () => {
            const [first] = machine.service.contents;
            if (first !== undefined && posts() === 1) first.status = "Deleting";
            return undefined;
        };
        const made = await machine.start().create("a");
        assert.equal(made.id, "c2");
    });

    it("S1: an unwritable journal is an error before anything is sent", async () => {
        const process = machine.start();
        machine.files.set = () => {
            throw new Error("EROFS: read-only file system");
        };
        await assert.rejects(
            process.create("a"),
            /journal of pending creates cannot be written \(EROFS.*VIDEOGRAPH_JOURNAL_DIR/,
        );
        assert.equal(posts(), 0);
    });

    describe("after a killed run", () => {
        /** A run that is killed when the answer is due, before the engine has it. */
        const killed = async (name: string, more = {}, token = "token") => {
            const process = machine.start(token);
            const made = await process.create(name, more);
            process.kill();
            return made;
        };

        it("A2: finds all objects again that the state does not have, and creates none", async () => {
            const names = ["a", "b", "c"];
            const first = await Promise.all(names.map((name) => killed(name)));
            const next = machine.start();
            const again = await Promise.all(names.map((name) => next.create(name)));
            assert.deepEqual([again.map(({ id }) => id), posts()], [first.map(({ id }) => id), 3]);
        });

        it("S1: waits for a process that is still at it, and no longer than it lives", async () => {
            const process = machine.start();
            await process.create("a");
            const start = machine.clock.elapsed;
            void machine.clock.sleep(5_000).then(() => process.kill());
            await machine.start().create("a");
            assert.equal(posts(), 1);
            assert.ok(machine.clock.elapsed - start >= 5_000);
        });

        it("S1: wants another source by now: the first object is deleted", async () => {
            await killed("a");
            unanswered(machine.files);
            const made = await machine.start().create("a", { content: [{ url: "https://media.test/other.mp4" }] });
            assert.deepEqual([ids(), posts()], [[made.id], 2]);
            assert.equal(made.id, "c2");
        });

        it("S1: wants another source by now: what the state may have is left to the engine, or to the next update", async () => {
            const first = await killed("a");
            const other = { content: [{ url: "https://media.test/other.mp4" }] };
            const process = machine.start();
            const made = await process.create("a", other);
            assert.deepEqual(ids(), [made.id, first.id]);
            process.kill();
            await machine.start().update("a", made);
            assert.deepEqual([ids(), machine.entries], [[made.id], 0]);
        });

        it("S1: the program changed and changed back: the first create's object is the one, and the second's goes", async () => {
            const first = await killed("a");
            const other = { content: [{ url: "https://media.test/other.mp4" }] };
            const between = await killed("a", other);
            const third = machine.start();
            const made = await third.create("a");
            assert.equal(made.id, first.id);
            third.kill();
            await machine.start().update("a", made);
            assert.deepEqual(ids(), [first.id], `${between.id} is deleted`);
        });

        it("S1: with another token, what is not found stays in the journal", async () => {
            await killed("a");
            machine.service.contents.splice(0);
            await machine.start("other").create("a");
            assert.equal(machine.entries, 2);
        });

        it("S1: the clock was set back by a day", async () => {
            const process = machine.start();
            machine.service.posts.push({ accepted: 0 });
            const { id } = await process.create("a");
            process.kill();
            for (const [path, text] of machine.files) machine.files.set(path, later(text, 24 * 3_600_000));
            const again = await machine.start().create("a");
            assert.deepEqual([again.id, posts()], [id, 1]);
        });
    });

    it("A4: a create that the engine repeats in the same process goes on with its own object", async () => {
        const process = machine.start();
        const first = await process.create("a");
        const second = await process.create("a");
        assert.deepEqual([second.id, ids(), posts()], [first.id, [first.id], 1]);
    });

    it("A4: also when it replaces another one", async () => {
        const old = await machine.start().create("a");
        const process = machine.start();
        const more = { content: [{ url: "https://media.test/other.mp4" }] };
        assert.deepEqual((await process.diff("a", old, more)).replaces, ["content"]);
        const first = await process.create("a", more);
        const second = await process.create("a", more);
        await process.delete(old);
        assert.deepEqual([second.id, ids(), posts()], [first.id, [first.id], 2]);
    });

    describe("A29: up --replace, which shows nothing of the recorded object", () => {
        it("after a run whose entry is still open keeps the only object, and says so", async () => {
            const recorded = await machine.start().create("a");
            machine.alive.clear();
            const process = machine.start();
            const replacement = await process.create("a");
            await process.delete(recorded);
            assert.deepEqual([ids(), replacement.id], [[recorded.id], recorded.id]);
            assert.match(process.said.join(), /c1 was kept and not replaced.*Run the replacement again/);
            // As the message says.
            const again = machine.start();
            const second = await again.create("a");
            await again.delete(replacement);
            assert.deepEqual([ids(), second.id], [["c2"], "c2"]);
        });

        it("the delete may come from another process of the run", async () => {
            const recorded = await machine.start().create("a");
            machine.alive.clear();
            await machine.start().create("a");
            await machine.start().delete(recorded);
            assert.deepEqual(ids(), [recorded.id]);
        });

        it("replaces where the CLI shows that the state has the object", async () => {
            const recorded = await machine.start().create("a");
            machine.alive.clear();
            machine.exported = new Set([(recorded.outs.__meta as { mark: string }).mark]);
            const process = machine.start();
            const replacement = await process.create("a");
            await process.delete(recorded);
            assert.deepEqual([ids(), replacement.id, machine.entries], [["c2"], "c2", 1]);
        });

        it("replaces where a preview has shown it meanwhile", async () => {
            const recorded = await machine.start().create("a");
            await machine.start().diff("a", recorded);
            const process = machine.start();
            const replacement = await process.create("a");
            await process.delete(recorded);
            assert.deepEqual([ids(), replacement.id], [["c2"], "c2"]);
        });

        it("with deleteBeforeReplace deletes, then creates", async () => {
            const recorded = await machine.start().create("a");
            machine.alive.clear();
            const process = machine.start();
            await process.delete(recorded);
            const replacement = await process.create("a");
            assert.deepEqual([ids(), replacement.id], [["c2"], "c2"]);
        });

        it("a later delete deletes", async () => {
            const recorded = await machine.start().create("a");
            machine.alive.clear();
            const process = machine.start();
            await process.create("a");
            process.kill();
            await machine.start().delete(recorded);
            assert.deepEqual(ids(), []);
        });
    });
});

/** The process was killed before the engine had its answer. */
function unanswered(files: Map<string, string>): void {
    for (const [path, text] of files) files.set(path, text.replace('{"answered":true}\n', ""));
}

function later(text: string, ms: number): string {
    const [head = "", ...rest] = text.split("\n");
    const entry = JSON.parse(head);
    return [JSON.stringify({ ...entry, startedAt: entry.startedAt + ms }), ...rest].join("\n");
}
