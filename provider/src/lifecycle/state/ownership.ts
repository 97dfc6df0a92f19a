/** Which resource of this run manages which object, so that no object is taken over twice, or from its own predecessor. */
export class Managed {
    readonly #urnById = new Map<string, string>();
    readonly #idByUrn = new Map<string, string>();
    readonly #recorded = new Set<string>();

    /** Notes that `urn` manages the object `id`. */
    note(id: string, urn: string | undefined): void {
        if (urn === undefined) return;
        this.#urnById.set(id, urn);
        this.#idByUrn.set(urn, id);
    }

    /** Notes that no resource manages the object after all. */
    forget(id: string): void {
        const urn = this.#urnById.get(id);
        this.#urnById.delete(id);
        if (urn !== undefined && this.#idByUrn.get(urn) === id) this.#idByUrn.delete(urn);
    }

    /** Notes that the engine's state has a resource `urn`. */
    noteRecorded(urn: string | undefined): void {
        if (urn !== undefined) this.#recorded.add(urn);
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
