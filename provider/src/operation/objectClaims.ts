/**
 * Which resource of this run has which object. So no object is adopted by two resources, and the delete of a resource leaves an object alone that another
 * resource has taken over.
 */
import { comparableId } from "../api";
import { metaOf } from "../inputs/recordedMeta";
import type { Properties, RecordedObject } from "../inputs/values";
import { kindIn } from "../urn";

interface Claim {
    /** The URN of the resource, or of the entry of a library. */
    urn: string;
    /** The URN of the resource in the state. For an entry of a library, it is the URN of the library: the state has none for the entry. */
    stateUrn: string;
    /** Whether the resource takes over an object that it did not create, by `importId` or by an import. */
    adopts: boolean;
    /** Whether the state has the object for a second resource of the program as well. */
    isShared?: boolean;
}

/** What this run knows of an object. */
interface ObjectFacts {
    claim?: Claim | undefined;
    /** The resource for which the engine has read the object although the state does not have it: for an import, or for `pulumi do`. */
    importer?: string;
    /** The properties that the state records or the program declares. */
    properties?: Properties;
    /** Whether this run has deleted the object. The service may still list it for a while, and it must not be taken for an object of a lost create. */
    isDeleted?: boolean;
}

/** What this run knows of a resource. */
interface ResourceFacts {
    /** The object that the state has for the resource. */
    recorded?: RecordedObject;
    /** `new`: the engine creates the resource, or replaces its object. `undefined` where the program does not declare it. */
    declared?: "new" | "existing";
    /** The object that the engine has read for an import of the resource. The check of the resource comes next. */
    read?: ObjectFacts | undefined;
}

export class ObjectClaims {
    /** By kind and id: a content and a livestream may have one id. */
    readonly #objects = new Map<string, ObjectFacts>();
    /** By URN. */
    readonly #resources = new Map<string, ResourceFacts>();

    /** The resource of this run that has the object. `urn`: the URN of any resource of the same kind. */
    ownerOf(id: string, urn = ""): string | undefined {
        return this.#object(id, urn).claim?.urn;
    }

    /** The resource of this run that has the object; `undefined` where `urn` itself has it, or no resource. */
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
     * Whether a delete of `urn` must leave the object alone: a resource of the program adopts the object, or the state has it for two resources, or the
     * program keeps `urn` and its object. In the last case the engine deletes a second record, which a failed run has left under the same URN.
     */
    mustKeep(id: string, urn: string, stateUrn = urn): boolean {
        const { claim } = this.#object(id, urn);
        if (claim?.adopts || this.otherAdopterOf(id, urn) !== undefined) return true;
        const isKept = this.#resource(stateUrn).declared === "existing";
        return claim !== undefined && (claim.urn !== urn || claim.isShared === true || isKept);
    }

    /**
     * The object that the state has for `urn`, if the engine has shown it. If there is one, a create for `urn` is its replacement; if there is none,
     * it is a first create.
     */
    shownRecordOf(urn: string): RecordedObject | undefined {
        return this.#resource(urn).recorded;
    }

    /** Whether the state, or a resource of this run, has the object. */
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

    /** Whether the program declares the resource. Known once the engine has asked for its check. */
    isDeclared(urn: string): boolean {
        return this.#resource(urn).declared !== undefined;
    }

    /** The resources that the program declares, as far as the engine has asked for their checks. */
    declaredUrns(): string[] {
        return [...this.#resources].flatMap(([urn, { declared }]) => (declared === undefined ? [] : [urn]));
    }

    /** The objects of the state, as far as the engine has shown them. An object whose create ended in doubt is left out: it may not exist. */
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
        const object = this.#noted(id, urn);
        if (object.claim?.urn !== urn) object.claim = { urn, stateUrn: urn, adopts: false };
        // The replaced object is no longer that of `urn`. Its delete comes next, and a claim would stop that delete.
        const before = this.#object(this.shownRecordOf(urn)?.id ?? id, urn);
        if (before !== object && before.claim?.urn === urn) before.claim = undefined;
    }

    /** Notes that `urn` takes over an object that it did not create. */
    claimAdopted(id: string, urn: string): void {
        this.#noted(id, urn).claim = { urn, stateUrn: urn, adopts: true };
    }

    /** The engine has asked for a check of the resource: the program declares it. `isNew`: see `ResourceFacts.declared`. */
    onCheck(urn: string, { isNew }: { isNew: boolean }): void {
        const { read, declared, ...facts } = this.#resource(urn);
        this.#resources.set(urn, { ...facts, declared: isNew ? "new" : "existing" });
        // The engine has read the object for an import of this resource. So the resource takes the object over, even if the state has it for another
        // resource.
        if (read !== undefined && !read.claim?.adopts) read.claim = { urn, stateUrn: urn, adopts: true };
        if (!isNew || declared !== "existing") return;
        // A second check as new says that the engine replaces the resource. The old object's delete may name an earlier URN: a claim that stays would
        // keep that object for ever.
        for (const object of this.#objects.values()) {
            const { stateUrn, adopts, isShared } = object.claim ?? {};
            if (stateUrn === urn && !adopts && !isShared) object.claim = undefined;
        }
    }

    /** The engine has shown the object that the state has for `urn`. That does not mean that the program declares `urn`: a refresh shows all objects. */
    onRecorded(shown: RecordedObject, urn: string, stateUrn = urn): void {
        this.describe(shown.id, urn, shown.olds);
        this.#resources.set(urn, { ...this.#resource(urn), recorded: shown });
        if (this.#resource(stateUrn).declared !== "existing") return;
        const object = this.#noted(shown.id, urn);
        if (object.claim === undefined) object.claim = { urn, stateUrn, adopts: false };
        else if (object.claim.urn !== urn) object.claim.isShared = true;
    }

    /**
     * The engine reads an object for an import. From now on only a call for `urn` itself may delete the object: `pulumi do` reads an object in the same way,
     * and may then delete it under the same URN.
     */
    onImport(id: string, urn: string): void {
        const read = this.#noted(id, urn);
        read.importer = urn;
        this.#resources.set(urn, { ...this.#resource(urn), read });
    }

    /** Adds to what is known of the object's properties. */
    describe(id: string, urn: string, properties: Properties): void {
        const object = this.#noted(id, urn);
        object.properties = object.properties === undefined ? properties : { ...object.properties, ...properties };
    }

    /**
     * What this run knows of the object, for a question. The question does not add the object to the map: a search asks about thousands of unknown
     * objects.
     */
    #object(id: string, urn: string): ObjectFacts {
        return this.#objects.get(keyFor(id, urn)) ?? {};
    }

    /** The facts of the object, which the caller changes. */
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
    // The URN is parsed only where it may be a livestream's: a library asks for thousands of objects.
    return objectKey(id, urn.includes("Livestream::") && kindIn(urn) === "Livestream");
}

function objectKey(id: string, isLivestream: boolean): string {
    return `${isLivestream ? "livestream" : "content"} ${comparableId(id)}`;
}
