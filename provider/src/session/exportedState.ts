/** The parts of a stack's state that creates need, as an index: a library asks for thousands of objects. */
import { plainId } from "../api";
import { parseMarker, resourceDigest, stem } from "../evidence/marker";
import type { OwnState } from "../evidence/ownState";
import { isSameStack } from "../urn";
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
        this.#objects.add(`${kind} ${plainId(id)}`);
        const nonce = parseMarker(typeof mark === "string" ? mark : undefined)?.nonce;
        if (nonce !== undefined) this.#objects.add(nonce);
        if (Array.isArray(settled)) for (const stem of settled) this.#settled.add(String(stem));
    }

    /** Whether it is of the stack of this URN. A first run with PULUMI_SKIP_CHECKPOINTS has no root resource yet. */
    isOfStack(urn: string): boolean {
        return this.#root === "" || isSameStack(this.#root, urn);
    }

    creates(resource: string): readonly PendingCreate[] {
        return this.#creates.get(resource) ?? [];
    }

    /** `earlier`: the other creates of the resource that have not ended in the state. */
    of(kind: string, resource: string, earlier: readonly PendingCreate[]): OwnState {
        const isSettled = (create: PendingCreate) => this.#settled.has(stemOf(create, resource));
        const lost = earlier.filter((create) => !isSettled(create));
        return {
            ...this.#knownOf(kind, resource, lost),
            settled: earlier.filter(isSettled).map((create) => stemOf(create, resource)),
            titles: earlier.flatMap(({ title }) => (typeof title === "string" ? title : [])),
            entry: (urn) => this.#knownOf("Content", resourceDigest(urn, "Content"), lost),
        };
    }

    #knownOf(kind: string, resource: string, lost: readonly PendingCreate[]): OwnState {
        return {
            birth: this.#birth,
            lost: lost.map((create) => stemOf(create, resource)),
            settled: [],
            titles: [],
            has: ({ id = "", nonce = "" }) => this.#objects.has(`${kind} ${plainId(id)}`) || this.#objects.has(nonce),
        };
    }
}

function stemOf({ __attempt }: PendingCreate, resource: string): string {
    return typeof __attempt === "string" ? stem(__attempt, resource) : "";
}
