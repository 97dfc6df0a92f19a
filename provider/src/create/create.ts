/** One create, as the law (law.ts) sees it. */
import { unconfirmedId } from "../api";
import type { JournalEntry } from "../evidence/journalFile";
import type { ServiceObject } from "../evidence/lists";
import type { Owner } from "../evidence/marker";
import { inputsIn } from "../inputs/properties";
import { type Meta, newMeta } from "../inputs/recordedMeta";
import type { Message } from "../messages";
import { PartialFailure } from "../operation/operation";
import type { ResourceState } from "../operation/ownState";
import type { Subject } from "../operation/subject";
import type { Search } from "./search";

/** One create: its journal entry, the facts of its stack's state, and the search for the objects of earlier creates. */
export interface Create<T extends ServiceObject> {
    subject: Subject<T>;
    entry: JournalEntry;
    state: ResourceState | undefined;
    search: Search<T>;
    /** This resource, as the owner of objects. */
    readonly owner: Owner;
    /** The first page of each of the service's lists, as it was before the first create of the run. */
    listed: readonly T[];
    /** Whether the state, or another resource of this run, has the object. */
    isManaged(id: string): boolean;
}

/** The record of the object of a create. `handled`: the earlier creates that this one settles, see `ResourceState`. */
export function newRecord({ fingerprint, marker }: JournalEntry, handled: readonly string[]): Meta {
    return { ...newMeta(fingerprint, marker), ...(handled.length > 0 && { handled }) };
}

/**
 * The failure of a create whose POST may have made an object. The engine keeps the create in the state, and any later run, on any machine, goes
 * on with it.
 */
export function inDoubt<T extends ServiceObject>(
    reason: Message,
    { resource, inputs }: Subject<T>,
    entry: JournalEntry,
    handled: readonly string[] = [],
): PartialFailure {
    const { nonce, titleDigest, startedAt } = entry;
    const __meta: Meta = { ...newRecord(entry, handled), unconfirmed: { titleDigest, startedAt } };
    const declared = inputsIn(resource.definition.inputs.shape, inputs);
    return new PartialFailure(unconfirmedId(nonce), { ...declared, status: "Unconfirmed", __meta }, reason);
}
