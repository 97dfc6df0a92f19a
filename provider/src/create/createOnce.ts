/**
 * Creates one object, exactly once (S1): opens a journal entry, asks the one law (law.ts) what earlier creates of this
 * resource mean, and only then sends a POST. After a lost answer, it searches for the object until no
 * request can still be accepted.
 */
import {
    ApiError,
    acceptanceMs,
    consistencyGraceMs,
    Deadline,
    graceStepMs,
    longestRequestMs,
    maxPosts,
    searchPausesMs,
    withTimeLimit,
} from "../api";
import { titleDigest } from "../evidence/digest";
import type { JournalEntry } from "../evidence/journal";
import type { Listed } from "../evidence/lists";
import {
    inputsDigest,
    markerIn,
    namesIn,
    newMarker,
    newNonce,
    parseMarker,
    resourceDigest,
    stem,
    stemIn,
} from "../evidence/marker";
import { isSameProcess } from "../evidence/owner";
import type { OwnState } from "../evidence/ownState";
import { LifecycleError, messageOf, messages } from "../messages";
import { unlessMissing } from "../operation/notFound";
import type { Operation } from "../operation/operation";
import { isLeaving } from "../wait/status";
import { type Create, type CreateRequest, queryFor } from "./create";
import { type Decision, decide } from "./findings";
import { onceReleased } from "./onceReleased";
import { look } from "./search";

export interface CreatedObject<T> {
    object: T;
    id: string;
    /** The marker that its metadata should have. An adopted object still has an older one. */
    marker: string;
    /** Whether an earlier create made it: its inputs may be older ones. */
    adopted: boolean;
    /** When it was created, if nothing but the create's answer has shown it. */
    unseen: number | undefined;
    /** The creates that never ended, and that this one has taken care of: the stems of their nonces. */
    settled: readonly string[];
}

/** The object of an earlier try of this process, which cannot be read now. The engine keeps what the last try gives it (L4). */
export class Unconfirmed extends Error {
    readonly id: string;
    readonly marker: string;
    readonly reason: unknown;

    constructor(id: string, marker: string, reason: unknown) {
        super();
        this.id = id;
        this.marker = marker;
        this.reason = reason;
    }
}

type Settled<T> = Extract<Decision<T>, { kind: "go" }>;

export async function createOnce<T extends Listed>(
    operation: Operation,
    request: CreateRequest<T>,
): Promise<CreatedObject<T>> {
    const { journal } = operation.environment;
    const again = await repeated(operation, request);
    if (again !== undefined) return again;
    const entry = await openEntry(operation, { ...request, kind: request.kind.name });
    let create: Create<T>;
    let settled: Settled<T>;
    try {
        create = { operation, request, entry, state: await evidenceFor(operation, request, entry) };
        settled = await settleEarlier(create);
        for (const object of settled.remove) await removeSuperseded(create, object);
        if (settled.adopt === undefined) await request.before?.();
        await claim(create, settled.adopt);
    } catch (error) {
        // Nothing was sent.
        await journal.close(entry.nonce).catch(() => undefined);
        throw error;
    }
    // The new entry names what it adopts before the old one is forgotten.
    for (const { nonce } of settled.close) await journal.close(nonce).catch(() => undefined);
    const marker = newMarker(entry, create.state);
    const { adopt } = settled;
    const { lost, settled: before } = create.state ?? { lost: [], settled: [] };
    if (adopt !== undefined) {
        // Others may still be accepted where one was found at once.
        const known = [parseMarker(markerIn(adopt.metadata)), ...settled.close].map((one) => stemIn(one?.nonce ?? ""));
        const its = lost.filter((one) => known.includes(one));
        return made(create, adopt, { marker, adopted: true, isSeen: true, settled: [...before, ...its] });
    }
    const { object, isSeen } = await post(create, marker);
    // The id is in memory even if the disk fails.
    await journal.note(entry.nonce, { id: request.kind.idOf(object) }).catch(() => undefined);
    return made(create, object, { marker, adopted: false, isSeen, settled: [...before, ...lost] });
}

/** The engine repeats a create in this process (an `onError` hook), which has made the object: it goes on with its own entry. */
async function repeated<T extends Listed>(
    operation: Operation,
    request: CreateRequest<T>,
): Promise<CreatedObject<T> | undefined> {
    const { journal } = operation.environment;
    const entries = await entriesLike(operation, operation.urn ?? "", request.kind.name);
    const own = entries.findLast(({ owner, urn }) => urn === operation.urn && isSameProcess(owner, journal.owner));
    if (own?.id === undefined || own.marker === undefined) return undefined;
    const { id, marker } = own;
    const { clock } = operation.environment;
    const until = (own.sentAt ?? own.startedAt) + longestRequestMs + consistencyGraceMs;
    try {
        let object = await unlessMissing(() => request.kind.get(id, request.options));
        // A service may show an object a moment later than it accepted its create.
        while (object === undefined && clock.now() < until) {
            await clock.sleep(graceStepMs, operation.signal);
            object = await unlessMissing(() => request.kind.get(id, request.options));
        }
        if (object !== undefined && !isLeaving(object.status))
            return { object, id, marker, adopted: true, unseen: undefined, settled: [] };
    } catch (error) {
        throw new Unconfirmed(id, marker, error);
    }
    await journal.close(own.nonce);
    return undefined;
}

/** Before anything is asked or sent: a create that is killed from here on is known to the next run. */
async function openEntry(
    { environment, urn = "", attempt }: Operation,
    { kind, title, identity }: { kind: string; title: string; identity: unknown },
): Promise<JournalEntry> {
    const { api, clock, journal, random } = environment;
    const nonce = newNonce(random, attempt && stem(attempt, resourceDigest(urn, kind)));
    const entry: JournalEntry = {
        kind,
        urn,
        nonce,
        title: titleDigest(title),
        inputs: inputsDigest(identity, nonce),
        fingerprint: api.fingerprint,
        startedAt: clock.now(),
        owner: journal.owner,
    };
    await written(() => journal.open(entry));
    return entry;
}

/** Reads the stack's own state, and the first page of the lists: a wrong address fails here, with nothing in doubt. */
async function evidenceFor<T extends Listed>(
    operation: Operation,
    { kind, options }: CreateRequest<T>,
    { urn }: JournalEntry,
): Promise<OwnState | undefined> {
    const { lists, ownState } = operation.environment;
    const reached = Promise.all(kind.lists(false).map((list) => lists.reach(list, options)));
    const [state] = await Promise.all([ownState.of(urn, kind.name, operation), reached]);
    return state;
}

/** Applies the law to earlier creates of the resource: the entries of its URN, and those of its state under another name. */
async function settleEarlier<T extends Listed>(create: Create<T>): Promise<Settled<T>> {
    const { operation, request, entry, state } = create;
    const { clock, journal } = operation.environment;
    const { project, stack } = namesIn(entry.urn);
    const isEarlier = (one: JournalEntry) => {
        const { nonce, urn, birth } = one;
        const isOfState = Boolean(birth) && birth === state?.birth;
        const names = namesIn(urn);
        // A run of another stack with the same names, on the same machine.
        if (birth && state?.birth && !isOfState && journal.isOwnedElsewhere(one)) return false;
        return nonce !== entry.nonce && (isOfState || (names.project === project && names.stack === stack));
    };
    const read = async () => (await entriesLike(operation, entry.urn, entry.kind)).filter(isEarlier);
    const earlier = await onceReleased(operation, read);
    const { signal } = operation;
    const { deadline } = request.options;
    for (let waited = false; ; waited = true) {
        const limit = { clock, ms: deadline.left, signal, reason: outOfTime };
        const decision = await withTimeLimit(limit, (limited) =>
            decide({ ...create, operation: { ...operation, signal: limited } }, earlier, waited),
        );
        // Entries that a living process works on are kept.
        if (decision.kind === "go")
            return { ...decision, close: decision.close.filter((one) => !journal.isOwnedElsewhere(one)) };
        await countDown(operation, decision.ms, "waiting until no earlier request can still be accepted", {
            deadline,
        });
    }
}

/** The program declares a different object than the one that an earlier create made and no state has. */
async function removeSuperseded<T extends Listed>({ operation, request }: Create<T>, object: T): Promise<void> {
    const id = request.kind.idOf(object);
    await unlessMissing(() => request.kind.remove(id, request.options));
    operation.info(messages.supersededDeleted({ object: `${request.kind.name} ${id}` }));
}

/** Records what is sent from now on, or which object is adopted. */
async function claim<T extends Listed>(create: Create<T>, adopt: T | undefined): Promise<void> {
    const { operation, request, entry, state } = create;
    const { journal } = operation.environment;
    const id = adopt && request.kind.idOf(adopt);
    const adopts = parseMarker(markerIn(adopt?.metadata))?.nonce;
    await written(() =>
        journal.note(entry.nonce, { marker: newMarker(entry, state), id, adopts, birth: state?.birth }),
    );
    if (id !== undefined) operation.info(messages.foundAgain({ object: `${request.kind.name} ${id}` }));
}

async function post<T extends Listed>(create: Create<T>, marker: string): Promise<{ object: T; isSeen: boolean }> {
    const { operation, request, entry } = create;
    const { clock, journal } = operation.environment;
    const beforeTry = () => written(() => journal.note(entry.nonce, { sentAt: clock.now() }));
    for (let posts = 1; ; posts++) {
        let failure: unknown;
        try {
            return { object: await request.post(marker, beforeTry), isSeen: false };
        } catch (error) {
            const isAmbiguous = error instanceof ApiError && error.outcome === "ambiguous";
            // Earlier requests can no longer be accepted, so nothing was created.
            const isKnown = error instanceof ApiError || error instanceof LifecycleError;
            if (!isAmbiguous && isKnown) await journal.close(entry.nonce).catch(() => undefined);
            if (!isAmbiguous) throw error;
            failure = error;
        }
        const found = await untilKnown(create, failure as ApiError);
        if (found !== undefined) return { object: found, isSeen: true };
        const noun = request.kind.name.toLowerCase();
        if (posts === maxPosts)
            throw new LifecycleError(
                messages.attemptsFailed({ attempts: posts, object: noun, error: messageOf(failure) }),
            );
    }
}

/** Searches for the object of a lost answer, at once and in growing pauses, until it would surely be listed. */
async function untilKnown<T extends Listed>(create: Create<T>, { status }: ApiError): Promise<T | undefined> {
    const { operation, request, entry } = create;
    const { clock } = operation.environment;
    const noun = request.kind.name.toLowerCase();
    const until = Deadline.after(clock, acceptanceMs);
    const query = queryFor(request, entry, true);
    const why = `${status === undefined ? "no answer" : `HTTP ${status}`}; checking whether the ${noun} was created`;
    for (let looks = 0; ; looks++) {
        const isLast = until.passed;
        try {
            const [found] = await look(operation, query);
            if (found !== undefined || isLast) {
                operation.progress(found === undefined ? "not found" : "found again");
                return found;
            }
        } catch (error) {
            operation.signal.throwIfAborted();
            // Without one complete search at the end, nothing may be sent again.
            if (isLast)
                throw new LifecycleError(
                    messages.createUnknown({
                        object: noun,
                        error: messageOf(error),
                        forget: messages.forgetEntries({ entries: entry.nonce }),
                    }),
                );
        }
        const pauseMs = Math.min(searchPausesMs[looks] ?? Math.max(...searchPausesMs), until.left);
        await countDown(operation, pauseMs, why, { until, deadline: request.options.deadline });
    }
}

/** Waits, and says on the row how much longer: by default, until the wait is over. */
export async function countDown(
    { environment: { clock }, progress, signal }: Operation,
    ms: number,
    why: string,
    { until, deadline }: { until?: Deadline; deadline?: Deadline } = {},
): Promise<void> {
    const end = Deadline.after(clock, ms);
    // A timer may fire slightly early.
    while (!end.passed) {
        if (deadline?.passed) throw outOfTime();
        progress(`${why} (${Math.ceil((until ?? end).left / 1000)} s left)`);
        await clock.sleep(Math.min(end.left, deadline?.left ?? end.left, 5_000), signal);
    }
}

function made<T extends Listed>(
    { operation, request }: Create<T>,
    object: T,
    { isSeen, ...how }: Pick<CreatedObject<T>, "marker" | "adopted" | "settled"> & { isSeen: boolean },
): CreatedObject<T> {
    const { clock, managers } = operation.environment;
    const id = request.kind.idOf(object);
    managers.note(id, operation.urn);
    return { object, id, ...how, unseen: isSeen ? undefined : clock.now() };
}

function entriesLike({ environment }: Operation, urn: string, kind: string): Promise<JournalEntry[]> {
    return environment.journal.entriesLike(urn, kind).catch((error: unknown) => {
        throw new LifecycleError(messages.journalUnreadable({ error: messageOf(error) }));
    });
}

async function written<T>(write: () => Promise<T>): Promise<T> {
    try {
        return await write();
    } catch (error) {
        throw new LifecycleError(messages.journalUnwritable({ error: messageOf(error) }));
    }
}

function outOfTime(): LifecycleError {
    return new LifecycleError(messages.createTimedOut());
}
