/** Known defects of an earlier design, put back as changed rows or lines. Each gives its own undoing. */

import { type Act, law, type Rule } from "../../provider/dist/create/law.js";
import { Search } from "../../provider/dist/create/search.js";
import { Journal } from "../../provider/dist/evidence/journal.js";
import { Lists } from "../../provider/dist/evidence/lists.js";
import { isSameOwner, ownerText, parseMarker, prefixOf, readMarker } from "../../provider/dist/evidence/marker.js";
import { metaOf } from "../../provider/dist/inputs/recordedMeta.js";
import type { Properties } from "../../provider/dist/inputs/values.js";
import ownership from "../../provider/dist/lifecycle/ownership.js";
import type { Message } from "../../provider/dist/messages/index.js";
import { ObjectClaims } from "../../provider/dist/operation/objectClaims.js";
import { type Operation, PartialFailure } from "../../provider/dist/operation/operation.js";
import { OwnState } from "../../provider/dist/operation/ownState.js";
import evidence from "../../provider/dist/resources/contentLibrary/evidence.js";
import { contentLibrary } from "../../provider/dist/resources/contentLibrary/lifecycle.js";
import record from "../../provider/dist/resources/contentLibrary/record.js";
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

/** Puts others in the place of functions of a module. */
function functions<T extends object>(module: T, changed: Partial<T>) {
    return methods(module, changed);
}

/** Several at once. */
const together =
    (...puts: Defect["put"][]) =>
    () => {
        const undo = puts.map((put) => put());
        return () => void undo.map((one) => one());
    };

const { of } = OwnState.prototype;
const { findOf } = Search.prototype;
const { readEvidence, takeKnown } = evidence;
const { libraryIn } = record;
const { create, update } = contentLibrary;

const deletesByOwner = functions(ownership, {
    laterAdopterOf({ metadata }, { mark }) {
        const shown = readMarker(metadata);
        return shown === undefined || isSameOwner(parseMarker(mark), shown) ? undefined : ownerText(shown);
    },
});
const adoptsUnasked = methods(OwnState.prototype, {
    async of(this: OwnState, ...args: Parameters<typeof of>) {
        const state = await of.apply(this, args);
        return state && { ...state, holderElsewhere: () => undefined };
    },
});
/** As the clock of the machine says, whatever has come of the run. */
const noteTheTime = (operation: Operation) => (outputs: Properties) => {
    const __meta = outputs.__meta as Properties;
    return { ...outputs, __meta: { ...__meta, newest: operation.services.clock.now() } };
};
const libraryTimes = together(
    methods(contentLibrary, {
        create: async (inputs, operation) => {
            const made = await create(inputs, operation);
            return { ...made, outputs: noteTheTime(operation)(made.outputs) };
        },
        update: (change, operation) =>
            update(change, operation).then(noteTheTime(operation), (error: unknown) => {
                if (!(error instanceof PartialFailure)) throw error;
                throw new PartialFailure(error.id, noteTheTime(operation)(error.outputs), error.message as Message);
            }),
    }),
    methods(Lists.prototype, {
        async read(this: Lists, list, from, waiter) {
            const reading = await read.call(this, list, from, waiter);
            const { createdOn: since = 0 } = from;
            const items = reading.items.filter(({ createdOn = since }) => createdOn >= since - 3_600_000);
            return { ...reading, items } as never;
        },
    }),
);

const libraryOne = { ...one, faults: 1, machines: [0, 1], program: { "ContentLibrary/films": "a" }, keys: ["one"] };

export const defects: Record<string, Defect> = {
    "A1 a native stack that goes back loses every object": {
        put: together(deletesByOwner, adoptsUnasked),
        bound: { ...one, face: "native", runs: 1, may: ["face"] },
        shows: /^S1 a recorded object is gone$/,
    },
    "A1 the same for a library": {
        put: together(deletesByOwner, adoptsUnasked),
        bound: { ...one, face: "native", runs: 1, may: ["face"], program: { "ContentLibrary/films": "a" } },
        shows: /^S1 a recorded object is gone$/,
    },
    "A1 a delete compares the owner alone, and the state cannot be read": {
        put: deletesByOwner,
        bound: { ...one, face: "native", may: ["face", "unreadable"] },
        shows: /^S1 a recorded object is gone$/,
    },
    "A2 a refused run says from when on a library is read": {
        put: libraryTimes,
        bound: { ...libraryOne, acts: 2, may: ["addKey", "night"], only: "accepted" },
        shows: /^S2 a second object/,
    },
    "A3 an entry's object is looked for by its declared title": {
        put: functions(evidence, {
            takeKnown: (evidence, operation, title) => {
                const made = Array.from(evidence.made, ([resource, all]) => {
                    return [resource, all.filter(({ object }) => object.title === title)] as const;
                });
                takeKnown(evidence, operation, title);
                return takeKnown({ ...evidence, made: new Map(made) }, operation, title);
            },
        }),
        bound: { ...libraryOne, keys: ["one", "two"], runs: 1, may: ["retitle"], only: "accepted" },
        shows: /^S2 a second object$/,
    },
    "A4 a library is read from a time by this machine's clock": {
        put: libraryTimes,
        bound: { ...libraryOne, acts: 2, may: ["addKey", "clocks"], only: "accepted" },
        shows: /^S2 a second object/,
    },
    "A5 an update believes a replica that is behind": {
        put: functions(ownership, { readAfterPut: (subject) => subject.readRecorded() }),
        bound: { ...one, isBehind: true, runs: 3, acts: 2, may: ["retitle", "tag"] },
        shows: /^L an object is not as declared$/,
    },
    "A5 a destroy soon after an adoption leaves the object": {
        put: functions(ownership, { readAfterPut: (subject) => subject.readRecorded() }),
        bound: { ...one, isBehind: true, runs: 3, acts: 2, may: ["handOver", "tag", "destroy run"] },
        shows: /^L its own object is said to be another's$/,
    },
    "A7 a state that was put back makes a second object": {
        put: methods(Search.prototype, {
            async findOf(this: Search, ...args: Parameters<typeof findOf>) {
                return { ...(await findOf.apply(this, args)), kin: [] } as never;
            },
        }),
        bound: { ...one, runs: 2, faults: 1, acts: 2, may: ["backup", "restore"], machines: [0, 1], only: "accepted" },
        shows: /^S2 a second object$/,
    },
    "A8 the deleted object of a key that comes back is an interrupted create's": {
        put: functions(record, { libraryIn: (outputs) => ({ ...libraryIn(outputs), left: new Set() }) }),
        bound: {
            ...one,
            isBehind: true,
            runs: 2,
            acts: 2,
            may: ["addKey", "dropKey"],
            program: { "ContentLibrary/films": "a" },
        },
        shows: /^L a refusal names an object that is being deleted$/,
    },
    "G1 the other face's delete does not know for which resource the user's word is": {
        put: methods(ObjectClaims.prototype, { isDeclared: () => true }),
        bound: {
            ...{ ...one, face: "native", isBehind: true, runs: 1, may: ["face"] },
            program: { "ContentLibrary/films": "a" },
        },
        shows: /^S1 a recorded object is gone$/,
    },
    "G5 what begins with the digits of a replaced object is explained by it": {
        put: functions(record, {
            libraryIn: (outputs) => {
                const library = libraryIn(outputs);
                for (const { olds } of library.entries.values()) {
                    const { handled = [], ...meta } = metaOf(olds);
                    olds.__meta = { ...meta, handled: handled.map(prefixOf) };
                }
                return library;
            },
        }),
        bound: { ...libraryOne, runs: 3, acts: 2, may: ["source"], only: "accepted" },
        shows: /^S2 a second object$/,
    },
    "F8 an object that was replaced a moment ago is an interrupted create's": {
        put: methods(OwnState.prototype, {
            async of(this: OwnState, ...args: Parameters<typeof of>) {
                const state = await of.apply(this, args);
                return state && { ...state, isHandled: () => false };
            },
        }),
        bound: { ...one, isBehind: true, runs: 3, faults: 1, acts: 2, may: ["source"], only: "both" },
        shows: /^L a refusal names an object that is being deleted$/,
    },
    "F10 a retitled entry's object is looked for by its title where the journal names its create": {
        put: functions(evidence, {
            takeKnown: (...args) => ({ ...takeKnown(...args), known: { items: [] } }),
        }),
        bound: { ...libraryOne, runs: 1, may: ["edit"], machines: [0], only: "accepted" },
        shows: /^S2 a second object/,
    },
    "E1 a state that cannot be read is one in which nothing is": {
        put: methods(Search.prototype, { kinAmong: async () => [] }),
        bound: { ...one, runs: 2, faults: 1, acts: 0, may: ["unreadable"], machines: [0, 1], only: "accepted" },
        shows: /^S2 a second object$/,
    },
    "E1 the same for a library": {
        put: functions(evidence, {
            readEvidence: async (...args) => {
                const found = await readEvidence(...args);
                return found.pending === undefined ? { ...found, made: new Map() } : found;
            },
        }),
        bound: { ...libraryOne, runs: 2, acts: 0, may: ["unreadable"], only: "accepted" },
        shows: /^S2 a second object$/,
    },
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
