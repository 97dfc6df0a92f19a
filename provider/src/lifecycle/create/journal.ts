/**
 * The journal of pending creates. Before a create is sent, its mark is written to disk; when the process is killed before
 * the engine's state knows the object, the next run finds the mark here, and by the mark the object (S1).
 */

export interface JournalEntry {
    /** What is being created, such as `Content`. */
    kind: string;
    urn: string;
    mark: string;
    /** Of the credentials in use. */
    fingerprint: string;
    /** Digests of the titles that were sent, which find the object in a list without writing a title down. */
    titles: string[];
    /** Digest of the inputs that only a create can set: another digest means another object is wanted. */
    shape: string;
    /** Just before the first POST, in ms since the epoch. */
    startedAt: number;
    /** The process that is at it. */
    owner: { pid: number; host: string };
    /** Other credentials, by their fingerprints, under which its object was looked for in vain. */
    fruitless?: string[] | undefined;
    /** The object, once it is known. */
    id?: string;
}

export interface Journal {
    /** Durable when the promise resolves: only then may the POST go out. */
    open(entry: JournalEntry): Promise<void>;
    /** Adds the object's id to an open entry. */
    identify(mark: string, id: string): Promise<void>;
    /** Forgets an entry: the state has the object, or there is none. Nothing happens when there is no such entry. */
    close(mark: string): Promise<void>;
    /** The open entries of a resource, oldest first. */
    entriesFor(urn: string): Promise<JournalEntry[]>;
    /** Whether another living process of this machine is still at it. */
    isOwnedElsewhere(entry: JournalEntry): boolean;
}
