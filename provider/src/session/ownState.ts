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

export class OwnStateExport implements OwnStateReader {
    readonly skipsCheckpoints: boolean;
    readonly #options: Options;
    /** The next export. Creates that join before it starts share it. */
    #next: Promise<ExportedState | undefined> | undefined;
    #last: Promise<ExportedState | undefined> | undefined;
    /** When the last create was called, on the monotonic clock. */
    #calledAt = 0;

    constructor(options: Options) {
        this.#options = options;
        this.skipsCheckpoints = options.skipsCheckpoints;
    }

    async of(urn: string, kind: string, create: Attempt): Promise<OwnState | undefined> {
        this.#calledAt = this.#options.clock.monotonic();
        const resource = resourceDigest(urn, kind);
        const last = this.#last;
        const earlier = await last;
        // A snapshot that was begun before this create names none of its own.
        if (earlier?.creates(resource).length === 0) return earlier.of(kind, resource, []);
        // A CLI that failed once is not started again for every create, and another stack's state is not read again.
        if (last !== undefined && earlier === undefined) return undefined;
        this.#next ??= this.#begin(urn, resource, create);
        const exported = await this.#next;
        const others = exported && this.#withoutOwn(exported, resource, create);
        return others && exported.of(kind, resource, others);
    }

    /** The creates of a resource without the one that has called; `undefined` where a state does not have it: it is another stack's. */
    #withoutOwn(exported: ExportedState, resource: string, { attempt }: Attempt) {
        const creates = exported.creates(resource);
        // One: an update plan that is run again has the same.
        const own = creates.findIndex(({ __attempt }) => __attempt === attempt);
        if (own === -1) return this.skipsCheckpoints ? creates : undefined;
        return creates.toSpliced(own, 1);
    }

    /** `create`: one that was called before it begins, so that the state has to name it. */
    async #begin(urn: string, resource: string, create: Attempt): Promise<ExportedState | undefined> {
        await this.#last;
        const { clock } = this.#options;
        const begun = clock.monotonic();
        // The creates of one run come together: those that are called before an export begins share it.
        const isGathering = () =>
            clock.monotonic() - this.#calledAt < gatherQuietMs && clock.monotonic() - begun < gatherMs;
        do await clock.sleep(gatherQuietMs / 2);
        while (isGathering());
        this.#next = undefined;
        this.#last = this.#export(urn, resource, create);
        return this.#last;
    }

    async #export(urn: string, resource: string, create: Attempt): Promise<ExportedState | undefined> {
        const { project, stack } = namesIn(urn);
        const organization = this.#options.organization();
        const name = organization === undefined ? stack : `${organization}/${project}/${stack}`;
        const readAt = this.#options.clock.monotonic();
        const text = await this.#options.pulumi(["stack", "export", "--stack", name]);
        const exported = ExportedState.parse(text, readAt, create.attempt);
        const isOwn = exported?.isOfStack(urn) && this.#withoutOwn(exported, resource, create) !== undefined;
        return isOwn ? exported : undefined;
    }
}
