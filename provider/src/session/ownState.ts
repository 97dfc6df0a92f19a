/**
 * The state of the run's own stack, as `pulumi stack export` shows it: its birth, what it records, and the creates that never
 * ended in it. Only a run that creates reads it, once; a second time where it names a create that an earlier run may have begun.
 */
import { type Clock, gatherMs, gatherQuietMs } from "../api";
import { isObject, parseJson } from "../api/json";
import { lineageOf, namesIn, parseMarker, resourceDigest } from "../evidence/marker";
import type { OwnState, OwnStateReader, OwnStateRun } from "../lifecycle";
import { kindOf } from "../typeTokens";
import { parseUrn } from "../urn";
import type { PulumiCommand } from "./pulumiCommand";

/** One export, as far as it matters here. */
export interface StateExport {
    birth: string | undefined;
    /** The URN of the root resource. */
    root: string;
    resources: { kind: string; urn: string; id: string; marker: string | undefined }[];
    /** Creates that have not ended. */
    creates: { kind: string; urn: string; title: string | undefined }[];
}

interface Options {
    pulumi: PulumiCommand;
    clock: Clock;
    /** Of the stack, where the process knows it. */
    organization(): string | undefined;
    /** The engine writes no create down before it ends (`PULUMI_SKIP_CHECKPOINTS`). */
    skipsCheckpoints: boolean;
}

interface Snapshot {
    exported: StateExport | undefined;
    /** It named a create of this run, so it is the state that this run writes. */
    isOwn: boolean;
}

export class OwnStateExport implements OwnStateReader {
    readonly #options: Options;
    /** The export that has not begun: whoever waits for it was called before it began. */
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
        const isMine = (one: { kind: string; urn: string }) => resourceDigest(one.urn, one.kind) === resource;
        const earlier = await this.#last;
        if (earlier?.isOwn && earlier.exported && !earlier.exported.creates.some(isMine)) {
            return ownState(earlier.exported, { kind, resource, pending: 0, titles: [] });
        }
        // A CLI that has failed once is not started for every create.
        if (earlier !== undefined && earlier.exported === undefined) return undefined;
        const snapshot = await this.#begunFromNow(urn, run);
        const { exported } = snapshot;
        // Another stack's state is not read again.
        if (exported !== undefined && !isSameStack(exported.root, urn)) snapshot.exported = undefined;
        if (exported === undefined || snapshot.exported === undefined) return undefined;
        const creates = exported.creates.filter(isMine);
        const { skipsCheckpoints } = this.#options;
        // Where its own create is missing it is another stack's.
        if (creates.length === 0 && !skipsCheckpoints) return undefined;
        snapshot.isOwn = true;
        const titles = creates.flatMap(({ title }) => title ?? []);
        return ownState(exported, { kind, resource, pending: creates.length - (skipsCheckpoints ? 0 : 1), titles });
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
        return { exported: parseExport(text), isOwn: false };
    }
}

/** What `pulumi stack export` prints; `undefined` for anything else. */
export function parseExport(text: string | undefined): StateExport | undefined {
    const state = parseJson(text ?? "");
    if (!isObject(state)) return undefined;
    const { resources = [], pending_operations: operations = [] } = (state.deployment ?? {}) as Deployment;
    const root = resources.find(({ type }) => type === "pulumi:pulumi:Stack");
    return {
        birth: root?.created,
        root: root?.urn ?? operations[0]?.resource.urn ?? "",
        resources: resources.flatMap(({ urn, type, id, external, outputs }) => {
            const kind = kindOf(type);
            if (kind === undefined || id === undefined || external === true) return [];
            return [{ kind, urn, id, marker: outputs?.__meta?.mark }];
        }),
        creates: operations.flatMap(({ type, resource }) => {
            const kind = kindOf(resource.type);
            const title = resource.inputs?.title;
            if (kind === undefined || type !== "creating") return [];
            return [{ kind, urn: resource.urn, title: typeof title === "string" ? title : undefined }];
        }),
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
    inputs?: { title?: unknown };
    outputs?: { __meta?: { mark?: string } };
}

function ownState(
    { birth, resources }: StateExport,
    { kind, resource, pending, titles }: Pick<OwnState, "pending" | "titles"> & { kind: string; resource: string },
): OwnState {
    const ofKind = resources.filter((one) => one.kind === kind);
    const ids = new Set(ofKind.map(({ id }) => id));
    const markers = ofKind.flatMap(({ marker }) => parseMarker(marker) ?? []);
    const nonces = new Set(markers.map(({ nonce }) => nonce));
    const lineage = birth === undefined ? undefined : lineageOf(birth);
    const own = markers.filter((marker) => marker.resource === resource && marker.lineage === lineage);
    const resolved = Math.max(0, ...own.map(({ k = 0 }) => k));
    const has: OwnState["has"] = ({ id, nonce }) =>
        (id !== undefined && ids.has(id)) || (nonce !== undefined && nonces.has(nonce));
    return { birth, pending, resolved, titles, has };
}

function isSameStack(a: string, b: string): boolean {
    const [one, other] = [parseUrn(a), parseUrn(b)];
    // A first run with PULUMI_SKIP_CHECKPOINTS has no root resource yet.
    return one === undefined || (one.stack === other?.stack && one.project === other.project);
}
