/**
 * Reads the state of the run's own stack, and no other's, with `pulumi stack export`. Only a run that creates does so, once; a
 * second time if the state names a create that an earlier run may have begun.
 */
import { type Clock, gatherQuietMs, isSameId, ownStateLineMs, unlessAborted } from "../api";
import { digestOfResource, namesIn } from "../evidence/marker";
import type { OwnStateReader, ReadingCreate } from "../evidence/ownState";
import { durationText } from "../inputs/duration";
import { type Message, messageFrom, messages } from "../messages";
import { isSameStack, isStateless, kindIn } from "../urn";
import type { ExportedObject, StackExport } from "./stackExport";
import { StateIndex } from "./stateIndex";

interface Options {
    /** See `StateExporter`. */
    exported(stack: string, signal?: AbortSignal): Promise<StackExport>;
    clock: Clock;
    organization(): string | undefined;
    skipsCheckpoints: boolean;
    /** Says once that the state could not be read. */
    warn(message: Message): void;
}

export function ownStateReader({ exported, clock, organization, skipsCheckpoints, warn }: Options): OwnStateReader {
    /** The next export. Creates that join before it starts share it. */
    let next: Promise<StateIndex | undefined> | undefined;
    let last: Promise<StateIndex | undefined> | undefined;

    /** Begins an export for a create that was called before: the stack's own state has to name this create. */
    async function begin(urn: string, kind: string, create: ReadingCreate): Promise<StateIndex | undefined> {
        await last;
        // The creates of one run come together: those that are called before an export begins share it.
        await clock.sleep(gatherQuietMs);
        next = undefined;
        last = read(urn, kind, create);
        return last;
    }

    const stackOf = (urn: string) => stackName(urn, organization());

    async function read(urn: string, kind: string, { attempt, signal }: ReadingCreate) {
        const stack = stackOf(urn);
        // Without checkpoints the state names no create of a killed run, and a verb without a state has none.
        const say = (message: Message) => skipsCheckpoints || isStateless(urn) || warn(message);
        try {
            const index = new StateIndex(await exported(stack, signal), attempt);
            if (index.of(urn, kind, attempt, { mustBeNamed: !skipsCheckpoints }) !== undefined) return index;
            say(
                messages.ownStateUnread({
                    error: `\`pulumi stack export --stack ${stack}\` gave a state without the creates of this run.`,
                }),
            );
        } catch (error) {
            if (signal?.aborted !== true) say(messageFrom(error));
        }
        return undefined;
    }

    async function of(urn: string, kind: string, create: ReadingCreate) {
        const before = last;
        const earlier = await before;
        const { attempt } = create;
        // An export that was begun before this create does not name it. And a CLI that failed once is not started again for every
        // create, nor another stack's state read again.
        if (before !== undefined && !earlier?.hasEarlierCreatesOf(digestOfResource(urn, kind)))
            return earlier?.of(urn, kind, attempt, { mustBeNamed: false });
        next ??= begin(urn, kind, create);
        return (await next)?.of(urn, kind, attempt, { mustBeNamed: !skipsCheckpoints });
    }

    return {
        skipsCheckpoints,
        holderOf: holderReader((urn, signal) => exported(stackOf(urn), signal), warn),
        async of(urn, kind, create) {
            const { signal, progress } = create;
            const stopLines = timeLines(clock, (passed) => progress?.(`reading the stack's state, for ${passed}`));
            try {
                const state = of(urn, kind, create);
                return await (signal === undefined ? state : unlessAborted(state, signal));
            } finally {
                stopLines();
            }
        },
    };
}

function stackName(urn: string, organization: string | undefined): string {
    const { project, stack } = namesIn(urn);
    return organization === undefined ? stack : `${organization}/${project}/${stack}`;
}

/** The state is read once for all imports of the process. */
function holderReader(
    read: (urn: string, signal: AbortSignal) => Promise<StackExport>,
    warn: Options["warn"],
): OwnStateReader["holderOf"] {
    let state: Promise<StackExport | undefined> | undefined;
    return async (id, urn, signal) => {
        state ??= read(urn, signal).catch((error: unknown) => {
            if (!signal.aborted) warn(messageFrom(error));
            return undefined;
        });
        return holderIn(await unlessAborted(state, signal), id, urn);
    };
}

function holderIn(state: StackExport | undefined, id: string, urn: string): string | undefined {
    if (state === undefined || !isSameStack(state.root, urn)) return undefined;
    const kind = kindIn(urn);
    const isOther = (one: ExportedObject) => one.kind === kind && !one.isExternal && one.urn !== urn;
    return state.resources.find((one) => isOther(one) && isSameId(one.id, id))?.urn;
}

/** Says how much time has passed, each time after twice as long, until the returned function is called. */
function timeLines(clock: Clock, say: (passed: string) => void): () => void {
    let cancel: () => void;
    const wait = (passed: number, more: number) => {
        cancel = clock.timer(more, () => {
            say(durationText(passed + more));
            wait(passed + more, passed + more);
        });
    };
    wait(0, ownStateLineMs);
    return () => cancel();
}
