import type { Properties } from "../resource";

/** A recorded object and its outputs. */
export interface Predecessor {
    id: string;
    olds: Properties;
}

/** Which resource of this run manages which object, so that no object is adopted twice, or from its own predecessor. */
export class Managed {
    readonly #urnById = new Map<string, string>();
    readonly #shown = new Map<string, Predecessor>();
    readonly #recorded = new Set<string>();

    /** Notes that `urn` manages the object `id`, whether or not the state has it yet. */
    note(id: string, urn: string | undefined): void {
        if (urn !== undefined) this.#urnById.set(id, urn);
    }

    /** Notes that no resource manages the object after all. */
    forget(id: string): void {
        this.#urnById.delete(id);
    }

    /** Notes that the engine's state has a resource `urn`, and its object where the engine has shown it. */
    noteRecorded(urn: string | undefined, shown?: Predecessor): void {
        if (urn === undefined) return;
        this.#recorded.add(urn);
        if (shown === undefined) return;
        this.#shown.set(urn, shown);
        this.note(shown.id, urn);
    }

    /** The URN that manages the object, if this run has seen one. */
    by(id: string): string | undefined {
        return this.#urnById.get(id);
    }

    /** The object that a create of `urn` is to replace: `"unknown"` when there is one which was not seen. */
    predecessorOf(urn: string | undefined): Predecessor | "unknown" | undefined {
        if (urn === undefined) return undefined;
        return this.#shown.get(urn) ?? (this.#recorded.has(urn) ? "unknown" : undefined);
    }
}
