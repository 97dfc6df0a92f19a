/** Whose an object with a stack's marker is: only what a create of this very state lost is an orphan (S9). */
import assert from "node:assert/strict";
import { isInState, type MarkedObject, verdictOf } from "../../../provider/dist/cli/orphans/verdict.js";
import type { Recorded, StackState } from "../../../provider/dist/cli/state.js";
import type { JournalEntry } from "../../../provider/dist/evidence/journalFile.js";
import { noncePrefixOf } from "../../../provider/dist/evidence/marker.js";

const marker = { project: "shop", stack: "dev", name: "film", lineage: "11111111", resourceDigest: "22222222" };

const attempt = "of a create that never ended";
const nonce = `${noncePrefixOf(attempt, marker.resourceDigest)}89ab`;

function object(changes: Partial<MarkedObject["marker"]> = {}, id = "id-1"): MarkedObject {
    const whole = { kind: "Content", id, title: "Film", object: {} } as unknown as MarkedObject;
    return { ...whole, marker: { ...marker, inputsDigest: "33333333", nonce, ...changes } };
}

function recorded(changes: Partial<Recorded> = {}): Recorded {
    return { kind: "Content", id: "", name: "film", external: false, nonce: undefined, fingerprint: "env", ...changes };
}

const unended = (by: string): StackState["creates"][number] => {
    return { kind: "Content", urn: "", attempt: by, inputs: {}, isUpdate: false, provider: "" };
};

interface Around extends Partial<StackState> {
    journal?: JournalEntry[];
}

function status(one: MarkedObject, { journal = [], ...changes }: Around = {}) {
    const nothing = { resources: [], handled: new Set<string>(), unconfirmed: new Set<string>() };
    const identity = { project: "shop", stack: "dev" };
    const state = { identity, lineage: "11111111", creates: [unended(attempt)], ...nothing, ...changes } as StackState;
    return isInState(one, state, "env") ? "in the state" : verdictOf(one, state, journal);
}

describe("the verdict of orphans", () => {
    const entry = { nonce, urn: "", kind: "Content" } as JournalEntry;

    const twin = recorded({ id: "id-2", nonce });
    const sameIdElsewhere = recorded({ id: "id-1", fingerprint: "other", nonce: "ffffffffffff" });
    const cases: [why: string, verdict: string, MarkedObject, Around?][] = [
        ["a create of this state that never ended in it", "orphan", object()],
        ["its id is another environment's", "orphan", object(), { resources: [sameIdElsewhere] }],
        ["another state made it", "foreign", object({ lineage: "99999999" })],
        ["an unknown state made it", "foreign", object({ lineage: undefined })],
        ["this state is unknown", "foreign", object(), { lineage: undefined }],
        [
            "the stack was destroyed, and the journal has it",
            "pending",
            object(),
            { lineage: undefined, journal: [entry] },
        ],
        ["the state has it", "in the state", object(), { resources: [recorded({ id: "id-1" })] }],
        ["no unfinished create", "released", object(), { creates: [] }],
        ["of another resource", "released", object({ resourceDigest: "44444444" })],
        ["of another create", "released", object({ nonce: "0123456789ab" })],
        ["another attempt", "released", object(), { creates: [unended("another")] }],
        ["the user released it", "released", object(), { handled: new Set([nonce.slice(0, 8)]) }],
        ["a copy of this state", "foreign", object({ stack: "staging" }), { creates: [] }],
        ["a create from before the stack was renamed", "orphan", object({ stack: "old" })],
        ["the state has another object of its create", "copy", object(), { resources: [twin] }],
        ["the journal has it", "pending", object(), { journal: [entry] }],
        ["an unconfirmed record", "pending", object(), { creates: [], unconfirmed: new Set([nonce]) }],
    ];
    for (const [why, verdict, one, state] of cases)
        it(`${why}: ${verdict}`, () => assert.equal(status(one, state), verdict));
});
