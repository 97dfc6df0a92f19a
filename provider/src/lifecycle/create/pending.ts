/** Which open journal entry a create continues. */
import { messages } from "../../messages";
import { LifecycleError, messageOf, type Operation } from "../resource";
import type { JournalEntry } from "./journal";
import { isSameProcess, onceReleased } from "./owner";
import { isRecorded, recorded } from "./proof";

/**
 * The entry that a create of this kind and shape goes on from; `undefined` when it begins with an entry of its own. Others stay
 * open: the next update deletes what they left behind.
 */
export async function pendingEntry(
    operation: Operation,
    kind: string,
    shape: string,
): Promise<JournalEntry | undefined> {
    const { journal, api } = operation.environment;
    const { urn } = operation;
    if (urn === undefined) return undefined;
    const entries = await onceReleased(operation, async () => {
        const open = await entriesOf(operation, urn);
        return resumable(
            operation,
            open.filter((entry) => entry.kind === kind),
        );
    });
    const isOwn = ({ owner }: JournalEntry) => isSameProcess(owner, journal.owner);
    // A token may have been rotated since: the marker finds the object under the new one too.
    const current = entries.filter(({ fingerprint }) => fingerprint === api.fingerprint);
    return (
        entries.findLast(isOwn) ??
        current.findLast((entry) => entry.shape === shape) ??
        current.at(-1) ??
        entries.at(-1)
    );
}

/**
 * An entry whose object the engine was never given is not in the state, so it can always be resumed, and so can this
 * process's own. Any other may be the entry of the very object that is to be replaced:
 * - When the engine has shown that the state has this resource, but not which object it is, the entry is left alone.
 * - When the engine has shown nothing, this is `up --replace`, the first `up` after a checkpoint was lost, or a new resource
 *   with the name of one that `state move` gave to another stack. The CLI may know that a state has the object: then the entry
 *   is closed. (It is asked for every entry: a machine that failed may have lost the note that the engine was answered.)
 *   Otherwise it is resumed, and a delete of the same object in this run is left out (`keepsResumed`): there are never two
 *   objects, and never none.
 */
async function resumable(operation: Operation, open: JournalEntry[]): Promise<JournalEntry[]> {
    const { journal, managed } = operation.environment;
    const predecessor = managed.predecessorOf(operation.urn);
    const entries: JournalEntry[] = [];
    for (const entry of open) {
        const isOwn = isSameProcess(entry.owner, journal.owner);
        const isAnswered = entry.answered === true;
        if (isAnswered && !isOwn && predecessor === "unknown") continue;
        // "Not there" may be said of another organization's stack.
        if (!isOwn && (await isRecorded(entry, operation))) {
            await recorded(journal, entry.marker);
            continue;
        }
        if (predecessor === undefined || predecessor === "unknown" || predecessor.id !== entry.id) entries.push(entry);
    }
    return entries;
}

async function entriesOf({ environment }: Operation, urn: string): Promise<JournalEntry[]> {
    try {
        return await environment.journal.entriesFor(urn);
    } catch (error) {
        throw new LifecycleError(messages.journalUnreadable({ error: messageOf(error) }));
    }
}
