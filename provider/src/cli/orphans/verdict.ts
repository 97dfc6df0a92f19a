/**
 * Sorts the objects that bear a stack's marker by what is known of them. Nothing counts as lost that anything may still come
 * back to: when in doubt, it is known or pending.
 */
import { markerIn } from "../../lifecycle/create/marker";
import type { Listed, Whole } from "../account";
import { keyOf } from "../names";
import type { Recorded, StackIdentity, StackState } from "../stackState";

/** An object that bears the stack's marker. */
export type Marked = Whole & { readonly marker: string; readonly name: string };

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
    readonly state: StateIndex;
    /** The markers of the journal's entries. */
    readonly journal: ReadonlySet<string>;
    /** Of the credentials in use. */
    readonly fingerprint: string;
    /** The service's clock, in ms since the epoch. */
    readonly now: number;
    /** In ms. */
    readonly minAge: number;
}

/** What a state says of each object, found at once in states and accounts of any size. */
export class StateIndex {
    /** The resources that have an object, by its key. */
    readonly #byObject: ReadonlyMap<string, readonly Recorded[]>;
    readonly #byName: ReadonlyMap<string, readonly Recorded[]>;
    readonly #creating: ReadonlyMap<string, readonly Recorded[]>;

    constructor({ resources, creating }: StackState) {
        this.#byObject = grouped(resources, keyOf);
        this.#byName = grouped(resources, nameKey);
        this.#creating = grouped(creating, nameKey);
    }

    /** Whether it has the object: by its id, for a lost answer can leave a second object with the marker of the recorded one. */
    has(object: Marked, fingerprint: string): boolean {
        // Ids of two environments may coincide: one that was recorded elsewhere under another marker is another object.
        const isSame = (recorded: Recorded) =>
            recorded.fingerprint === fingerprint || (recorded.marker ?? object.marker) === object.marker;
        return (this.#byObject.get(keyOf(object)) ?? []).some(isSame);
    }

    /** The resources of this kind and name. */
    namesakes(object: Named): readonly Recorded[] {
        return this.#byName.get(nameKey(object)) ?? [];
    }

    /** The creates of this kind and name that have not ended. */
    creating(object: Named): readonly Recorded[] {
        return this.#creating.get(nameKey(object)) ?? [];
    }
}

/** As `Map.groupBy`, which the compiler does not know yet. */
export function grouped<T>(items: readonly T[], keyOfItem: (item: T) => string): Map<string, T[]> {
    const groups = new Map<string, T[]>();
    for (const item of items) {
        const group = groups.get(keyOfItem(item));
        if (group === undefined) groups.set(keyOfItem(item), [item]);
        else group.push(item);
    }
    return groups;
}

interface Named {
    readonly kind: string;
    readonly name: string;
}

/** What two resources share that may have been created under one name. */
export function nameKey({ kind, name }: Named): string {
    return `${kind} ${name}`;
}

/** What the markers of a stack's resources begin with. Neither a project's nor a stack's name can have a slash. */
export function prefixOf({ project, stack }: StackIdentity): string {
    return `pulumi:${project}/${stack}/`;
}

/** The object as one of this stack's; empty when it does not have exactly the stack's marker. */
export function asMarked(whole: Whole, identity: StackIdentity): [] | [Marked] {
    const marker = markerIn(whole.object.metadata);
    const prefix = prefixOf(identity);
    if (marker === undefined || !marker.startsWith(prefix)) return [];
    return [{ ...whole, marker, name: marker.slice(prefix.length, -":".length - 12) }];
}

export function judge(object: Marked, { state, journal, fingerprint, now, minAge }: Knowledge): Verdict {
    if (state.has(object, fingerprint)) return "recorded";
    if (journal.has(object.marker)) return "journal";
    if (mayBeCreating(object, state)) return "creating";
    // The service's Date has whole seconds, so it may be before what was created in this one.
    const age = Math.max(0, object.createdOn === undefined ? 0 : now - object.createdOn);
    return age < minAge ? "young" : "orphan";
}

export function isPending(verdict: Verdict): boolean {
    return verdict === "journal" || verdict === "creating";
}

/** Tells whether the state surely has what a list shows, whatever its marker: then there is no need to read it. */
export function recordedHere(resources: readonly Recorded[], fingerprint: string): (item: Listed) => boolean {
    const recorded = new Set(resources.filter((one) => one.fingerprint === fingerprint).map(keyOf));
    return (item) => recorded.has(keyOf(item));
}

/**
 * The engine never forgets the create of a run that was killed. It is over when the state was given a resource of this name
 * after the object had been created: another create succeeded, and this one's object is not the one it has.
 */
function mayBeCreating(object: Marked, state: StateIndex): boolean {
    const isLater = ({ recordedOn = 0 }: Recorded) => recordedOn > (object.createdOn ?? Number.POSITIVE_INFINITY);
    return state.creating(object).length > 0 && !state.namesakes(object).some(isLater);
}
