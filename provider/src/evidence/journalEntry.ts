/**
 * The entries of the journal, which remembers the creates that a killed process cannot report; `journal.ts` keeps them on disk. A create
 * opens an entry before it asks or sends anything. The entry is closed when the answer leaves for the engine: from then on the
 * stack's state has the object, or names the create.
 */

/** The process that writes an entry. */
export interface Writer {
    pid: number;
    host: string;
    /** Distinguishes the process from a later one with the same pid: its start time, or else a random text. */
    started?: string | undefined;
}

/** Facts that a create learns after its entry was opened. */
export interface Learned {
    /** The marker of the object, noted just before the first POST. Without it nothing was sent. */
    marker?: string | undefined;
    /** The birth of the stack's state: "" where it has none yet, or the entry proves nothing any more; `undefined` where the state was unreadable. */
    birth?: string | undefined;
    /** The object's id, once it is known. */
    id?: string | undefined;
    /**
     * The earlier nonce, or "", of an object that a state may have had: the object was to be adopted, and its marker has this entry's nonce only
     * after a PUT; or its create may be recorded by now.
     */
    adoptedNonce?: string | undefined;
}

export interface JournalEntry extends Learned {
    /** The entry's name, and the end of its marker. */
    nonce: string;
    /** The kind that is being created, such as `Content`. */
    kind: string;
    urn: string;
    resourceDigest: string;
    /** Digest of the title that was sent. It finds the object in a list without writing the title down. */
    titleDigest: string;
    /** Digest of the inputs that only a create can set, keyed by the nonce. */
    inputsDigest: string;
    /** The fingerprint of the credentials in use. */
    fingerprint: string;
    /** The time when the create began, in ms since the epoch. */
    startedAt: number;
    writer: Writer;
}
