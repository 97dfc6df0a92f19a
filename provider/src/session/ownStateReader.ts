/**
 * Reads the state of the run's own stack, and no other's, with `pulumi stack export`. Only a run that creates does so, once; a
 * second time if the state names a create that an earlier run may have begun.
 */
import { type Clock, gatherQuietMs } from "../api";
import { digestOfResource, namesIn } from "../evidence/marker";
import type { OwnState, OwnStateReader } from "../evidence/ownState";
import type { PulumiCommand } from "./pulumiCommand";
import { parseExport } from "./stackExport";
import { StateIndex } from "./stateIndex";

interface Options {
    pulumi: PulumiCommand;
    clock: Clock;
    organization(): string | undefined;
    skipsCheckpoints: boolean;
}

export class StackExportReader implements OwnStateReader {
    readonly skipsCheckpoints: boolean;
    readonly #options: Options;
    /** The next export. Creates that join before it starts share it. */
    #next: Promise<StateIndex | undefined> | undefined;
    #last: Promise<StateIndex | undefined> | undefined;

    constructor(options: Options) {
        this.#options = options;
        this.skipsCheckpoints = options.skipsCheckpoints;
    }

    async of(urn: string, kind: string, { attempt }: { attempt?: string | undefined }): Promise<OwnState | undefined> {
        const last = this.#last;
        const earlier = await last;
        // An export that was begun before this create does not name it. And a CLI that failed once is not started again for every
        // create, nor another stack's state read again.
        if (last !== undefined && !earlier?.hasEarlierCreatesOf(digestOfResource(urn, kind)))
            return earlier?.of(urn, kind, attempt, false);
        this.#next ??= this.#begin(urn, kind, attempt);
        return (await this.#next)?.of(urn, kind, attempt, !this.skipsCheckpoints);
    }

    /** Begins an export for a create that was called before: the stack's own state has to name this create. */
    async #begin(urn: string, kind: string, attempt: string | undefined): Promise<StateIndex | undefined> {
        await this.#last;
        const { clock, organization, pulumi } = this.#options;
        // The creates of one run come together: those that are called before an export begins share it.
        await clock.sleep(gatherQuietMs);
        this.#next = undefined;
        const { project, stack } = namesIn(urn);
        const owner = organization();
        const name = owner === undefined ? stack : `${owner}/${project}/${stack}`;
        this.#last = pulumi(["stack", "export", "--stack", name]).then((text) => {
            const exported = parseExport(text);
            const index = exported && new StateIndex(exported, attempt);
            return index?.of(urn, kind, attempt, !this.skipsCheckpoints) && index;
        });
        return this.#last;
    }
}
