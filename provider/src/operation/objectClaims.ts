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

/** What this run knows of an object. */
interface ObjectFacts {
    claim?: Claim | undefined;
    /** The resource for which the engine has read it although no state has it: for an import, or for one verb of `pulumi do`. */
    importer?: string;
    /** Its properties, as this run has or wants them. */
    properties?: Properties;
    /** Whether this run has deleted it: for a while, the service may still show it. */
    isDeleted?: boolean;
}

/** What this run knows of a resource. */
interface ResourceFacts {
    /** The object that the state has for it. */
    recorded?: RecordedObject;
    /** The way in which the program declares it. `new`: the engine creates it, or is about to replace its object. */
    declared?: "new" | "existing";
    /** The object that the engine has read for it, until it is checked. */
    read?: ObjectFacts | undefined;
}

export class ObjectClaims {
    /** By kind and id: contents and livestreams may have the same ids. */
    readonly #objects = new Map<string, ObjectFacts>();
    /** By URN. */
    readonly #resources = new Map<string, ResourceFacts>();

    /** The resource that has the object, if this run has seen one. `urn`: that of any resource of the same kind. */
    ownerOf(id: string, urn = ""): string | undefined {
        return this.#object(id, urn).claim?.urn;
    }

    /** The resource that has the object, if it is another resource. */
    otherOwnerOf(id: string, urn: string): string | undefined {
        const owner = this.ownerOf(id, urn);
        return owner === urn ? undefined : owner;
    }

    /** Another resource of this run that adopts or imports the object. */
    otherAdopterOf(id: string, urn: string): string | undefined {
        const { claim, importer } = this.#object(id, urn);
        return [claim?.adopts ? claim.urn : undefined, importer].find((one) => one !== undefined && one !== urn);
    }

    /**
     * Whether a delete of `urn` must leave the object alone: a resource of the program adopts it, or an earlier run has recorded it for two
     * resources. The same goes if `urn` itself has the object and stays: then the delete is for a record that a failed run has left.
     */
    mustKeep(id: string, urn: string, stateUrn = urn): boolean {
        const { claim } = this.#object(id, urn);
        if (claim?.adopts || this.otherAdopterOf(id, urn) !== undefined) return true;
        if (urn === "" || claim === undefined) return false;
        return claim.urn !== urn || claim.isShared === true || this.#resource(stateUrn).declared === "existing";
    }

    /** The object that the state has for `urn`, where the engine has shown it: a create is to replace it. `undefined` in a plain create. */
    shownRecordOf(urn: string): RecordedObject | undefined {
        return this.#resource(urn).recorded;
    }

    /** Whether a resource of the state, or of this run, has the object. */
    isRecorded(id: string, urn: string): boolean {
        const { claim, properties } = this.#object(id, urn);
        return properties?.__meta !== undefined || claim !== undefined;
    }

    onDeleted(id: string, urn: string): void {
        this.#noted(id, urn).isDeleted = true;
    }

    wasDeleted(id: string, urn: string): boolean {
        return this.#object(id, urn).isDeleted === true;
    }

    /** Whether the program declares the resource, as far as the engine has asked for its checks. */
    isDeclared(urn: string): boolean {
        return this.#resource(urn).declared !== undefined;
    }

    /** The resources that the program declares, as far as the engine has asked for their checks. */
    declaredUrns(): string[] {
        return [...this.#resources].flatMap(([urn, { declared }]) => (declared === undefined ? [] : [urn]));
    }

    /** The objects that the engine has shown, but no unconfirmed ones. A library and a readiness have no object of their own. */
    recordedObjects(): { id: string; kind: string }[] {
        return [...this.#resources].flatMap(([urn, { recorded }]) => {
            const kind = kindIn(urn);
            if (!["Content", "Clip", "Livestream"].includes(kind) || recorded === undefined) return [];
            return metaOf(recorded.olds).unconfirmed ? [] : [{ id: recorded.id, kind }];
        });
    }

    /** The properties of an object, as far as this run knows it. */
    readonly propertiesOf = (id: string, isLivestream = false): Properties | undefined =>
        this.#objects.get(objectKey(id, isLivestream))?.properties;

    /** Notes that `urn` has the object now, whether or not the state shows that yet. */
    claim(id: string, urn: string): void {
        if (urn === "") return;
        const object = this.#noted(id, urn);
        if (object.claim?.urn !== urn) object.claim = { urn, stateUrn: urn, adopts: false };
        // The replaced object no longer belongs to this resource.
        const before = this.#object(this.shownRecordOf(urn)?.id ?? id, urn);
        if (before !== object && before.claim?.urn === urn) before.claim = undefined;
    }

    /** Notes that `urn` declares an object that it did not create. */
    claimAdopted(id: string, urn: string): void {
        this.#noted(id, urn).claim = { urn, stateUrn: urn, adopts: true };
    }

    /** The program declares the resource. `isNew`: the engine creates it, or is about to replace its object. */
    onCheck(urn: string, { isNew }: { isNew: boolean }): void {
        const { read, declared, ...facts } = this.#resource(urn);
        this.#resources.set(urn, { ...facts, declared: isNew ? "new" : "existing" });
        // An import, whether or not the state has the object for another resource as well.
        if (read !== undefined && !read.claim?.adopts) read.claim = { urn, stateUrn: urn, adopts: true };
        if (!isNew || declared !== "existing") return;
        // An alias may have renamed the resource, so deletes can arrive under its old URN.
        for (const object of this.#objects.values()) {
            const { stateUrn, adopts, isShared } = object.claim ?? {};
            if (stateUrn === urn && !adopts && !isShared) object.claim = undefined;
        }
    }

    /** The engine shows the object that the state has for `urn`. The program may not declare it: a refresh asks too. */
    onRecorded(shown: RecordedObject, urn: string, stateUrn = urn): void {
        this.describe(shown.id, urn, shown.olds);
        if (urn === "") return;
        this.#resources.set(urn, { ...this.#resource(urn), recorded: shown });
        if (this.#resource(stateUrn).declared !== "existing") return;
        const object = this.#noted(shown.id, urn);
        if (object.claim === undefined) object.claim = { urn, stateUrn, adopts: false };
        else if (object.claim.urn !== urn) object.claim.isShared = true;
    }

    /**
     * The engine reads an object that no state has: an import, whose resource is checked next. No other resource deletes the object from now
     * on. (`pulumi do` reads the object too, and acts on it under the same URN.)
     */
    onImport(id: string, urn: string): void {
        const read = this.#noted(id, urn);
        read.importer = urn;
        this.#resources.set(urn, { ...this.#resource(urn), read });
    }

    /** Adds properties of the object. A resource that only reads the object knows none. */
    describe(id: string, urn: string, properties: Properties): void {
        const object = this.#noted(id, urn);
        object.properties = object.properties === undefined ? properties : { ...object.properties, ...properties };
    }

    /** For a question, which notes nothing: lists ask about thousands of objects that are nobody's. */
    #object(id: string, urn: string): ObjectFacts {
        return this.#objects.get(keyFor(id, urn)) ?? {};
    }

    /** To be changed. */
    #noted(id: string, urn: string): ObjectFacts {
        const key = keyFor(id, urn);
        const known = this.#objects.get(key) ?? {};
        this.#objects.set(key, known);
        return known;
    }

    #resource(urn: string): ResourceFacts {
        return this.#resources.get(urn) ?? {};
    }
}

function keyFor(id: string, urn: string): string {
    // Most texts need no parsing.
    return objectKey(id, urn.includes("Livestream::") && kindIn(urn) === "Livestream");
}

function objectKey(id: string, isLivestream: boolean): string {
    return `${isLivestream ? "livestream" : "content"} ${comparableId(id)}`;
}
