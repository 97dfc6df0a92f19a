/**
 * Creates one object, exactly once (S1): opens a journal entry, asks the ledger for earlier creates of this resource that have not
 * ended (ledger.ts), finds out what the law says of them (law.ts, findings.ts), does what follows (decision.ts), and only then sends
 * a POST (post.ts).
 */
import { inputsDigest, titleDigest } from "../evidence/digest";
import type { JournalEntry } from "../evidence/journal";
import type { Listed } from "../evidence/lists";
import { newMarker, newNonce, noncePrefix, resourceDigest } from "../evidence/marker";
import { messages } from "../messages";
import { confirmEnvironment, unlessMissing } from "../operation/notFound";
import type { Operation } from "../operation/operation";
import type { Create, CreateRecord, CreateRequest } from "./create";
import { type Decision, decide } from "./decision";
import { findingOf } from "./findings";
import { repeatedEntries, rowsOf, unfinishedCreates } from "./ledger";
import { countDown, post } from "./post";
import { type Found, Search } from "./search";

export interface CreatedObject<T> extends CreateRecord {
    object: T;
    id: string;
    /** Whether an earlier create made it: its inputs may be older ones. */
    adopted: boolean;
}

/** @throws {InDoubt} where it is unknown whether the object was created. */
export async function createOnce<T extends Listed>(
    operation: Operation,
    request: CreateRequest<T>,
): Promise<CreatedObject<T>> {
    const { journal, claims, handledRows } = operation.services;
    const entry = await openEntry(operation, request);
    const { create, record, adopt, close } = await prepared(operation, request, entry).catch(async (error: unknown) => {
        // Nothing was sent, so the entry can go. After an interrupt it stays: the engine keeps its pending operation, and only the entry
        // tells the next run that no POST was sent for it.
        if (!operation.signal.aborted) await journal.forget(entry).catch(() => undefined);
        throw error;
    });
    // The new entry names what it adopts before the old one is forgotten.
    for (const { nonce, entry } of close) {
        handledRows.add(nonce);
        if (entry !== undefined) await journal.forget(entry).catch(() => undefined);
    }
    const { id, object } = adopt ?? (await post(create, request, record));
    claims.claim(id, operation.urn);
    // That of an adopted object is noted already. The id is in memory even if the disk fails.
    if (adopt === undefined) await journal.note(entry, { id }).catch(() => undefined);
    return { object, id, adopted: adopt !== undefined, ...record };
}

/** Before anything is asked or sent: a create that is killed from here on is known to the next run. */
async function openEntry<T extends Listed>(
    operation: Operation,
    { kind: { name: kind }, title, identity }: CreateRequest<T>,
): Promise<JournalEntry> {
    const { urn = "", attempt, services, openedEntries } = operation;
    const { api, clock, journal, random } = services;
    const resource = resourceDigest(urn, kind);
    const nonce = newNonce(random, attempt && noncePrefix(attempt, resource));
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
    for (const repeated of repeatedEntries(operation, entry)) await journal.reopen(repeated);
    await journal.open(entry);
    openedEntries.push(entry);
    return entry;
}

/** Everything before the POST: what is known of earlier creates, what follows from it, and the note of what is sent or adopted. */
async function prepared<T extends Listed>(operation: Operation, request: CreateRequest<T>, entry: JournalEntry) {
    const { journal, lists, ownState } = operation.services;
    const { kind, options } = request;
    // A wrong address fails here, with nothing in doubt.
    const reached = Promise.all(kind.lists().map((list) => lists.reach(list, options)));
    const [state] = await Promise.all([ownState.of(entry.urn, kind.name, operation), reached]);
    await confirmEnvironment(operation, state?.neighbours ?? []);
    const search = new Search<T>(kind, lists, { ...options, progress: operation.progress });
    const create = { operation, entry, identity: request.identity, deadline: options.deadline, state, search };
    const { adopt, remove, close } = await decided(create);
    for (const { id } of remove) {
        // The program declares a different object than the one that an earlier create made and no state has.
        await unlessMissing(() => kind.remove(id, options));
        operation.info(messages.supersededDeleted({ object: `${kind.name} ${id}` }));
    }
    if (adopt === undefined) await request.before?.();
    const marker = newMarker(entry, state);
    const adoptedNonce = adopt && (adopt.marker?.nonce ?? "");
    await journal.note(entry, { marker, id: adopt?.id, adoptedNonce, birth: state?.birth });
    return { create, adopt, close, record: { marker, handled: handledBy(create, adopt, close) } };
}

/** Applies the law to the earlier creates of the resource. */
async function decided<T extends Listed>(create: Create<T>): Promise<Decision<T>> {
    const { operation, deadline } = create;
    const { journal } = operation.services;
    const unfinished = await unfinishedCreates(create);
    for (let waited = false; ; waited = true) {
        const findings = await Promise.all(unfinished.map((one) => findingOf(create, one)));
        const decision = await decide(create, findings, waited);
        // Entries that a living process works on are kept.
        if (!("wait" in decision))
            return {
                ...decision,
                close: decision.close.filter(({ entry }) => !entry || !journal.isHeldByLivingProcess(entry)),
            };
        const why = "waiting until no earlier request can still be accepted";
        await countDown(operation, decision.wait.left, why, { deadline });
    }
}

/** The creates in the state that need no more care. Besides that of an adopted object, others may still be accepted. */
function handledBy<T extends Listed>(
    create: Create<T>,
    adopt: Found<T> | undefined,
    close: Decision<T>["close"],
): string[] {
    const { pending, handled } = create.state ?? { pending: [], handled: [] };
    const closed = [...close, ...(adopt?.marker ? [adopt.marker] : [])].map(({ nonce }) => nonce);
    const isClosed = (start: string) => adopt === undefined || closed.some((nonce) => nonce.startsWith(start));
    const names = [...pending.map(({ prefix }) => prefix), ...rowsOf(create).map(({ marker }) => marker.nonce)];
    return [...handled, ...names.filter(isClosed)];
}
