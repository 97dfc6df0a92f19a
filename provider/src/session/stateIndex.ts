/** The parts of a stack's state that creates need, as an index: a library asks for thousands of objects. */
import { plainId } from "../api";
import { digestOfTitle } from "../evidence/digest";
import { digestOfResource, noncePrefixOf, parseMarker, prefixOf } from "../evidence/marker";
import type { Neighbour, OwnState, UnfinishedCreate } from "../evidence/ownState";
import { type Meta, metaOf, unconfirmedCreate } from "../inputs/recordedMeta";
import { isSameStack, isSameType } from "../urn";
import { type ExportedObject, ofResource, type PendingOperation, type StackExport } from "./stackExport";
import { attemptIn, runOf } from "./state";

type Recorded = ExportedObject & { meta: Meta };

export class StateIndex {
    readonly #birth: string;
    readonly #root: string;
    /** The port of this run's engine. */
    readonly #port: string | undefined;
    /** The pending operations, by resource, the latest first. */
    readonly #creates: ReadonlyMap<string, PendingOperation[]>;
    /** The unconfirmed records, by resource. */
    readonly #unconfirmed: ReadonlyMap<string, { urn: string; create: UnfinishedCreate }[]>;
    /** The objects of the state's resources: each by its kind and id, and by the nonce of its marker. */
    readonly #objects = new Set<string>();
    /** See {@link OwnState.handled}. */
    readonly #handled: ReadonlySet<string>;
    /** The objects of other providers than that of the create for which the state was read, as in `#objects`, with the URNs of their resources. */
    readonly #elsewhere = new Map<string, string>();
    /** The neighbours, one for each fingerprint: objects of the provider of the create for which the state was read. */
    readonly #neighbours = new Map<string, Neighbour>();

    /** `ownAttempt`: that of the create for which the state was read. */
    constructor({ birth, root, resources, creates }: StackExport, ownAttempt: string | undefined) {
        this.#birth = birth;
        this.#root = root;
        this.#port = runOf(ownAttempt).port;
        // The index lives as long as the run, and a library's inputs are megabytes.
        const small = creates.map(({ inputs: { title, __attempt }, ...one }) => ({
            ...one,
            inputs: { title, __attempt },
        }));
        this.#creates = Map.groupBy(small, ({ urn, kind }) => digestOfResource(urn, kind));
        const ownCreate = creates.find(({ inputs }) => attemptIn(inputs) === ownAttempt);
        const providers = new Set(resources.map(({ provider }) => provider));
        // Without checkpoints the state does not name the create: then all objects have to be of one provider.
        const ownProvider = ownCreate?.provider ?? (providers.size === 1 ? [...providers][0] : undefined);
        const recorded = resources
            .filter(({ isExternal }) => !isExternal)
            .map((one) => ({ ...one, meta: ofResource(one.urn, () => metaOf(one.olds)) }));
        this.#handled = new Set(recorded.flatMap(({ meta }) => meta.handled ?? []));
        this.#unconfirmed = unconfirmedIn(recorded);
        for (const one of recorded) if (!one.meta.unconfirmed) this.#addObject(one, ownProvider);
    }

    #addObject({ kind, id, urn, olds, meta, provider }: Recorded, ownProvider: string | undefined): void {
        const { mark, fingerprint } = meta;
        const marker = parseMarker(mark);
        this.#objects.add(`${kind} ${plainId(id)}`);
        if (marker !== undefined) this.#objects.add(marker.nonce);
        if (provider !== ownProvider) {
            if (ownProvider !== undefined) this.#elsewhere.set(`${kind} ${plainId(id)}`, urn);
            return;
        }
        if (kind === "ContentReadiness" || kind === "ContentLibrary") return;
        // An object with a marker is better: it cannot be mistaken for another environment's object with the same id.
        if (mark !== undefined || !this.#neighbours.has(fingerprint))
            this.#neighbours.set(fingerprint, { kind, id, olds });
    }

    /** Whether the state names creates of the resource (`resourceDigest`) that may be of an earlier run. */
    hasEarlierCreatesOf(resource: string): boolean {
        return this.#creates.get(resource)?.some((one) => !this.#mayBeOfThisRun(one)) ?? false;
    }

    /** The state's facts; `undefined` for another stack's state. `mustBeNamed`: a state that names no create with this attempt is another stack's. */
    of(
        urn: string,
        kind: string,
        attempt: string | undefined,
        { mustBeNamed }: { mustBeNamed: boolean },
    ): OwnState | undefined {
        const resource = digestOfResource(urn, kind);
        const creates = this.#creates.get(resource) ?? [];
        // Only the first is the create itself: another one with the same attempt is of an update plan that was run before.
        const ownIndex = creates.findIndex(({ inputs }) => attemptIn(inputs) === attempt);
        // A first run with PULUMI_SKIP_CHECKPOINTS has no root resource yet.
        const isOfStack = this.#root === "" || isSameStack(this.#root, urn);
        if (!isOfStack || (mustBeNamed && ownIndex === -1)) return undefined;
        const isHandled = ({ noncePrefix }: UnfinishedCreate) => this.#handled.has(noncePrefix);
        // In the other face, a create of this run is another resource's, and so is an unconfirmed record.
        const isWitness = (one: PendingOperation) => isSameType(one.urn, urn) || !this.#mayBeOfThisRun(one);
        const others = creates.filter((_, index) => index !== ownIndex);
        const witnesses = others.filter(isWitness);
        const isOfOtherFace = (nonce: string) =>
            others.some(
                (one) => !isWitness(one) && nonce.startsWith(noncePrefixOf(attemptIn(one.inputs) ?? "", resource)),
            );
        const records = this.#unconfirmed.get(resource) ?? [];
        const fromRecords = records.map((one) => ({ ...one.create, ours: isSameType(one.urn, urn) }));
        const all = [...witnesses.map((one) => this.#fromOperation(one, resource)), ...fromRecords];
        return {
            birth: this.#birth,
            unfinished: all.filter((one) => !isHandled(one)),
            handled: all.filter(isHandled).map(({ noncePrefix }) => noncePrefix),
            isHandled: (nonce) =>
                this.#handled.has(nonce) || this.#handled.has(prefixOf(nonce)) || isOfOtherFace(nonce),
            holderElsewhere: (id) => this.#elsewhere.get(`${kind} ${plainId(id)}`),
            has: ({ id = "", nonce = "" }) => this.#objects.has(`${kind} ${plainId(id)}`) || this.#objects.has(nonce),
            neighbours: [...this.#neighbours.values()],
        };
    }

    /** Whether the operation may be of the run that asks: its engine has this run's port. A killed update leaves nothing, so every update is. */
    #mayBeOfThisRun({ inputs, isUpdate }: PendingOperation): boolean {
        return isUpdate || (this.#port !== undefined && runOf(attemptIn(inputs)).port === this.#port);
    }

    #fromOperation({ inputs }: PendingOperation, resource: string): UnfinishedCreate {
        const attempt = attemptIn(inputs);
        const { fingerprint } = runOf(attempt);
        return {
            noncePrefix: attempt === undefined ? "" : noncePrefixOf(attempt, resource),
            // The title may be a secret.
            titleDigests: typeof inputs.title === "string" ? [digestOfTitle(inputs.title)] : [],
            since: Date.parse(this.#birth) || 0,
            attempt,
            fingerprint,
            sent: true,
            ours: attempt !== undefined,
            // A pending operation proves neither that a POST was sent, nor that no state had the object since.
            neverRecorded: false,
        };
    }
}

function unconfirmedIn(recorded: readonly Recorded[]) {
    const unconfirmed = recorded.flatMap(({ urn, meta }) => {
        const create = unconfirmedCreate(meta);
        return create ? [{ urn, create, resource: parseMarker(meta.mark)?.resourceDigest ?? "" }] : [];
    });
    return Map.groupBy(unconfirmed, ({ resource }) => resource);
}
