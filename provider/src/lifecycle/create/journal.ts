/**
 * The journal of creates. An entry is opened before the first POST. It is closed only on proof: the engine hands over recorded
 * outputs that contain its marker, or a full search finds no object with the marker. That an answer was sent proves nothing,
 * because the engine may fail to record it. An entry belongs to one stack of one organization of one backend (S1).
 */
import type { Clock } from "../../api";
import type { Owner } from "./owner";

/** What a create learns after its entry was opened. */
export interface Learned {
    /** The object, once it is known. */
    id?: string | undefined;
    /** The engine was given the object: from now on the state may have it. Without this it surely has not. */
    answered?: boolean | undefined;
    /** How often the POST was sent. More than once: there may be a second object until `settled`. */
    posts?: number | undefined;
    /** When the POST was last sent, in ms since the epoch. */
    sentAt?: number | undefined;
    /** The object is known to be the only one with this marker. */
    settled?: boolean | undefined;
    /** Other credentials, by fingerprint, under which a full search found no object. */
    searchedUnder?: string[] | undefined;
}

export interface JournalEntry extends Learned {
    /** What is being created, such as `Content`. */
    kind: string;
    urn: string;
    marker: string;
    /** Of the credentials in use. */
    fingerprint: string;
    /** Digests of the titles that were sent. They find the object in a list without writing a title down. */
    titles: string[];
    /** Digest of the inputs that only a create can set. Another digest means that another object is wanted. */
    shape: string;
    /** Just before the first POST, in ms since the epoch. */
    startedAt: number;
    /** The process that is working on it. */
    owner: Owner;
    /** The id of the recorded object that this create is to replace, where the engine has shown it. */
    replaces?: string | undefined;
    /** The owner continues what an earlier process began. */
    resumed?: boolean | undefined;
    /** Of the stack, where the process knew it. */
    organization?: string | undefined;
}

export interface Journal {
    /** This process. */
    readonly owner: Owner;
    /**
     * The organization of the run's stack. Only programs know it, so a `destroy` does not: then the entries of all organizations
     * count, and those without one always do.
     */
    organization: string | undefined;
    /** Durable when the promise resolves: only then may the POST go out. Replaces an entry with the same marker. */
    open(entry: JournalEntry): Promise<void>;
    /** Adds to an open entry. Nothing happens when there is no such entry. */
    note(marker: string, learned: Learned): Promise<void>;
    /** Forgets an entry. Nothing happens when there is no such entry. */
    close(marker: string): Promise<void>;
    find(marker: string): Promise<JournalEntry | undefined>;
    /** The open entries of a resource, oldest first. The resource's type does not matter. */
    entriesFor(urn: string): Promise<JournalEntry[]>;
    /** The open entries of the stack that the resource belongs to, oldest first. */
    entriesOfStack(urn: string): Promise<JournalEntry[]>;
    /** Whether another living process of this machine is working on it. */
    isOwnedElsewhere(entry: JournalEntry): boolean;
}

export interface StackQuery {
    /** Of the stack; where it is not known, the user's default one is meant. */
    organization?: string | undefined;
    signal: AbortSignal;
}

export interface RecordedQuery extends StackQuery {
    anyStack: boolean;
    /** When the create began, in ms since the epoch. */
    since: number;
}

/** What the states of the backend's stacks were before this run. */
export interface RecordedState {
    /**
     * Whether the stack of `urn`, or with `anyStack` one of its backend, has an object with this marker; `undefined` when that
     * is not known.
     */
    has(marker: string, urn: string, options: RecordedQuery): Promise<boolean | undefined>;
    /** Whether a run of the stack of `urn` was under way at this time, in ms since the epoch, and is known to have succeeded. */
    succeeded(time: number, urn: string, options: StackQuery): Promise<boolean>;
}

/**
 * So long after an answer was lost may an object still appear in the service's lists: the request may be accepted up to a minute
 * late, and a list may lag behind by some seconds, as a search allows for.
 */
export const lateAcceptanceMs = 70_000;
/** A POST lasts no longer. */
const maxRequestMs = 65_000;

/**
 * For how long what was sent may still be accepted, in ms from now: a request and the above after it was sent, and no longer
 * than the above from now on, because the process that sent it has ended or lost the answer.
 */
export function lateMs({ sentAt, startedAt }: JournalEntry, clock: Clock): number {
    const left = (sentAt ?? startedAt) + maxRequestMs + lateAcceptanceMs - clock.now();
    // The clock may have been set since.
    return Math.max(0, Math.min(left, lateAcceptanceMs));
}

/** The credentials in use have found no object of an entry: there is no use in their looking for it again. */
export function searchedToo({ searchedUnder = [] }: JournalEntry, fingerprint: string): Learned {
    return { searchedUnder: [...searchedUnder, fingerprint] };
}

/** Whether a second object with this marker may exist: the POST was sent again, and nobody has checked since. */
export function isUnsettled({ posts = 1, settled }: JournalEntry): boolean {
    return posts > 1 && settled !== true;
}
