/**
 * The state of a stack, as `pulumi stack export` prints it. This file alone knows what it means: commands and runs read a state by it, and a run
 * asks its own stack's state, no other's, before it creates.
 *
 * | question                                      | answer                                                                        |
 * | --------------------------------------------- | ----------------------------------------------------------------------------- |
 * | Can the run's own state be read?              | `of` gives `undefined` where it cannot, which is said once (VG3038)           |
 * | Is it this stack's, and not a namesake's?     | it names a create that asked for it: by the attempt, which the engine records |
 * | Which creates have not ended?                 | `unfinished`: pending operations of earlier runs, and unconfirmed records     |
 * | Which of those has a create decided on?       | `handled`, `isHandled`: the record of that create names them                  |
 * | Which objects do its resources manage?        | `has`: also a library's, and those that wait for their deletion; no `.get`'s  |
 * | Which of them does another process serve?     | `holderElsewhere`, and `holderOf` for an import                               |
 * | Which credentials has the stack been run by?  | `neighbours`: an object for each                                              |
 *
 * What has left a library, its own record says: `resources/contentLibrary/record.ts`.
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

/** An earlier create of a resource that has not ended: all of its journal entry, or what the stack's state says of it (create/ledger.ts). */
export interface UnfinishedCreate extends Optional<JournalEntry> {
    /** The nonce of its marker, or the 8 digits with which that begins (`noncePrefixOf`); "" where not even the attempt is known. */
    nonce: string;
    /** Its time, or an earlier one, in ms since the epoch, by the clock of its machine. */
    startedAt: number;
    /** Whether a POST may have been sent. */
    sent: boolean;
    /** Whether it is proven to be a create of this stack's state. */
    ours: boolean;
    /** Whether a journal entry or an unconfirmed record shows that no state ever had its object. A pending operation never leads to a DELETE. */
    neverRecorded: boolean;
    /** The attempt of the pending operation. */
    attempt?: string | undefined;
    /** Whether its objects were looked for after the last moment at which they could appear: `Operation.library` has them. */
    isSearched?: boolean;
}

/** The create of an unconfirmed record. */
export function unconfirmedCreate({ mark, fingerprint, unconfirmed }: Meta): UnfinishedCreate | undefined {
    const marker = parseMarker(mark);
    if (marker === undefined || unconfirmed === undefined) return undefined;
    const { nonce, inputsDigest } = marker;
    return { ...unconfirmed, nonce, inputsDigest, fingerprint, sent: true, ours: true, neverRecorded: true };
}

/** The run that calls a create: the fingerprint of its credentials, where they are known, and the port of its engine. */
type Run = { [part in "fingerprint" | "port"]: string | undefined };

/**
 * The hidden input that identifies a create in the state, with its run. It is random, because a saved plan can be run twice. `given`: the program's
 * attempt, unknown in a preview. A program in another language gives none, and no call says whether it is a preview: `seed` is the engine's, which
 * a saved plan keeps.
 */
export function newAttempt(given: unknown, seed: string | undefined, random: Random, run: Run): unknown {
    if (hasUnknown(given)) return given;
    if (given !== undefined) return [newNonce(random), run.fingerprint, run.port].join("-");
    // The port is left out: a program in another language has one face.
    return seed && [seed, run.fingerprint].join("-");
}

/** The hidden input, where it is known. */
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
    /** Creates that have not ended, the latest first. A library creates in updates as well. */
    creates: PendingOperation[];
    /** The providers of all packages. */
    providers: { type: string; urn: string; inputs: Properties }[];
}

export interface ExportedObject {
    kind: ResourceKind;
    urn: string;
    id: string;
    /** Whether the program only reads the object, as by `Content.get`. */
    isExternal: boolean;
    /** The object's outputs; for an entry of a library, its `__meta` alone. */
    olds: Properties;
    provider: string;
}

type PendingOperation = Pick<ExportedObject, "kind" | "urn" | "provider"> & {
    attempt: string | undefined;
    inputs: Properties;
    isUpdate: boolean;
};

/** Reads a record, whose error gets the name of its resource. */
export function ofResource<T>(urn: string, read: () => T): T {
    try {
        return read();
    } catch (error) {
        if (!(error instanceof LifecycleError)) throw error;
        throw new LifecycleError(prepend(`${urn}:`, error.message));
    }
}

/** An object of the state, with those of its outputs that are not secret. */
export type Neighbour = Pick<ExportedObject, "kind" | "id" | "olds">;

/** What the state says to the create of a resource. */
export interface ResourceState {
    /** The time when the state's root resource was recorded, to the nanosecond; "" before that. No other state, of whatever name, has the same. */
    birth: string;
    /** The creates of pending operations and unconfirmed records that no recorded create has handled. */
    unfinished: readonly UnfinishedCreate[];
    /** The nonces of unfinished creates that a recorded create has handled; recorded again, because the older record may be deleted. */
    handled: readonly string[];
    /** Whether a recorded create has decided about the create with this nonce: the user has left its object alone. */
    isHandled(nonce: string): boolean;
    /** Whether a resource of the state, also one that waits for its deletion, has the object. */
    has(object: { id?: string | undefined; nonce?: string | undefined }): boolean;
    /** The URN of a resource that has the object, and that another process serves: it has the other face's type, or another provider. */
    holderElsewhere(id: string): string | undefined;
    /** Objects of the same provider, one for each of the credentials that recorded them: `confirmEnvironment` reads one before the first POST. */
    neighbours: readonly Neighbour[];
}

/** The create for which the state is read; its operation is one. */
interface Asker {
    /** Its attempt, which the engine has recorded. */
    attempt?: string | undefined;
    signal: AbortSignal;
    /** Shows on its row how long the reading takes. */
    progress(message: string): void;
}

type AskingCreate = Asker & { urn: string; kind: string };

type Index = ReturnType<typeof indexOf>;

/** A state by what creates ask: a library asks for thousands of objects. `ownAttempt`: that of a create for which the state was read. */
function indexOf(state: StackExport, ownAttempt: string | undefined) {
    const { birth, root, resources, creates } = state;
    const recorded = resources
        .filter(({ isExternal }) => !isExternal)
        .map((one) => ({ ...one, meta: ofResource(one.urn, () => metaOf(one.olds)) }));
    const unconfirmed = recorded.flatMap(({ urn, meta }) => {
        const create = unconfirmedCreate(meta);
        return create ? [{ urn, create, resource: parseMarker(meta.mark)?.resourceDigest ?? "" }] : [];
    });
    const providers = new Set(resources.map(({ provider }) => provider));
    // Without checkpoints the state does not name the create: then all objects have to be of one provider.
    const named = creates.find(({ attempt }) => attempt === ownAttempt);
    const ownProvider = named?.provider ?? (providers.size === 1 ? [...providers][0] : undefined);
    return {
        birth,
        root,
        /** By resource, the latest first. */
        pending: Map.groupBy(pendingIn(state, runOf(ownAttempt).port), ({ resource }) => resource),
        /** The unconfirmed records, by resource. */
        unconfirmed: Map.groupBy(unconfirmed, ({ resource }) => resource),
        handled: new Nonces(recorded.flatMap(({ meta }) => meta.handled ?? [])),
        ...objectsBy(
            recorded.filter(({ meta }) => !meta.unconfirmed),
            ownProvider,
        ),
    };
}

/** The pending operations. The index lives as long as the run, so their inputs are left: a library's are megabytes. */
function pendingIn({ birth, creates }: StackExport, ownPort: string | undefined) {
    return creates.map(({ kind, urn, attempt, isUpdate, inputs: { title } }) => {
        const resource = digestOfResource(urn, kind);
        const { fingerprint, port } = runOf(attempt);
        const create: UnfinishedCreate = {
            nonce: attempt === undefined ? "" : noncePrefixOf(attempt, resource),
            // The title may be a secret.
            titleDigest: typeof title === "string" ? digestOfTitle(title) : undefined,
            startedAt: Date.parse(birth) || 0,
            attempt,
            fingerprint,
            sent: true,
            ours: attempt !== undefined,
            // A pending operation proves neither that a POST was sent, nor that no state had the object since.
            neverRecorded: false,
        };
        // A killed update leaves nothing in the state, so every update is of this run.
        const mayBeOfThisRun = isUpdate || (ownPort !== undefined && port === ownPort);
        return { urn, resource, create, mayBeOfThisRun };
    });
}

/** `objects`: each by its kind and id and by its marker's nonce, with the URN of its resource, where another provider serves it. */
function objectsBy(recorded: readonly (ExportedObject & { meta: Meta })[], ownProvider: string | undefined) {
    const objects = new Map<string, string | undefined>();
    const neighbours = new Map<string, Neighbour>();
    for (const { kind, id, urn, olds, meta, provider } of recorded) {
        const { mark, fingerprint } = meta;
        const object = `${kind} ${comparableId(id)}`;
        const isElsewhere = ownProvider !== undefined && provider !== ownProvider;
        objects.set(object, isElsewhere ? urn : objects.get(object));
        const nonce = parseMarker(mark)?.nonce;
        if (nonce !== undefined) objects.set(nonce, undefined);
        if (provider !== ownProvider || kind === "ContentReadiness" || kind === libraryKind) continue;
        // An object with a marker is better: it cannot be mistaken for another environment's object with the same id.
        if (mark !== undefined || !neighbours.has(fingerprint)) neighbours.set(fingerprint, { kind, id, olds });
    }
    return { objects, neighbours: [...neighbours.values()] };
}

/** `undefined` for another stack's state. `mustBeNamed`: a state that names no create with this attempt is another stack's. */
function answerOf(
    { birth, root, pending, unconfirmed, handled, objects, neighbours }: Index,
    { urn, kind, attempt }: AskingCreate,
    { mustBeNamed }: { mustBeNamed: boolean },
): ResourceState | undefined {
    const resource = digestOfResource(urn, kind);
    const operations = pending.get(resource) ?? [];
    // Only the first is the create itself: another one with the same attempt is of an update plan that was run before.
    const own = operations.find(({ create }) => create.attempt === attempt);
    // A first run with PULUMI_SKIP_CHECKPOINTS has no root resource yet.
    const isOfStack = root === "" || isSameStack(root, urn);
    if (!isOfStack || (mustBeNamed && own === undefined)) return undefined;
    // In the other face, a create of this run is another resource's, and so is an unconfirmed record.
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
    /** The stack's organization, where the program has told it. */
    organization(): string | undefined;
    /** Whether the engine records no create before its end (`PULUMI_SKIP_CHECKPOINTS`). */
    skipsCheckpoints: boolean;
    /** Puts a line on the stack's row. */
    warn(message: Message): void;
}

/** Reads the state of the run's own stack, once; a second time if the state names a create that an earlier run may have begun. */
export class OwnState {
    readonly #readings: Turns<AskingCreate, Index | undefined>;
    /** The last reading that has begun; `undefined` in it where the state could not be read. */
    #last: Promise<Index | undefined> | undefined;
    /** The creates that wait for an answer now. */
    readonly #askers = new Set<Asker>();
    /** The export that all imports of the process share. */
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
     * What the state says to a create; `undefined` if it cannot be read, or may be another stack's, which is said once.
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

    /** The URN of another resource of the stack that has the object, for the import of a resource, of which the state names no create. */
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
            // A CLI that failed once is not started again for every create, nor another stack's state read again.
            if (index === undefined) return undefined;
            const pending = index.pending.get(digestOfResource(create.urn, create.kind)) ?? [];
            // A reading that was begun before this create does not name it.
            if (pending.every((one) => one.mayBeOfThisRun)) return answerOf(index, create, { mustBeNamed: false });
        }
        const index = await this.#readings.join(create);
        return index && answerOf(index, create, { mustBeNamed: !this.skipsCheckpoints });
    }

    /** Reads the state for creates that were called before: the stack's own has to name one of them. */
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
            // Without checkpoints the state names no create of a killed run, and a verb without a state has none.
            if (!first.signal.aborted && !skipsCheckpoints && !isStateless(first.urn)) warn(messageFrom(error));
            return undefined;
        } finally {
            ended.abort();
        }
    }

    /** Says on the row of each create how long the reading takes, each time after twice as long. */
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
