/** What a create learns of earlier ones, and of the state in which it will be recorded: its own stack's, and no other. */
import type { JournalEntry } from "./journalEntry";
import type { Listed, Reading } from "./lists";

/** An earlier create of a resource that has not ended, as its witness names it: create/ledger.ts. */
export interface UnfinishedCreate {
    /** Its marker's nonce begins with this: the whole nonce, or what `noncePrefixOf` gives. "" fits every nonce, where its attempt is unknown. */
    noncePrefix: string;
    /** Digests of the titles that its object may have. */
    titleDigests: readonly string[];
    /** It began after this, in ms since the epoch. */
    since: number;
    /** Its object, where that is known. */
    id?: string | undefined;
    /** The nonce that an object to be adopted had before. */
    adoptedNonce?: string | undefined;
    /** Digest of its create-only inputs, where it is known before the object is found. */
    inputsDigest?: string;
    /** Of its credentials, where they are known. */
    fingerprint?: string | undefined;
    /** A POST may have been sent. */
    sent: boolean;
    /** It is proven to be a create of this stack's state. */
    ours: boolean;
    /** No state ever had its object: shown by a journal entry or an unconfirmed record. A pending operation shows nothing, so its object is never deleted. */
    neverRecorded: boolean;
    /** In this machine's journal. */
    entry?: JournalEntry;
    /** Of a pending operation. */
    attempt?: string | undefined;
    /** Where it would be listed, if that was read before: once for all entries of a library. */
    listed?: Reading<Listed> | undefined;
}

/** The state's facts about one resource that is being created. */
export interface OwnState {
    /** When the state's root resource was recorded, to the nanosecond; "" before it is. No other state, of whatever name, has the same. */
    birth: string;
    /** From pending operations and unconfirmed records: those that no recorded create has handled. */
    unfinished: readonly UnfinishedCreate[];
    /** The `noncePrefix`s of unfinished creates that a recorded create has handled; recorded again, because the older record may be deleted. */
    handled: readonly string[];
    /** Whether a resource of the state, also one that waits for its deletion, has the object. */
    has(object: { id?: string | undefined; nonce?: string | undefined }): boolean;
    /** Objects of the same provider, one for each of the credentials that recorded them: `confirmEnvironment` reads one before the first POST. */
    neighbours?: readonly Neighbour[];
}

/** Another object of the state, with those of its outputs that are not secret. */
export interface Neighbour {
    kind: string;
    id: string;
    olds: Record<string, unknown>;
}

export interface OwnStateReader {
    /** The engine records no create before it ends (`PULUMI_SKIP_CHECKPOINTS`). */
    readonly skipsCheckpoints: boolean;
    /**
     * `undefined` if it cannot be read, or may be another stack's: then nothing is known. `attempt`: that of the create, which the engine
     * has recorded.
     */
    of(urn: string, kind: string, create: { attempt?: string | undefined }): Promise<OwnState | undefined>;
}
