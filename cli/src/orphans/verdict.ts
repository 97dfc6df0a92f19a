/**
 * Whose the objects with a stack's marker are: the one law, as the commands apply it. Only an orphan may be deleted without
 * being named. If the owner is unknown, the object counts as another owner's (S9).
 */

import { type Marker, markerIn, parseMarker, stem, stemIn } from "#provider/evidence/marker";
import type { JournalEntry } from "#provider/lifecycle/index";
import type { Whole } from "../account";
import type { StackIdentity, StackState, UnendedCreate } from "../state";

/** An object with a marker. */
export type Marked = Whole & { readonly marker: Marker };

export type Status =
    /** A create of this state made it, and is unfinished in the state. */
    | "orphan"
    /** The journal of this machine has its create as open. */
    | "pending"
    /** The journal has its create as answered. */
    | "told"
    /** A create of this state made it, and nothing shows that the create never ended. */
    | "released"
    /** Another state made it, or it is unknown which one. */
    | "foreign";

export interface Judged {
    readonly object: Marked;
    readonly status: Status;
    /** A clause. */
    readonly reason: string;
}

export interface Known {
    readonly state: StackState;
    readonly identity: StackIdentity;
    readonly journal: readonly JournalEntry[];
    /** Of the credentials in use. */
    readonly fingerprint: string;
}

/** The object with its marker, if that has the lineage of the state or the names of the stack. */
export function asMarked(whole: Whole, { state, identity }: Pick<Known, "state" | "identity">): [] | [Marked] {
    const marker = parseMarker(markerIn(whole.object.metadata));
    if (marker === undefined) return [];
    const isOfLineage = marker.lineage !== undefined && marker.lineage === state.lineage;
    const isOfName = marker.project === identity.project && marker.stack === identity.stack;
    return isOfLineage || isOfName ? [{ ...whole, marker }] : [];
}

/** Whether the state has the object. Ids of two environments may coincide: those of other credentials need the same marker. */
export function isInState(object: Marked, { resources }: StackState, fingerprint: string): boolean {
    return resources.some(
        (recorded) =>
            recorded.kind === object.kind &&
            recorded.id === object.id &&
            (recorded.fingerprint === fingerprint || (recorded.nonce ?? object.marker.nonce) === object.marker.nonce),
    );
}

/** Of all objects that the state does not have. */
export function judgeAll(objects: readonly Marked[], known: Known): Judged[] {
    const { state, fingerprint } = known;
    const unrecorded = objects.filter((object) => !isInState(object, state, fingerprint));
    return unrecorded.map((object) => ({ object, ...judge(object, known) }));
}

type Verdict = Pick<Judged, "status" | "reason">;

const verdict = (status: Status, reason: string): Verdict => ({ status, reason });

function judge(object: Marked, { state, journal }: Known): Verdict {
    const { lineage, nonce } = object.marker;
    if (lineage === undefined) {
        return verdict("foreign", "when it was created, the state could not be read, so its lineage is unknown");
    }
    if (state.lineage === undefined) {
        return verdict("foreign", "this state has no lineage to compare it with");
    }
    if (lineage !== state.lineage) {
        return verdict(
            "foreign",
            "its lineage is not this state's: a stack of this name in another backend, or an earlier one, created it",
        );
    }
    const entry = journal.find((one) => one.nonce === nonce);
    if (entry !== undefined && entry.told !== true) {
        return verdict(
            "pending",
            "its create is open in the journal: the next create of this resource takes it up; if there is none, delete it with --id",
        );
    }
    if (entry !== undefined) {
        return verdict("told", "its create was answered, so a state may have it (see `pulumi-videograph forget`)");
    }
    if (state.resources.some((recorded) => recorded.nonce === nonce)) {
        return verdict("released", "the state has another object of the same create");
    }
    const isUnended = state.creating.some((create) => isCreateOf(create, object.marker));
    if (isUnended && !state.settled.has(stemIn(nonce))) {
        return verdict("orphan", "its create never ended in the state");
    }
    return verdict(
        "released",
        "the state has no unfinished create of it: it was released (retainOnDelete, `pulumi state delete`) or moved",
    );
}

/** The engine's attempt is in the marker, so no other create made the object. */
export function isCreateOf({ attempt }: UnendedCreate, { resource, nonce }: Marker): boolean {
    return stem(attempt, resource) === stemIn(nonce);
}
