/** What is explored. A bound says how many runs, faults and acts of the user a life may have, and which acts. */
import type { Bound } from "./explore.ts";

/** Acts after which an object may be adopted again that was released, or second objects are known by a journal alone. */
const everything: Record<string, string[]> = {
    "kills and machines": ["source"],
    "released, replaced": ["source", "release", "replace", "byHand"],
    imported: ["importId", "import", "release", "source"],
    "names and backends": ["rename", "namesake", "move"],
    "destroyed, cleared": ["destroy", "clear", "release", "source"],
    "restored state": ["restore", "destroy", "source"],
    "rotated credentials": ["rotate", "release", "source"],
    "state unreadable": ["unreadable", "replace", "release"],
    "no checkpoints": ["skip", "release", "replace"],
};

/** For every test run. */
export const small: Record<string, Bound> = {
    ...bounds({ runs: 3, faults: 1, acts: 1 }),
    "two faults on one machine": { runs: 4, faults: 2, acts: 1, may: ["release", "replace"], machines: [0] },
};

/** For `npm run explore`. */
export const full: Record<string, Bound> = {
    ...bounds({ runs: 3, faults: 1, acts: 3 }),
    "two faults on two machines": { runs: 3, faults: 2, acts: 1, may: ["source", "release", "replace", "destroy"] },
    "two faults, two acts on one machine": {
        runs: 4,
        faults: 2,
        acts: 2,
        may: ["source", "release", "replace"],
        machines: [0],
    },
};

function bounds(bound: Pick<Bound, "runs" | "faults" | "acts">): Record<string, Bound> {
    return Object.fromEntries(Object.entries(everything).map(([name, may]) => [name, { ...bound, may }]));
}

/** What stays undecided, and nothing else may show. */
export const undecided = [
    // Two kills, and the PUT of the adoption that the second one cut off arrives when the object was adopted, recorded and released.
    /^S1 lostMachine adopts an object that is released, under the marker of a late PUT/,
    // A provider died alone; a machine is lost after another one's run; the pending operations were cleared.
    /^S2 a second object.* that orphans lists by its lineage/,
    // The state has another birth since (destroyed, restored), or had none, or could not be read.
    /^S2 a second object.* that (only )?the journal of (this|another) machine has/,
];
