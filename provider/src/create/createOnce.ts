/**
 * Creates one object, exactly once (S1): opens a journal entry, finds what is known of earlier creates of this resource
 * (findings.ts) and what the one law says of them (law.ts), does what follows (decision.ts), and only then sends a POST (post.ts).
 */
import { acceptanceMs } from "../api";
import { inputsDigest, titleDigest } from "../evidence/digest";
import type { JournalEntry } from "../evidence/journal";
import type { Listed } from "../evidence/lists";
import { newMarker, newNonce, resourceDigest, stem, stemIn } from "../evidence/marker";
import { isSameProcess } from "../evidence/owner";
import type { OwnState } from "../evidence/ownState";
import { messages } from "../messages";
import { unlessMissing } from "../operation/notFound";
import type { Operation } from "../operation/operation";
import { isSameStack } from "../urn";
import type { Create, CreateRequest } from "./create";
import { type Decision, decide } from "./decision";
import { earlierOf, findingsOf } from "./findings";
import { countDown, post } from "./post";
import { type Found, Search } from "./search";

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

export async function createOnce<T extends Listed>(
    operation: Operation,
    request: CreateRequest<T>,
): Promise<CreatedObject<T>> {
    const { journal, managers } = operation.environment;
    const entry = await openEntry(operation, request);
    const { create, marker, adopt, close } = await prepared(operation, request, entry).catch(async (error: unknown) => {
        // Nothing was sent. An engine that has ended keeps its operation, and the entry says so to the next run.
        if (!operation.signal.aborted) await journal.close(entry).catch(() => undefined);
        throw error;
    });
    // The new entry names what it adopts before the old one is forgotten.
    for (const earlier of close) await journal.close(earlier).catch(() => undefined);
    const { id, object } = adopt ?? (await post(create, request, marker));
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

/** Everything before the POST: what is known of earlier creates, what follows from it, and the note of what is sent or adopted. */
async function prepared<T extends Listed>(operation: Operation, request: CreateRequest<T>, entry: JournalEntry) {
    const { journal, lists, ownState } = operation.environment;
    const { kind, options } = request;
    // A wrong address fails here, with nothing in doubt.
    const reached = Promise.all(kind.lists().map((list) => lists.reach(list, options)));
    const [state] = await Promise.all([ownState.of(entry.urn, kind.name, operation), reached]);
    const search = new Search<T>(kind, lists, options);
    const create = { operation, entry, identity: request.identity, deadline: options.deadline, state, search };
    const { adopt, remove, close } = await decided(create);
    for (const { id } of remove) {
        // The program declares a different object than the one that an earlier create made and no state has.
        await unlessMissing(() => kind.remove(id, options));
        operation.info(messages.supersededDeleted({ object: `${kind.name} ${id}` }));
    }
    if (adopt === undefined) await request.before?.();
    const marker = newMarker(entry, state);
    const adopts = adopt && (adopt.marker?.nonce ?? "");
    await journal.note(entry, { marker, id: adopt?.id, adopts, birth: state?.birth });
    if (adopt !== undefined) operation.info(messages.foundAgain({ object: `${kind.name} ${adopt.id}` }));
    return { create, marker, adopt, close };
}

/** Applies the law to the earlier creates of the resource. */
async function decided<T extends Listed>(create: Create<T>): Promise<Decision<T>> {
    const { operation, deadline } = create;
    const { journal } = operation.environment;
    const earlier = await earlierOf(create);
    for (let waited = false; ; waited = true) {
        const findings = await findingsOf(create, earlier);
        const decision = await decide(create, findings, waited);
        // Entries that a living process works on are kept.
        if (decision !== "wait")
            return { ...decision, close: decision.close.filter((one) => !journal.isOwnedElsewhere(one)) };
        const why = "waiting until no earlier request can still be accepted";
        await countDown(operation, acceptanceMs, why, { deadline });
    }
}

/** The creates that never ended and need no more care. Besides that of an adopted object, others may still be accepted. */
function settledBy(state: OwnState | undefined, adopt: Found<unknown> | undefined, close: JournalEntry[]): string[] {
    const { lost, settled } = state ?? { lost: [], settled: [] };
    if (adopt === undefined) return [...settled, ...lost];
    const known = [adopt.marker, ...close].map((one) => stemIn(one?.nonce ?? ""));
    return [...settled, ...lost.filter((one) => known.includes(one))];
}
