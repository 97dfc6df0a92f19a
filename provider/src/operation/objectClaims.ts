/** The objects of each resource of this run, so that none is adopted twice, or deleted with a resource that no longer has it. */
import { comparableId } from "../api";
import { metaOf } from "../inputs/recordedMeta";
import type { Properties, RecordedObject } from "../inputs/values";
import { kindIn } from "../urn";

interface Claim {
    /** The URN of the resource, or of the entry of a library. */
    urn: string;
    /** The URN of the resource in the state; for an entry, that of its library. */
    stateUrn: string;
    /** Whether the resource declares or imports an object that it did not create. */
    adopts: boolean;
    /** Whether an earlier run has recorded the object for another declared resource as well. */
    isShared?: boolean;
}

interface ResourceFacts {
    /** The object that the state has for the resource. */
    recorded?: RecordedObject;
    /** The way in which the program declares the resource. `new`: the engine creates it, or is about to replace its object. */
    declared?: "new" | "existing";
    /** The object of `#importers`, until the resource is checked. */
    read?: string;
}

export class ObjectClaims {
    /** The claims by object: see {@link objectKey}. */
    readonly #claims = new Map<string, Claim>();
    readonly #properties = new Map<string, Properties>();
    /** The objects that this run has deleted. */
    readonly #deleted = new Set<string>();
    /** The facts by URN. */
    readonly #resources = new Map<string, ResourceFacts>();
    /** The resource for which the engine has read an object although no state has it, by object: for an import, or for one verb of `pulumi do`. */
    readonly #importers = new Map<string, string>();

    /** The resource that has the object, if this run has seen one. `urn`: that of any resource of the same kind. */
    ownerOf(id: string, urn?: string): string | undefined {
        return this.#claims.get(objectKey(id, urn))?.urn;
    }

    /** The resource that has the object, if it is another resource. */
    otherOwnerOf(id: string, urn: string): string | undefined {
        const owner = this.ownerOf(id, urn);
        return owner === urn ? undefined : owner;
    }

    /** Another resource of this run that adopts or imports the object. */
    otherAdopterOf(id: string, urn: string | undefined): string | undefined {
        const claim = this.#claims.get(objectKey(id, urn));
        const adopters = [claim?.adopts ? claim.urn : undefined, this.#importers.get(objectKey(id, urn))];
        return adopters.find((adopter) => adopter !== undefined && adopter !== urn);
    }

    /**
     * Whether a delete of `urn` must leave the object alone: a resource of the program adopts it, or an earlier run has recorded it for two
     * resources. The same goes if `urn` itself has the object and stays: then the delete is for a record that a failed run has left.
     */
    mustKeep(id: string, urn: string | undefined, stateUrn = urn): boolean {
        const claim = this.#claims.get(objectKey(id, urn));
        if (claim?.adopts || this.otherAdopterOf(id, urn) !== undefined) return true;
        if (urn === undefined || claim === undefined) return false;
        return claim.urn !== urn || claim.isShared === true || this.#isExisting(stateUrn);
    }

    /** The object that the state has for `urn`, where the engine has shown it: a create is to replace it. `undefined` in a plain create. */
    shownRecordOf(urn: string | undefined): RecordedObject | undefined {
        return this.#factsOf(urn)?.recorded;
    }

    /** Whether a resource of the state, or of this run, has the object. */
    isRecorded(id: string, urn: string | undefined): boolean {
        return this.#properties.get(objectKey(id, urn))?.__meta !== undefined || this.ownerOf(id, urn) !== undefined;
    }

    /** Notes that this run has deleted the object: for a while, the service may still show it. */
    onDeleted(id: string, urn: string | undefined): void {
        this.#deleted.add(objectKey(id, urn));
    }

    wasDeleted(id: string, urn: string | undefined): boolean {
        return this.#deleted.has(objectKey(id, urn));
    }

    /** Whether the program declares the resource, as far as the engine has asked for its checks. */
    isDeclared(urn: string): boolean {
        return this.#factsOf(urn)?.declared !== undefined;
    }

    /** The objects that the engine has shown, but no unconfirmed ones. */
    recordedObjects(): { id: string; isLivestream: boolean }[] {
        return [...this.#resources].flatMap(([urn, { recorded }]) => {
            if (recorded === undefined || !hasObject(urn) || metaOf(recorded.olds).unconfirmed) return [];
            return [{ id: recorded.id, isLivestream: isLivestream(urn) }];
        });
    }

    /** The properties of a content, as far as this run knows them. */
    readonly propertiesOf = (id: string): Properties => this.#properties.get(objectKey(id, undefined)) ?? {};

    readonly isLivestream = (id: string): boolean =>
        !this.#properties.has(objectKey(id, undefined)) && this.#properties.has(livestreamKey(id));

    /** Notes that `urn` has the object now, whether or not the state shows that yet. */
    claim(id: string, urn: string | undefined): void {
        if (urn === undefined) return;
        const object = objectKey(id, urn);
        if (this.ownerOf(id, urn) !== urn) this.#claims.set(object, { urn, stateUrn: urn, adopts: false });
        // The replaced object no longer belongs to this resource.
        const before = objectKey(this.shownRecordOf(urn)?.id ?? id, urn);
        if (before !== object && this.#claims.get(before)?.urn === urn) this.#claims.delete(before);
    }

    /** Notes that `urn` declares an object that it did not create. */
    claimAdopted(id: string, urn: string): void {
        this.#claims.set(objectKey(id, urn), { urn, stateUrn: urn, adopts: true });
    }

    /** The program declares the resource. `isNew`: the engine creates it, or is about to replace its object. */
    onCheck(urn: string, { isNew }: { isNew: boolean }): void {
        const { read, declared, ...facts } = this.#factsOf(urn) ?? {};
        this.#resources.set(urn, { ...facts, declared: isNew ? "new" : "existing" });
        // An import, whether or not the state has the object for another resource as well.
        if (read !== undefined && !this.#claims.get(read)?.adopts)
            this.#claims.set(read, { urn, stateUrn: urn, adopts: true });
        if (!isNew || declared !== "existing") return;
        // An alias may have renamed the resource, so deletes can arrive under its old URN.
        for (const [object, claim] of this.#claims)
            if (claim.stateUrn === urn && !claim.adopts && !claim.isShared) this.#claims.delete(object);
    }

    /** The engine shows the object that the state has for `urn`. The program may not declare it: a refresh asks too. */
    onRecorded(shown: RecordedObject, urn: string | undefined, stateUrn = urn): void {
        this.describe(shown.id, urn, shown.olds);
        if (urn === undefined || stateUrn === undefined) return;
        this.#resources.set(urn, { ...this.#factsOf(urn), recorded: shown });
        if (!this.#isExisting(stateUrn)) return;
        const claim = this.#claims.get(objectKey(shown.id, urn));
        if (claim === undefined) this.#claims.set(objectKey(shown.id, urn), { urn, stateUrn, adopts: false });
        else if (claim.urn !== urn) claim.isShared = true;
    }

    /**
     * The engine reads an object that no state has: an import, whose resource is checked next. No other resource deletes the object from now
     * on. (`pulumi do` reads the object too, and acts on it under the same URN.)
     */
    onImport(id: string, urn: string): void {
        const read = objectKey(id, urn);
        this.#importers.set(read, urn);
        this.#resources.set(urn, { ...this.#factsOf(urn), read });
    }

    /** Adds properties of the object, as this run has or wants them. A resource that only reads the object knows none. */
    describe(id: string, urn: string | undefined, properties: Properties): void {
        const object = objectKey(id, urn);
        const known = this.#properties.get(object);
        this.#properties.set(object, known === undefined ? properties : { ...known, ...properties });
    }

    #isExisting(urn: string | undefined): boolean {
        return this.#factsOf(urn)?.declared === "existing";
    }

    #factsOf(urn: string | undefined): ResourceFacts | undefined {
        return this.#resources.get(urn ?? "");
    }
}

/** Contents and livestreams may have the same ids. */
function objectKey(id: string, urn: string | undefined): string {
    return isLivestream(urn) ? livestreamKey(id) : `content ${comparableId(id)}`;
}

function livestreamKey(id: string): string {
    return `livestream ${comparableId(id)}`;
}

/** A library and a readiness have no object of their own. */
function hasObject(urn: string): boolean {
    return ["Content", "Clip", "Livestream"].includes(kindIn(urn));
}

function isLivestream(urn: string | undefined): boolean {
    // Most texts need no parsing.
    return urn?.includes("Livestream::") === true && kindIn(urn) === "Livestream";
}
