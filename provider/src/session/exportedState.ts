/** The parts of a stack's state that creates need, as an index: a library asks for thousands of objects. */
import { libraryKind, titlesIn } from "../evidence/library";
import { namesIn, parseMarker, resourceDigest, stem } from "../evidence/marker";
import type { OwnState } from "../evidence/ownState";
import { parseExport, type StackExport } from "./stackExport";

/** A create that has not ended in the state: its inputs. */
type PendingCreate = Record<string, unknown>;

export class ExportedState {
    readonly #birth: string;
    readonly #root: string;
    /** The objects of the state's resources: each by its kind and id, and by the nonce of its marker. */
    readonly #objects = new Set<string>();
    /** The stems of lost creates that a recorded create has taken care of. */
    readonly #settled = new Set<string>();
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
            if (!isExternal) this.#addObject(kind, id, meta);
        }
        for (const { kind, urn, inputs } of creates) {
            const digest = resourceDigest(urn, kind);
            this.#creates.set(digest, [...this.creates(digest), inputs]);
        }
    }

    #addObject(kind: string, id: string, { mark, settled }: Record<string, unknown>): void {
        this.#objects.add(`${kind} ${id}`);
        const nonce = parseMarker(typeof mark === "string" ? mark : undefined)?.nonce;
        if (nonce !== undefined) this.#objects.add(nonce);
        if (Array.isArray(settled)) for (const stem of settled) this.#settled.add(String(stem));
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
        const declared = lost.map((create) => ({
            create,
            titles: kind === libraryKind ? titlesIn(create) : undefined,
        }));
        return {
            birth: this.#birth,
            lost: lost.map((create) => stemOf(create, resource)).filter((stem) => !this.#settled.has(stem)),
            isKnown: false,
            titles: lost.flatMap(({ title }) => (typeof title === "string" ? title : [])),
            has: ({ id, nonce = "" }) => this.#objects.has(`${kind} ${id}`) || this.#objects.has(nonce),
            entry: (urn, key, isExplained) => {
                const digest = resourceDigest(urn, "Content");
                // What cannot be read may have declared any key.
                const its = declared.filter(({ titles }) => titles?.has(key) ?? true);
                const creates = its.map(({ create }) => create);
                const known = this.of("Content", digest, creates);
                return {
                    ...known,
                    isKnown: creates.every((one) => isExplained(stemOf(one, resource))),
                    titles: its.flatMap(({ titles }) => titles?.get(key) ?? []),
                };
            },
        };
    }
}

function stemOf({ __attempt }: PendingCreate, resource: string): string {
    return typeof __attempt === "string" ? stem(__attempt, resource) : "";
}
