/**
 * What the model knows: the service, the stacks with their recorded state, and two machines with a journal each. One resource is
 * enough: others have other journal keys and other markers. Two things no provider can see: `own`, the stack that an object was
 * made for, and `released`, that the user let it go.
 */
import { createHash } from "node:crypto";

export interface Marker {
    nonce: number;
    /** Of the engine, 0 where it is not known: the stem of the nonce. */
    attempt: number;
    /** The birth of the state, 0 where it was not known. */
    lineage: number;
    source: number;
}

export interface Thing extends Marker {
    id: number;
    own: number;
    released: boolean;
    /** The provider of its create died alone: the engine ended the operation. */
    alone: boolean;
    /** The list does not show it yet. */
    hidden: boolean;
    /** Its marker is that of a PUT that arrived after its sender had ended. */
    late: boolean;
}

/** A request whose fate is open: a POST, or the PUT of an adoption. */
export interface Flight {
    thing: Thing;
    put: boolean;
}

export interface Row {
    id: number;
    marker: Marker;
    /** The attempts that never ended, and that its create has taken care of. */
    settled: number[];
}

export interface Entry extends Marker {
    urn: string;
    told: boolean;
    sent: boolean;
    /** The object, 0 until it is known. */
    id: number;
    /** The marker of the object that is to be adopted, until its PUT. */
    adopts: number;
    /** The engine repeats its create. */
    repeats: boolean;
    credentials: number;
}

export interface Stack {
    uid: number;
    urn: string;
    birth: number;
    row: Row | null;
    /** Rows that wait for their deletion. */
    olds: Row[];
    /** The attempts that never ended. */
    operations: number[];
    /** The source that the program declares. */
    source: number;
    /** Objects that the last create refused to decide about. */
    refused: number[];
}

export interface How {
    replace?: boolean;
    unreadable?: boolean;
    skip?: boolean;
    /** VIDEOGRAPH_UNRECORDED: ids, or "create". */
    unrecorded?: number | "create";
}

export interface Run {
    stack: number;
    machine: number;
    at: "begin" | "look" | "wait" | "post" | "unsure" | "put" | "answer" | "told" | "delete";
    how: How;
    birth: number;
    attempt: number;
    /** The attempts that never ended when it began, as far as it could read them. */
    lost: number[] | null;
    /** Those of which it knows the end. */
    settled: number[];
    /** The engine has recorded this create as a pending operation. */
    operation: boolean;
    /** The random part of this create's own marker. */
    nonce: number;
    id: number;
    tries: number;
    waited: boolean;
    clean: boolean;
    /** With PULUMI_SKIP_CHECKPOINTS: what stays when the engine is killed. */
    before: Pick<Stack, "row" | "olds" | "operations" | "birth"> | null;
}

export interface World {
    things: Thing[];
    flights: Flight[];
    stacks: Stack[];
    journals: Entry[][];
    run: Run | null;
    /** Objects and entries that the user was told of. */
    named: number[];
    credentials: number;
    next: number;
    births: number;
    backup: Stack | null;
    left: { runs: number; faults: number; acts: number };
}

/** What must never happen, as seen. */
export class Violation extends Error {}

export const newStack = (uid: number, urn: string): Stack => ({
    ...{ uid, urn, birth: 0, row: null, olds: [], operations: [], source: 1, refused: [] },
});

export const newWorld = (left: World["left"]): World => ({
    ...{
        things: [],
        flights: [],
        stacks: [newStack(0, "A")],
        journals: [[], []],
        run: null,
        named: [],
        credentials: 0,
    },
    ...{ next: 1, births: 0, backup: null, left },
});

export const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value));
export const fingerprint = (value: unknown): string =>
    createHash("sha1").update(JSON.stringify(value)).digest("base64").slice(0, 16);
export const thing = (world: World, id: number): Thing | undefined => world.things.find((one) => one.id === id);
export const byNonce = (world: World, nonce: number): Thing | undefined =>
    world.things.find((one) => one.nonce === nonce);
export const rowsOf = (stack: Stack): Row[] => (stack.row ? [stack.row, ...stack.olds] : stack.olds);
export const holders = (world: World, id: number): Stack[] =>
    world.stacks.filter((stack) => rowsOf(stack).some((row) => row.id === id));
export const name = (world: World, ...numbers: number[]): void => {
    world.named.push(...numbers.filter((one) => !world.named.includes(one)));
};
/** Closes the entries of one machine that pass the test. */
export function close(world: World, machine: number, test: (entry: Entry) => boolean): void {
    world.journals[machine] = (world.journals[machine] ?? []).filter((entry) => !test(entry));
}
export const isOf = (entry: Entry, row: Row): boolean => entry.nonce === row.marker.nonce || entry.id === row.id;
/** Of a run, what it could read of its own state. */
export const birthOf = (run: Run): number => (run.how.unreadable ? 0 : run.birth);
/** The entries of this resource: of its URN, or of its state, whatever the stack was called then. */
export const entriesOf = (world: World, run: Run, stack: Stack): Entry[] =>
    (world.journals[run.machine] ?? []).filter(
        (entry) =>
            entry.nonce !== run.nonce &&
            (entry.urn === stack.urn || (!!birthOf(run) && entry.lineage === birthOf(run))),
    );
