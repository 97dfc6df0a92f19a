/** Known defects of an earlier design, put back as changed rows or lines. Each gives its own undoing. */

import { type Act, law } from "../../provider/dist/create/law.js";
import { FileJournal } from "../../provider/dist/evidence/fileJournal.js";
import { Lists } from "../../provider/dist/evidence/lists.js";
import type { Bound } from "./explore.ts";

interface Defect {
    put(): () => void;
    bound: Bound;
    /** What shows with it, and does not without it. */
    shows: RegExp;
}

/** Changes what rows of the law say. */
function rows(acts: Record<string, Act>, when?: Record<string, () => boolean>) {
    return () => {
        const table = law as { name: string; act: Act; when: (typeof law)[number]["when"] }[];
        const before = table.map((row) => ({ ...row }));
        for (const row of table) {
            row.act = acts[row.name] ?? row.act;
            row.when = when?.[row.name] ?? row.when;
        }
        return () => void table.splice(0, table.length, ...before);
    };
}

function never(): boolean {
    return false;
}

const one = { runs: 2, faults: 0, acts: 1, machines: [0] };

export const defects: Record<string, Defect> = {
    "K1 a released object is deleted": {
        put: rows({ released: "supersede" }),
        bound: { ...one, runs: 1, acts: 2, may: ["release", "source"] },
        shows: /^S1 DELETE of an object that is released/,
    },
    "K2 a moved object is adopted": {
        put: rows({ released: "resume" }),
        bound: { ...one, runs: 1, may: ["move"] },
        shows: /^S1 PUT of an object that is another stack's/,
    },
    "K3 a namesake adopts the object of an interrupted create": {
        put: rows({ foreign: "resume" }),
        bound: { ...one, runs: 1, faults: 1, may: ["namesake"] },
        shows: /^S1 PUT of an object that is another stack's/,
    },
    "K4 a replacement adopts the object that it replaces": {
        put: rows({ recorded: "resume" }),
        bound: { ...one, acts: 0, may: ["replace"] },
        shows: /^S1 the engine deletes a recorded object/,
    },
    "K4 a replacement deletes the object that it replaces before its own create": {
        put: rows({ recorded: "supersede" }),
        bound: { ...one, runs: 2, faults: 1, acts: 0, may: ["replace"] },
        shows: /^S1 a recorded object is gone/,
    },
    "K6 nothing is looked for after a machine was lost": {
        put: rows({ lostMachine: "post" }),
        bound: { ...one, runs: 1, faults: 1, acts: 0, may: [], machines: [0, 1] },
        shows: /^S2 a second object, with a lineage/,
    },
    "K7 an answer that the engine throws away is told": {
        put: () => () => undefined,
        bound: { ...one, runs: 1, faults: 1, may: ["source"], defect: "K7", only: "twice" },
        shows: /^R refused/,
    },
    "K8 the key of the journal drops the kind": {
        put: () => {
            const { entriesOf } = FileJournal.prototype;
            FileJournal.prototype.entriesOf = function () {
                return this.entries();
            };
            return () => {
                FileJournal.prototype.entriesOf = entriesOf;
            };
        },
        bound: {
            ...one,
            faults: 1,
            may: ["replace"],
            acts: 0,
            program: { "Livestream/main": "a", "Content/main": "b" },
        },
        shows: /^S2 .* in no journal/,
    },
    "K10 an entry without a state is taken up by another state": {
        put: rows({ elsewhere: "resume" }),
        bound: { ...one, runs: 1, may: ["namesake", "unreadable"] },
        shows: /^S1 PUT of an object that is another stack's/,
    },
    "K16 candidates are filtered by their age, too": {
        put: () => {
            const { read } = Lists.prototype;
            Lists.prototype.read = async function (this: Lists, list, since, signal) {
                const reading = await read.call(this, list, since, signal);
                return {
                    ...reading,
                    items: reading.items.filter(({ createdOn = since }) => createdOn >= since),
                } as never;
            };
            return () => {
                Lists.prototype.read = read;
            };
        },
        bound: { ...one, runs: 1, faults: 1, acts: 0, may: [], defect: "K16" },
        shows: /^S2 a second object/,
    },
    "K18 a released object is claimed again": {
        put: rows({ released: "adopt", lostRecord: "adopt" }, { lostRecord: never }),
        bound: { ...one, runs: 1, may: ["release"] },
        shows: /^S1 PUT of an object that is released/,
    },
    "the engine is given contents of a library that the journal does not call told": {
        put: () => {
            const { note } = FileJournal.prototype;
            FileJournal.prototype.note = function (nonce, { told: _, ...learned }) {
                return note.call(this, nonce, learned);
            };
            return () => {
                FileJournal.prototype.note = note;
            };
        },
        // The first run creates the library, the second one replaces what it has.
        bound: { ...one, acts: 2, may: ["source", "release"], program: { "ContentLibrary/films": "a" } },
        shows: /^S1 \w+ of an object that is released/,
    },
};
