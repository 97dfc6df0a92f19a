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
import { attemptIn } from "./state";
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

type Create = ReadingCreate & { urn: string; kind: string };

/** What an export has given, if it counts for later creates. */
interface Reading {
    counts: boolean;
    index?: StateIndex;
}

export function ownStateReader(options: Options): OwnStateReader {
    const { exported, clock, organization, skipsCheckpoints, warn } = options;
    /** The next export, and the creates that share it: those that join before it starts. */
    let next: { creates: Create[]; reading: Promise<Reading> } | undefined;
    let last: Promise<Reading> | undefined;

    /** Begins an export for creates that were called before: the stack's own state has to name one of them. */
    async function begin(creates: readonly Create[]): Promise<Reading> {
        await last;
        // The creates of one run come together: those that are called before an export begins share it.
        await clock.sleep(gatherQuietMs);
        next = undefined;
        last = read(creates, options);
        return last;
    }

    async function of(create: Create) {
        const { urn, kind, attempt } = create;
        const earlier = await last;
        // An export that was begun before this create does not name it. And a CLI that failed once is not started again for every
        // create, nor another stack's state read again.
        if (earlier?.counts && !earlier.index?.hasEarlierCreatesOf(digestOfResource(urn, kind)))
            return earlier.index?.of(urn, kind, attempt, { mustBeNamed: false });
        if (next === undefined) {
            const creates: Create[] = [];
            next = { creates, reading: begin(creates) };
        }
        next.creates.push(create);
        return (await next.reading).index?.of(urn, kind, attempt, { mustBeNamed: !skipsCheckpoints });
    }

    return {
        skipsCheckpoints,
        holderOf: holderReader((urn, signal) => exported(stackName(urn, organization()), signal), warn),
        async of(urn, kind, create) {
            const { signal, progress } = create;
            const stopLines = timeLines(clock, (passed) => progress?.(`reading the stack's state, for ${passed}`));
            try {
                const state = of({ ...create, urn, kind });
                return await (signal === undefined ? state : unlessAborted(state, signal));
            } finally {
                stopLines();
            }
        },
    };
}

async function read(
    creates: readonly Create[],
    { exported, organization, skipsCheckpoints, warn }: Options,
): Promise<Reading> {
    const [{ urn, signal } = { urn: "" }] = creates;
    const stack = stackName(urn, organization());
    // Without checkpoints the state names no create of a killed run, and a verb without a state has none.
    const say = (message: Message) => skipsCheckpoints || isStateless(urn) || warn(message);
    // The state no longer names a create that has failed by now, as with wrong credentials.
    const areOver = () => creates.every(({ isOver }) => isOver?.() === true);
    if (areOver()) return { counts: false };
    try {
        const index = indexFor(await exported(stack, signal), creates, skipsCheckpoints);
        if (index !== undefined) return { counts: true, index };
        if (areOver()) return { counts: false };
        const error = `\`pulumi stack export --stack ${stack}\` gave a state without the creates of this run.`;
        say(messages.ownStateUnread({ error }));
    } catch (error) {
        if (signal?.aborted !== true) say(messageFrom(error));
    }
    return { counts: true };
}

/** The index of the state, if it names one of the creates: otherwise it may be another stack's. */
function indexFor(
    exported: StackExport,
    creates: readonly Create[],
    skipsCheckpoints: boolean,
): StateIndex | undefined {
    const attempts = new Set(exported.creates.map(({ inputs }) => attemptIn(inputs)));
    const named = creates.find(({ attempt }) => attempts.has(attempt)) ?? creates[0];
    if (named === undefined) return undefined;
    const index = new StateIndex(exported, named.attempt);
    return index.of(named.urn, named.kind, named.attempt, { mustBeNamed: !skipsCheckpoints }) && index;
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
