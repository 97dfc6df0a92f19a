/**
 * The ledger: all creates of one resource that have not ended. Three witnesses name such creates. Two are in the stack's state, for every machine:
 * a pending operation of the engine, and the record of a create that ended in doubt. The third is an entry in this machine's journal.
 */
import { earlierRunMs, earlierRunStepMs } from "../api";
import type { Journal } from "../evidence/journal";
import type { JournalEntry } from "../evidence/journalFile";
import { attemptOf, namesIn } from "../evidence/marker";
import { metaOf } from "../inputs/recordedMeta";
import { type Message, messages } from "../messages";
import type { Operation } from "../operation/operation";
import { type UnfinishedCreate, unconfirmedCreate } from "../operation/ownState";
import { isSameStack, isSameType } from "../urn";
import type { Create } from "./create";

/**
 * The earlier creates of this resource that never ended. `hasWaited`: another process worked on one until now. Its last POST may be seconds old, so
 * the wait for late objects starts now.
 */
export async function unfinishedCreates(create: Create) {
    const { entry: own, state } = create;
    const { entries, hasWaited } = await earlierEntries(create);
    const namedByState = unfinishedInState(create);
    const isOurs = ({ birth, nonce, urn }: JournalEntry) =>
        // The birth alone does not prove that the entry is ours: a copy of this state has the same birth. So the names count too. A renamed stack
        // fails that test, and `namedByState` finds its create.
        (isOfState(birth, state) && isSameStack(urn, own.urn)) ||
        // This entry is of an earlier try of this very create: the engine repeats it (an `onError` hook), or somebody runs an update plan again.
        attemptOf({ urn, nonce }) === attemptOf(own) ||
        namedByState.some((one) => one.ours && nonce.startsWith(one.nonce));
    const fromEntry = (entry: JournalEntry): UnfinishedCreate => ({
        ...entry,
        sent: entry.marker !== undefined,
        ours: isOurs(entry),
        // An `adoptedNonce` says that a state may have had the object, and released it: the create was to adopt it, or was disowned (`disownCreate`).
        neverRecorded: entry.adoptedNonce === undefined,
    });
    const others = namedByState.filter((one) => !entries.some(({ nonce }) => nonce.startsWith(one.nonce)));
    // Where an entry and the state name the same create, the entry counts: it knows more, such as whether a POST was sent.
    return { unfinished: [...entries.map(fromEntry), ...others], hasWaited };
}

/**
 * The unfinished creates that the state names; for an entry of a library, also those that the library knows of. If this create replaces an
 * unconfirmed record, the create behind that record is one of them.
 */
export function unfinishedInState({ subject, entry, state }: Create): UnfinishedCreate[] {
    const { services, library } = subject.operation;
    const { olds } = services.claims.shownRecordOf(entry.urn) ?? {};
    const shown = olds && unconfirmedCreate(metaOf(olds));
    const all = [...(state?.unfinished ?? []), ...(library?.creates ?? []), ...(shown ? [shown] : [])];
    return [...new Map(all.map((one) => [`${one.nonce} ${one.id}`, one])).values()];
}

function isOfState(birth: string | undefined, state: { birth: string } | undefined): boolean {
    return Boolean(birth) && birth === state?.birth;
}

/** The journal entries of earlier creates of this resource, even from before its stack was renamed. Waits while another process still works on one of them. */
async function earlierEntries({ subject: { operation }, entry, state }: Create) {
    const { clock, journal } = operation.services;
    const isEarlier = (other: JournalEntry) => {
        if (other.nonce === entry.nonce) return false;
        if (!isOfState(other.birth, state) && !isSameStack(other.urn, entry.urn)) return false;
        const isOtherState = Boolean(other.birth && state?.birth) && other.birth !== state?.birth;
        // The entry is of another stack with the same names, or of the other provider's resource with the same name. While its process lives, this
        // create leaves it alone. (`isOthers` in operation/ownState.ts does the same for the state's pending operations.)
        const isOthers = isOtherState || !isSameType(other.urn, entry.urn);
        return !isOthers || !journal.isHeldByLivingProcess(other);
    };
    for (let waitedMs = 0; ; waitedMs += earlierRunStepMs) {
        const entries = (await journal.entriesOf(entry.resourceDigest)).filter(isEarlier);
        // The process of a killed run lives until its last request ends. To search before that would miss the object that the request makes.
        const isBusy = waitedMs < earlierRunMs && entries.some((other) => journal.isHeldByLivingProcess(other));
        if (!isBusy) return { entries, hasWaited: waitedMs > 0 };
        operation.progress("waiting for an earlier run of this stack that is still at work");
        await clock.sleep(earlierRunStepMs, operation.signal);
    }
}

/**
 * Tells the user which of the creates were interrupted after a POST may have been sent: each may have made an object that no state has. `isMeant`:
 * whether a create is one of those to report.
 */
export async function reportInterrupted(
    journal: Journal,
    entries: Promise<JournalEntry[]>,
    say: (message: Message) => void,
    isMeant: (entry: JournalEntry) => boolean,
): Promise<void> {
    const isAbandoned = (entry: JournalEntry) =>
        entry.marker !== undefined && !journal.isOwn(entry.nonce) && !journal.isHeldByLivingProcess(entry);
    const abandoned = (await entries.catch(() => [])).filter((entry) => isMeant(entry) && isAbandoned(entry));
    if (abandoned.length === 0) return;
    const names = abandoned.slice(0, 5).map(({ kind, urn }) => `${kind} "${namesIn(urn).name}"`);
    const more = abandoned.length > names.length ? ` and ${abandoned.length - names.length} more` : "";
    say(messages.pendingCreates({ resources: `${names.join(", ")}${more}` }));
}

/**
 * Removes the entries of creates that need no further decision. If the journal cannot be written, the entries stay, and the next run decides once
 * more.
 */
export async function forgetCreates(journal: Journal, nonces: Iterable<string>): Promise<void> {
    await journal.forget(nonces).catch(() => undefined);
}

/**
 * Disowns a create, because nobody knows whether a state will have its object. The entry stays, but proves nothing: without a birth, no later create
 * adopts the object, and with an `adoptedNonce`, no later create deletes it. If the entry cannot be changed, it is removed.
 */
export async function disownCreate(journal: Journal, nonce: string): Promise<void> {
    await journal.note(nonce, { birth: "", adoptedNonce: nonce }).catch(() => forgetCreates(journal, [nonce]));
}

/**
 * Closes the journal entries of an operation whose answer is about to leave for the engine. The engine then records the objects. If the machine dies
 * before that, the state still names the creates, as the engine's pending operations.
 */
export async function closeAnswered({ services, openedEntries }: Pick<Operation, "services" | "openedEntries">) {
    const { journal, ownState } = services;
    const nonces = openedEntries.map(({ nonce }) => nonce);
    if (!ownState.skipsCheckpoints) return journal.close(nonces).catch(() => undefined);
    // With PULUMI_SKIP_CHECKPOINTS a killed run writes no state at all, so nobody knows whether a state will have the objects.
    await Promise.all(nonces.map((nonce) => disownCreate(journal, nonce)));
}
