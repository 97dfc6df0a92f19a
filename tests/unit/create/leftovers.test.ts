/** What killed runs leave behind, and what is said of it: replacements, rotated tokens, destroys (S1, A13, A16). */
import assert from "node:assert/strict";
import { Machine } from "../../support/scriptedLife.ts";

describe("what interrupted creates leave behind", () => {
    let machine: Machine;
    const other = { content: [{ url: "https://media.test/other.mp4" }] };

    beforeEach(() => {
        machine = new Machine();
    });

    const ids = () => machine.service.contents.map(({ contentId }) => contentId);

    /** A stack with `a`, proven; then a replacement of it that was killed after the POST was accepted. */
    const killedReplacement = async () => {
        const recorded = await machine.start().create("a");
        machine.alive.clear();
        const process = machine.start();
        await process.diff("a", recorded, other);
        await process.create("a", other);
        unanswered(machine.files);
        process.kill();
        return recorded;
    };

    it("S1: a replacement that is not wanted any more is deleted by an update", async () => {
        const recorded = await killedReplacement();
        const process = machine.start();
        assert.deepEqual(await process.diff("a", recorded), { changes: true });
        assert.match(
            process.said.join(),
            /An interrupted create may have left an object behind, which this update deletes/,
        );
        await process.update("a", recorded);
        assert.deepEqual([ids(), machine.entries], [[recorded.id], 0]);
    });

    it("S1: a destroy deletes it as well", async () => {
        const recorded = await killedReplacement();
        await machine.start().delete(recorded);
        assert.deepEqual([ids(), machine.entries], [[], 0]);
    });

    it("A6: a delete leaves alone what is pending under its URN and is no replacement of the deleted object", async () => {
        const moved = await machine.start().create("a");
        await machine.start().diff("b", moved);
        machine.alive.clear();
        // The recorded outputs of the moved resource keep its old URN, which another one has by now.
        const process = machine.start();
        await process.create("a");
        unanswered(machine.files);
        process.kill();
        await machine.start().delete(moved);
        assert.deepEqual([ids(), machine.entries], [["c2"], 1]);
    });

    it("S1: a replacement that is still wanted is resumed", async () => {
        const recorded = await killedReplacement();
        const process = machine.start();
        await process.diff("a", recorded, other);
        const replacement = await process.create("a", other);
        await process.delete(recorded);
        assert.deepEqual([ids(), replacement.id], [["c2"], "c2"]);
    });

    it("S1: deleting the old object leaves the replacement of this run alone, from any process", async () => {
        const recorded = await machine.start().create("a");
        machine.alive.clear();
        const process = machine.start();
        await process.diff("a", recorded, other);
        const replacement = await process.create("a", other);
        await machine.start().delete(recorded);
        assert.deepEqual(ids(), [replacement.id]);
    });

    it("S1: an old object that a later run deletes leaves the recorded replacement alone", async () => {
        const recorded = await machine.start().create("a");
        machine.alive.clear();
        const process = machine.start();
        await process.diff("a", recorded, other);
        const replacement = await process.create("a", other);
        // Killed before the old one was deleted: the state has both.
        process.kill();
        await machine.start().delete(recorded);
        assert.deepEqual(ids(), [replacement.id]);
    });

    it("A16: with a rotated token it is looked for once, not by every update", async () => {
        const recorded = await killedReplacement();
        machine.service.contents.splice(0, 1);
        const rotated = machine.start("rotated");
        assert.deepEqual(await rotated.diff("a", recorded), { changes: true });
        await rotated.update("a", recorded);
        rotated.kill();
        assert.deepEqual(await machine.start("rotated").diff("a", recorded), { changes: false });
        // With the token that it was created with it is looked for again.
        assert.deepEqual(await machine.start().diff("a", recorded), { changes: true });
    });

    it("S2: another environment's token closes nothing", async () => {
        const recorded = await killedReplacement();
        const hiddenContents = machine.service.contents.splice(0);
        const foreign = machine.start("foreign");
        await foreign.update("a", recorded);
        foreign.kill();
        machine.service.contents.push(...hiddenContents);
        await machine.start().update("a", recorded);
        assert.deepEqual([ids(), machine.entries], [[recorded.id], 0]);
    });

    it("S1: a diff without credentials says nothing of it, because an update could not look", async () => {
        const recorded = await killedReplacement();
        assert.deepEqual(await machine.start("").diff("a", recorded), { changes: false });
    });

    it("A13: a destroy names the interrupted creates that it cannot delete", async () => {
        const kept = await machine.start().create("kept");
        await machine.start().create("lost");
        unanswered(machine.files);
        machine.alive.clear();
        const process = machine.start();
        await process.delete(kept);
        assert.match(
            process.said.join(),
            /warning: An earlier run was interrupted while it created Content "lost"\..*Run `npx pulumi-videograph orphans`/,
        );
        assert.doesNotMatch(process.said.join(), /"kept"/);
    });

    it("A13: a destroy names also what the engine was given and never recorded, where the CLI shows the state", async () => {
        const kept = await machine.start().create("kept");
        const other = await machine.start().create("other");
        await machine.start().create("lost");
        machine.alive.clear();
        machine.exported = new Set([kept, other].map(({ outs }) => (outs.__meta as { mark: string }).mark));
        const process = machine.start();
        await process.delete(kept);
        assert.match(process.said.join(), /while it created Content "lost"\./);
    });

    it("A13: also another object of the very resource that is deleted", async () => {
        await machine.start().create("a");
        machine.alive.clear();
        const recorded = await machine.start().create("a", other);
        machine.alive.clear();
        machine.exported = new Set([(recorded.outs.__meta as { mark: string }).mark]);
        const process = machine.start();
        await process.delete(recorded);
        assert.match(process.said.join(), /while it created Content "a"\./);
    });

    it("A13: an up says nothing, for its creates take care of them", async () => {
        const kept = await machine.start().create("kept");
        await machine.start().create("lost");
        unanswered(machine.files);
        machine.alive.clear();
        const process = machine.start();
        await process.check("lost");
        await process.delete(kept);
        assert.equal(process.said.join(), "");
    });

    it("A2: any call with old outputs closes the entry", async () => {
        for (const prove of ["diff", "read", "update", "delete"] as const) {
            const made = await machine.start().create(prove);
            machine.alive.clear();
            const process = machine.start();
            assert.equal(machine.entries, 1, prove);
            if (prove === "diff" || prove === "update") await process[prove](prove, made);
            else await process[prove](made);
            assert.equal(machine.entries, 0, prove);
        }
    });

    it("A2: also after the resource was moved to another URN", async () => {
        const made = await machine.start().create("a");
        machine.alive.clear();
        await machine.start().diff("renamed", made);
        assert.equal(machine.entries, 0);
    });

    it("a journal that cannot be written disturbs no preview", async () => {
        const made = await machine.start().create("a");
        machine.alive.clear();
        machine.files.delete = () => {
            throw new Error("EROFS");
        };
        const { changes, replaces } = await machine.start().diff("a", made);
        assert.deepEqual([changes, replaces], [false, undefined]);
    });
});

/** The process was killed before the engine had its answer. */
function unanswered(files: Map<string, string>): void {
    for (const [path, text] of files) files.set(path, text.replace('{"answered":true}\n', ""));
}
