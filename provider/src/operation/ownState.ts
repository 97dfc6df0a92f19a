/**
 * What the state of a stack says about its objects and about creates that never ended. A run asks the state of its own stack before it creates, and of no
 * other stack. `session/stackExport.ts` reads the text that `pulumi stack export` prints.
 *
 * | question                                      | answer                                                                        |
 * | --------------------------------------------- | ----------------------------------------------------------------------------- |
 * | Can the run's own state be read?              | if not, `of` gives `undefined`, and the user is told once (VG3038)            |
 * | Is it this stack's, and not a namesake's?     | yes, if it names a create of this run, by the attempt                         |
 * | Which creates have not ended?                 | `unfinished`: pending operations of earlier runs, and unconfirmed records     |
 * | Which of those has a later create settled?    | `handled`, `isHandled`: the record of the later create names them             |
 * | Which objects do its resources manage?        | `has`: also entries of a library, and objects that wait for their deletion    |
 * | Which of them does another process serve?     | `holderElsewhere`, and `holderOf` for an import                               |
 * | Which credentials have made its objects?      | `neighbours`: one object for each                                             |
 *
 * The record of a library says which objects it has deleted or released: `resources/contentLibrary/record.ts`.
 */
import { type Clock, comparableId, gatherQuietMs, isSameId, ownStateLineMs, type Random, unlessAborted } from "../api";
import { digestOfTitle } from "../evidence/digest";
import type { JournalEntry } from "../evidence/journalFile";
import { libraryKind } from "../evidence/library";
import { digestOfResource, Nonces, namesIn, newNonce, noncePrefixOf, parseMarker } from "../evidence/marker";
import { Turns } from "../evidence/turns";
import { durationText } from "../inputs/duration";
import { type Meta, metaOf } from "../inputs/recordedMeta";
import { hasUnknown, type Properties } from "../inputs/values";
import { LifecycleError, type Message, messageFrom, messages, prepend } from "../messages";
import type { ResourceKind } from "../typeTokens";
import { isSameStack, isSameType, isStateless, kindIn } from "../urn";

type Optional<T> = { [Name in keyof T]?: T[Name] | undefined };

/** An earlier create of a resource that has not ended: its journal entry, or what the stack's state says of the create (create/ledger.ts). */
export interface UnfinishedCreate extends Optional<JournalEntry> {
    /**
     * The nonce of the object's marker. A pending operation in the state gives only its first 8 digits (`noncePrefixOf`), or "" where it has no
     * attempt.
     */
    nonce: string;
    /** When the create began, or earlier, in ms since the epoch, by the clock of the machine that it ran on. */
    startedAt: number;
    /** Whether a POST may have been sent. */
    sent: boolean;
    /** Whether it is proven that this stack has begun the create, and not a stack of the same name elsewhere. */
    ours: boolean;
    /** Whether it is proven that no state ever had the object. A pending operation does not prove that, so its object is never deleted. */
    neverRecorded: boolean;
    /** The attempt of the pending operation. */
    attempt?: string | undefined;
    /** Whether a library has already searched for the object, at a time when no further object could appear. `Operation.library` has what it found. */
    isSearched?: boolean;
}

/** The create behind a record with the id `unconfirmed-…`: nobody knows whether its object exists. */
export function unconfirmedCreate({ mark, fingerprint, unconfirmed }: Meta): UnfinishedCreate | undefined {
    const marker = parseMarker(mark);
    if (marker === undefined || unconfirmed === undefined) return undefined;
    const { nonce, inputsDigest } = marker;
    return { ...unconfirmed, nonce, inputsDigest, fingerprint, sent: true, ours: true, neverRecorded: true };
}

/** The run that calls a create. `fingerprint`: that of its credentials, where they are known. `port`: that of its engine. */
type Run = { [part in "fingerprint" | "port"]: string | undefined };

/**
 * The attempt: a hidden input, by which the state names the create and its run. A program in TypeScript gives an attempt, which a preview leaves
 * unknown. The run makes it a random text, because a saved plan can be run twice. Programs in other languages give none: their attempt is the
 * engine's `seed`, which is the same in a preview and in the run. With another text, the engine would refuse a saved plan.
 */
export function newAttempt(given: unknown, seed: string | undefined, random: Random, run: Run): unknown {
    if (hasUnknown(given)) return given;
    if (given !== undefined) return [newNonce(random), run.fingerprint, run.port].join("-");
    // The port is left out, because it differs between a preview and the run of its saved plan. It is needed only to tell the processes of dynamic
    // and native types apart, and programs in other languages have native types alone.
    return seed && [seed, run.fingerprint].join("-");
}

/** The attempt in the inputs; `undefined` where a preview does not know it. */
export function attemptIn({ __attempt }: Properties): string | undefined {
    return typeof __attempt === "string" ? __attempt : undefined;
}

function runOf(attempt: string | undefined): Run {
    const [, fingerprint, port] = attempt?.split("-") ?? [];
    return { fingerprint: fingerprint || undefined, port: port || undefined };
}

/** The parts of a state that this package reads. */
export interface StackExport {
    /** See {@link ResourceState}. */
    birth: string;
    /** The URN of the root resource. */
    root: string;
    resources: ExportedObject[];
    /** Creates that have not ended, the latest first. They include the updates of libraries, because these create contents. */
    creates: PendingOperation[];
    /** The providers of all packages: commands ask for the version of this one. */
    providers: { type: string; urn: string; inputs: Properties }[];
}

export interface ExportedObject {
    kind: ResourceKind;
    urn: string;
    id: string;
    /** Whether the resource only reads the object (`Content.get`), and does not manage it. */
    isExternal: boolean;
    /** The outputs of the resource. Of an entry of a library only `__meta` is read. */
    olds: Properties;
    provider: string;
}

type PendingOperation = Pick<ExportedObject, "kind" | "urn" | "provider"> & {
    attempt: string | undefined;
    inputs: Properties;
    isUpdate: boolean;
};

/** Calls `read`. An error names the resource: otherwise nobody would know which of thousands of records is broken. */
export function ofResource<T>(urn: string, read: () => T): T {
    try {
        return read();
    } catch (error) {
        if (!(error instanceof LifecycleError)) throw error;
        throw new LifecycleError(prepend(`${urn}:`, error.message));
    }
}

/** An object that the state has. */
export type Neighbour = Pick<ExportedObject, "kind" | "id" | "olds">;

/** What the state says to the create of a resource. */
export interface ResourceState {
    /** When the engine recorded the root resource of the state, to the nanosecond: no other state has the same birth. "" before the root is recorded. */
    birth: string;
    /** Earlier creates of the resource that never ended, and that no later create has decided on. */
    unfinished: readonly UnfinishedCreate[];
    /**
     * The nonces of unfinished creates that a later create has decided on. The next record repeats them, because the record that has them may be
     * deleted.
     */
    handled: readonly string[];
    /** Whether an earlier run has decided on the create with this nonce. Its object, if there is one, stays as it is. */
    isHandled(nonce: string): boolean;
    /** Whether a resource of the state has the object. A replaced object that is still to be deleted counts. */
    has(object: { id?: string | undefined; nonce?: string | undefined }): boolean;
    /** The URN of a resource that has the object, and that another provider process serves. This process does not hear when that resource is deleted. */
    holderElsewhere(id: string): string | undefined;
    /** Objects of the same provider, one for each fingerprint. `confirmEnvironment` reads one of them before the first POST. */
    neighbours: readonly Neighbour[];
}

/** The operation that asks. */
interface Asker {
    /** The attempt of the create that asks: the engine has recorded it in the state. */
    attempt?: string | undefined;
    signal: AbortSignal;
    /** Shows a line on the row of the resource. */
    progress(message: string): void;
}

type AskingCreate = Asker & { urn: string; kind: string };

type Index = ReturnType<typeof indexOf>;

/** Puts the state into maps, because a library asks for thousands of objects. `ownAttempt`: the attempt of a create for which the state was read. */
function indexOf(state: StackExport, ownAttempt: string | undefined) {
    const { birth, root, resources, creates } = state;
    const providers = new Set(resources.map(({ provider }) => provider));
    // With `PULUMI_SKIP_CHECKPOINTS` the state does not name the create. Then the provider is known only if all objects have the same one.
    const named = creates.find(({ attempt }) => attempt === ownAttempt);
    const ownProvider = named?.provider ?? (providers.size === 1 ? [...providers][0] : undefined);
    /** By resource, the latest first. */
    const pending = Map.groupBy(pendingIn(state, runOf(ownAttempt).port), ({ resource }) => resource);
    const unconfirmed: { urn: string; create: UnfinishedCreate; resource: string }[] = [];
    const handled = new Nonces();
    /** The keys are the kind and id of each object, and the nonce of its marker; the value is the URN of the resource, if another provider serves it. */
    const objects = new Map<string, string | undefined>();
    /** By fingerprint. */
    const neighbours = new Map<string, Neighbour>();
    for (const { kind, id, urn, olds, provider } of resources.filter(({ isExternal }) => !isExternal)) {
        const meta = ofResource(urn, () => metaOf(olds));
        const { nonce, resourceDigest: resource } = parseMarker(meta.mark) ?? {};
        for (const one of meta.handled ?? []) handled.add(one);
        const create = unconfirmedCreate(meta);
        if (create && resource) unconfirmed.push({ urn, create, resource });
        if (meta.unconfirmed) continue;
        const object = `${kind} ${comparableId(id)}`;
        const isElsewhere = ownProvider !== undefined && provider !== ownProvider;
        objects.set(object, isElsewhere ? urn : objects.get(object));
        if (nonce !== undefined) objects.set(nonce, undefined);
        if (provider !== ownProvider || kind === "ContentReadiness" || kind === libraryKind) continue;
        // An object with a marker is preferred: an object of another environment may have the same id, but never the same marker.
        if (nonce !== undefined || !neighbours.has(meta.fingerprint))
            neighbours.set(meta.fingerprint, { kind, id, olds });
    }
    return {
        ...{ birth, root, pending, handled, objects, neighbours: [...neighbours.values()] },
        /** By resource. */
        unconfirmed: Map.groupBy(unconfirmed, ({ resource }) => resource),
    };
}

/** The pending operations without their inputs: the index lives as long as the run, and the inputs of a library are megabytes. */
function pendingIn({ birth, creates }: StackExport, ownPort: string | undefined) {
    return creates.map(({ kind, urn, attempt, isUpdate, inputs: { title } }) => {
        const resource = digestOfResource(urn, kind);
        const { fingerprint, port } = runOf(attempt);
        const create: UnfinishedCreate = {
            nonce: attempt === undefined ? "" : noncePrefixOf(attempt, resource),
            // A title that is a secret is no text in the state.
            titleDigest: typeof title === "string" ? digestOfTitle(title) : undefined,
            // The state does not say when the create began. A search back to the birth of the state cannot miss its object.
            startedAt: Date.parse(birth) || 0,
            attempt,
            fingerprint,
            sent: true,
            ours: attempt !== undefined,
            // Nobody knows: a state that was restored after the kill may have had the object, and released it.
            neverRecorded: false,
        };
        // The engine drops the pending update of a killed run when the next run begins. So an update in the state is one of this run.
        const mayBeOfThisRun = isUpdate || (ownPort !== undefined && port === ownPort);
        return { urn, resource, create, mayBeOfThisRun };
    });
}

/**
 * What the state says to a create; `undefined` where it is the state of another stack. `mustBeNamed`: only a state that names the create is this
 * stack's.
 */
function answerOf(
    { birth, root, pending, unconfirmed, handled, objects, neighbours }: Index,
    { urn, kind, attempt }: AskingCreate,
    { mustBeNamed }: { mustBeNamed: boolean },
): ResourceState | undefined {
    const resource = digestOfResource(urn, kind);
    const operations = pending.get(resource) ?? [];
    // The first one with this attempt is the create that asks. A second one was left by an earlier run of the same saved plan.
    const own = operations.find(({ create }) => create.attempt === attempt);
    // In a first run with `PULUMI_SKIP_CHECKPOINTS` the state has no root resource yet.
    const isOfStack = root === "" || isSameStack(root, urn);
    if (!isOfStack || (mustBeNamed && own === undefined)) return undefined;
    // A program may declare a dynamic and a native resource of one name. What this run creates for the other resource is no unfinished create of this
    // one. (`isOthers` in create/ledger.ts does the same for journal entries.)
    const isOthers = (one: (typeof operations)[number]) => !isSameType(one.urn, urn) && one.mayBeOfThisRun;
    const others = operations.filter((one) => one !== own);
    const records = unconfirmed.get(resource) ?? [];
    const all = [
        ...others.filter((one) => !isOthers(one)).map(({ create }) => create),
        ...records.map((one) => ({ ...one.create, ours: isSameType(one.urn, urn) })),
    ];
    const ofOthers = new Nonces(others.filter(isOthers).map(({ create }) => create.nonce));
    return {
        birth,
        unfinished: all.filter(({ nonce }) => !handled.has(nonce)),
        handled: all.map(({ nonce }) => nonce).filter((nonce) => handled.has(nonce)),
        isHandled: (nonce) => handled.has(nonce) || ofOthers.has(nonce),
        has: ({ id = "", nonce = "" }) => objects.has(`${kind} ${comparableId(id)}`) || objects.has(nonce),
        holderElsewhere: (id) => objects.get(`${kind} ${comparableId(id)}`),
        neighbours,
    };
}

interface Options {
    /** `pulumi stack export`. @throws {LifecycleError} if the state cannot be read, or the signal's reason */
    exported(stack: string, signal: AbortSignal): Promise<StackExport>;
    clock: Clock;
    /** The organization of the stack, where the program has said it. */
    organization(): string | undefined;
    /** `PULUMI_SKIP_CHECKPOINTS`: the engine records a create only when the run ends. */
    skipsCheckpoints: boolean;
    /** Puts a line on the stack's row. */
    warn(message: Message): void;
}

/** Reads the state of the stack that is being run: once, and again if it names a create of the asking resource that an earlier run may have begun. */
export class OwnState {
    readonly #readings: Turns<AskingCreate, Index | undefined>;
    /** The last reading that has begun. It gives `undefined` where the state could not be read. */
    #last: Promise<Index | undefined> | undefined;
    /** The operations that wait for an answer now. Their rows show how long the reading takes. */
    readonly #askers = new Set<Asker>();
    /**
     * One export for all imports of the process. The readings for creates cannot be used: they know this stack's state by a create that it names, and
     * an import has none.
     */
    #forImports: Promise<StackExport | undefined> | undefined;

    constructor(readonly options: Options) {
        this.#readings = new Turns(
            () => options.clock.sleep(gatherQuietMs),
            (creates) => {
                this.#last = this.#read(creates);
                return this.#last;
            },
        );
    }

    get skipsCheckpoints(): boolean {
        return this.options.skipsCheckpoints;
    }

    /**
     * What the state says to a create; `undefined` if the state cannot be read, or may be that of another stack. The user is told once.
     * @throws the reason of the asker's signal
     */
    async of(urn: string, kind: string, asker: Asker): Promise<ResourceState | undefined> {
        this.#askers.add(asker);
        try {
            return await unlessAborted(this.#answerTo({ ...asker, urn, kind }), asker.signal);
        } finally {
            this.#askers.delete(asker);
        }
    }

    /** For an import: the URN of another resource of the stack that has the object. */
    async holderOf(id: string, urn: string, signal: AbortSignal): Promise<string | undefined> {
        const { exported, organization, warn } = this.options;
        this.#forImports ??= exported(stackName(urn, organization()), signal).catch((error: unknown) => {
            if (!signal.aborted) warn(messageFrom(error));
            return undefined;
        });
        const { root = "", resources = [] } = (await unlessAborted(this.#forImports, signal)) ?? {};
        const isHolder = (one: ExportedObject) =>
            one.kind === kindIn(urn) && !one.isExternal && one.urn !== urn && isSameId(one.id, id);
        return isSameStack(root, urn) ? resources.find(isHolder)?.urn : undefined;
    }

    async #answerTo(create: AskingCreate): Promise<ResourceState | undefined> {
        if (this.#last !== undefined) {
            const index = await this.#last;
            // The state could not be read, and is not read again: a thousand creates would start the CLI a thousand times.
            if (index === undefined) return undefined;
            const pending = index.pending.get(digestOfResource(create.urn, create.kind)) ?? [];
            // The last reading began before this create, so it cannot name this create. It is good enough, unless it names a create that may be of an
            // earlier run.
            if (pending.every((one) => one.mayBeOfThisRun)) return answerOf(index, create, { mustBeNamed: false });
        }
        const index = await this.#readings.join(create);
        return index && answerOf(index, create, { mustBeNamed: !this.skipsCheckpoints });
    }

    /** Reads the state for these creates. The engine called them before this reading, so the state of this stack names at least one of them. */
    async #read(creates: readonly AskingCreate[]): Promise<Index | undefined> {
        const { clock, exported, organization, skipsCheckpoints, warn } = this.options;
        const [first] = creates;
        if (first === undefined) return undefined;
        const stack = stackName(first.urn, organization());
        const ended = new AbortController();
        void this.#showTime(clock, ended.signal).catch(() => undefined);
        try {
            const state = await exported(stack, first.signal);
            const attempts = new Set(state.creates.map(({ attempt }) => attempt));
            const named = creates.find(({ attempt }) => attempts.has(attempt)) ?? first;
            const index = indexOf(state, named.attempt);
            if (answerOf(index, named, { mustBeNamed: !skipsCheckpoints }) !== undefined) return index;
            const error = `\`pulumi stack export --stack ${stack}\` gave a state without the creates of this run.`;
            throw new LifecycleError(messages.ownStateUnread({ error }));
        } catch (error) {
            // No warning where the state could not have helped: with `PULUMI_SKIP_CHECKPOINTS` it names no killed create, and `pulumi do --stateless`
            // has no state.
            if (!first.signal.aborted && !skipsCheckpoints && !isStateless(first.urn)) warn(messageFrom(error));
            return undefined;
        } finally {
            ended.abort();
        }
    }

    /** Shows on the rows how long the reading has taken: after 10 s, 20 s, 40 s and so on. */
    async #showTime(clock: Clock, ended: AbortSignal): Promise<never> {
        for (let [passed, next] = [0, ownStateLineMs]; ; [passed, next] = [next, 2 * next]) {
            await clock.sleep(next - passed, ended);
            for (const { progress } of this.#askers) progress(`reading the stack's state, for ${durationText(next)}`);
        }
    }
}

function stackName(urn: string, organization: string | undefined): string {
    const { project, stack } = namesIn(urn);
    return organization === undefined ? stack : `${organization}/${project}/${stack}`;
}
