/** Known defects of an earlier design, put back as changed rows or lines. Each gives its own undoing. */

import { type Act, law, type Rule } from "../../provider/dist/create/law.js";
import { Journal } from "../../provider/dist/evidence/journal.js";
import { Lists } from "../../provider/dist/evidence/lists.js";
import { ObjectClaims } from "../../provider/dist/operation/objectClaims.js";
import type { Bound } from "./explore.ts";

interface Defect {
    put(): () => void;
    bound: Bound;
    /** What shows with it, and does not without it. */
    shows: RegExp;
}

/** Changes what rows of the law say. */
function rows(acts: Record<string, Act>) {
    return () => {
        const table = law as Rule[];
        const before = table.map((row) => ({ ...row }));
        for (const row of table) row.act = acts[row.name] ?? row.act;
        return () => void table.splice(0, table.length, ...before);
    };
}

/** Puts other methods in place of a class's own. */
function methods<T extends object>(prototype: T, changed: Partial<T>) {
    return () => {
        const before = Object.keys(changed).map((name) => [name, prototype[name as keyof T]]);
        Object.assign(prototype, changed);
        return () => void Object.assign(prototype, Object.fromEntries(before));
    };
}

const one = { runs: 2, faults: 0, acts: 1, machines: [0] };

/** An entry stays open although its answer has left for the engine. */
const entriesStay = methods(Journal.prototype, { close: async () => undefined });
const { read } = Lists.prototype;

export const defects: Record<string, Defect> = {
    "W1 a create in doubt is forgotten by the state": {
        put: () => () => undefined,
        bound: { ...one, runs: 1, faults: 1, acts: 0, may: [], machines: [0, 1], only: "doubt", defect: "W1" },
        shows: /^S2 a second object: only the pending operation names it$/,
    },
    "W2 the attempts in the state prove nothing": {
        put: rows({ resumed: "forget", undecided: "forget" }),
        bound: { ...one, faults: 1, may: ["unreadable"], only: "both" },
        shows: /^S2 a second object$/,
    },
    "W3 a create of another environment is searched for in this one": {
        put: rows({ credentials: "refuseIfFound" }),
        bound: { ...one, faults: 1, may: ["rotate"], machines: [0, 1], only: "accepted" },
        shows: /^S2 a second object$/,
    },
    "W5 each of two resources adopts the object of one importId": {
        put: methods(ObjectClaims.prototype, { claim: () => undefined, claimAdopted: () => undefined }),
        bound: {
            ...{ ...one, runs: 1, acts: 2, faults: 1, may: ["upload", "importId"], only: "accepted" },
            program: { "Content/main": "a", "Content/more": "a" },
        },
        shows: /^S1 two resources have one object$/,
    },
    "K1 a released object is deleted, K18 or claimed again": {
        put: entriesStay,
        bound: { ...one, runs: 1, acts: 2, may: ["release", "source"] },
        shows: /^S1 (DELETE|PUT) of an object that is released/,
    },
    "K2 a moved object is adopted": {
        put: entriesStay,
        bound: { ...one, runs: 1, may: ["move"] },
        shows: /^S1 PUT of an object that is another stack's/,
    },
    "K1 a released content of a library is deleted or claimed": {
        put: entriesStay,
        // The first run creates the library, the second one replaces what it has.
        bound: { ...one, acts: 2, may: ["source", "release"], program: { "ContentLibrary/films": "a" } },
        shows: /^S1 \w+ of an object that is released/,
    },
    "K3 a namesake adopts the object of an interrupted create": {
        put: rows({ undecided: "adopt" }),
        bound: { ...one, runs: 1, faults: 1, may: ["namesake"] },
        shows: /^S1 PUT of an object that is another stack's/,
    },
    "K6 nothing is looked for after a machine was lost": {
        put: rows({ resumed: "forget" }),
        bound: { ...one, runs: 1, faults: 1, acts: 0, may: [], machines: [0, 1], only: "both" },
        shows: /^S2 a second object$/,
    },
    "K8 the key of the journal drops the kind": {
        put: methods(Journal.prototype, {
            entriesOf(this: Journal) {
                return this.entries();
            },
        }),
        bound: {
            ...{ ...one, faults: 1, acts: 0, may: ["replace"], only: "provider" },
            program: { "Livestream/main": "a", "Content/main": "b" },
        },
        shows: /^S2 a second object: its provider died alone$/,
    },
    "K16 candidates are filtered by their age, too": {
        put: methods(Lists.prototype, {
            async read(this: Lists, list, since, signal) {
                const reading = await read.call(this, list, since, signal);
                const items = reading.items.filter(({ createdOn = since }) => createdOn >= since);
                return { ...reading, items } as never;
            },
        }),
        bound: { ...one, runs: 1, faults: 1, acts: 0, may: [], defect: "K16" },
        shows: /^S2 a second object/,
    },
};
