/**
 * Reads the state of the run's own stack, and no other's, with `pulumi stack export`. Only a run that creates does so, once; a
 * second time if it names a create that an earlier run may have begun.
 */
import { type Clock, gatherMs, gatherQuietMs } from "../api";
import { namesIn, resourceDigest } from "../evidence/marker";
import type { Attempt, OwnState, OwnStateReader } from "../evidence/ownState";
import { ExportedState } from "./exportedState";
import type { PulumiCommand } from "./pulumiCommand";

interface Options {
    pulumi: PulumiCommand;
    clock: Clock;
    /** Of the stack, where the process knows it. */
    organization(): string | undefined;
    /** The engine records no create before it ends (`PULUMI_SKIP_CHECKPOINTS`). */
    skipsCheckpoints: boolean;
}

interface Snapshot {
    /** `undefined` if it could not be read, or is another stack's. */
    exported: ExportedState | undefined;
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

    async of(urn: string, kind: string, create: Attempt): Promise<OwnState | undefined> {
        this.#calledAt = this.#options.clock.monotonic();
        const resource = resourceDigest(urn, kind);
        const earlier = await this.#last;
        // A snapshot that was begun before this create names none of its own.
        if (earlier?.isOwn && earlier.exported?.creates(resource).length === 0)
            return earlier.exported.of(kind, resource, []);
        // A CLI that failed once is not started again for every create, and another stack's state is not read again.
        if (earlier !== undefined && earlier.exported === undefined) return undefined;
        const snapshot = await this.#begunFromNow(urn, create);
        if (snapshot.exported?.isOfStack(urn) === false) snapshot.exported = undefined;
        const { exported } = snapshot;
        if (exported === undefined) return undefined;
        const creates = exported.creates(resource);
        // One: an update plan that is run again has the same.
        const own = creates.findIndex(({ __attempt }) => __attempt === create.attempt);
        // A state without its own create is another stack's.
        if (own === -1 && !this.#options.skipsCheckpoints) return undefined;
        snapshot.isOwn = true;
        return exported.of(kind, resource, own === -1 ? creates : creates.toSpliced(own, 1));
    }

    #begunFromNow(urn: string, row: Attempt): Promise<Snapshot> {
        this.#next ??= this.#begin(urn, row, this.#last);
        return this.#next;
    }

    async #begin(urn: string, row: Attempt, before: Promise<Snapshot> | undefined): Promise<Snapshot> {
        await before;
        const { clock } = this.#options;
        const begun = clock.monotonic();
        // The creates of one run come together: those that are called before an export begins share it.
        const isGathering = () =>
            clock.monotonic() - this.#calledAt < gatherQuietMs && clock.monotonic() - begun < gatherMs;
        do await clock.sleep(gatherQuietMs / 2);
        while (isGathering());
        const reading = this.#export(urn, row);
        this.#last = reading;
        this.#next = undefined;
        return reading;
    }

    async #export(urn: string, { progress }: Attempt): Promise<Snapshot> {
        progress("reading the stack's own state");
        const { project, stack } = namesIn(urn);
        const organization = this.#options.organization();
        const name = organization === undefined ? stack : `${organization}/${project}/${stack}`;
        const text = await this.#options.pulumi(["stack", "export", "--stack", name]);
        return { exported: ExportedState.parse(text), isOwn: false };
    }
}
