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
    /** The prefixes of pending creates that a recorded create has taken care of. */
    readonly #handled = new Set<string>();
    /** By resource. */
    readonly #unconfirmed = new Map<string, UnconfirmedRow[]>();
    /** One for each provider and each fingerprint. */
    readonly #neighbours = new Map<string, Neighbour & { provider: string }>();
    /** The provider of each create that has not ended. */
    readonly #providers = new Map<Inputs, string>();
    /** By resource, the latest first. */
    readonly #creates = new Map<string, Inputs[]>();

    /** `undefined` for a text that is not an export. `readAt`: on the monotonic clock. */
    static parse(text: string | undefined, readAt: number): ExportedState | undefined {
        const exported = parseExport(text);
        return exported && new ExportedState(exported, readAt);
    }

    private constructor({ birth, root, resources, creates }: StackExport, readAt: number) {
        this.#birth = birth;
        this.#root = root;
        this.#readAt = readAt;
        for (const one of resources) if (!one.isExternal) this.#add(one);
        for (const { kind, urn, inputs, provider } of creates) {
            this.#providers.set(inputs, provider);
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
        const place = `${provider} ${known.env}`;
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
        const [own] = this.creates(resource).filter((inputs) => !others.includes(inputs));
        const provider = own && this.#providers.get(own);
        const neighbours = [...this.#neighbours.values()].filter((one) => one.provider === provider);
        const stateOf = (kind: string, resource: string): OwnState => ({
            ...{ birth: this.#birth, readAt: this.#readAt, neighbours },
            pending: pending.map((inputs) => ({
                prefix: prefixIn(inputs, resource),
                fingerprint: fingerprintIn(inputs),
                title: typeof inputs.title === "string" ? inputs.title : undefined,
            })),
            handled: others.filter(isHandled).map((inputs) => prefixIn(inputs, resource)),
            unconfirmed: this.#unconfirmed.get(resource) ?? [],
            has: ({ id = "", nonce = "" }) => this.#objects.has(`${kind} ${plainId(id)}`) || this.#objects.has(nonce),
        });
        return {
            ...stateOf(kind, resource),
            // The library's own record has the handled creates.
            entry: (urn) => ({ ...stateOf("Content", resourceDigest(urn, "Content")), handled: [] }),
        };
    }
}

function prefixIn(inputs: Inputs, resource: string): string {
    const attempt = attemptIn(inputs);
    return attempt === undefined ? "" : noncePrefix(attempt, resource);
}
