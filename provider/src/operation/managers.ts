import type { Properties } from "../inputs/values";
import { parseUrn } from "../urn";

/** A recorded object and its outputs. */
export interface Predecessor {
    id: string;
    olds: Properties;
}

/** Contents and livestreams may have the same ids. */
function objectOf(id: string, urn: string): string {
    return `${parseUrn(urn)?.types.endsWith("Livestream") ? "livestream" : "content"} ${id}`;
}

/** Which resource of this run manages which object, so that no object is adopted twice, or from its own predecessor. */
export class Managers {
    readonly #urnById = new Map<string, string>();
    readonly #shown = new Map<string, Predecessor>();
    readonly #properties = new Map<string, Properties>();
    /** By object: see {@link objectOf}. */
    readonly #adopters = new Map<string, string>();
    readonly #keepers = new Map<string, string>();

    /** Notes that `urn` manages the object `id`, whether or not the state has it yet. */
    note(id: string, urn: string | undefined): void {
        if (urn === undefined) return;
        this.#urnById.set(id, urn);
        // A replaced object is no longer kept.
        const before = this.#shown.get(urn)?.id;
        if (before === undefined || before === id) return;
        const replaced = objectOf(before, urn);
        if (this.#keepers.get(replaced) === urn) this.#keepers.delete(replaced);
    }

    /** Notes that no resource manages the object after all. */
    forget(id: string): void {
        this.#urnById.delete(id);
    }

    /** Notes the properties of an object, as this run has or wants them. */
    describe(id: string, properties: Properties): void {
        this.#properties.set(id, properties);
    }

    /** Everything that this run knows about an object. */
    readonly propertiesOf = (id: string): Properties => this.#properties.get(id) ?? {};

    /** Notes the recorded object of `urn`, which the engine has shown. */
    noteRecorded(urn: string | undefined, shown: Predecessor): void {
        if (urn === undefined) return;
        this.#shown.set(urn, shown);
        this.note(shown.id, urn);
        this.describe(shown.id, shown.olds);
    }

    /** The engine has shown the recorded object of a declared resource; gives another resource of this run that adopts it. */
    declared(urn: string | undefined, shown: Predecessor): string | undefined {
        this.noteRecorded(urn, shown);
        const adopter = this.adopterOf(shown.id, urn);
        return adopter === urn ? undefined : adopter;
    }

    /** The URN that manages the object, if this run has seen one. */
    by(id: string): string | undefined {
        return this.#urnById.get(id);
    }

    /** The object that a create of `urn` is to replace, where the engine has shown it. */
    predecessorOf(urn: string | undefined): Predecessor | undefined {
        return urn === undefined ? undefined : this.#shown.get(urn);
    }

    /** Notes that `urn` declares or imports an object that it did not create; gives the first resource of this run that did so. */
    adopter(id: string, urn: string): string {
        const first = this.adopterOf(id, urn) ?? urn;
        this.#adopters.set(objectOf(id, urn), first);
        return first;
    }

    /** Notes that `urn` is declared and keeps its recorded object. */
    keep(id: string, urn: string | undefined): void {
        if (urn !== undefined) this.#keepers.set(objectOf(id, urn), urn);
    }

    /**
     * The resource of this run for which the object must not be deleted with `urn`: it adopts the object, or an earlier run has
     * recorded it for both.
     */
    keeperOf(id: string, urn = ""): string | undefined {
        const keeper = this.#keepers.get(objectOf(id, urn));
        return this.adopterOf(id, urn) ?? (urn === "" || keeper === urn ? undefined : keeper);
    }

    /** The resource of this run that adopts the object, which `urn` has as well. */
    adopterOf(id: string, urn = ""): string | undefined {
        return this.#adopters.get(objectOf(id, urn));
    }
}
