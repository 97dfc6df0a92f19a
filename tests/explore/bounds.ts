/** What is explored, and what is known to show. */
import type { Bound } from "./explore.ts";

const content = { runs: 2, faults: 1, acts: 1 };
const films = { "ContentLibrary/films": "a" };
const twoContents = { "Content/main": "a", "Content/more": "a" };

/** For every test run. */
export const small: Record<string, Bound> = {
    "one machine, kills and another source": { ...content, may: ["source"], machines: [0] },
    "lost machines, refreshes": { ...content, acts: 0, may: ["refresh"] },
    "lost machines, doubt and its second create": { ...content, faults: 2, acts: 0, may: [], only: "doubt" },
    protected: { ...content, may: ["protect"], only: "doubt" },
    "credentials of another environment": { ...content, may: ["rotate"], only: "sent" },
    "another video with the credentials of another environment": {
        ...{ ...content, acts: 2, may: ["rotate", "add"], only: "accepted" },
    },
    "taken over by importId or pulumi import": { ...content, runs: 1, may: ["importId", "import"] },
    "handed to another stack": {
        ...{ ...content, runs: 1, acts: 2, may: ["handOver", "source"], machines: [0], only: "both" },
    },
    "the user's answer to a refusal": {
        ...{ ...content, runs: 3, faults: 2, acts: 0, may: ["blind", "word"], machines: [0], only: "sent" },
    },
    "one importId for two resources": {
        ...{ ...content, runs: 1, acts: 2, may: ["upload", "importId"], machines: [0], program: twoContents },
    },
    "one machine, two faults and no acts": { ...content, faults: 2, acts: 0, may: [], machines: [0] },
    "one machine, kills and --replace": { ...content, may: ["replace"], machines: [0] },
    "destroyed elsewhere, restored": {
        ...{ ...content, runs: 1, acts: 2, may: ["destroy", "backup", "restore"], machines: [0] },
    },
    "two machines, released or moved": { ...content, runs: 1, may: ["source", "release", "move", "replace"] },
    "names and backends": { ...content, runs: 1, may: ["rename", "namesake", "clear"], machines: [0] },
    "state unreadable, no checkpoints": { ...content, runs: 1, may: ["unreadable", "skip", "replace"], machines: [0] },
    "a library of two contents": { ...content, may: ["source"], machines: [0], program: films },
    "a library without checkpoints, released or moved": {
        ...{ ...content, may: ["skip", "release", "move"], machines: [0], only: "accepted", program: films },
    },
    "a library of two contents, two kills": {
        ...{ ...content, faults: 2, acts: 0, may: [], machines: [0], only: "both", program: films },
    },
};

/**
 * For `npm run explore`. Undisturbed runs follow each world. What one bound leaves out, another one has: acts that concern one witness are together, and every
 * fault strikes one content without acts as well. Two faults of two resources are kills of the run.
 */
export const full: Record<string, Bound> = {
    "lost machines, refreshes": { runs: 3, faults: 2, acts: 0, may: ["refresh"] },
    "lost machines, protected": { runs: 3, faults: 2, acts: 1, may: ["protect", "refresh"], only: "doubt" },
    "credentials of another environment": { runs: 3, faults: 1, acts: 2, may: ["rotate", "refresh", "source"] },
    "another video with the credentials of another environment": {
        ...{ runs: 3, faults: 1, acts: 2, may: ["rotate", "add"] },
    },
    "taken over by importId": { runs: 3, faults: 1, acts: 2, may: ["importId", "source", "refresh"] },
    "taken over by pulumi import": { runs: 3, faults: 1, acts: 2, may: ["import", "source", "refresh"] },
    "handed to another stack": { runs: 3, faults: 1, acts: 2, may: ["handOver", "source"] },
    "the user's answer to a refusal": { runs: 3, faults: 2, acts: 0, may: ["blind", "word"] },
    "one importId for two resources": {
        ...{ runs: 2, faults: 1, acts: 3, may: ["upload", "importId", "release"], only: "both", program: twoContents },
    },
    "one machine, two faults": { runs: 2, faults: 2, acts: 1, may: ["source", "replace"], machines: [0] },
    "two resources, two machines, two faults": {
        ...{ runs: 2, faults: 2, acts: 0, may: ["replace"], only: "both" },
        program: { "Content/main": "a", "Livestream/main": "b" },
    },
    "two machines, two faults": { runs: 3, faults: 2, acts: 0, may: ["replace"] },
    "released, moved, replaced": { runs: 2, faults: 1, acts: 2, may: ["source", "release", "move", "replace"] },
    "names and backends": { runs: 2, faults: 1, acts: 2, may: ["rename", "namesake", "clear", "source"] },
    "state unreadable, no checkpoints": { ...content, may: ["unreadable", "skip", "replace", "release"] },
    "destroyed elsewhere, restored": { runs: 2, faults: 1, acts: 2, may: ["destroy", "backup", "restore", "source"] },
    "a library of two contents": { ...content, may: ["source", "release", "move", "skip"], program: films },
    "a library, changed and released": {
        ...{ runs: 3, faults: 0, acts: 3, may: ["source", "release", "move"], program: films },
    },
    "a content and a livestream of one name": {
        ...{ ...content, may: ["source", "replace"], program: { "Content/main": "a", "Livestream/main": "b" } },
    },
};

const refused = /^R refused/;

/** What stays undecided, and nothing else may show: `orphans` lists such an object by its lineage, or this machine's journal has it. */
const undecided = [
    refused,
    // No later run is asked for it, or no state and no journal of the next machine names it.
    /^S2 a second object: (.*, )?(its provider died alone|no checkpoints|a replacement|an update|operations cleared|state unreadable|the user's answer)/,
];

/**
 * What may show within a bound. Whatever strikes on one machine whose state is read: nothing, and after an act of the user only refusals.
 */
export function undecidedIn({ machines, acts, may }: Bound): readonly RegExp[] {
    const doubts = ["unreadable", "skip", "release", "move", "replace", "restore", "source", "clear", "rotate", "word"];
    // An older copy of a state lacks the operation, and so does a state that cannot be read.
    const isBlind = may.includes("restore") || may.includes("unreadable");
    const unnamed = isBlind ? [/^S2 a second object: (.*, )?only the pending operation names it/] : [];
    if (may.some((act) => doubts.includes(act)) || machines?.length !== 1) return [...undecided, ...unnamed];
    return acts === 0 ? [] : [refused];
}
