/**
 * Sorts the objects that bear a stack's mark by what is known of them. Nothing counts as lost that anything may still come
 * back to: when in doubt, it is known or pending.
 */
import type { JournalEntry } from "../../lifecycle";
import { markIn } from "../../lifecycle/create/marker";
import type { Listed, Whole } from "../account";
import { keyOf } from "../names";
import type { Recorded, StackIdentity, StackState } from "../stackState";

/** An object that bears the stack's mark. */
export type Marked = Whole & { readonly mark: string; readonly name: string };

export type Verdict =
    /** The state has it. */
    | "recorded"
    /** The journal of this machine has its create: the next `pulumi up` takes it up. */
    | "journal"
    /** The state has a create of this name that has not ended, or not as far as the state knows. */
    | "creating"
    /** A create that is under way may have made it just now. */
    | "young"
    | "orphan";

export interface Knowledge {
    readonly state: StackState;
    readonly journal: readonly JournalEntry[];
    /** Of the credentials in use. */
    readonly fingerprint: string;
    /** The service's clock, in ms since the epoch. */
    readonly now: number;
    /** In ms. */
    readonly minAge: number;
}

/** What the markers of a stack's resources begin with. Neither a project's nor a stack's name can have a slash. */
export function prefixOf({ project, stack }: StackIdentity): string {
    return `pulumi:${project}/${stack}/`;
}

/** The object as one of this stack's; empty when it does not have exactly the stack's marker. */
export function asMarked(whole: Whole, identity: StackIdentity): [] | [Marked] {
    const mark = markIn(whole.object.metadata);
    const prefix = prefixOf(identity);
    if (mark === undefined || !mark.startsWith(prefix)) return [];
    return [{ ...whole, mark, name: mark.slice(prefix.length, -":".length - 12) }];
}

export function judge(object: Marked, { state, journal, fingerprint, now, minAge }: Knowledge): Verdict {
    if (isKnown(object, state, fingerprint)) return "recorded";
    if (journal.some(({ marker }) => marker === object.mark)) return "journal";
    if (state.creating.some((operation) => mayMake(operation, object, state))) return "creating";
    const age = object.createdOn === undefined ? 0 : now - object.createdOn;
    return age < minAge ? "young" : "orphan";
}

export function isPending(verdict: Verdict): boolean {
    return verdict === "journal" || verdict === "creating";
}

/** Whether the state has the object. */
export function isKnown(object: Marked, { resources }: StackState, fingerprint: string): boolean {
    return resources.some((recorded) => isOf(recorded, object, fingerprint));
}

/** Tells whether the state surely has what a list shows, whatever its marker: then there is no need to read it. */
export function recordedHere(resources: readonly Recorded[], fingerprint: string): (item: Listed) => boolean {
    const recorded = new Set(resources.filter((one) => one.fingerprint === fingerprint).map(keyOf));
    return (item) => recorded.has(keyOf(item));
}

/** By its id, for a lost answer can leave a second object with the mark of the recorded one. */
function isOf(recorded: Recorded, object: Marked, fingerprint: string): boolean {
    // Ids of two environments may coincide: one that was recorded elsewhere under another mark is another object.
    const isHere = recorded.fingerprint === fingerprint || (recorded.mark ?? object.mark) === object.mark;
    return hasId(recorded, object) && isHere;
}

function hasId({ kind, id }: Recorded, object: Listed): boolean {
    return kind === object.kind && id === object.id;
}

/**
 * The engine never forgets the create of a run that was killed. It is over when the state was given a resource of this name
 * after the object had been created: another create succeeded, and this one's object is not the one it has.
 */
function mayMake(operation: Recorded, object: Marked, { resources }: StackState): boolean {
    const isSame = ({ kind, name }: Recorded) => kind === object.kind && name === object.name;
    const isLater = ({ recordedOn = 0 }: Recorded) => recordedOn > (object.createdOn ?? Number.POSITIVE_INFINITY);
    return isSame(operation) && !resources.some((recorded) => isSame(recorded) && isLater(recorded));
}
