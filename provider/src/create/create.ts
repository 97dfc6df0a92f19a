/** One create, as the law (law.ts) sees it. */
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

/** What a create does about earlier creates of its resource. */
export interface Decision {
    /** The object to adopt; `undefined` when the create has to send its own. */
    adopt?: Found | undefined;
    remove: readonly Found[];
    /** The nonce of each earlier create that no later create has to know. */
    forget: readonly string[];
    /** The nonce of each forgotten create that the state names, and of each that it records as handled: see `ResourceState`. */
    handled: readonly string[];
}

/** One create: its subject, its journal entry, and the facts of its stack's state. */
export class Create {
    #owner: Owner | undefined;
    decision: Decision = { remove: [], forget: [], handled: [] };

    /** `listed`: the first page of each of the service's lists, as it was before the first create of the run. */
    constructor(
        readonly subject: Subject,
        readonly entry: JournalEntry,
        readonly state: ResourceState | undefined,
        readonly listed: readonly ServiceObject[],
    ) {}

    /** This resource, as the owner of objects. Most creates search for nothing. */
    get owner(): Owner {
        const { urn, kind } = this.entry;
        this.#owner ??= ownerOf(urn, kind, this.state?.birth);
        return this.#owner;
    }

    /** The search for the objects of this create and of earlier ones. */
    get search(): Search {
        const { options, deadline, operation } = this.subject;
        return new Search(this.subject, this.owner, { ...options, deadline, progress: operation.progress });
    }

    /** Whether the state, or another resource of this run, has the object. */
    isManaged(id: string): boolean {
        const { urn } = this.entry;
        const { claims } = this.subject.operation.services;
        const predecessor = claims.shownRecordOf(urn)?.id ?? "";
        return (
            this.state?.has({ id }) === true || isSameId(predecessor, id) || claims.otherOwnerOf(id, urn) !== undefined
        );
    }

    /** Whether an earlier create, as its entry or marker names it, had the same create-only inputs. */
    hasSameInputs({ inputsDigest, nonce }: Pick<UnfinishedCreate, "inputsDigest" | "nonce">): boolean {
        const { resource, inputs } = this.subject;
        return inputsDigest === digestOfInputs(createOnlyInputs(resource.definition.inputs.shape, inputs), nonce);
    }
}

/** The record of the object of a create. `handled`: the earlier creates that this one settles, see `ResourceState`. */
export function newRecord({ fingerprint, marker }: JournalEntry, handled: readonly string[]): Meta {
    return { ...newMeta(fingerprint, marker), ...(handled.length > 0 && { handled }) };
}

/**
 * The failure of a create whose POST may have made an object. The engine keeps the create in the state, and any later run, on any machine, goes
 * on with it.
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
