/** What is explored, and what is known to show. */
import type { Bound } from "./explore.ts";

const content = { runs: 2, faults: 1, acts: 1 };

/** For every test run. */
export const small: Record<string, Bound> = {
    "one machine, kills and another source": { ...content, may: ["source"], machines: [0] },
    "one machine, two faults and no acts": { ...content, faults: 2, acts: 0, may: [], machines: [0] },
    "one machine, kills and --replace": { ...content, may: ["replace"], machines: [0] },
    "destroyed elsewhere, restored": {
        ...content,
        runs: 1,
        acts: 2,
        may: ["destroy", "backup", "restore"],
        machines: [0],
    },
    "two machines, released or moved": { ...content, runs: 1, may: ["source", "release", "move", "replace"] },
    "names and backends": { ...content, runs: 1, may: ["rename", "namesake", "clear"], machines: [0] },
    "state unreadable, no checkpoints": { ...content, runs: 1, may: ["unreadable", "skip", "replace"], machines: [0] },
    "a library of two contents": {
        ...content,
        may: ["source"],
        machines: [0],
        program: { "ContentLibrary/films": "a" },
    },
    "a library of two contents, two kills": {
        ...{ ...content, faults: 2, acts: 0, may: [], machines: [0], only: "both" },
        program: { "ContentLibrary/films": "a" },
    },
};

/** For `npm run explore`. */
export const full: Record<string, Bound> = {
    "one machine, two faults": { runs: 3, faults: 2, acts: 1, may: ["source", "replace"], machines: [0] },
    "two resources, two machines, two faults": {
        ...{ runs: 3, faults: 2, acts: 0, may: ["replace"] },
        program: { "Content/main": "a", "Livestream/main": "b" },
    },
    "two machines, two faults": { runs: 3, faults: 2, acts: 0, may: ["replace"] },
    "released, moved, replaced": { runs: 3, faults: 1, acts: 2, may: ["source", "release", "move", "replace"] },
    "names and backends": { runs: 3, faults: 1, acts: 2, may: ["rename", "namesake", "clear", "source"] },
    "state unreadable, no checkpoints": {
        runs: 3,
        faults: 1,
        acts: 1,
        may: ["unreadable", "skip", "replace", "release"],
    },
    "destroyed elsewhere, restored": { runs: 3, faults: 1, acts: 2, may: ["destroy", "backup", "restore", "source"] },
    "a library of two contents": {
        ...{ runs: 3, faults: 1, acts: 1, may: ["source", "release", "move", "skip"] },
        program: { "ContentLibrary/films": "a" },
    },
    "a library, changed and released": {
        ...{ runs: 3, faults: 0, acts: 3, may: ["source", "release", "move"] },
        program: { "ContentLibrary/films": "a" },
    },
    "a content and a livestream of one name": {
        ...{ runs: 2, faults: 1, acts: 1, may: ["source", "replace"] },
        program: { "Content/main": "a", "Livestream/main": "b" },
    },
};

const refused = /^R refused/;

/** What stays undecided, and nothing else may show. */
const undecided = [
    refused,
    // A provider died alone and another machine runs next; the operations were cleared; a run has no creates; the state could not
    // be read. `orphans` lists it by its lineage, or the journal has it.
    /^S2 a second object.*, with a lineage/,
    /^S2 a second object.* in (the journal of this machine|another machine's journal)/,
];

/**
 * What may show within a bound. On one machine whose state is read and whose records stay: nothing where only kills and the network are
 * at fault, and after one fault and an act of the user only refusals.
 */
export function undecidedIn({ machines, faults, acts, may }: Bound): readonly RegExp[] {
    const doubts = ["unreadable", "skip", "release", "move", "replace", "restore"];
    if (machines?.length !== 1 || may.some((act) => doubts.includes(act))) return undecided;
    if (acts === 0) return [];
    return faults === 1 ? [refused] : undecided;
}
