/** The parts of a stack's state that creates need, as an index: a library asks for thousands of objects. */
import { plainId } from "../api";
import { noncePrefix, parseMarker, resourceDigest } from "../evidence/marker";
import type { Neighbour, OwnState, UnconfirmedRow } from "../evidence/ownState";
import { metaOf, unconfirmedRow } from "../inputs/recordedMeta";
import { isSameStack } from "../urn";
import { parseExport, type RecordedObject, type StackExport } from "./stackExport";
import { attemptIn, fingerprintIn } from "./state";

/** The inputs of a create that has not ended in the state. */
type Inputs = Record<string, unknown>;

export class ExportedState {
    readonly #birth: string;
    readonly #root: string;
    readonly #readAt: number;
    /** The objects of the state's resources: each by its kind and id, and by the nonce of its marker. */
    readonly #objects = new Set<string>();
    /** What recorded creates have taken care of: see {@link OwnState.handled}. */
    readonly #handled = new Set<string>();
    /** By resource. */
    readonly #unconfirmed = new Map<string, UnconfirmedRow[]>();
    /** Of this process: that of the create for which the state was read. */
    readonly #provider: string | undefined;
    /** One for each provider and each fingerprint. */
    readonly #neighbours = new Map<string, Neighbour & { provider: string }>();
    /** By resource, the latest first. */
    readonly #creates = new Map<string, Inputs[]>();

    /** `undefined` for a text that is not an export. `readAt`: on the monotonic clock. `own`: the attempt for which it was read. */
    static parse(text: string | undefined, readAt: number, own: string | undefined): ExportedState | undefined {
        const exported = parseExport(text);
        return exported && new ExportedState(exported, readAt, own);
    }

    private constructor({ birth, root, resources, creates }: StackExport, readAt: number, own: string | undefined) {
        this.#birth = birth;
        this.#root = root;
        this.#readAt = readAt;
        this.#provider = creates.find(({ inputs }) => attemptIn(inputs) === own)?.provider;
        for (const one of resources) if (!one.isExternal) this.#add(one);
        for (const { kind, urn, inputs } of creates) {
            const digest = resourceDigest(urn, kind);
            this.#creates.set(digest, [...this.creates(digest), inputs]);
        }
    }

    #add(object: RecordedObject): void {
        const { kind, id, meta } = object;
        const known = metaOf({ __meta: meta });
        for (const prefix of known.handled ?? []) this.#handled.add(prefix);
        const row = unconfirmedRow(known);
        if (row !== undefined) {
            const { resource } = row.marker;
            this.#unconfirmed.set(resource, [...(this.#unconfirmed.get(resource) ?? []), row]);
            return;
        }
        this.#objects.add(`${kind} ${plainId(id)}`);
        const nonce = parseMarker(known.mark)?.nonce;
        if (nonce !== undefined) this.#objects.add(nonce);
        if (kind === "ContentReadiness" || kind === "ContentLibrary") return;
        const { createdOn, provider } = object;
        const place = `${provider} ${known.fingerprint}`;
        // What can be told from another object with its id comes first.
        if (known.mark !== undefined || !this.#neighbours.has(place))
            this.#neighbours.set(place, { provider, kind, id, outputs: { __meta: meta, createdOn } });
    }

    /** Whether it is of the stack of this URN. A first run with PULUMI_SKIP_CHECKPOINTS has no root resource yet. */
    isOfStack(urn: string): boolean {
        return this.#root === "" || isSameStack(this.#root, urn);
    }

    creates(resource: string): readonly Inputs[] {
        return this.#creates.get(resource) ?? [];
    }

    /** `others`: the other creates of the resource that have not ended in the state. */
    of(kind: string, resource: string, others: readonly Inputs[]): OwnState {
        const isHandled = (inputs: Inputs) => this.#handled.has(prefixIn(inputs, resource));
        const pending = others.filter((inputs) => !isHandled(inputs));
        const neighbours = [...this.#neighbours.values()].filter(({ provider }) => provider === this.#provider);
        const stateOf = (kind: string, resource: string): OwnState => ({
            ...{ birth: this.#birth, readAt: this.#readAt, neighbours },
            pending: pending.map((inputs) => ({
                prefix: prefixIn(inputs, resource),
                fingerprint: fingerprintIn(inputs),
                title: typeof inputs.title === "string" ? inputs.title : undefined,
            })),
            ...this.#rowsOf(resource, others.filter(isHandled)),
            has: ({ id = "", nonce = "" }) => this.#objects.has(`${kind} ${plainId(id)}`) || this.#objects.has(nonce),
        });
        return {
            ...stateOf(kind, resource),
            // The library's own record has the handled creates.
            entry: (urn) => ({ ...stateOf("Content", resourceDigest(urn, "Content")), handled: [] }),
        };
    }

    /** `others`: pending creates that a recorded create has taken care of. */
    #rowsOf(resource: string, others: readonly Inputs[]): Pick<OwnState, "handled" | "unconfirmed"> {
        const rows = this.#unconfirmed.get(resource) ?? [];
        const isHandled = ({ marker }: UnconfirmedRow) => this.#handled.has(marker.nonce);
        return {
            unconfirmed: rows.filter((row) => !isHandled(row)),
            handled: [
                ...others.map((inputs) => prefixIn(inputs, resource)),
                ...rows.filter(isHandled).map(({ marker }) => marker.nonce),
            ],
        };
    }
}

function prefixIn(inputs: Inputs, resource: string): string {
    const attempt = attemptIn(inputs);
    return attempt === undefined ? "" : noncePrefix(attempt, resource);
}
