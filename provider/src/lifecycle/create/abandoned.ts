/**
 * What interrupted replacements leave behind: an object that the journal knows and no state does. When the program does not
 * want it any more, nothing will ever take it up, so it is deleted: its mark proves that it is this resource's own.
 */

import type { Operation } from "../resource";
import type { Journal, JournalEntry } from "./journal";
import { type Kind, type Marked, MarkSearch } from "./search";

/** The abandoned creates of a resource whose recorded object bears `mark`. */
export async function abandonedCreates(
    journal: Journal,
    urn: string | undefined,
    mark: string | undefined,
): Promise<JournalEntry[]> {
    if (urn === undefined) return [];
    const entries = await journal.entriesFor(urn);
    return entries.filter((entry) => entry.mark !== mark && !journal.isOwnedElsewhere(entry));
}

/** The recorded object, which bears `mark`, was deleted: neither it nor what interrupted replacements left is pending. */
export async function endPending<T extends Marked>(
    operation: Operation,
    kind: Kind<T>,
    mark: string | undefined,
): Promise<void> {
    const { journal, managed } = operation.environment;
    if (mark !== undefined) await journal.close(mark);
    // In a destroy. In an `up`, what is pending is the replacement of this very object.
    if (managed.predecessorOf(operation.urn) === undefined) await removeAbandoned(operation, kind, mark);
}

/** Deletes the objects of abandoned creates. The recorded object, which bears `mark`, is left alone. */
export async function removeAbandoned<T extends Marked>(
    operation: Operation,
    kind: Kind<T>,
    mark: string | undefined,
): Promise<void> {
    const { journal, api } = operation.environment;
    for (const entry of await abandonedCreates(journal, operation.urn, mark)) {
        if (entry.kind !== kind.name) continue;
        operation.progress("looking for what an interrupted replacement left behind");
        const search = new MarkSearch(operation, {
            kind,
            entry,
            anyShape: true,
            options: { signal: operation.signal },
        });
        const found = await search.find();
        if (found !== undefined) await search.remove(found);
        if (found !== undefined || entry.fingerprint === api.fingerprint) await journal.close(entry.mark);
        // Under other credentials "not found" proves nothing: the entry stays, and these need not look again.
        else await journal.open({ ...entry, fruitless: [...(entry.fruitless ?? []), api.fingerprint] });
    }
}
