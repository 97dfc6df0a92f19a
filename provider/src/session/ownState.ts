/**
 * The state of the run's own stack, as `pulumi stack export` shows it: its birth, what it records, and the creates that never
 * ended in it. Only a run that creates reads it, once; a second time if it names a create that an earlier run may have begun.
 */
import { type Clock, gatherMs, gatherQuietMs } from "../api";
import { isObject, parseJson } from "../api/json";
import { entryUrn, libraryKind, packedEntries, titlesIn } from "../evidence/library";
import { lineageOf, namesIn, parseMarker, resourceDigest } from "../evidence/marker";
import type { OwnState, OwnStateReader, OwnStateRun } from "../lifecycle";
import { kindOf, type ResourceKind } from "../typeTokens";
import { parseUrn } from "../urn";
import type { PulumiCommand } from "./pulumiCommand";

/** The parts of an export that this package reads, in runs and in commands. */
export interface StateExport {
    birth: string | undefined;
    /** The URN of the root resource. */
    root: string;
    resources: RecordedObject[];
    /** Creates that have not ended, the latest first. A library creates in updates as well. */
    creates: PendingCreate[];
    /** Of all packages. */
    providers: { type: string; urn: string; inputs: Record<string, unknown> }[];
}

export interface RecordedObject {
    kind: ResourceKind;
    urn: string;
    id: string;
    /** Only read, as by `Content.get`. */
    isExternal: boolean;
    /** Its `__meta`. */
    meta: Record<string, unknown>;
}

export interface PendingCreate {
    kind: ResourceKind;
    urn: string;
    inputs: Record<string, unknown>;
    /** The engine forgets an update that was killed as soon as the next run writes its state. */
    isUpdate: boolean;
}

/** The content of an export, by resource: a run asks for thousands. */
interface Index {
    exported: StateExport;
    /** By kind. */
    ids: Map<string, Set<string>>;
    nonces: Map<string, Set<string>>;
    /** By the digest of the resource. */
    resolved: Map<string, number>;
    creates: Map<string, PendingCreate[]>;
}

interface Options {
    pulumi: PulumiCommand;
    clock: Clock;
    /** Of the stack, if the process knows it. */
    organization(): string | undefined;
    /** The engine records no create before it ends (`PULUMI_SKIP_CHECKPOINTS`). */
    skipsCheckpoints: boolean;
}

interface Snapshot {
    exported: Index | undefined;
    /** It named a create of this run, so it is the state that this run writes. */
    isOwn: boolean;
}

export class OwnStateExport implements OwnStateReader {
    readonly #options: Options;
    /** The export that has not begun: its callers were called before it begins. */
    #next: Promise<Snapshot> | undefined;
    #last: Promise<Snapshot> | undefined;
    /** When the last create was called, on the monotonic clock. */
    #calledAt = 0;

    constructor(options: Options) {
        this.#options = options;
    }

    async of(urn: string, kind: string, run: OwnStateRun): Promise<OwnState | undefined> {
        this.#calledAt = this.#options.clock.monotonic();
        const resource = resourceDigest(urn, kind);
        const earlier = await this.#last;
        if (earlier?.isOwn && earlier.exported && !earlier.exported.creates.has(resource)) {
            return ownState(earlier.exported, kind, resource, []);
        }
        // A CLI that failed once is not started again for every create.
        if (earlier !== undefined && earlier.exported === undefined) return undefined;
        const snapshot = await this.#begunFromNow(urn, run);
        const { exported } = snapshot;
        // Another stack's state is not read again.
        if (exported !== undefined && !isSameStack(exported.exported.root, urn)) snapshot.exported = undefined;
        if (exported === undefined || snapshot.exported === undefined) return undefined;
        const [own, ...earlierOnes] = exported.creates.get(resource) ?? [];
        const { skipsCheckpoints } = this.#options;
        // A state without its own create is another stack's.
        if (own === undefined && !skipsCheckpoints) return undefined;
        snapshot.isOwn = true;
        const lost = skipsCheckpoints && own !== undefined ? [own, ...earlierOnes] : earlierOnes;
        return ownState(exported, kind, resource, lost);
    }

    #begunFromNow(urn: string, run: OwnStateRun): Promise<Snapshot> {
        this.#next ??= this.#begin(urn, run, this.#last);
        return this.#next;
    }

    async #begin(urn: string, run: OwnStateRun, before: Promise<Snapshot> | undefined): Promise<Snapshot> {
        await before;
        const { clock } = this.#options;
        const begun = clock.monotonic();
        // The creates of one run come together: those that are called before an export begins share it.
        const isGathering = () =>
            clock.monotonic() - this.#calledAt < gatherQuietMs && clock.monotonic() - begun < gatherMs;
        do await clock.sleep(gatherQuietMs / 2);
        while (isGathering());
        const reading = this.#export(urn, run);
        this.#last = reading;
        this.#next = undefined;
        return reading;
    }

    async #export(urn: string, { progress }: OwnStateRun): Promise<Snapshot> {
        progress("reading the stack's own state");
        const { project, stack } = namesIn(urn);
        const organization = this.#options.organization();
        const name = organization === undefined ? stack : `${organization}/${project}/${stack}`;
        const text = await this.#options.pulumi(["stack", "export", "--stack", name]);
        const exported = parseExport(text);
        return { exported: exported && indexOf(exported), isOwn: false };
    }
}

/** The output of `pulumi stack export`; `undefined` for anything else. */
export function parseExport(text: string | undefined): StateExport | undefined {
    const state = parseJson(text ?? "");
    if (!isObject(state)) return undefined;
    const { resources = [], pending_operations: operations = [] } = (state.deployment ?? {}) as Deployment;
    const root = resources.find(({ type }) => type === "pulumi:pulumi:Stack");
    return {
        birth: root?.created,
        root: root?.urn ?? operations[0]?.resource.urn ?? "",
        resources: resources.flatMap(({ urn, type, id, external: isExternal = false, outputs = {} }) => {
            const kind = kindOf(type);
            if (kind === undefined || id === undefined) return [];
            const entries = kind === libraryKind ? packedEntries(outputs) : [];
            return [
                { kind, urn, id, isExternal, meta: outputs.__meta ?? {} },
                ...entries.map(([key, one, meta]): RecordedObject => {
                    return { kind: "Content", urn: entryUrn(urn, key), id: one, isExternal, meta };
                }),
            ];
        }),
        creates: operations.flatMap(({ type, resource }) => {
            const kind = kindOf(resource.type);
            const isUpdate = type === "updating" && kind === libraryKind;
            if (kind === undefined || (type !== "creating" && !isUpdate)) return [];
            return [{ kind, urn: resource.urn, inputs: resource.inputs ?? {}, isUpdate }];
        }),
        providers: resources.flatMap(({ type, urn, inputs = {} }) =>
            type.startsWith("pulumi:providers:") ? [{ type, urn, inputs }] : [],
        ),
    };
}

interface Deployment {
    resources?: RecordedResource[];
    pending_operations?: { type: string; resource: RecordedResource }[];
}

interface RecordedResource {
    urn: string;
    type: string;
    id?: string;
    created?: string;
    external?: boolean;
    inputs?: Record<string, unknown>;
    outputs?: { __meta?: Record<string, unknown> };
}

function indexOf(exported: StateExport): Index {
    const { birth, resources, creates } = exported;
    const lineage = birth === undefined ? undefined : lineageOf(birth);
    const index: Index = { exported, ids: new Map(), nonces: new Map(), resolved: new Map(), creates: new Map() };
    for (const { kind, id, isExternal, meta } of resources) {
        if (isExternal) continue;
        entryOf(index.ids, kind, () => new Set()).add(id);
        const marker = typeof meta.mark === "string" ? meta.mark : undefined;
        const { nonce, resource, lineage: its, k = 0 } = parseMarker(marker) ?? {};
        if (nonce === undefined || resource === undefined) continue;
        entryOf(index.nonces, kind, () => new Set()).add(nonce);
        if (its === lineage) index.resolved.set(resource, Math.max(k, index.resolved.get(resource) ?? 0));
    }
    for (const create of creates) {
        entryOf(index.creates, resourceDigest(create.urn, create.kind), () => []).push(create);
    }
    return index;
}

function entryOf<K, V>(map: Map<K, V>, key: K, make: () => V): V {
    const value = map.get(key) ?? make();
    map.set(key, value);
    return value;
}

/** `lost`: the earlier creates of the resource that never ended in the state. */
function ownState(index: Index, kind: string, resource: string, lost: readonly PendingCreate[]): OwnState {
    const { exported, ids, nonces, resolved } = index;
    const has: OwnState["has"] = ({ id, nonce }) =>
        (id !== undefined && ids.get(kind)?.has(id) === true) ||
        (nonce !== undefined && nonces.get(kind)?.has(nonce) === true);
    const operations = lost.map(({ inputs }, index) => {
        const titles = kind === libraryKind ? titlesIn(inputs) : undefined;
        return { k: lost.length - 1 - index, mayDeclare: (key: string) => titles?.has(key) ?? true, titles };
    });
    return {
        birth: exported.birth,
        pending: lost.length,
        resolved: resolved.get(resource) ?? 0,
        titles: lost.flatMap(({ inputs: { title } }) => (typeof title === "string" ? title : [])),
        has,
        entry(urn, key, isExplained) {
            const its = operations.filter(({ mayDeclare }) => mayDeclare(key));
            const isSettled = its.every(({ k }) => isExplained(k));
            const known = ownState(index, "Content", resourceDigest(urn, "Content"), []);
            return {
                ...known,
                pending: its.length,
                resolved: isSettled ? its.length : known.resolved,
                titles: its.flatMap(({ titles }) => titles?.get(key) ?? []),
            };
        },
    };
}

function isSameStack(a: string, b: string): boolean {
    const [one, other] = [parseUrn(a), parseUrn(b)];
    // A first run with PULUMI_SKIP_CHECKPOINTS has no root resource yet.
    return one === undefined || (one.stack === other?.stack && one.project === other.project);
}
