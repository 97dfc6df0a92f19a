/** The parts of a stack's state that creates need, as an index: a library asks for thousands of objects. */
import { libraryKind, titlesIn } from "../evidence/library";
import { lineageOf, namesIn, parseMarker, resourceDigest } from "../evidence/marker";
import type { OwnState } from "../evidence/ownState";
import { parseExport, type StackExport } from "./stackExport";

/** A create that has not ended in the state: its inputs. */
type PendingCreate = Record<string, unknown>;

export class ExportedState {
    readonly #birth: string | undefined;
    readonly #root: string;
    /** The objects of the state's resources: each by its kind and id, and by the nonce of its marker. */
    readonly #objects = new Set<string>();
    /** By resource: the k of its recorded create. */
    readonly #resolved = new Map<string, number>();
    /** By resource, the latest first. */
    readonly #creates = new Map<string, PendingCreate[]>();

    /** `undefined` for a text that is not an export. */
    static parse(text: string | undefined): ExportedState | undefined {
        const exported = parseExport(text);
        return exported && new ExportedState(exported);
    }

    private constructor({ birth, root, resources, creates }: StackExport) {
        this.#birth = birth;
        this.#root = root;
        for (const { kind, id, isExternal, meta } of resources) {
            if (!isExternal) this.#addObject(kind, id, meta.mark);
        }
        for (const { kind, urn, inputs } of creates) {
            const digest = resourceDigest(urn, kind);
            this.#creates.set(digest, [...this.creates(digest), inputs]);
        }
    }

    #addObject(kind: string, id: string, marker: unknown): void {
        this.#objects.add(`${kind} ${id}`);
        const its = parseMarker(typeof marker === "string" ? marker : undefined);
        if (its === undefined) return;
        this.#objects.add(its.nonce);
        if (this.#birth === undefined || its.lineage !== lineageOf(this.#birth)) return;
        this.#resolved.set(its.resource, Math.max(its.k ?? 0, this.#resolved.get(its.resource) ?? 0));
    }

    /** Whether it is of the stack of this URN. A first run with PULUMI_SKIP_CHECKPOINTS has no root resource yet. */
    isOfStack(urn: string): boolean {
        const [own, its] = [namesIn(this.#root), namesIn(urn)];
        return this.#root === "" || (own.stack === its.stack && own.project === its.project);
    }

    creates(resource: string): readonly PendingCreate[] {
        return this.#creates.get(resource) ?? [];
    }

    /** `lost`: the earlier creates of the resource that never ended in the state. */
    of(kind: string, resource: string, lost: readonly PendingCreate[]): OwnState {
        const declared = lost.map((inputs) => (kind === libraryKind ? titlesIn(inputs) : undefined));
        return {
            birth: this.#birth,
            pending: lost.length,
            resolved: this.#resolved.get(resource) ?? 0,
            titles: lost.flatMap(({ title }) => (typeof title === "string" ? title : [])),
            has: ({ id, nonce = "" }) => this.#objects.has(`${kind} ${id}`) || this.#objects.has(nonce),
            entry: (urn, key, isExplained) => {
                const known = this.of("Content", resourceDigest(urn, "Content"), []);
                // The latest has the highest k. What cannot be read may have declared any key.
                const its = declared
                    .map((titles, index) => ({ k: lost.length - 1 - index, titles }))
                    .filter(({ titles }) => titles?.has(key) ?? true);
                return {
                    ...known,
                    pending: its.length,
                    resolved: its.every(({ k }) => isExplained(k)) ? its.length : known.resolved,
                    titles: its.flatMap(({ titles }) => titles?.get(key) ?? []),
                };
            },
        };
    }
}
