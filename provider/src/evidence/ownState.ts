/** The facts that a create learns of earlier creates, and of the state that will record it: its own stack's, and no other. */
import type { JournalEntry } from "./journalFile";
import type { Known, ServiceObject } from "./lists";

/** An earlier create of a resource that has not ended, as its witness names it: create/ledger.ts. */
export interface UnfinishedCreate {
    /** The start of its marker's nonce: the whole nonce, or the result of `noncePrefixOf`. "" fits every nonce, where the attempt is unknown. */
    noncePrefix: string;
    /** Digests of the titles that its object may have. */
    titleDigests: readonly string[];
    /** The time after which the create began, in ms since the epoch, by the clock of its machine. */
    since: number;
    /** Whether this process has begun it, so that `since` is by its own clock. */
    isOfThisProcess?: boolean;
    /** The object's id, where it is known. */
    id?: string | undefined;
    /** The earlier nonce of an object that was to be adopted: see `Learned` in journalFile.ts. */
    adoptedNonce?: string | undefined;
    /** Digest of its create-only inputs, where it is known before the object is found. */
    inputsDigest?: string;
    /** The fingerprint of its credentials, where they are known. */
    fingerprint?: string | undefined;
    /** Whether a POST may have been sent. */
    sent: boolean;
    /** Whether it is proven to be a create of this stack's state. */
    ours: boolean;
    /** Whether a journal entry or an unconfirmed record shows that no state ever had its object. A pending operation never leads to a DELETE. */
    neverRecorded: boolean;
    /** The entry in this machine's journal. */
    entry?: JournalEntry;
    /** The attempt of the pending operation. */
    attempt?: string | undefined;
    /** The objects that may be the create's, whatever their titles, if they were read before: once for all entries of a library. */
    known?: Known<ServiceObject> | undefined;
}

/** The state's facts about one resource that is being created. */
export interface OwnState {
    /** The time when the state's root resource was recorded, to the nanosecond; "" before that. No other state, of whatever name, has the same. */
    birth: string;
    /** The creates of pending operations and unconfirmed records that no recorded create has handled. */
    unfinished: readonly UnfinishedCreate[];
    /** The `noncePrefix`s of unfinished creates that a recorded create has handled; recorded again, because the older record may be deleted. */
    handled: readonly string[];
    /** Whether a recorded create has decided about the create with this nonce: the user has left its object alone. */
    isHandled(nonce: string): boolean;
    /** Whether a resource of the state, also one that waits for its deletion, has the object. */
    has(object: { id?: string | undefined; nonce?: string | undefined }): boolean;
    /** The URN of a resource that has the object, and that another process serves: it has the other face's type, or another provider. */
    holderElsewhere(id: string): string | undefined;
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
    /** The URN of another resource of the stack that has the object, for the import of a resource, of which the state names no create. */
    holderOf(id: string, urn: string, signal: AbortSignal): Promise<string | undefined>;
    /** Whether the engine records no create before its end (`PULUMI_SKIP_CHECKPOINTS`). */
    readonly skipsCheckpoints: boolean;
    /**
     * The state of the resource's stack; `undefined` if it cannot be read, or may be another stack's, which is said once. @throws the reason of the
     * create's signal.
     */
    of(urn: string, kind: string, create: ReadingCreate): Promise<OwnState | undefined>;
}

/** The create for which the state is read. */
export interface ReadingCreate {
    /** Its attempt, which the engine has recorded. */
    attempt?: string | undefined;
    signal?: AbortSignal;
    /** Whether it has ended by now. */
    isOver?(): boolean;
    /** Shows on its row how long the reading takes. */
    progress?(message: string): void;
}
