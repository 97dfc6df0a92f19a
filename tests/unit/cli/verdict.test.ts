/** Whose an object with a stack's marker is: only what a create of this very state lost is an orphan (S9). */
import assert from "node:assert/strict";
import { judgeAll, type Known, type Marked } from "../../../provider/dist/cli/orphans/verdict.js";
import type { Recorded, StackState } from "../../../provider/dist/cli/state.js";
import type { JournalEntry } from "../../../provider/dist/lifecycle/index.js";

const now = Date.UTC(2026, 0, 10);
const marker = { project: "shop", stack: "dev", name: "film", lineage: "11111111", resource: "22222222" };

function object(changes: Partial<Marked["marker"]> = {}, id = "id-1"): Marked {
    const whole = { kind: "Content", id, title: "Film", createdOn: now - 60_000, object: {} } as unknown as Marked;
    return { ...whole, marker: { ...marker, inputs: "33333333", k: 0, nonce: "0123456789ab", ...changes } };
}

function recorded(changes: Partial<Recorded> = {}): Recorded {
    const rest = { external: false, nonce: undefined, fingerprint: "env", inputs: { title: "Film" } };
    return { kind: "Content", id: "", name: "film", digest: "22222222", ...rest, ...changes };
}

function status(one: Marked, { journal = [], ...state }: Partial<StackState> & { journal?: JournalEntry[] } = {}) {
    const known = {
        state: { lineage: "11111111", resources: [], creating: [recorded()], ...state },
        ...{ identity: { project: "shop", stack: "dev" }, journal, fingerprint: "env", now },
    } as unknown as Known;
    return judgeAll([one], known)[0]?.status;
}

describe("the verdict of orphans", () => {
    const entry = (told: boolean) => ({ nonce: "0123456789ab", urn: "", kind: "Content", told }) as JournalEntry;

    it("calls an orphan what a create of this state made that never ended in it", () => {
        assert.equal(status(object()), "orphan");
        // A secret title says nothing.
        assert.equal(status(object(), { creating: [recorded({ inputs: { title: { secret: "x" } } })] }), "orphan");
    });

    it("calls foreign what another state made, or one that is unknown, whatever the names", () => {
        assert.equal(status(object({ lineage: "99999999" })), "foreign");
        assert.equal(status(object({ lineage: undefined })), "foreign");
        assert.equal(status(object(), { lineage: undefined }), "foreign");
    });

    it("says nothing of what the state has", () => {
        assert.equal(status(object(), { resources: [recorded({ id: "id-1" })] }), undefined);
        const sameId = recorded({ id: "id-1", fingerprint: "other", nonce: "ffffffffffff" });
        assert.equal(status(object(), { resources: [sameId] }), "orphan");
    });

    it("calls released what no unfinished create explains", () => {
        assert.equal(status(object(), { creating: [] }), "released");
        assert.equal(status(object({ k: 1 })), "released");
        assert.equal(status(object({ k: undefined })), "released");
        assert.equal(status(object(), { creating: [recorded({ digest: "44444444" })] }), "released");
        assert.equal(status(object(), { creating: [recorded({ inputs: { title: "Another" } })] }), "released");
        // It may have been in the state, whatever other create hung since.
        assert.equal(status({ ...object(), createdOn: now - 4 * 24 * 3_600_000 }), "released");
        assert.equal(status({ ...object(), createdOn: undefined }), "released");
        const twin = recorded({ id: "id-2", nonce: "0123456789ab" });
        assert.equal(status(object(), { resources: [twin] }), "released");
    });

    it("leaves what the journal has to the next run, and what was answered to the user", () => {
        assert.equal(status(object(), { journal: [entry(false)] }), "pending");
        assert.equal(status(object(), { journal: [entry(true)] }), "told");
    });

    it("proves nothing where there are more objects than lost creates", () => {
        const two = [object(), object({ nonce: "ba9876543210" }, "id-2")];
        const state = { lineage: "11111111", resources: [], creating: [recorded()] } as unknown as StackState;
        const known: Known = {
            ...{ state, identity: { project: "shop", stack: "dev" }, journal: [], fingerprint: "env", now },
        };
        assert.deepEqual(
            judgeAll(two, known).map((one) => one.status),
            ["released", "released"],
        );
    });
});
