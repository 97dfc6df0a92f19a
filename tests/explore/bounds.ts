/** What is explored, and what is known to show. */
import type { Bound } from "./explore.ts";
import { keys } from "./world.ts";

const content = { runs: 2, faults: 1, acts: 1 };
const alone = { ...content, machines: [0] };
const twoContents = { ...content, program: { "Content/main": "a", "Content/more": "a" } };
const twoKinds = { ...content, program: { "Content/main": "a", "Livestream/main": "b" } };
const library = { ...content, program: { "ContentLibrary/films": "a" } };
const oneKey = { ...library, keys: ["one"] };
const behind = { ...content, faults: 0, acts: 2, isBehind: true };
const native = { ...content, face: "native" as const };

/** For every test run: what {@link full} has at more length, and what strikes the POST where all faults took a second of the run. */
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
    "the user's answer to a refusal": { ...alone, faults: 2, acts: 0, may: ["blind", "word"], only: "sent" },
    "one importId for two resources": { ...alone, ...twoContents, runs: 1, acts: 2, may: ["upload", "importId"] },
    "one machine, two faults and no acts": { ...alone, faults: 2, acts: 0, may: [], only: "sent" },
    "one machine, kills and --replace": { ...alone, may: ["replace"] },
    "destroyed elsewhere, restored": { ...alone, runs: 1, acts: 2, may: ["destroy", "backup", "restore"] },
    "two machines, released or moved": { ...content, runs: 1, may: ["source", "release", "move", "replace"] },
    "names and backends": { ...alone, runs: 1, may: ["rename", "namesake", "clear"] },
    "state unreadable, no checkpoints": { ...alone, runs: 1, may: ["unreadable", "skip", "replace"] },
    "a library of two contents": { ...alone, ...library, may: ["source"], only: "sent" },
    "a library without checkpoints, released or moved": {
        ...{ ...alone, ...library, may: ["skip", "release", "move"], only: "accepted" },
    },
    "a library, replaced and killed": { ...oneKey, runs: 3, acts: 2, may: ["source"], only: "accepted" },
    "a library of two contents, two kills": { ...alone, ...library, faults: 2, acts: 0, may: [], only: "both" },
    "a run cannot read the state": { ...content, acts: 0, may: ["unreadable"], only: "sent" },
    "one reading of the state fails": { ...content, faults: 2, acts: 0, may: ["silence"], only: "accepted" },
    "a machine cannot read the state": { ...content, runs: 1, may: ["silent"], only: "sent" },
    "a library whose state cannot be read": { ...library, acts: 0, may: ["unreadable"], only: "accepted" },
    "clocks hours apart": { ...content, runs: 1, may: ["clocks"], only: "sent" },
    "a library, clocks and nights": { ...oneKey, acts: 2, may: ["addKey", "clocks", "night"], only: "accepted" },
    "a library, other keys and titles": {
        ...library,
        acts: 1,
        may: ["addKey", "dropKey", "retitle"],
        only: "accepted",
    },
    "retitled in the program or outside": { ...content, runs: 1, may: ["retitle", "edit"], only: "sent" },
    "replicas that are behind": { ...behind, may: ["retitle", "tag", "source"] },
    "replicas that are behind, handed over": { ...behind, may: ["handOver", "tag", "destroy run"] },
    "replicas that are behind, a library": { ...behind, ...library, faults: 0, acts: 2, may: ["addKey", "dropKey"] },
    "a library, retitled outside": { ...oneKey, runs: 1, may: ["edit"], only: "accepted" },
    "replicas that are behind, kills": { ...behind, machines: [0], runs: 3, faults: 1, may: ["source"], only: "both" },
    "an older state": { ...content, acts: 2, may: ["backup", "restore"], only: "accepted" },
    "the native types, and back": { ...native, acts: 2, may: ["face"], only: "accepted" },
    "a library with the native types, and back": { ...native, ...library, faults: 0, acts: 2, may: ["face"] },
};

const longer = { runs: 3, faults: 1, acts: 2 };
const twoActs = { ...content, acts: 2 };
const { program } = library;
const libraryOf = { program };
const oneOf = { program, keys: ["one"] };

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
    "a run cannot read the state": { runs: 3, faults: 1, acts: 0, may: ["unreadable", "silence"] },
    "one reading of the state fails": { runs: 3, faults: 2, acts: 0, may: ["silence"], only: "sent" },
    "a machine cannot read the state": { ...content, may: ["silent", "source"] },
    "a library whose state cannot be read": { ...library, may: ["unreadable", "silent"], only: "sent" },
    "clocks hours apart": { ...twoActs, may: ["clocks", "source", "night"], only: "sent" },
    "a library, clocks and nights": {
        ...longer,
        ...oneOf,
        acts: 3,
        may: ["addKey", "clocks", "night"],
        only: "accepted",
    },
    "a library, other keys and titles": {
        ...{ ...longer, ...libraryOf, may: ["addKey", "dropKey", "retitle"], only: "accepted" },
    },
    "a library of three contents, two kills": {
        ...library,
        keys: [...keys],
        faults: 2,
        acts: 0,
        may: [],
        only: "both",
    },
    "a library, one more content, two kills": { ...oneKey, runs: 3, faults: 2, may: ["addKey"], only: "both" },
    "a library, replaced and killed": { ...library, runs: 3, acts: 2, may: ["source"], only: "both" },
    "a library, retitled": { ...longer, ...oneOf, may: ["addKey", "retitle", "edit"], only: "accepted" },
    "retitled in the program or outside": { ...content, may: ["retitle", "edit", "unreadable"], only: "sent" },
    "replicas that are behind": { ...behind, runs: 3, may: ["retitle", "tag", "source", "refresh"] },
    "replicas that are behind, kills": { ...longer, isBehind: true, may: ["source"], only: "both" },
    "replicas that are behind, handed over": { ...behind, runs: 3, may: ["handOver", "tag", "destroy run"] },
    "replicas that are behind, adopted": {
        ...{ ...longer, isBehind: true, may: ["importId", "tag", "destroy run"], only: "accepted" },
    },
    "replicas that are behind, a library": {
        ...{ ...behind, ...libraryOf, acts: 3, may: ["addKey", "dropKey", "retitle", "destroy run"] },
    },
    "an older state": { ...longer, may: ["backup", "restore", "source"], only: "sent" },
    "an older state of a library": {
        ...{ ...longer, ...oneOf, acts: 3, may: ["addKey", "backup", "restore"], only: "accepted" },
    },
    "an older state, replicas that are behind": {
        ...{ ...twoActs, isBehind: true, may: ["backup", "restore", "retitle"], only: "accepted" },
    },
    "an older state of a library, other keys and sources": {
        ...{ ...oneKey, acts: 3, may: ["backup", "restore", "source", "dropKey", "addKey"], only: "accepted" },
    },
    "the native types": { ...native, runs: 3, faults: 2, acts: 0, may: ["refresh"], only: "sent" },
    "the native types, and back": { ...native, acts: 2, may: ["face", "source"] },
    "the native types, and back, where a run cannot read the state": {
        ...{ ...native, may: ["face", "unreadable"], only: "both" },
    },
    "a library with the native types": { ...native, ...libraryOf, may: ["addKey", "source"], only: "sent" },
    "the native types, and back, replicas that are behind": {
        ...{ ...native, faults: 0, acts: 3, isBehind: true, may: ["face", "tag", "retitle"] },
    },
    "a library with the native types, and back, replicas that are behind": {
        ...{ ...native, ...oneOf, faults: 0, acts: 3, isBehind: true, may: ["face", "addKey", "dropKey"] },
    },
    "a library with the native types, and back": {
        ...native,
        ...libraryOf,
        runs: 3,
        faults: 0,
        acts: 3,
        may: ["face", "addKey"],
    },
};

const refused = /^R refused/;

/** What stays undecided, and nothing else may show: `orphans` lists such an object by its lineage, or this machine's journal has it. */
const undecided = [
    refused,
    // No later run is asked for it, or no state and no journal of the next machine names it.
    /^S2 a second object: (.*, )?(its provider died alone|no checkpoints|a replacement|an update|operations cleared|state unreadable|the user's answer|retitled|an older state|nothing was sent|the other face|a released library|a change that was undone|not declared any more)/,
    // Beside released objects, the word for all of a library is refused in its turn: each id has to be named.
    /^L no end: 2 of 2 contents of the library failed/,
    // What another stack has done since, no answer shows.
    /^S1 .*, and the replica is behind$/,
];

/**
 * What may show within a bound. Whatever strikes on one machine whose state is read: nothing, and after an act of the user only refusals.
 */
export function undecidedIn({ machines, acts, may }: Bound): readonly RegExp[] {
    const doubts = [
        "unreadable",
        "skip",
        "release",
        "move",
        "replace",
        "restore",
        "source",
        "clear",
        "rotate",
        "word",
        "silent",
        "retitle",
        "edit",
        "dropKey",
    ];
    // An older copy of a state lacks the operation.
    const isBlind = may.includes("restore");
    const unnamed = isBlind ? [/^S2 a second object: (.*, )?only the pending operation names it/] : [];
    if (may.some((act) => doubts.includes(act)) || machines?.length !== 1) return [...undecided, ...unnamed];
    return acts === 0 ? [] : [refused];
}
