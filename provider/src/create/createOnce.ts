/**
 * Creates one object, exactly once (S1): opens a journal entry, collects earlier creates of this resource that have not ended (ledger.ts),
 * decides about them (decision.ts, by law.ts), carries the decision out, and only then sends a POST (post.ts).
 */
import { isSameId } from "../api";
import { digestOfTitle } from "../evidence/digest";
import type { JournalEntry } from "../evidence/journalFile";
import type { ServiceObject } from "../evidence/lists";
import { isSameAttempt, newIdentity, newMarker, ownerOf } from "../evidence/marker";
import { createOnlyInputs } from "../inputs/properties";
import { messageOf, messages } from "../messages";
import { confirmEnvironment, unlessNotFound } from "../operation/notFound";
import type { Operation } from "../operation/operation";
import { type Create, type CreateRequest, inDoubt } from "./create";
import { decide } from "./decision";
import { forgetCreates } from "./ledger";
import { post } from "./post";
import { Search } from "./search";

/**
 * The object, created or adopted. `markerText`: the marker that its metadata should have; an adopted object still has the marker of the earlier
 * create that made it, with the `adoptedNonce`, and perhaps older inputs. @throws {PartialFailure} where it is unknown whether an object was created.
 */
export async function createOnce<T extends ServiceObject>(operation: Operation, request: CreateRequest<T>) {
    const entry = await openEntry(operation, request);
    const { create, markerText, adopt, adoptedNonce, handled } = await prepareCreate(operation, request, entry).catch(
        (error: unknown) => failUnsent(operation, request, entry, error),
    );
    const { id, object } = adopt ?? (await post(create, markerText, handled));
    return { object, id, adoptedNonce, markerText, handled };
}

/** Opens the journal entry, before anything is asked or sent: the next run knows a create that is killed from here on. */
async function openEntry<T extends ServiceObject>(
    operation: Operation,
    { requests, definition, inputs }: CreateRequest<T>,
): Promise<JournalEntry> {
    const { urn = "", attempt, services, openedEntries } = operation;
    const { api, clock, journal, random } = services;
    const kind = requests.name;
    const entry: JournalEntry = {
        kind,
        ...newIdentity(random, urn, kind, createOnlyInputs(definition.inputs.shape, inputs), attempt),
        titleDigest: digestOfTitle(String(inputs.title)),
        fingerprint: api.fingerprint,
        startedAt: clock.now(),
        writer: journal.writer,
    };
    await journal.open(entry);
    openedEntries.push(entry);
    return entry;
}

/** The steps before the POST: the decision about earlier creates, its DELETEs, and the note of the marker that is sent or the object adopted. */
async function prepareCreate<T extends ServiceObject>(
    operation: Operation,
    request: CreateRequest<T>,
    entry: JournalEntry,
) {
    const { claims, handledThisRun, journal, lists, ownState } = operation.services;
    const { requests, options } = request;
    // A wrong address fails here, with nothing in doubt.
    const readable = Promise.all(requests.lists().map((list) => lists.checkReadable(list, options)));
    const [state, before] = await Promise.all([ownState.of(entry.urn, requests.name, operation), readable]);
    const pages = state ? before : await Promise.all(requests.lists().map((list) => lists.readAgain(list, options)));
    await confirmEnvironment(operation, state?.neighbours ?? []);
    const search = new Search<T>(requests, lists, { ...options, progress: operation.progress });
    const predecessor = claims.shownRecordOf(entry.urn)?.id ?? "";
    const isManaged = (id: string) =>
        state?.has({ id }) === true || isSameId(predecessor, id) || claims.otherOwnerOf(id, entry.urn) !== undefined;
    const create: Create<T> = {
        ...{ operation, request, entry, state, search, listed: pages.flat(), isManaged },
        // Most creates search for nothing.
        get owner() {
            return ownerOf(entry.urn, entry.kind, state?.birth);
        },
    };
    const { adopt, remove, forget, handled } = await decide(create);
    if (adopt !== undefined) claims.claim(adopt.id, entry.urn);
    // Earlier creates made these objects with other create-only inputs, and no state has them.
    for (const { id } of remove) {
        await unlessNotFound(() => requests.remove(id, options));
        operation.info(messages.supersededDeleted({ object: `${requests.name} ${id}` }));
    }
    if (adopt === undefined) await request.beforePost?.();
    const markerText = newMarker(entry, state);
    const adoptedNonce = adopt && (adopt.marker?.nonce ?? "");
    await journal.note(entry.nonce, { marker: markerText, id: adopt?.id, adoptedNonce, birth: state?.birth });
    for (const noncePrefix of forget) handledThisRun.add(noncePrefix);
    // The new entry names the adopted object before the old entry is forgotten. A create that is known by a nonce's prefix alone has no entry.
    await forgetCreates(journal, forget);
    return { create, adopt, adoptedNonce, markerText, handled };
}

/**
 * Ends a create that sent nothing. An engine that repeats a create (an `onError` hook) may record the last answer alone, so this answer has to
 * name the object that the first try may have made. @throws {PartialFailure} in that case, else the error.
 */
async function failUnsent<T extends ServiceObject>(
    { services, signal }: Operation,
    { inputs }: CreateRequest<T>,
    entry: JournalEntry,
    error: unknown,
): Promise<never> {
    const { journal } = services;
    // After an interrupt the entry stays: the engine keeps its pending operation, and only the entry tells the next run that no POST was
    // sent for that operation.
    if (signal.aborted) throw error;
    await forgetCreates(journal, [entry.nonce]);
    const isFirstTry = (one: JournalEntry) => journal.isOwn(one.nonce) && isSameAttempt(one, entry) && one !== entry;
    const first = (await journal.entriesOf(entry.resourceDigest).catch(() => [])).find(isFirstTry);
    if (first?.marker === undefined) throw error;
    const reason = messages.createUnknown({ object: entry.kind.toLowerCase(), error: messageOf(error) });
    throw inDoubt(reason, first, inputs);
}
