/**
 * Creates one object, exactly once (S1): opens a journal entry, asks the one law (law.ts) what earlier creates of this
 * resource mean, and only then sends a POST. After a lost answer, it searches for the object until no
 * request can still be accepted.
 */
import { acceptanceMs, earlierRunMs, earlierRunStepMs } from "../api";
import { inputsDigest, titleDigest } from "../evidence/digest";
import type { JournalEntry } from "../evidence/journal";
import type { Listed } from "../evidence/lists";
import { markerOf, newMarker, newNonce, resourceDigest, stem, stemIn } from "../evidence/marker";
import { isSameProcess } from "../evidence/owner";
import type { OwnState } from "../evidence/ownState";
import { messages } from "../messages";
import { unlessMissing } from "../operation/notFound";
import type { Operation } from "../operation/operation";
import { isSameStack } from "../urn";
import type { Create, CreateRequest } from "./create";
import { type Decision, decide } from "./findings";
import { countDown, post } from "./post";

export interface CreatedObject<T> {
    object: T;
    id: string;
    /** The marker that its metadata should have. An adopted object still has an older one. */
    marker: string;
    /** Whether an earlier create made it: its inputs may be older ones. */
    adopted: boolean;
    /** The creates that never ended, and that this one has taken care of: the stems of their nonces. */
    settled: readonly string[];
}

type Settled<T> = Extract<Decision<T>, { kind: "go" }>;

export async function createOnce<T extends Listed>(
    operation: Operation,
    request: CreateRequest<T>,
): Promise<CreatedObject<T>> {
    const { journal, managers } = operation.environment;
    const entry = await openEntry(operation, request);
    const { create, adopt, close } = await prepared(operation, request, entry).catch(async (error: unknown) => {
        // Nothing was sent. An engine that has ended keeps its operation, and the entry says so to the next run.
        if (!operation.signal.aborted) await journal.close(entry).catch(() => undefined);
        throw error;
    });
    // The new entry names what it adopts before the old one is forgotten.
    for (const earlier of close) await journal.close(earlier).catch(() => undefined);
    const marker = newMarker(entry, create.state);
    const object = adopt ?? (await post(create, marker));
    const id = request.kind.idOf(object);
    managers.note(id, operation.urn);
    // That of an adopted object is noted already. The id is in memory even if the disk fails.
    if (adopt === undefined) await journal.note(entry, { id }).catch(() => undefined);
    return { object, id, marker, adopted: adopt !== undefined, settled: settledBy(create.state, adopt, close) };
}

/** Before anything is asked or sent: a create that is killed from here on is known to the next run. */
async function openEntry<T extends Listed>(
    { environment, urn = "", attempt }: Operation,
    { kind: { name: kind }, title, identity }: CreateRequest<T>,
): Promise<JournalEntry> {
    const { api, clock, journal, random } = environment;
    const resource = resourceDigest(urn, kind);
    for (const earlier of await journal.entriesOf(resource)) {
        // The engine repeats a create of this process (an `onError` hook), and has thrown away the earlier answer.
        const isRepeated = isSameProcess(earlier.owner, journal.owner) && isSameStack(earlier.urn, urn);
        if (isRepeated) await journal.note(earlier, { told: false });
    }
    const nonce = newNonce(random, attempt && stem(attempt, resource));
    const entry: JournalEntry = {
        kind,
        urn,
        resource,
        nonce,
        title: titleDigest(title),
        inputs: inputsDigest(identity, nonce),
        fingerprint: api.fingerprint,
        startedAt: clock.now(),
        owner: journal.owner,
    };
    await journal.open(entry);
    return entry;
}

interface Prepared<T extends Listed> extends Settled<T> {
    create: Create<T>;
}

/** Everything before the POST: what is known of earlier creates, what follows from it, and the note of what is sent or adopted. */
async function prepared<T extends Listed>(
    operation: Operation,
    request: CreateRequest<T>,
    entry: JournalEntry,
): Promise<Prepared<T>> {
    const { journal, lists, ownState } = operation.environment;
    const { kind, options } = request;
    // A wrong address fails here, with nothing in doubt.
    const reached = Promise.all(kind.lists().map((list) => lists.reach(list, options)));
    const [state] = await Promise.all([ownState.of(entry.urn, kind.name, operation), reached]);
    const create = { operation, request, entry, state };
    const settled = await settleEarlier(create);
    for (const object of settled.remove) {
        // The program declares a different object than the one that an earlier create made and no state has.
        const id = kind.idOf(object);
        await unlessMissing(() => kind.remove(id, options));
        operation.info(messages.supersededDeleted({ object: `${kind.name} ${id}` }));
    }
    const { adopt } = settled;
    if (adopt === undefined) await request.before?.();
    const id = adopt && kind.idOf(adopt);
    const adopts = adopt && (markerOf(adopt.metadata)?.nonce ?? "");
    await journal.note(entry, { marker: newMarker(entry, state), id, adopts, birth: state?.birth });
    if (id !== undefined) operation.info(messages.foundAgain({ object: `${kind.name} ${id}` }));
    return { ...settled, create };
}

/** Applies the law to earlier creates of the resource: the entries of its URN, and those of its state under another name. */
async function settleEarlier<T extends Listed>(create: Create<T>): Promise<Settled<T>> {
    const { operation, request, entry, state } = create;
    const { journal } = operation.environment;
    const isEarlier = (one: JournalEntry) => {
        const isOfState = Boolean(one.birth) && one.birth === state?.birth;
        // A run of another stack with the same names, on the same machine.
        if (one.birth && state?.birth && !isOfState && journal.isOwnedElsewhere(one)) return false;
        return one.nonce !== entry.nonce && (isOfState || isSameStack(one.urn, entry.urn));
    };
    const read = async () => (await journal.entriesOf(entry.resource)).filter(isEarlier);
    const earlier = await onceReleased(operation, read);
    for (let waited = false; ; waited = true) {
        const decision = await decide(create, earlier, waited);
        // Entries that a living process works on are kept.
        if (decision.kind === "go")
            return { ...decision, close: decision.close.filter((one) => !journal.isOwnedElsewhere(one)) };
        const why = "waiting until no earlier request can still be accepted";
        await countDown(operation, acceptanceMs, why, { deadline: request.options.deadline });
    }
}

/**
 * The entries, once no other process works on them. A process of a run that was killed ends with the request under way. One
 * that is still alive after the time limit may be another one of this run.
 */
async function onceReleased(operation: Operation, read: () => Promise<JournalEntry[]>): Promise<JournalEntry[]> {
    const { clock, journal } = operation.environment;
    for (let waitedMs = 0; ; waitedMs += earlierRunStepMs) {
        const entries = await read();
        const isBusy = entries.some((entry) => journal.isOwnedElsewhere(entry));
        if (!isBusy || waitedMs >= earlierRunMs) {
            if (waitedMs > 0 && !isBusy) operation.progress("the earlier run has ended");
            return entries;
        }
        operation.progress("waiting for an earlier run of this stack that is still at work");
        await clock.sleep(earlierRunStepMs, operation.signal);
    }
}

/** The creates that never ended and need no more care. Besides that of an adopted object, others may still be accepted. */
function settledBy<T extends Listed>(
    state: OwnState | undefined,
    adopt: T | undefined,
    close: readonly JournalEntry[],
): string[] {
    const { lost, settled } = state ?? { lost: [], settled: [] };
    if (adopt === undefined) return [...settled, ...lost];
    const known = [markerOf(adopt.metadata), ...close].map((one) => stemIn(one?.nonce ?? ""));
    return [...settled, ...lost.filter((one) => known.includes(one))];
}
