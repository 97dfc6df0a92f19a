import type { Properties } from "../inputs/values";

/** A recorded object and its outputs. */
export interface Predecessor {
    id: string;
    olds: Properties;
}

/** Which resource of this run manages which object, so that no object is adopted twice, or from its own predecessor. */
export class Managers {
    readonly #urnById = new Map<string, string>();
    readonly #shown = new Map<string, Predecessor>();
    readonly #properties = new Map<string, Properties>();
    readonly #adopterById = new Map<string, string>();

    /** Notes that `urn` manages the object `id`, whether or not the state has it yet. */
    note(id: string, urn: string | undefined): void {
        if (urn !== undefined) this.#urnById.set(id, urn);
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
        const first = this.#adopterById.get(id) ?? urn;
        this.#adopterById.set(id, first);
        return first;
    }

    /** The URN of this run that adopts the object. */
    adopterOf(id: string): string | undefined {
        return this.#adopterById.get(id);
    }
}
