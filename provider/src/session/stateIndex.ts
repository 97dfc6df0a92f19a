/** The parts of a stack's state that creates need, as an index: a library asks for thousands of objects. */
import { plainId } from "../api";
import { titleDigest } from "../evidence/digest";
import { noncePrefix, parseMarker, resourceDigest } from "../evidence/marker";
import type { Neighbour, OwnState, UnfinishedCreate } from "../evidence/ownState";
import { metaOf, unconfirmedCreate } from "../inputs/recordedMeta";
import { isSameStack, isSameType } from "../urn";
import type { PendingOperation, RecordedObject, StackExport } from "./stackExport";
import { attemptIn, runOf } from "./state";

type Inputs = PendingOperation["inputs"];

interface UnconfirmedRecord {
    urn: string;
    create: UnfinishedCreate;
}

export class StateIndex {
    readonly #birth: string;
    readonly #root: string;
    /** The objects of the state's resources: each by its kind and id, and by the nonce of its marker. */
    readonly #objects = new Set<string>();
    /** See {@link OwnState.settledNonces}. */
    readonly #settledNonces = new Set<string>();
    /** By resource. */
    readonly #unconfirmed = new Map<string, UnconfirmedRecord[]>();
    /** Of this process: that of the create for which the state was read. */
    readonly #provider: string | undefined;
    /** Of this run's engine. */
    readonly #port: string | undefined;
    /** One for each provider and each fingerprint. */
    readonly #neighbours = new Map<string, Neighbour & { provider: string }>();
    /** The pending operations, by resource, the latest first. */
    readonly #creates = new Map<string, PendingOperation[]>();

    /** `own`: the attempt for which it was read. */
    constructor({ birth, root, resources, creates }: StackExport, own: string | undefined) {
        this.#birth = birth;
        this.#root = root;
        this.#port = runOf(own).port;
        this.#provider = creates.find(({ inputs }) => attemptIn(inputs) === own)?.provider;
        for (const one of resources) if (!one.isExternal) this.#add(one);
        for (const create of creates) addTo(this.#creates, resourceDigest(create.urn, create.kind), create);
    }

    #add({ kind, urn, id, meta, createdOn, provider }: RecordedObject): void {
        const known = metaOf({ __meta: meta });
        for (const nonce of known.handled ?? []) this.#settledNonces.add(nonce);
        const marker = parseMarker(known.mark);
        const create = unconfirmedCreate(known);
        if (marker !== undefined && create !== undefined) {
            addTo(this.#unconfirmed, marker.resource, { urn, create });
            return;
        }
        this.#objects.add(`${kind} ${plainId(id)}`);
        if (marker !== undefined) this.#objects.add(marker.nonce);
        if (kind === "ContentReadiness" || kind === "ContentLibrary") return;
        const place = `${provider} ${known.fingerprint}`;
        // What can be told from another object with its id comes first.
        if (known.mark !== undefined || !this.#neighbours.has(place))
            this.#neighbours.set(place, { provider, kind, id, outputs: { __meta: meta, createdOn } });
    }

    /** Whether it has creates of the resource (`resourceDigest`) that may be of an earlier run. */
    hasEarlierCreatesOf(resource: string): boolean {
        return this.#creates.get(resource)?.some((one) => !this.#isOfThisRun(one)) ?? false;
    }

    /** `undefined` where it is another stack's. `isNamed`: the create with this attempt is among its own. */
    of(urn: string, kind: string, attempt: string | undefined, isNamed: boolean): OwnState | undefined {
        const resource = resourceDigest(urn, kind);
        const creates = this.#creates.get(resource) ?? [];
        // One: an update plan that is run again has the same.
        const own = creates.findIndex(({ inputs }) => attemptIn(inputs) === attempt);
        // A first run with PULUMI_SKIP_CHECKPOINTS has no root resource yet.
        const isOfStack = this.#root === "" || isSameStack(this.#root, urn);
        if (!isOfStack || (isNamed && own === -1)) return undefined;
        const isSettled = ({ nonceStart }: UnfinishedCreate) => this.#settledNonces.has(nonceStart);
        const isWitness = (one: PendingOperation) => isSameType(one.urn, urn) || !this.#isOfThisRun(one);
        const others = creates.filter((one, index) => index !== own && isWitness(one));
        const witnesses = others.map(({ inputs }) => inputs);
        const unconfirmed = this.#unconfirmed.get(resource) ?? [];
        const fromRecord = (one: UnconfirmedRecord) => ({ ...one.create, ours: isSameType(one.urn, urn) });
        const fromOperation = (inputs: Inputs) => this.#fromOperation(inputs, resource);
        const all = [...witnesses.map(fromOperation), ...unconfirmed.map(fromRecord)];
        const open = witnesses.filter((inputs) => !isSettled(fromOperation(inputs)));
        return {
            birth: this.#birth,
            unfinished: all.filter((one) => !isSettled(one)),
            settledNonces: all.filter(isSettled).map(({ nonceStart }) => nonceStart),
            has: ({ id = "", nonce = "" }) => this.#objects.has(`${kind} ${plainId(id)}`) || this.#objects.has(nonce),
            neighbours: [...this.#neighbours.values()].filter(({ provider }) => provider === this.#provider),
            pendingOf: (entry) => open.map((inputs) => this.#fromOperation(inputs, resourceDigest(entry, "Content"))),
        };
    }

    /** A program may have a resource of one name in each face. The engine drops the updates of a run that was killed. */
    #isOfThisRun({ inputs, isUpdate }: PendingOperation): boolean {
        return isUpdate || (this.#port !== undefined && runOf(attemptIn(inputs)).port === this.#port);
    }

    #fromOperation(inputs: Inputs, resource: string): UnfinishedCreate {
        const attempt = attemptIn(inputs);
        const { fingerprint } = runOf(attempt);
        return {
            nonceStart: attempt === undefined ? "" : noncePrefix(attempt, resource),
            // It may be a secret.
            titles: typeof inputs.title === "string" ? [titleDigest(inputs.title)] : [],
            since: Date.parse(this.#birth) || 0,
            ...{ fingerprint, sent: true, ours: attempt !== undefined, neverRecorded: false },
        };
    }
}

function addTo<T>(map: Map<string, T[]>, key: string, value: T): void {
    const values = map.get(key);
    if (values === undefined) map.set(key, [value]);
    else values.push(value);
}
