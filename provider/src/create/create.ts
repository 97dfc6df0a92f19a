/** One create, as the law (law.ts) sees it. */
import type { CallOptions, Deadline } from "../api";
import type { JournalEntry } from "../evidence/journal";
import type { Listed } from "../evidence/lists";
import type { OwnState } from "../evidence/ownState";
import type { Operation } from "../operation/operation";
import type { Kind, Query } from "./search";

export interface CreateRequest<T extends Listed> {
    kind: Kind<T>;
    title: string;
    /** The inputs that only a create can set. */
    identity: unknown;
    /** Of the POST. */
    body(marker: string): object;
    /** Waits for what the POST needs. A create that is killed meanwhile is known, and known to be unsent. */
    before?(): Promise<void>;
    options: CallOptions & { deadline: Deadline };
}

/** One create: its journal entry, and what its stack's state says. */
export interface Create<T extends Listed> {
    operation: Operation;
    request: CreateRequest<T>;
    entry: JournalEntry;
    state: OwnState | undefined;
}

/** The search for the object of an entry. */
export function queryFor<T extends Listed>(
    { kind, options }: CreateRequest<T>,
    { title, startedAt, nonce, adopts }: JournalEntry,
): Query<T> {
    return {
        kind,
        titles: [title],
        since: startedAt,
        isIt: (marker) => marker.nonce === nonce || marker.nonce === adopts,
        options,
    };
}
