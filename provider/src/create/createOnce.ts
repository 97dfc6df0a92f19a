/**
 * Creates one object, exactly once (S1): opens a journal entry, collects earlier creates of this resource that have not ended (ledger.ts),
 * decides about them (decision.ts, by law.ts), carries the decision out, and only then sends a POST (post.ts).
 */
import { digestOfTitle } from "../evidence/digest";
import type { JournalEntry } from "../evidence/journalFile";
import type { ServiceObject } from "../evidence/lists";
import { attemptOf, newIdentity, newMarker } from "../evidence/marker";
import { dueThumbnail } from "../inputs/ownRequests";
import { createOnlyInputs, inputsIn } from "../inputs/properties";
import { messageOf, messages } from "../messages";
import { unlessNotFound } from "../operation/notFound";
import type { Draft, Subject } from "../operation/subject";
import { Create, inDoubt, newRecord } from "./create";
import { decide } from "./decision";
import { forgetCreates } from "./ledger";
import { post } from "./post";

/**
 * Creates or adopts the subject's object. An adopted one still has the marker of the earlier create that made it, and perhaps older inputs.
 * @throws {PartialFailure} where it is unknown whether an object was created.
 */
export async function createOnce(subject: Subject): Promise<Draft> {
    const entry = await openEntry(subject);
    const create = await prepareCreate(subject, entry).catch((error: unknown) => failUnsent(subject, entry, error));
    const { adopt, handled } = create.decision;
    const { id, object } = adopt ?? (await post(create));
    subject.becomes(id, adopt === undefined);
    const meta = newRecord(entry, handled);
    // The POST has the subtitles.
    const unsentRequests = dueThumbnail({ olds: {}, news: subject.inputs });
    if (adopt !== undefined) return { object, meta: { ...meta, adoptedNonce: adopt.marker?.nonce }, unsentRequests };
    // A 404 soon after a create proves nothing: operation/notFound.ts.
    meta.unseenSince = subject.operation.services.clock.now();
    // The inputs of a new object are the declared ones. Thousands wait at a time, and must not hold what only the create needs.
    const outputs = inputsIn(subject.resource.definition.outputs.shape, object);
    return { object: outputs as ServiceObject, meta, unsentRequests };
}

/** Opens the journal entry, before anything is asked or sent: the next run knows a create that is killed from here on. */
async function openEntry({ resource, operation, inputs }: Subject): Promise<JournalEntry> {
    const { urn, attempt, services, openedEntries } = operation;
    const { api, clock, journal, random } = services;
    const { name: kind, inputs: fields } = resource.definition;
    const entry: JournalEntry = {
        kind,
        ...newIdentity(random, urn, kind, createOnlyInputs(fields.shape, inputs), attempt),
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
async function prepareCreate(subject: Subject, entry: JournalEntry): Promise<Create> {
    const { operation, requests, resource } = subject;
    const { claims, handledThisRun, journal, lists, ownState, trust } = operation.services;
    const options = { ...subject.options, deadline: subject.deadline };
    // A wrong address fails here, with nothing in doubt.
    const firstPages = (again?: { again: boolean }) =>
        Promise.all(requests.lists.map((list) => lists.firstPage(list, options, again)));
    const before = await firstPages();
    // After the lists: a create that they refuse has ended, and the state would not name it any more. VG3038 would blame another stack.
    const state = await ownState.of(entry.urn, entry.kind, operation);
    const pages = state ? before : await firstPages({ again: true });
    await trust.confirmEnvironment(state?.neighbours ?? [], operation.signal);
    const create = new Create(subject, entry, state, pages.flat());
    create.decision = await decide(create);
    const { adopt, remove, forget } = create.decision;
    if (adopt !== undefined) claims.claim(adopt.id, entry.urn);
    // Earlier creates made these objects with other create-only inputs, and no state has them.
    for (const { id } of remove) {
        await unlessNotFound(() => requests.remove(id, options));
        operation.info(messages.supersededDeleted({ object: `${entry.kind} ${id}` }));
    }
    if (adopt === undefined) await resource.beforeCreate?.(subject);
    const adoptedNonce = adopt && (adopt.marker?.nonce ?? "");
    entry.marker = newMarker(entry, state);
    await journal.note(entry.nonce, { marker: entry.marker, id: adopt?.id, adoptedNonce, birth: state?.birth });
    for (const nonce of forget) handledThisRun.add(nonce);
    // The new entry names the adopted object before the old entry is forgotten. A create that the state alone names has no entry.
    await forgetCreates(journal, forget);
    return create;
}

/**
 * Ends a create that sent nothing. An engine that repeats a create (an `onError` hook) may record the last answer alone, so this answer has to
 * name the object that the first try may have made. @throws {PartialFailure} in that case, else the error.
 */
async function failUnsent(subject: Subject, entry: JournalEntry, error: unknown): Promise<never> {
    const { services, signal } = subject.operation;
    const { journal } = services;
    // After an interrupt the entry stays: the engine keeps its pending operation, and only the entry tells the next run that no POST was
    // sent for that operation.
    if (signal.aborted) throw error;
    await forgetCreates(journal, [entry.nonce]);
    const isFirstTry = (one: JournalEntry) =>
        journal.isOwn(one.nonce) && attemptOf(one) === attemptOf(entry) && one !== entry;
    const first = (await journal.entriesOf(entry.resourceDigest).catch(() => [])).find(isFirstTry);
    if (first?.marker === undefined) throw error;
    const reason = messages.createUnknown({ object: entry.kind.toLowerCase(), error: messageOf(error) });
    throw inDoubt(reason, subject, first);
}
