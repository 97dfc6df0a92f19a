/** One create, as the law (law.ts) sees it. */
import { type CallOptions, type Deadline, unconfirmedId } from "../api";
import type { Definition } from "../definitions/definition";
import type { JournalEntry } from "../evidence/journalFile";
import type { ServiceObject } from "../evidence/lists";
import type { Owner } from "../evidence/marker";
import type { OwnState } from "../evidence/ownState";
import { type Meta, newMeta } from "../inputs/recordedMeta";
import type { Properties } from "../inputs/values";
import type { Message } from "../messages";
import { type Operation, PartialFailure } from "../operation/operation";
import type { KindRequests, Search } from "./search";

export interface CreateRequest<T extends ServiceObject> {
    requests: KindRequests<T>;
    definition: Definition;
    inputs: Properties;
    /** Waits for other objects that the POST needs. The journal entry of a create that is killed meanwhile shows that nothing was sent. */
    beforePost?(): Promise<void>;
    options: CallOptions & { signal: AbortSignal; deadline: Deadline };
}

/** One create: its journal entry, the facts of its stack's state, and the search for the objects of earlier creates. */
export interface Create<T extends ServiceObject> {
    operation: Operation;
    request: CreateRequest<T>;
    entry: JournalEntry;
    state: OwnState | undefined;
    search: Search<T>;
    /** This resource, as the owner of objects. */
    readonly owner: Owner;
    /** The first page of each of the service's lists, as it was before the first create of the run. */
    listed: readonly T[];
    /** Whether the state, or another resource of this run, has the object. */
    isManaged(id: string): boolean;
}

/**
 * The failure of a create whose POST may have made an object. The engine keeps the create in the state, and any later run, on any machine, goes
 * on with it. `handled`: the earlier creates that this one settles, see `OwnState`.
 */
export function inDoubt(
    reason: Message,
    { nonce, titleDigest, startedAt, fingerprint, marker }: JournalEntry,
    inputs: Properties,
    handled: readonly string[] = [],
): PartialFailure {
    const __meta: Meta = { ...newMeta(fingerprint, marker), unconfirmed: { titleDigest, startedAt } };
    if (handled.length > 0) __meta.handled = handled;
    return new PartialFailure(unconfirmedId(nonce), { ...inputs, status: "Unconfirmed", __meta }, reason);
}
