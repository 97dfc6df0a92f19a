/** The table of the create protocol, row by row (S1). */
import assert from "node:assert/strict";
import {
    type ActionName,
    type EventName,
    initial,
    maxPosts,
    next,
    type State,
    type StateName,
    table,
} from "../../../provider/dist/lifecycle/create/protocol.js";

const at = (name: StateName, more: Partial<State> = {}): State => ({
    name,
    posts: 0,
    doubt: false,
    sameCredentials: true,
    ...more,
});

/** State, event, then the state and the action they lead to. */
type Row = [State, EventName, StateName, ActionName];

const doubt = { posts: 2, doubt: true };

const rows: Record<string, Row> = {
    "the journal comes before the POST": [at("fresh"), "begin", "opening", "open"],
    "a durable entry lets the POST out": [at("opening"), "opened", "sent", "post"],
    "without the journal nothing is created": [at("opening"), "openFailed", "failed", "fail"],
    "2xx": [at("sent", { posts: 1 }), "created", "known", "keep"],
    "a lost answer is looked for": [at("sent", { posts: 1 }), "lost", "ambiguous", "search"],
    "a refusal closes the entry": [at("sent", { posts: 1 }), "rejected", "failed", "closeAndFail"],
    "a refusal after a lost answer proves nothing about the first POST": [
        at("sent", doubt),
        "rejected",
        "refused",
        "search",
    ],
    "interrupted before it was sent": [at("sent", { posts: 1 }), "interrupted", "failed", "closeAndFail"],
    "interrupted before it was sent again": [at("sent", doubt), "interrupted", "failed", "fail"],
    "found after a lost answer": [at("ambiguous", doubt), "found", "known", "keep"],
    "not found: once more with the same marker": [
        at("ambiguous", { posts: 1, doubt: true }),
        "notFound",
        "opening",
        "open",
    ],
    "not found: a third time": [at("ambiguous", { posts: 2, doubt: true }), "notFound", "opening", "open"],
    "not found: no fourth time": [at("ambiguous", { posts: maxPosts, doubt: true }), "notFound", "failed", "fail"],
    "an incomplete search sends nothing": [at("ambiguous", doubt), "searchFailed", "failed", "fail"],
    "found after a refusal": [at("refused", doubt), "found", "known", "keep"],
    "not found after a refusal: the entry stays": [at("refused", doubt), "notFound", "failed", "fail"],
    "an incomplete search after a refusal": [at("refused", doubt), "searchFailed", "failed", "fail"],
    "an earlier entry becomes this process's": [at("resumed"), "begin", "resumed", "claim"],
    "an earlier create is looked for before anything is sent": [at("resumed"), "opened", "ambiguous", "search"],
    "an entry that cannot be claimed": [at("resumed"), "openFailed", "failed", "fail"],
    "not found with other credentials: a marker of its own": [
        at("ambiguous", { posts: 1, doubt: true, sameCredentials: false }),
        "notFound",
        "fresh",
        "startOver",
    ],
    "another object is wanted: the earlier one is looked for": [at("outdated"), "begin", "outdated", "search"],
    "another object is wanted: the earlier one is deleted": [at("outdated"), "found", "outdated", "remove"],
    "another object is wanted: the earlier one was deleted": [at("outdated"), "removed", "fresh", "startOver"],
    "another object is wanted: there is no earlier one": [at("outdated"), "notFound", "fresh", "startOver"],
    "another object is wanted: an incomplete search": [at("outdated"), "searchFailed", "failed", "fail"],
    "complete without doubt": [at("known", { posts: 1 }), "complete", "settled", "none"],
    "complete after a lost answer: is there a second object?": [at("known", doubt), "complete", "settling", "sweep"],
    swept: [at("settling", doubt), "swept", "settled", "none"],
    "the sweep was incomplete": [at("settling", doubt), "searchFailed", "unsettled", "none"],
};

describe("create protocol", () => {
    for (const [name, [state, event, to, action]] of Object.entries(rows)) {
        it(`S1: ${name}`, () => {
            const step = next(state, event);
            assert.deepEqual([step.state.name, step.action], [to, action]);
        });
    }

    it("has no row that is not tested here", () => {
        const tested = new Set(Object.values(rows).map(([{ name }, event]) => `${name} ${event}`));
        const all = Object.entries(table).flatMap(([name, events]) =>
            Object.keys(events).map((one) => `${name} ${one}`),
        );
        assert.deepEqual(
            all.filter((row) => !tested.has(row)),
            [],
        );
    });

    it("counts what was sent, and remembers doubt to the end", () => {
        const sent = next(at("opening", { posts: 1 }), "opened").state;
        assert.equal(sent.posts, 2);
        const known = next(next(sent, "lost").state, "found").state;
        assert.equal(known.doubt, true);
    });

    it("takes an earlier process's create for one POST without an answer", () => {
        assert.deepEqual(initial("resumed"), at("resumed", { posts: 1, doubt: true }));
        assert.deepEqual(initial("fresh"), at("fresh"));
    });

    it("has no row for what cannot happen", () => {
        assert.throws(() => next(at("fresh"), "created"), /no row for created in state fresh/);
        assert.throws(() => next(at("failed"), "opened"), /no row/);
    });
});
