/** The bounds that are explored, and what is known to show in each. */
import type { Bound } from "./explore.ts";

export const scenarios: Record<string, Bound> = {
    "kills and machines": { runs: 4, faults: 2, acts: 1, may: ["source"] },
    "released, replaced": { runs: 4, faults: 1, acts: 2, may: ["source", "release", "replace", "byHand", "move"] },
    imported: { runs: 4, faults: 1, acts: 3, may: ["importId", "release", "replace", "source"] },
    "names and backends": { runs: 4, faults: 1, acts: 2, may: ["rename", "namesake", "move"] },
    "destroyed, cleared": { runs: 4, faults: 1, acts: 2, may: ["destroy", "clear", "release", "source"] },
    "destroyed, restored": { runs: 4, faults: 1, acts: 2, may: ["destroy", "restore", "namesake"] },
    "restored state": { runs: 4, faults: 1, acts: 2, may: ["restore", "source", "release"] },
    "rotated credentials": { runs: 4, faults: 1, acts: 2, may: ["rotate", "release", "source"] },
    "one machine": { runs: 4, faults: 2, acts: 2, may: ["source", "release", "replace"], machines: [0] },
    "state unreadable, one machine": {
        runs: 4,
        faults: 1,
        acts: 2,
        may: ["unreadable", "replace", "source", "release"],
        machines: [0],
    },
    "no checkpoints, one machine": {
        runs: 4,
        faults: 1,
        acts: 2,
        may: ["skip", "source", "release", "replace"],
        machines: [0],
    },
    "imported by pulumi import": { runs: 4, faults: 1, acts: 3, may: ["import", "release", "source"] },
    "state unreadable, two machines": { runs: 3, faults: 1, acts: 2, may: ["unreadable", "release"] },
    "no checkpoints, two machines": { runs: 3, faults: 1, acts: 1, may: ["skip"] },
    "unreadable, names": { runs: 3, faults: 1, acts: 3, may: ["unreadable", "rename", "namesake"], machines: [0] },
    "accepted after the bound": { runs: 3, faults: 1, acts: 1, may: ["source"], machines: [0], beyondBound: true },
};
