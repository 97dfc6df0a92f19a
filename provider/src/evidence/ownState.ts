/** The facts about the state in which a create will be recorded: its own stack's, and no other. `session/ownState.ts` reads it. */
import type { Listed } from "./lists";
import type { Marker } from "./marker";

/** A create that the engine has recorded before it began, and that has not ended in the state. */
export interface PendingCreate {
    /** Of the nonces of its markers: `noncePrefix`. */
    prefix: string;
    /** Of the credentials, where its inputs have it. */
    fingerprint: string | undefined;
    /** Where it is not secret. */
    title: string | undefined;
}

/** A resource of the state whose create ended in doubt: nobody knows whether its object exists. */
export interface UnconfirmedRow {
    marker: Marker;
    /** Digest of the title that was sent. */
    title: string;
    /** When the create began, in ms since the epoch. */
    startedAt: number;
    fingerprint: string;
}

/** The state's facts about one resource that is being created. */
export interface OwnState {
    /** When the state's root resource was recorded, to the nanosecond; "" before it is. No other state, of whatever name, has the same. */
    birth: string;
    /** When it was read, on the monotonic clock: nothing of an earlier run was sent later. */
    readAt: number;
    /** The other creates of the resource that have not ended, and that no recorded create has taken care of. */
    pending: readonly PendingCreate[];
    /**
     * Those that one has: of pending creates the prefixes, of unconfirmed rows the nonces. The next record of the resource names them
     * again: an earlier one may leave the state.
     */
    handled: readonly string[];
    unconfirmed: readonly UnconfirmedRow[];
    /** The objects of the pending creates, where one reading has shown them for many resources. */
    created?: readonly Listed[] | undefined;
    /** Whether a resource of the state, also one that waits for its deletion, has the object. */
    has(object: { id?: string | undefined; nonce?: string | undefined }): boolean;
    /** Objects of the provider of the one that is created: one for each of the credentials that recorded them. */
    neighbours?: readonly Neighbour[];
    /** Of a library's state: the same of one of its entries. The library's pending creates may have created it. */
    entry?(urn: string): OwnState;
}

/** Another object of the state, with those of its outputs that are not secret. */
export interface Neighbour {
    kind: string;
    id: string;
    outputs: Record<string, unknown>;
}

/** One create request. */
export interface Attempt {
    /** Random text that the engine records with the operation: a create that never ends keeps it in the state. */
    attempt?: string | undefined;
}

export interface OwnStateReader {
    /** The engine records no create before it ends (`PULUMI_SKIP_CHECKPOINTS`). */
    readonly skipsCheckpoints: boolean;
    /** `undefined` if it cannot be read, or may be another stack's: then nothing is known. */
    of(urn: string, kind: string, create: Attempt): Promise<OwnState | undefined>;
}
