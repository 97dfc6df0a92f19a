/** Which resource of this run manages which object, so that no object is adopted twice, or from its own predecessor. */
import { plainId, type VideographApi } from "../api";
import { metaOf } from "../inputs/recordedMeta";
import type { Properties } from "../inputs/values";
import { parseUrn } from "../urn";

/** A recorded object and its outputs. */
interface Predecessor {
    id: string;
    olds: Properties;
}

interface Manager {
    urn: string;
    /** The resource of the state: of an entry, its library. */
    row: string;
    /** It declares or imports an object that it did not create. */
    adopts: boolean;
    /** An earlier run has recorded the object for another declared resource as well. */
    isShared?: boolean;
}

export class Managers {
    /** By object: see {@link objectOf}. */
    readonly #managers = new Map<string, Manager>();
    readonly #shown = new Map<string, Predecessor>();
    /** The declared resources that are neither new nor replaced. */
    readonly #staying = new Set<string>();
    readonly #properties = new Map<string, Properties>();
    /** What the engine has read for a resource that no state has, by URN: for an import, or for one verb of `pulumi do`. */
    readonly #read = new Map<string, string>();
    /** The objects that the engine has asked about. */
    readonly #recorded = new Set<string>();

    /** Notes that `urn` manages the object `id`, whether or not the state has it yet. */
    note(id: string, urn: string | undefined): void {
        if (urn === undefined) return;
        const object = objectOf(id, urn);
        const known = this.#managers.get(object);
        if (known?.urn !== urn) this.#managers.set(object, { urn, row: urn, adopts: false });
        // The object that it replaces belongs to another resource, if to any.
        const before = objectOf(this.#shown.get(urn)?.id ?? id, urn);
        if (before !== object && this.#managers.get(before)?.urn === urn) this.#managers.delete(before);
    }

    /** The program declares the resource `row`; `isNew`: the engine creates it, or is about to replace what it has. */
    checked(row: string, isNew: boolean): void {
        const imported = this.#read.get(row);
        if (imported !== undefined && this.#read.delete(row)) this.#imports(imported, row);
        if (!isNew) this.#staying.add(row);
        else if (this.#staying.delete(row)) {
            // The old objects may be deleted under the name that the state has for them, where an alias has given it this one.
            for (const [object, manager] of this.#managers)
                if (manager.row === row && !manager.adopts && !manager.isShared) this.#managers.delete(object);
        }
    }

    /**
     * Notes the recorded object of `urn`, which it may be about to replace. Returns another resource of this run that adopts it. The
     * program may not declare `urn`: a refresh asks too.
     */
    declared(urn: string | undefined, shown: Predecessor, row = urn): string | undefined {
        this.describe(objectOf(shown.id, urn), shown.olds);
        const object = objectOf(shown.id, urn);
        const manager = this.#managers.get(object);
        if (manager?.adopts && manager.urn !== urn) return manager.urn;
        if (urn === undefined || row === undefined) return undefined;
        this.#shown.set(urn, shown);
        if (!this.#staying.has(row)) return undefined;
        if (manager === undefined) this.#managers.set(object, { urn, row, adopts: false });
        else if (manager.urn !== urn) manager.isShared = true;
        return undefined;
    }

    /** Notes that `urn` declares an object that it did not create. Returns the resource that manages it already. */
    claim(id: string, urn: string): string | undefined {
        const manager = this.#managers.get(objectOf(id, urn));
        if (manager !== undefined && manager.urn !== urn) return manager.urn;
        this.#managers.set(objectOf(id, urn), { urn, row: urn, adopts: true });
        return undefined;
    }

    /** Notes that the engine has read the object for `urn`. Nothing claims it before the inputs of a program are checked: an import does that next. */
    readByEngine(id: string, urn: string): void {
        this.#read.set(urn, id);
    }

    /** The engine imports the object for `urn`, whether or not the state has it for another resource as well. */
    #imports(id: string, urn: string): void {
        const object = objectOf(id, urn);
        if (!this.#managers.get(object)?.adopts) this.#managers.set(object, { urn, row: urn, adopts: true });
    }

    /** The resource that manages the object, if this run has seen one. `urn`: one of the same kind of objects. */
    by(id: string, urn?: string): string | undefined {
        return this.#managers.get(objectOf(id, urn))?.urn;
    }

    /**
     * The resource of this run for which the object must not be deleted with `urn`, a part of the state's resource `row`: it adopts the
     * object, perhaps from its own predecessor, or an earlier run has recorded it for both. Or it stays as it is, and what is deleted is left
     * of a run that failed after the resource had adopted its own object.
     */
    keeperOf(id: string, urn: string | undefined, row = urn): string | undefined {
        const manager = this.#managers.get(objectOf(id, urn));
        const isStaying = row !== undefined && this.#staying.has(row);
        const isRecorded = urn !== undefined && (manager?.isShared || manager?.urn !== urn || isStaying);
        return manager?.adopts || isRecorded ? manager?.urn : undefined;
    }

    /** The object that a create of `urn` is to replace, where the engine has shown it. */
    predecessorOf(urn: string | undefined): Predecessor | undefined {
        return this.#shown.get(urn ?? "");
    }

    /** Whether one of up to three objects that the program declares exists. */
    async showsOne({ contents, livestreams }: VideographApi, signal: AbortSignal): Promise<boolean> {
        const isObject = ([urn, { olds }]: [string, Predecessor]) => hasObject(urn) && !metaOf(olds).unconfirmed;
        const objects = [...this.#shown].filter(isObject);
        for (const [urn, { id }] of objects.slice(0, 3)) {
            const { get } = isLivestream(urn) ? livestreams : contents;
            if (await get(id, { signal }).catch(() => undefined)) return true;
        }
        return false;
    }

    /** Notes the properties of an object ({@link objectOf}), as this run has or wants them. A resource that only reads it knows none. */
    describe(object: string, properties: Properties): void {
        this.#properties.set(object, { ...this.#properties.get(object), ...properties });
    }

    /** The engine asks about the recorded object. */
    noteRecorded(id: string, urn: string | undefined): void {
        this.#recorded.add(objectOf(id, urn));
    }

    /** Whether a resource of the state, or of this run, has the object. */
    isRecorded(id: string, urn: string | undefined): boolean {
        return this.#recorded.has(objectOf(id, urn)) || this.by(id, urn) !== undefined;
    }

    /** Everything that this run knows about a content. */
    readonly propertiesOf = (id: string): Properties => this.#properties.get(objectOf(id, undefined)) ?? {};
}

/** Contents and livestreams may have the same ids. */
export function objectOf(id: string, urn: string | undefined): string {
    return `${isLivestream(urn) ? "livestream" : "content"} ${plainId(id)}`;
}

/** A library and a readiness have no object of their own. */
function hasObject(urn: string): boolean {
    return /[:$](?:Content|Clip|Livestream)$/.test(parseUrn(urn)?.types ?? "");
}

function isLivestream(urn: string | undefined): boolean {
    return parseUrn(urn)?.types.endsWith("Livestream") === true;
}
