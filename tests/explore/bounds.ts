/** What is explored, and what is known to show. */
import type { Bound } from "./explore.ts";

const content = { runs: 2, faults: 1, acts: 1 };
const alone = { ...content, machines: [0] };
const twoContents = { ...content, program: { "Content/main": "a", "Content/more": "a" } };
const twoKinds = { ...content, program: { "Content/main": "a", "Livestream/main": "b" } };
const library = { ...content, program: { "ContentLibrary/films": "a" } };

/** For every test run. */
export const small: Record<string, Bound> = {
    "one machine, kills and another source": { ...alone, may: ["source"] },
    "lost machines, refreshes": { ...content, acts: 0, may: ["refresh"] },
    "lost machines, doubt and its second create": { ...content, faults: 2, acts: 0, may: [], only: "doubt" },
    protected: { ...content, may: ["protect"], only: "doubt" },
    "credentials of another environment": { ...content, may: ["rotate"], only: "sent" },
    "another video with the credentials of another environment": {
        ...{ ...content, acts: 2, may: ["rotate", "add"], only: "accepted" },
    },
    "taken over by importId or pulumi import": { ...content, runs: 1, may: ["importId", "import"] },
    "handed to another stack": { ...alone, runs: 1, acts: 2, may: ["handOver", "source"], only: "both" },
    "the user's answer to a refusal": { ...alone, runs: 3, faults: 2, acts: 0, may: ["blind", "word"], only: "sent" },
    "one importId for two resources": { ...alone, ...twoContents, runs: 1, acts: 2, may: ["upload", "importId"] },
    "one machine, two faults and no acts": { ...alone, faults: 2, acts: 0, may: [] },
    "one machine, kills and --replace": { ...alone, may: ["replace"] },
    "destroyed elsewhere, restored": { ...alone, runs: 1, acts: 2, may: ["destroy", "backup", "restore"] },
    "two machines, released or moved": { ...content, runs: 1, may: ["source", "release", "move", "replace"] },
    "names and backends": { ...alone, runs: 1, may: ["rename", "namesake", "clear"] },
    "state unreadable, no checkpoints": { ...alone, runs: 1, may: ["unreadable", "skip", "replace"] },
    "a library of two contents": { ...alone, ...library, may: ["source"] },
    "a library without checkpoints, released or moved": {
        ...{ ...alone, ...library, may: ["skip", "release", "move"], only: "accepted" },
    },
    "a library of two contents, two kills": { ...alone, ...library, faults: 2, acts: 0, may: [], only: "both" },
};

const longer = { runs: 3, faults: 1, acts: 2 };
const twoActs = { ...content, acts: 2 };

/**
 * For `npm run explore`. Undisturbed runs follow each world. What one bound leaves out, another one has: acts that concern one witness are together, and every
 * fault strikes one content without acts as well. Two faults of two resources are kills of the run.
 */
export const full: Record<string, Bound> = {
    "lost machines, refreshes": { runs: 3, faults: 2, acts: 0, may: ["refresh"] },
    "lost machines, protected": { runs: 3, faults: 2, acts: 1, may: ["protect", "refresh"], only: "doubt" },
    "credentials of another environment": { ...longer, may: ["rotate", "refresh", "source"] },
    "another video with the credentials of another environment": { ...longer, may: ["rotate", "add"] },
    "taken over by importId": { ...longer, may: ["importId", "source", "refresh"] },
    "taken over by pulumi import": { ...longer, may: ["import", "source", "refresh"] },
    "handed to another stack": { ...longer, may: ["handOver", "source"] },
    "the user's answer to a refusal": { runs: 3, faults: 2, acts: 0, may: ["blind", "word"] },
    "one importId for two resources": { ...twoContents, acts: 3, may: ["upload", "importId", "release"], only: "both" },
    "one machine, two faults": { ...alone, faults: 2, may: ["source", "replace"] },
    "two resources, two machines, two faults": { ...twoKinds, faults: 2, acts: 0, may: ["replace"], only: "both" },
    "two machines, two faults": { runs: 3, faults: 2, acts: 0, may: ["replace"] },
    "released, moved, replaced": { ...twoActs, may: ["source", "release", "move", "replace"] },
    "names and backends": { ...twoActs, may: ["rename", "namesake", "clear", "source"] },
    "state unreadable, no checkpoints": { ...content, may: ["unreadable", "skip", "replace", "release"] },
    "destroyed elsewhere, restored": { ...twoActs, may: ["destroy", "backup", "restore", "source"] },
    "a library of two contents": { ...library, may: ["source", "release", "move", "skip"] },
    "a library, changed and released": { ...library, runs: 3, faults: 0, acts: 3, may: ["source", "release", "move"] },
    "a content and a livestream of one name": { ...twoKinds, may: ["source", "replace"] },
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
