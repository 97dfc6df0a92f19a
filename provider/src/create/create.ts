/** One create, as the law (law.ts) sees it. */
import type { CallOptions, Deadline } from "../api";
import type { JournalEntry } from "../evidence/journalEntry";
import type { Listed } from "../evidence/lists";
import type { OwnState } from "../evidence/ownState";
import { LifecycleError, type Message } from "../messages";
import type { Operation } from "../operation/operation";
import type { KindRequests, Search } from "./search";

export interface CreateRequest<T extends Listed> {
    requests: KindRequests<T>;
    title: string;
    /** The inputs that only a create can set. */
    createOnlyInputs: unknown;
    /** Of the POST. */
    body(markerText: string): object;
    /** Waits for what the POST needs. A create that is killed meanwhile is known, and known to be unsent. */
    beforePost?(): Promise<void>;
    options: CallOptions & { signal: AbortSignal; deadline: Deadline };
}

/** One create: its journal entry, what its stack's state says, and how it finds the objects of earlier ones. */
export interface Create<T extends Listed> {
    operation: Operation;
    request: CreateRequest<T>;
    entry: JournalEntry;
    state: OwnState | undefined;
    search: Search<T>;
    /** Whether the state, or another resource of this run, has the object. */
    isManaged(id: string): boolean;
    /** Whether the service's list showed the object before the first create of the run. */
    wasListed(id: string): boolean;
}

/** What is recorded of a create besides its object. */
export interface CreateRecord {
    /** Of the marker that its metadata should have. An adopted object still has an older one. */
    markerText: string;
    /** Of the earlier creates that this one settles: see `OwnState`. */
    handled: readonly string[];
}

/** A POST was sent, and nobody knows whether it made an object. The state has to keep it. */
export class InDoubt extends LifecycleError {
    readonly entry: JournalEntry;
    readonly record: CreateRecord;

    constructor(reason: Message, entry: JournalEntry, record: CreateRecord) {
        super(reason);
        this.entry = entry;
        this.record = record;
    }
}
