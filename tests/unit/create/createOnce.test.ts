/** Creates through the real adapter with planned answers: one object, whatever happens to answers and processes (S1). */
import assert from "node:assert/strict";
import { Machine } from "../../support/scriptedLife.ts";

const birth = "2026-01-01T00:00:00.000000001Z";

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

    it("S1: finds the object of a lost answer", async () => {
        machine.service.posts.push({ accepted: 0 });
        const process = machine.start();
        const made = await process.create("a");
        assert.deepEqual([ids(), posts()], [[made.id], 1]);
        assert.match(process.said.join(), /^$/);
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

    it("S1: gives up after two POSTs, keeps the entry, and the next run goes on with it", async () => {
        machine.service.posts.push({}, { accepted: 80_000 });
        await assert.rejects(
            machine.start().create("a"),
            /All 2 attempts to create this content failed, and no object with its marker was found/,
        );
        assert.equal(machine.entries, 1);
        await machine.clock.advance(60_000);
        const made = await machine.start().create("a");
        assert.deepEqual([ids(), posts()], [[made.id], 2]);
    });

    it("closes the entry of a refused create", async () => {
        machine.service.posts.push({ status: 422 });
        await assert.rejects(machine.start().create("a"), /422|no/);
        assert.equal(machine.entries, 0);
    });

    it("S1: nothing is sent again as long as the list cannot be read", async () => {
        machine.service.posts.push({});
        machine.service.fault = (request) => (posts() > 0 && request === "GET /contents" ? 403 : undefined);
        await assert.rejects(
            machine.start().create("a"),
            /searching for it failed.*pulumi-videograph forget [0-9a-f]{12}/,
        );
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
            machine.state = { birth, pending: 1, resolved: 0, titles: [], has: () => false };
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
            machine.state = { birth, pending: 1, resolved: 0, titles: [], has: () => false };
            const start = machine.clock.elapsed;
            void machine.clock.sleep(5_000).then(() => process.kill());
            await machine.start().create("a");
            assert.equal(posts(), 1);
            assert.ok(machine.clock.elapsed - start >= 5_000);
        });

        it("S1: the clock was set back by a day", async () => {
            const process = machine.start();
            machine.service.posts.push({ accepted: 0 });
            const { id } = await process.create("a");
            process.kill();
            machine.state = { birth, pending: 1, resolved: 0, titles: [], has: () => false };
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
        it("K4: replaces: the state has the object, so its entry is closed", async () => {
            const recorded = await machine.start().create("a");
            machine.alive.clear();
            machine.state = { birth: "b", pending: 0, resolved: 0, titles: [], has: ({ id }) => id === recorded.id };
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
    });
});

function later(text: string, ms: number): string {
    const [head = "", ...rest] = text.split("\n");
    const entry = JSON.parse(head);
    return [JSON.stringify({ ...entry, startedAt: entry.startedAt + ms }), ...rest].join("\n");
}
