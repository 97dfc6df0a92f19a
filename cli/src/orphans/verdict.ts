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
    /** The journal of this machine lists its create as open. */
    | "pending"
    /** The journal lists its create as answered. */
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
    readonly journal: readonly JournalEntry[];
    /** Of the credentials in use. */
    readonly fingerprint: string;
}

/** The object with its marker, if that has the lineage of the state or the names of the stack. */
export function asMarked(
    whole: Whole,
    { state, identity }: { state: StackState; identity: StackIdentity },
): [] | [Marked] {
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

function judge(object: Marked, { state, journal }: Known): Pick<Judged, "status" | "reason"> {
    const { lineage, nonce } = object.marker;
    if (lineage === undefined) {
        return {
            status: "foreign",
            reason: "when it was created, the state could not be read, so its lineage is unknown",
        };
    }
    if (lineage !== state.lineage) {
        return {
            status: "foreign",
            reason: "its lineage is not this state's: a stack of this name in another backend, or an earlier one, created it",
        };
    }
    const entry = journal.find((one) => one.nonce === nonce);
    if (entry !== undefined && entry.told !== true) {
        return {
            status: "pending",
            reason: "its create is open in the journal: the next create of this resource takes it up; if there is none, delete it with --id",
        };
    }
    if (entry !== undefined) {
        return {
            status: "told",
            reason: "its create was answered, so a state may have it (see `pulumi-videograph forget`)",
        };
    }
    const hasTwin = state.resources.some((recorded) => recorded.nonce === nonce);
    const isUnended = state.creating.some((create) => isCreateOf(create, object.marker));
    if (isUnended && !hasTwin && !state.settled.has(stemIn(nonce))) {
        return { status: "orphan", reason: "its create never ended in the state" };
    }
    return {
        status: "released",
        reason: "the state has no unfinished create of it: it was released (retainOnDelete, `pulumi state delete`), moved, or made by an interrupted create that the state has forgotten",
    };
}

/** The engine's attempt is in the marker, so no other create made the object. */
export function isCreateOf({ attempt }: UnendedCreate, { resource, nonce }: Marker): boolean {
    return stem(attempt, resource) === stemIn(nonce);
}
