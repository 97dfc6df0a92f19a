/**
 * The ledger of creates of one resource that have not ended. Three witnesses name them: a pending operation and an unconfirmed row
 * in the stack's own state, which every machine has, and an entry in this machine's journal. Here they meet.
 */
import { acceptanceMs, Deadline, earlierRunMs, earlierRunStepMs } from "../api";
import { titleDigest } from "../evidence/digest";
import type { JournalEntry } from "../evidence/journal";
import type { Listed } from "../evidence/lists";
import { prefixOf } from "../evidence/marker";
import type { PendingCreate, UnconfirmedRow } from "../evidence/ownState";
import { metaOf, unconfirmedRow } from "../inputs/recordedMeta";
import type { Operation } from "../operation/operation";
import { isSameStack } from "../urn";
import type { Create } from "./create";
import type { Sought } from "./search";

/** An earlier create of the resource. */
export interface UnfinishedCreate extends Sought {
    /** In this machine's journal. */
    entry?: JournalEntry;
    /** It is proven to be a create of this stack's state. */
    ours: boolean;
    /** The state surely never had its object. */
    neverRecorded: boolean;
    /** A POST may have been sent. */
    sent: boolean;
    /** Of its create-only inputs, where they are known before its object is found. */
    inputs?: string;
    /** Of its credentials, where they are known. */
    fingerprint: string | undefined;
    /** When nothing that it has sent can be accepted any more. */
    silentFrom: Deadline;
}

export async function unfinishedCreates<T extends Listed>(create: Create<T>): Promise<UnfinishedCreate[]> {
    const { entry: own, operation, state } = create;
    const { clock } = operation.services;
    const { pending = [], birth = "", readAt } = state ?? {};
    const rows = rowsOf(create);
    const now = Deadline.after(clock, acceptanceMs);
    // What other processes have sent, they have sent before this run read its state.
    const before = readAt === undefined ? now : Deadline.after(clock, acceptanceMs - (clock.monotonic() - readAt));
    const { entries, isWaitedFor } = await earlierEntries(create);
    const repeated = repeatedEntries(operation, own);
    const byNonce = new Map([...entries, ...repeated].map((entry) => [entry.nonce, entry]));

    const fromEntry = (entry: JournalEntry): UnfinishedCreate => {
        const { title, startedAt: since, marker } = entry;
        const isOfState = Boolean(entry.birth) && entry.birth === birth;
        const isPending = pending.some(({ prefix }) => prefix === prefixOf(entry.nonce));
        const isRow = rows.some((row) => row.marker.nonce === entry.nonce);
        const isRepeated = repeated.includes(entry);
        return {
            ...entry,
            ...{ entry, titles: [title], since, sent: marker !== undefined, neverRecorded: true },
            ours: isOfState || isPending || isRow || isRepeated,
            silentFrom: isRepeated || isWaitedFor ? now : before,
        };
    };
    const fromRow = ({ marker, title, startedAt: since, fingerprint }: UnconfirmedRow): UnfinishedCreate => {
        const { nonce, inputs } = marker;
        const known = { ours: true, neverRecorded: true, sent: true, silentFrom: before };
        return { nonce, inputs, titles: [title], since, fingerprint, ...known };
    };
    const fromOperation = ({ prefix: nonce, title, fingerprint }: PendingCreate): UnfinishedCreate => {
        // The title may be a secret, or another one by now.
        const titles = [own.title, ...(title === undefined ? [] : [titleDigest(title)])];
        const known = { ours: true, neverRecorded: false, sent: true, silentFrom: before };
        return { nonce, titles, since: Date.parse(birth) || 0, fingerprint, ...known };
    };
    // Each create is one machine's, so an entry of it shows all that it has sent.
    const isHere = (prefix: string) => [...byNonce.keys()].some((nonce) => prefixOf(nonce) === prefix);
    return [
        ...Array.from(byNonce.values(), fromEntry),
        ...rows.filter((row) => !byNonce.has(row.marker.nonce)).map(fromRow),
        ...pending.filter(({ prefix }) => !isHere(prefix)).map(fromOperation),
    ];
}

/** Those of the state, and the one that the engine has shown before it replaces it: also where the state cannot be read. */
export function rowsOf<T extends Listed>({ operation, state }: Create<T>): UnconfirmedRow[] {
    const { olds } = operation.services.claims.recordedOf(operation.urn) ?? {};
    const rows = [...(state?.unconfirmed ?? []), (olds && unconfirmedRow(metaOf(olds))) ?? []].flat();
    return [...new Map(rows.map((row) => [row.marker.nonce, row])).values()];
}

/** The creates of this process that had the same attempt: the engine repeats them (an `onError` hook), and its answer does not count. */
export function repeatedEntries({ attempt, services }: Operation, entry: JournalEntry): JournalEntry[] {
    if (attempt === undefined) return [];
    const isRepeated = ({ nonce }: JournalEntry) => nonce !== entry.nonce && prefixOf(nonce) === prefixOf(entry.nonce);
    return services.journal.ownEntriesOf(entry.resource).filter(isRepeated);
}

/** The entries of the resource's URN, and those of its state under another name, once no other process works on them. */
async function earlierEntries<T extends Listed>({ operation, entry, state }: Create<T>) {
    const { clock, journal } = operation.services;
    const isEarlier = (one: JournalEntry) => {
        const isOfState = Boolean(one.birth) && one.birth === state?.birth;
        // A run of another stack with the same names, on the same machine.
        if (one.birth && state?.birth && !isOfState && journal.isHeldByLivingProcess(one)) return false;
        return one.nonce !== entry.nonce && (isOfState || isSameStack(one.urn, entry.urn));
    };
    for (let waitedMs = 0; ; waitedMs += earlierRunStepMs) {
        const entries = (await journal.entriesOf(entry.resource)).filter(isEarlier);
        const isBusy = entries.some((one) => journal.isHeldByLivingProcess(one));
        // A process of a run that was killed ends with the request under way. One that is still alive may be another one of this run.
        if (!isBusy || waitedMs >= earlierRunMs) {
            if (waitedMs > 0 && !isBusy) operation.progress("the earlier run has ended");
            return { entries, isWaitedFor: waitedMs > 0 };
        }
        operation.progress("waiting for an earlier run of this stack that is still at work");
        await clock.sleep(earlierRunStepMs, operation.signal);
    }
}

/**
 * The answer is about to leave for the engine: from now on the state has the objects of the operation's creates, or names those in
 * doubt. The engine's pending operation covers the time until then.
 */
export async function closeAnswered({ services, openedEntries }: Operation): Promise<void> {
    const { journal, ownState } = services;
    // Together, so that they share one write. They are written in this order.
    const closing = openedEntries.map((entry) =>
        // Without checkpoints no state may ever have the object, or one may have it: the entry proves nothing any more.
        ownState.skipsCheckpoints
            ? journal.note(entry, { birth: "" }).catch(() => journal.forget(entry))
            : journal.close(entry).catch(() => undefined),
    );
    await Promise.all(closing);
}
