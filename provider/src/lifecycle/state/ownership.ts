/** Which resource of this run manages which object, so that no object is adopted twice, or from its own predecessor. */
export class Managed {
    readonly #urnById = new Map<string, string>();
    readonly #idByUrn = new Map<string, string>();
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
    noteRecorded(urn: string | undefined, id?: string): void {
        if (urn === undefined) return;
        this.#recorded.add(urn);
        if (id === undefined) return;
        this.#idByUrn.set(urn, id);
        this.note(id, urn);
    }

    /** The URN that manages the object, if this run has seen one. */
    by(id: string): string | undefined {
        return this.#urnById.get(id);
    }

    /** The object that a create of `urn` is to replace: `"unknown"` when there is one whose id was not seen. */
    predecessorOf(urn: string | undefined): { id: string } | "unknown" | undefined {
        if (urn === undefined) return undefined;
        const id = this.#idByUrn.get(urn);
        if (id !== undefined) return { id };
        return this.#recorded.has(urn) ? "unknown" : undefined;
    }
}
