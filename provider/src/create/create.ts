/** One create of an object, with what the law (law.ts) has to know about it. */
import { isSameId, unconfirmedId } from "../api";
import { digestOfInputs } from "../evidence/digest";
import type { JournalEntry } from "../evidence/journalFile";
import type { Found, ServiceObject } from "../evidence/lists";
import { type Owner, ownerOf } from "../evidence/marker";
import { createOnlyInputs, inputsIn } from "../inputs/properties";
import { type Meta, newMeta } from "../inputs/recordedMeta";
import type { Message } from "../messages";
import { PartialFailure } from "../operation/operation";
import type { ResourceState, UnfinishedCreate } from "../operation/ownState";
import type { Subject } from "../operation/subject";
import { Search } from "./search";

/** What a create does about earlier creates of its resource that have not ended. */
export interface Decision {
    /** The object of an earlier create, which this create takes as its own; `undefined` where it sends a POST. */
    adopt?: Found | undefined;
    /** The objects of earlier creates that this create deletes before its POST. */
    remove: readonly Found[];
    /** The nonces of earlier creates that need no further decision: their journal entries are removed. */
    forget: readonly string[];
    /**
     * The nonces of earlier creates that need no further decision, for the new object's record (`__meta.handled`). Without them, the next create
     * would decide again, because the state may still name these creates.
     */
    handled: readonly string[];
}

/** One create: its subject, its journal entry, and what the stack's state says (`undefined` where it could not be read). */
export class Create {
    #owner: Owner | undefined;
    decision: Decision = { remove: [], forget: [], handled: [] };

    /** `listed`: the first page of each of the service's lists, read before this run created anything. */
    constructor(
        readonly subject: Subject,
        readonly entry: JournalEntry,
        readonly state: ResourceState | undefined,
        readonly listed: readonly ServiceObject[],
    ) {}

    /** This resource, as the markers of its objects name it. Made at the first use: most creates search for nothing, and do not need it. */
    get owner(): Owner {
        const { urn, kind } = this.entry;
        this.#owner ??= ownerOf(urn, kind, this.state?.birth);
        return this.#owner;
    }

    /** A search for objects that this create or an earlier create of the resource has made. */
    get search(): Search {
        const { options, deadline, operation } = this.subject;
        return new Search(this.subject, this.owner, { ...options, deadline, progress: operation.progress });
    }

    /** Whether the state or another resource of this run has the object. A create never adopts or deletes such an object. */
    isManaged(id: string): boolean {
        const { urn } = this.entry;
        const { claims } = this.subject.operation.services;
        const predecessor = claims.shownRecordOf(urn)?.id ?? "";
        return (
            this.state?.has({ id }) === true || isSameId(predecessor, id) || claims.otherOwnerOf(id, urn) !== undefined
        );
    }

    /**
     * Whether an earlier create had the same create-only inputs as this one. The journal entry or the marker of the earlier create has their digest.
     */
    hasSameInputs({ inputsDigest, nonce }: Pick<UnfinishedCreate, "inputsDigest" | "nonce">): boolean {
        const { resource, inputs } = this.subject;
        return inputsDigest === digestOfInputs(createOnlyInputs(resource.definition.inputs.shape, inputs), nonce);
    }
}

/** The `__meta` of a new object. `handled`: see `Decision`. */
export function newRecord({ fingerprint, marker }: JournalEntry, handled: readonly string[]): Meta {
    return { ...newMeta(fingerprint, marker), ...(handled.length > 0 && { handled }) };
}

/**
 * The failure of a create whose POST may have made an object. The engine records it under the id `unconfirmed-…`. Without this record, a run on
 * another machine would not search for the object.
 */
export function inDoubt(
    reason: Message,
    { resource, inputs }: Subject,
    entry: JournalEntry,
    handled: readonly string[] = [],
): PartialFailure {
    const { nonce, titleDigest, startedAt } = entry;
    const __meta: Meta = { ...newRecord(entry, handled), unconfirmed: { titleDigest, startedAt } };
    const declared = inputsIn(resource.definition.inputs.shape, inputs);
    return new PartialFailure(unconfirmedId(nonce), { ...declared, status: "Unconfirmed", __meta }, reason);
}
