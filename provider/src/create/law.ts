/**
 * The one law: a create changes, adopts or deletes only an object of an earlier create that surely never reached the state. A
 * pure table: what is known of an earlier create of this resource, and what follows. The first row that fits counts;
 * `createOnce` performs it. Where nothing is certain, a row refuses: it never infers.
 */

/** The facts about one earlier create of the resource. */
export interface Known {
    /** Open: no answer has left for the engine. Told: one has, so some state may have the object. */
    entry: "none" | "open" | "told";
    /** The entry is this process's own: the engine repeats a create (an `onError` hook). */
    repeated: boolean;
    /** A POST may have been sent. */
    sent: boolean;
    /** The create was to adopt an object that an earlier one had made. */
    adopts: boolean;
    /** The state of this stack has the object, by its id or its marker. */
    recorded: boolean;
    /** The entry was written under the state that this stack has now: both have the same birth. */
    ours: boolean;
    /** The credentials in use are known to reach what the entry's credentials reached. */
    reachable: boolean;
    /** The create-only inputs are the same. */
    same: boolean;
    /** Of a told entry: its object exists. */
    exists: boolean;
    /** The create never ended in the state; without an entry: one did not, of which this machine knows nothing. */
    unended: boolean;
}

export type Act =
    /** Forget the entry. */
    | "close"
    /** Leave the entry alone. */
    | "ignore"
    /** Search for the object. Found: adopt it. */
    | "resume"
    /** Search for the object until no request can still be accepted. Found: delete it. */
    | "supersede"
    /** The object exists: adopt it. */
    | "adopt"
    /** Search for the object. Found: refuse. */
    | "ask"
    /** Search for the objects of those creates. One with the same inputs: adopt it; any other: refuse. */
    | "findUnrecorded"
    /** Name the object, and the ways out. */
    | "refuse"
    | "post";

/** Without an earlier create, only what the stack's state says is known. */
type Facts = Pick<Known, "entry"> & Partial<Known>;

export interface Row {
    name: string;
    when(facts: Facts): boolean | undefined;
    act: Act;
}

const isOpen = ({ entry }: Facts) => entry === "open";
const isTold = ({ entry }: Facts) => entry === "told";

const post: Row = { name: "post", when: () => true, act: "post" };

// biome-ignore format: a table
export const law: readonly Row[] = [
    { name: "repeat",      when: (k) => k.repeated,                                    act: "resume" },
    // `--replace`, a tainted resource, a first Ctrl-C.
    { name: "recorded",    when: (k) => k.recorded,                                    act: "close" },
    { name: "unsent",      when: (k) => isOpen(k) && !k.sent,                          act: "close" },
    // Some state had it: another stack's, or `pulumi do` without one.
    { name: "elsewhere",   when: (k) => isTold(k) && !k.ours,                          act: "ignore" },
    { name: "credentials", when: (k) => k.entry !== "none" && !k.reachable,            act: "refuse" },
    { name: "resume",      when: (k) => isOpen(k) && k.ours && k.same,                 act: "resume" },
    // The object that the user has adopted may have been released before.
    { name: "adoption",    when: (k) => isOpen(k) && k.ours && k.adopts,               act: "ask" },
    { name: "supersede",   when: (k) => isOpen(k) && k.ours,                           act: "supersede" },
    { name: "gone",        when: (k) => isTold(k) && !k.exists,                        act: "close" },
    // A kill between the answer and the checkpoint.
    { name: "lostRecord",  when: (k) => isTold(k) && k.unended && k.same,              act: "adopt" },
    { name: "released",    when: (k) => isTold(k),                                     act: "refuse" },
    { name: "foreign",     when: (k) => isOpen(k),                                     act: "ask" },
    // A machine was lost, with its journal.
    { name: "lostMachine", when: (k) => k.entry === "none" && k.unended,               act: "findUnrecorded" },
    post,
];

export function rowFor(facts: Facts): Row {
    return law.find(({ when }) => when(facts)) ?? post;
}
