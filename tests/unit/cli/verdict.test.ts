/** Whose an object with a stack's marker is: only what a create of this very state lost is an orphan (S9). */
import assert from "node:assert/strict";
import { isInState, type MarkedObject, statusOf } from "../../../provider/dist/cli/orphans/verdict.js";
import type { Recorded, StackState } from "../../../provider/dist/cli/state.js";
import { noncePrefix } from "../../../provider/dist/evidence/marker.js";
import type { JournalEntry } from "../../../provider/dist/lifecycle/index.js";

const marker = { project: "shop", stack: "dev", name: "film", lineage: "11111111", resource: "22222222" };

const attempt = "of a create that never ended";
const nonce = `${noncePrefix(attempt, marker.resource)}89ab`;

function object(changes: Partial<MarkedObject["marker"]> = {}, id = "id-1"): MarkedObject {
    const whole = { kind: "Content", id, title: "Film", object: {} } as unknown as MarkedObject;
    return { ...whole, marker: { ...marker, inputs: "33333333", nonce, ...changes } };
}

function recorded(changes: Partial<Recorded> = {}): Recorded {
    return { kind: "Content", id: "", name: "film", external: false, nonce: undefined, fingerprint: "env", ...changes };
}

const unended = (by: string): StackState["creates"][number] => {
    return { kind: "Content", urn: "", inputs: { __attempt: by }, isUpdate: false, provider: "" };
};

function status(
    one: MarkedObject,
    { journal = [], ...changes }: Partial<StackState> & { journal?: JournalEntry[] } = {},
) {
    const creates = [unended(attempt)];
    const state = {
        lineage: "11111111",
        resources: [],
        creates,
        handled: new Set<string>(),
        unconfirmed: new Set<string>(),
        ...changes,
    } as StackState;
    return isInState(one, state, "env") ? "in the state" : statusOf(one, state, journal);
}

describe("the verdict of orphans", () => {
    const entry = { nonce, urn: "", kind: "Content" } as JournalEntry;

    it("calls an orphan what a create of this state made that never ended in it", () => {
        assert.equal(status(object()), "orphan");
    });

    it("calls foreign what another state made, or one that is unknown, whatever the names", () => {
        assert.equal(status(object({ lineage: "99999999" })), "foreign");
        assert.equal(status(object({ lineage: undefined })), "foreign");
        assert.equal(status(object(), { lineage: undefined }), "foreign");
    });

    it("says nothing of what the state has", () => {
        assert.equal(status(object(), { resources: [recorded({ id: "id-1" })] }), "in the state");
        const sameId = recorded({ id: "id-1", fingerprint: "other", nonce: "ffffffffffff" });
        assert.equal(status(object(), { resources: [sameId] }), "orphan");
    });

    it("calls released what no unfinished create explains", () => {
        assert.equal(status(object(), { creates: [] }), "released");
        assert.equal(status(object({ resource: "44444444" })), "released");
        assert.equal(status(object({ nonce: "0123456789ab" })), "released");
        assert.equal(status(object(), { creates: [unended("another")] }), "released");
        // A recorded create has left it alone, because the user said so.
        assert.equal(status(object(), { handled: new Set([nonce.slice(0, 8)]) }), "released");
        const twin = recorded({ id: "id-2", nonce });
        assert.equal(status(object(), { resources: [twin] }), "released");
    });

    it("leaves what the journal has, or an unconfirmed row, to the next run", () => {
        assert.equal(status(object(), { journal: [entry] }), "pending");
        assert.equal(status(object(), { creates: [], unconfirmed: new Set([nonce]) }), "pending");
    });
});
