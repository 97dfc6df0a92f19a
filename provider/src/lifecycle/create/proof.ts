/** Which entries of the journal are closed or kept by what the engine hands over, and what has to be said of the others. */
import { messages } from "../../messages";
import type { Operation, Row } from "../resource";
import { isUnsettled, type Journal, type JournalEntry } from "./journal";
import { isSameProcess, onceReleased } from "./owner";

/**
 * The engine handed over recorded outputs with this marker: the state has the object, so its create is not pending. An entry
 * that a second object may belong to stays until an update or a delete has looked for it. A journal that cannot be written
 * keeps the entry, which does no harm.
 */
export async function recorded(journal: Journal, marker: string | undefined, id?: string): Promise<void> {
    if (marker === undefined) return;
    const entry = await journal.find(marker).catch(() => undefined);
    if (entry === undefined) return;
    if (!isUnsettled(entry)) await journal.close(marker).catch(() => undefined);
    // A machine that failed may have lost it. Without its id the entry would pass for that of another object.
    else if (entry.id === undefined && id !== undefined) await journal.note(marker, { id }).catch(() => undefined);
}

/**
 * Whether a state has the object of an entry; `undefined` when that is not known. Once the engine was given the object, any
 * stack of the backend may have it, because of `state move`.
 */
export function isRecorded(
    { answered, marker, startedAt, urn }: JournalEntry,
    { environment, signal }: Operation,
): Promise<boolean | undefined> {
    const { journal, recordedState } = environment;
    const { organization } = journal;
    return recordedState.has(marker, urn, { anyStack: answered === true, organization, since: startedAt, signal });
}

/**
 * Whether a state has had the object that the engine was given: the run that created it has succeeded, so it has recorded it.
 * Where no state has it any more, somebody has released it on purpose (`state delete`, `retainOnDelete`): it is nobody's to
 * delete (S9).
 */
export function wasRecorded({ startedAt, urn }: JournalEntry, { environment, signal }: Operation): Promise<boolean> {
    const { journal, recordedState } = environment;
    return recordedState.succeeded(startedAt, urn, { organization: journal.organization, signal });
}

/** The engine is about to be given the object with this marker: from now on the state may have it. */
export async function answered(journal: Journal, marker: string | undefined): Promise<void> {
    if (marker !== undefined) await journal.note(marker, { answered: true }).catch(() => undefined);
}

/**
 * Whether the engine wants to delete the very object that a create of this run resumed. That is `up --replace`, or a tainted
 * resource: the engine showed nothing of the recorded object before the create. The state names it as the new object by now,
 * so it has to stay. The entry is closed, and the next replacement creates a new object.
 */
export async function keepsResumed(operation: Operation, marker: string | undefined): Promise<boolean> {
    if (marker === undefined) return false;
    const { journal } = operation.environment;
    const [entry] = await onceReleased(operation, async () => {
        const found = await journal.find(marker).catch(() => undefined);
        return found?.resumed === true ? [found] : [];
    });
    // A run may have several provider processes.
    const isOfThisRun =
        entry !== undefined && (isSameProcess(entry.owner, journal.owner) || journal.isOwnedElsewhere(entry));
    if (isOfThisRun) await journal.close(marker).catch(() => undefined);
    return isOfThisRun;
}

/**
 * Says which interrupted creates a `destroy` leaves behind. The engine calls no provider for a create that it has no object
 * of, so another resource's delete is the only chance. While a program runs, its creates take care of them.
 */
export class PendingWarning {
    #isSaid = false;

    /** A program runs: the engine checks its resources. */
    programRuns(): void {
        this.#isSaid = true;
    }

    async beforeDelete(id: string, operation: Operation, stack: Pick<Row, "warn">): Promise<void> {
        const { environment, urn } = operation;
        if (this.#isSaid || urn === undefined) return;
        this.#isSaid = true;
        const { journal } = environment;
        const pending: JournalEntry[] = [];
        for (const entry of await journal.entriesOfStack(urn).catch(() => [])) {
            if (entry.id === id || journal.isOwnedElsewhere(entry)) continue;
            // What replacements of this very object left behind is deleted with it (`endPending`).
            if (entry.replaces === id && entry.answered !== true) continue;
            const isLost = entry.answered !== true || (await isRecorded(entry, operation)) === false;
            if (isLost) pending.push(entry);
        }
        if (pending.length === 0) return;
        const names = pending
            .slice(0, 5)
            .map((entry) => `${entry.kind} "${entry.urn.split("::").slice(3).join("::")}"`);
        const more = pending.length > names.length ? ` and ${pending.length - names.length} more` : "";
        stack.warn(messages.pendingCreates({ resources: `${names.join(", ")}${more}` }));
    }
}
