/**
 * Creates one object, exactly once. The steps: open a journal entry, collect the earlier creates of this resource that have not ended (ledger.ts),
 * decide about them (decision.ts, by the table in law.ts), delete what the decision says, and only then send a POST (post.ts).
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
 * Creates the subject's object, or adopts the object of an earlier create. An adopted object still has the marker and the inputs of the earlier
 * create, until the caller updates it. @throws {PartialFailure} where it is unknown whether an object was created.
 */
export async function createOnce(subject: Subject): Promise<Draft> {
    const entry = await openEntry(subject);
    const create = await prepareCreate(subject, entry).catch((error: unknown) => failUnsent(subject, entry, error));
    const { adopt, handled } = create.decision;
    const { id, object } = adopt ?? (await post(create));
    subject.becomes(id, adopt === undefined);
    const meta = newRecord(entry, handled);
    // The POST has sent the subtitles, but a thumbnail needs a request of its own.
    const unsentRequests = dueThumbnail({ olds: {}, news: subject.inputs });
    if (adopt !== undefined) return { object, meta: { ...meta, adoptedNonce: adopt.marker?.nonce }, unsentRequests };
    // A service may show a new object late. Without this time, a 404 soon after the create would count as a deletion.
    meta.unseenSince = subject.operation.services.clock.now();
    // Only the computed values are kept: thousands of objects wait at a time, and the declared inputs are in memory anyway.
    const outputs = inputsIn(subject.resource.definition.outputs.shape, object);
    return { object: outputs as ServiceObject, meta, unsentRequests };
}

/** Opens the journal entry before any request. From here on, the next run knows of this create, even if this process is killed. */
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

/** The steps before the POST: decide about earlier creates, delete their objects where the decision says so, and write the marker to the journal. */
async function prepareCreate(subject: Subject, entry: JournalEntry): Promise<Create> {
    const { operation, requests, resource } = subject;
    const { claims, handledThisRun, journal, lists, ownState, trust } = operation.services;
    const options = { ...subject.options, deadline: subject.deadline };
    // The lists are read first: a wrong address or token is refused here, before any request could make an object.
    const firstPages = (again?: { again: boolean }) =>
        Promise.all(requests.lists.map((list) => lists.firstPage(list, options, again)));
    const before = await firstPages();
    // The state is read after the lists. A create that fails at the lists has ended, so the state no longer names it. The state would then be taken
    // for another stack's, and the user would get VG3038.
    const state = await ownState.of(entry.urn, entry.kind, operation);
    const pages = state ? before : await firstPages({ again: true });
    await trust.confirmEnvironment(state?.neighbours ?? [], operation.signal);
    const create = new Create(subject, entry, state, pages.flat());
    create.decision = await decide(create);
    const { adopt, remove, forget } = create.decision;
    if (adopt !== undefined) claims.claim(adopt.id, entry.urn);
    // These objects may be deleted: no state has ever had them, and no PUT could bring them to the declared inputs.
    for (const { id } of remove) {
        await unlessNotFound(() => requests.remove(id, options));
        operation.info(messages.supersededDeleted({ object: `${entry.kind} ${id}` }));
    }
    if (adopt === undefined) await resource.beforeCreate?.(subject);
    const adoptedNonce = adopt && (adopt.marker?.nonce ?? "");
    entry.marker = newMarker(entry, state);
    await journal.note(entry.nonce, { marker: entry.marker, id: adopt?.id, adoptedNonce, birth: state?.birth });
    for (const nonce of forget) handledThisRun.add(nonce);
    // The old entries are removed last. If the process is killed before, the new and the old entries remain. In the other order, a kill could leave
    // an object that no entry names.
    await forgetCreates(journal, forget);
    return create;
}

/**
 * Ends a create that has failed before its POST. With an `onError` hook the engine repeats a create, and may record only the last answer. So if the
 * first try may have made an object, this answer names the first try. Otherwise the state would never know that object. @throws {PartialFailure} that
 * names the first try, else the error.
 */
async function failUnsent(subject: Subject, entry: JournalEntry, error: unknown): Promise<never> {
    const { services, signal } = subject.operation;
    const { journal } = services;
    // After an interrupt the engine keeps its pending operation in the state. Only the entry tells the next run that no POST was sent for that
    // operation: without the entry, the next run would wait for an object that cannot exist.
    if (signal.aborted) throw error;
    await forgetCreates(journal, [entry.nonce]);
    const isFirstTry = (one: JournalEntry) =>
        journal.isOwn(one.nonce) && attemptOf(one) === attemptOf(entry) && one !== entry;
    const first = (await journal.entriesOf(entry.resourceDigest).catch(() => [])).find(isFirstTry);
    if (first?.marker === undefined) throw error;
    const reason = messages.createUnknown({ object: entry.kind.toLowerCase(), error: messageOf(error) });
    throw inDoubt(reason, subject, first);
}
