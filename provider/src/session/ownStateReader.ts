/**
 * Reads the state of the run's own stack, and no other's, with `pulumi stack export`. Only a run that creates does so, once; a
 * second time if the state names a create that an earlier run may have begun.
 */
import { type Clock, gatherQuietMs } from "../api";
import { digestOfResource, namesIn } from "../evidence/marker";
import type { OwnStateReader } from "../evidence/ownState";
import type { PulumiCommand } from "./pulumiCommand";
import { parseExport } from "./stackExport";
import { StateIndex } from "./stateIndex";

interface Options {
    pulumi: PulumiCommand;
    clock: Clock;
    organization(): string | undefined;
    skipsCheckpoints: boolean;
}

export function ownStateReader({ pulumi, clock, organization, skipsCheckpoints }: Options): OwnStateReader {
    /** The next export. Creates that join before it starts share it. */
    let next: Promise<StateIndex | undefined> | undefined;
    let last: Promise<StateIndex | undefined> | undefined;

    /** Begins an export for a create that was called before: the stack's own state has to name this create. */
    async function begin(urn: string, kind: string, attempt: string | undefined): Promise<StateIndex | undefined> {
        await last;
        // The creates of one run come together: those that are called before an export begins share it.
        await clock.sleep(gatherQuietMs);
        next = undefined;
        const { project, stack } = namesIn(urn);
        const owner = organization();
        const name = owner === undefined ? stack : `${owner}/${project}/${stack}`;
        last = pulumi(["stack", "export", "--stack", name]).then((text) => {
            const exported = parseExport(text);
            const index = exported && new StateIndex(exported, attempt);
            return index?.of(urn, kind, attempt, { mustBeNamed: !skipsCheckpoints }) && index;
        });
        return last;
    }

    return {
        skipsCheckpoints,
        async of(urn, kind, { attempt }) {
            const before = last;
            const earlier = await before;
            // An export that was begun before this create does not name it. And a CLI that failed once is not started again for every
            // create, nor another stack's state read again.
            if (before !== undefined && !earlier?.hasEarlierCreatesOf(digestOfResource(urn, kind)))
                return earlier?.of(urn, kind, attempt, { mustBeNamed: false });
            next ??= begin(urn, kind, attempt);
            return (await next)?.of(urn, kind, attempt, { mustBeNamed: !skipsCheckpoints });
        },
    };
}
