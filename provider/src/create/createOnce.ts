/**
 * Creates one object, exactly once (S1): opens a journal entry, collects earlier creates of this resource that have not ended (ledger.ts),
 * decides about them (decision.ts, by law.ts), does what follows, and only then sends a POST (post.ts).
 */
import { isSameId } from "../api";
import { digestOfTitle } from "../evidence/digest";
import type { JournalEntry } from "../evidence/journalEntry";
import type { Listed } from "../evidence/lists";
import { isSameAttempt, newDigests, newMarker } from "../evidence/marker";
import { createIdentity } from "../inputs/creation";
import { messageOf, messages } from "../messages";
import { confirmEnvironment, unlessMissing } from "../operation/notFound";
import type { Operation } from "../operation/operation";
import { type CreateRequest, inDoubt } from "./create";
import { decide } from "./decision";
import { forgetCreates } from "./ledger";
import { post } from "./post";
import { Search } from "./search";

/**
 * `markerText`: that its metadata should have; an adopted object, which an earlier create made, still has an older one, and perhaps older inputs.
 * @throws {PartialFailure} where it is unknown whether it was created.
 */
export async function createOnce<T extends Listed>(operation: Operation, request: CreateRequest<T>) {
    const entry = await openEntry(operation, request);
    const { create, markerText, adopt, handled } = await prepareCreate(operation, request, entry).catch(
        (error: unknown) => failUnsent(operation, request, entry, error),
    );
    const { id, object } = adopt ?? (await post(create, markerText, handled));
    return { object, id, adopted: adopt !== undefined, markerText, handled };
}

/** Before anything is asked or sent: a create that is killed from here on is known to the next run. */
async function openEntry<T extends Listed>(
    operation: Operation,
    { requests, definition, inputs }: CreateRequest<T>,
): Promise<JournalEntry> {
    const { urn = "", attempt, services, openedEntries } = operation;
    const { api, clock, journal, random } = services;
    const kind = requests.name;
    const entry: JournalEntry = {
        kind,
        ...newDigests(random, urn, kind, createIdentity(definition.inputs, inputs), attempt),
        titleDigest: digestOfTitle(String(inputs.title)),
        fingerprint: api.fingerprint,
        startedAt: clock.now(),
        writer: journal.writer,
    };
    await journal.open(entry);
    openedEntries.push(entry);
    return entry;
}

/** Everything before the POST: what is known of earlier creates, what follows from it, DELETEs too, and the note of what is sent or adopted. */
async function prepareCreate<T extends Listed>(operation: Operation, request: CreateRequest<T>, entry: JournalEntry) {
    const { claims, handledThisRun, journal, lists, ownState } = operation.services;
    const { requests, options } = request;
    // A wrong address fails here, with nothing in doubt.
    const readable = Promise.all(requests.lists().map((list) => lists.checkReadable(list, options)));
    const [state, pages] = await Promise.all([ownState.of(entry.urn, requests.name, operation), readable]);
    await confirmEnvironment(operation, state?.neighbours ?? []);
    const search = new Search<T>(requests, lists, { ...options, progress: operation.progress });
    const replaced = claims.recordedOf(entry.urn)?.id ?? "";
    const isManaged = (id: string) =>
        state?.has({ id }) === true || isSameId(replaced, id) || claims.otherOwnerOf(id, entry.urn) !== undefined;
    const wasListed = (id: string) => pages.some((items) => items.some((item) => isSameId(requests.idOf(item), id)));
    const create = { operation, request, entry, state, search, isManaged, wasListed };
    const { adopt, remove, forget, handled } = await decide(create);
    if (adopt !== undefined) claims.claim(adopt.id, entry.urn);
    // The program declares a different object than those that earlier creates made and no state has.
    for (const { id } of remove) {
        await unlessMissing(() => requests.remove(id, options));
        operation.info(messages.supersededDeleted({ object: `${requests.name} ${id}` }));
    }
    if (adopt === undefined) await request.beforePost?.();
    const markerText = newMarker(entry, state);
    const adoptedNonce = adopt && (adopt.marker?.nonce ?? "");
    await journal.note(entry.nonce, { marker: markerText, id: adopt?.id, adoptedNonce, birth: state?.birth });
    for (const noncePrefix of forget) handledThisRun.add(noncePrefix);
    // The new entry names what it adopts before the old one is forgotten. What is known by the start of its nonce alone has no entry.
    await forgetCreates(journal, forget);
    return { create, adopt, markerText, handled };
}

/**
 * Nothing was sent. An engine that repeats a create (an `onError` hook) may record the last answer alone, so that has to name what the first
 * try has made. @throws {PartialFailure} in that case, else the error.
 */
async function failUnsent<T extends Listed>(
    { services, signal }: Operation,
    { inputs }: CreateRequest<T>,
    entry: JournalEntry,
    error: unknown,
): Promise<never> {
    const { journal } = services;
    // After an interrupt the entry stays: the engine keeps its pending operation, and only the entry tells the next run that no POST was
    // sent for it.
    if (signal.aborted) throw error;
    await forgetCreates(journal, [entry.nonce]);
    const isFirstTry = (one: JournalEntry) => journal.isOwn(one.nonce) && isSameAttempt(one, entry) && one !== entry;
    const first = (await journal.entriesOf(entry.resourceDigest).catch(() => [])).find(isFirstTry);
    if (first?.marker === undefined) throw error;
    const reason = messages.createUnknown({ object: entry.kind.toLowerCase(), error: messageOf(error) });
    throw inDoubt(reason, first, inputs);
}
