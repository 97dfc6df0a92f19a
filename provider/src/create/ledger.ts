/**
 * The ledger of creates of one resource that have not ended. Three witnesses name them: a pending operation and an unconfirmed record
 * in the stack's own state, which every machine has, and an entry in this machine's journal. Here they meet.
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

/** `hasWaited`: another process has worked on one of them until now. */
export async function unfinishedCreates(create: Create) {
    const { entry: own, state } = create;
    const { entries, hasWaited } = await earlierEntries(create);
    const namedByState = unfinishedInState(create);
    const isOurs = ({ birth, nonce, urn }: JournalEntry) =>
        // A copy of a state has its birth, but not its names. A renamed one has the operation as well.
        (isOfState(birth, state) && isSameStack(urn, own.urn)) ||
        // A create of this attempt: the engine repeats it (an `onError` hook), or an update plan is run again.
        attemptOf({ urn, nonce }) === attemptOf(own) ||
        namedByState.some((one) => one.ours && nonce.startsWith(one.nonce));
    const fromEntry = (entry: JournalEntry): UnfinishedCreate => ({
        ...entry,
        sent: entry.marker !== undefined,
        ours: isOurs(entry),
        // An `adoptedNonce` comes from an adoption or `disownCreate`: a state may have had the object, and released it.
        neverRecorded: entry.adoptedNonce === undefined,
    });
    const others = namedByState.filter((one) => !entries.some(({ nonce }) => nonce.startsWith(one.nonce)));
    // Each create counts once. It ran on one machine, so its entry shows all that it has sent.
    return { unfinished: [...entries.map(fromEntry), ...others], hasWaited };
}

/** The unfinished creates of the state, of the library whose entry this is, and of the unconfirmed record that the engine is about to replace. */
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

/** The entries of the resource's URN, and those of its state under another name, once no other process works on them. */
async function earlierEntries({ subject: { operation }, entry, state }: Create) {
    const { clock, journal } = operation.services;
    const isEarlier = (other: JournalEntry) => {
        if (other.nonce === entry.nonce) return false;
        if (!isOfState(other.birth, state) && !isSameStack(other.urn, entry.urn)) return false;
        const isOtherState = Boolean(other.birth && state?.birth) && other.birth !== state?.birth;
        // Of another stack with the same names, or of this run's resource with this name in the other face: a living process works on it.
        const isOthers = isOtherState || !isSameType(other.urn, entry.urn);
        return !isOthers || !journal.isHeldByLivingProcess(other);
    };
    for (let waitedMs = 0; ; waitedMs += earlierRunStepMs) {
        const entries = (await journal.entriesOf(entry.resourceDigest)).filter(isEarlier);
        // The process of a killed run ends with the request under way. A process that is still alive may be another one of this run.
        const isBusy = waitedMs < earlierRunMs && entries.some((other) => journal.isHeldByLivingProcess(other));
        if (!isBusy) return { entries, hasWaited: waitedMs > 0 };
        operation.progress("waiting for an earlier run of this stack that is still at work");
        await clock.sleep(earlierRunStepMs, operation.signal);
    }
}

/**
 * Names the creates among the entries that were interrupted, and that nothing in this run takes up: each may have left an object that no
 * state has.
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

/** Removes the entries of creates that no longer count, not even for a repetition, which opens a closed entry again. A journal that cannot be written keeps them. */
export async function forgetCreates(journal: Journal, nonces: Iterable<string>): Promise<void> {
    await journal.forget(nonces).catch(() => undefined);
}

/**
 * Disowns a create whose object the state may or may not have. Its entry stays as a witness: without a birth no create adopts the object, and
 * with an `adoptedNonce` none deletes it. An entry that cannot be noted is removed.
 */
export async function disownCreate(journal: Journal, nonce: string): Promise<void> {
    await journal.note(nonce, { birth: "", adoptedNonce: nonce }).catch(() => forgetCreates(journal, [nonce]));
}

/**
 * Closes the creates of an operation whose answer is about to leave for the engine: soon the state has their objects, or names the creates in
 * doubt. The engine's pending operation covers the time until then.
 */
export async function closeAnswered({ services, openedEntries }: Pick<Operation, "services" | "openedEntries">) {
    const { journal, ownState } = services;
    const nonces = openedEntries.map(({ nonce }) => nonce);
    if (!ownState.skipsCheckpoints) return journal.close(nonces).catch(() => undefined);
    // Nobody knows whether a state will have the object.
    await Promise.all(nonces.map((nonce) => disownCreate(journal, nonce)));
}
