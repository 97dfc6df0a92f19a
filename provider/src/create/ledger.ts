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

/** `hasWaited`: another process was at work on one of these creates until now, so its last request may be seconds old. */
export async function unfinishedCreates(create: Create) {
    const { entry: own, state } = create;
    const { entries, hasWaited } = await earlierEntries(create);
    const namedByState = unfinishedInState(create);
    const isOurs = ({ birth, nonce, urn }: JournalEntry) =>
        // A copy of this state has the same birth, and other names. A renamed stack is known by its pending operation (below).
        (isOfState(birth, state) && isSameStack(urn, own.urn)) ||
        // An earlier try of this very create: the engine repeats it (an `onError` hook), or somebody runs an update plan again.
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

/** What the state names: for a library's entry, also creates of the library; and the record that this create replaces, if its create ended in doubt. */
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

/** The journal entries of this resource, also those of its stack under an earlier name, once no living process works on them. */
async function earlierEntries({ subject: { operation }, entry, state }: Create) {
    const { clock, journal } = operation.services;
    const isEarlier = (other: JournalEntry) => {
        if (other.nonce === entry.nonce) return false;
        if (!isOfState(other.birth, state) && !isSameStack(other.urn, entry.urn)) return false;
        const isOtherState = Boolean(other.birth && state?.birth) && other.birth !== state?.birth;
        // Another stack of these names, or a resource with this name and the other provider's type. If its process lives, it is none of our business.
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

/** Says which of the meant creates were interrupted after they had sent something: each may have left an object that no state has. */
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

/** Removes the entries of creates that are decided on. If the journal cannot be written, they stay, and the next run decides on them once more. */
export async function forgetCreates(journal: Journal, nonces: Iterable<string>): Promise<void> {
    await journal.forget(nonces).catch(() => undefined);
}

/**
 * Disowns a create, of whose object nobody knows whether a state will have it. The entry stays as a witness that proves nothing: without a birth, no
 * create adopts the object, and with an `adoptedNonce` none deletes it. If that cannot be noted, the entry is removed.
 */
export async function disownCreate(journal: Journal, nonce: string): Promise<void> {
    await journal.note(nonce, { birth: "", adoptedNonce: nonce }).catch(() => forgetCreates(journal, [nonce]));
}

/**
 * Closes the journal entries of an operation whose answer is about to leave for the engine. Soon the state has the objects of its creates. If the
 * machine dies before that, the state still has the engine's pending operation.
 */
export async function closeAnswered({ services, openedEntries }: Pick<Operation, "services" | "openedEntries">) {
    const { journal, ownState } = services;
    const nonces = openedEntries.map(({ nonce }) => nonce);
    if (!ownState.skipsCheckpoints) return journal.close(nonces).catch(() => undefined);
    // With PULUMI_SKIP_CHECKPOINTS a killed run writes no state at all, so nobody knows whether a state will have the objects.
    await Promise.all(nonces.map((nonce) => disownCreate(journal, nonce)));
}
