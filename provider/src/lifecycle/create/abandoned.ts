/**
 * What interrupted replacements leave behind: an object that the journal knows and no state does. When the program does not
 * want it any more, nothing will ever adopt it, so it is deleted: its marker proves that it is this resource's own.
 */

import { isSameId } from "../../api";
import type { Operation } from "../resource";
import { unlessMissing } from "../state/readManaged";
import { isUnsettled, type Journal, type JournalEntry, lateMs, searchedToo } from "./journal";
import { isSameProcess, onceReleased } from "./owner";
import { isRecorded, wasRecorded } from "./proof";
import { type Kind, type Listed, MarkerSearch } from "./search";

/**
 * The entries of a resource that an update has to look after, where the recorded object has `marker`: other creates, and
 * its own when a second object may exist. Those that the credentials in use have found nothing for are left out.
 */
export async function leftovers(
    journal: Journal,
    urn: string | undefined,
    marker: string | undefined,
    fingerprint: string,
): Promise<JournalEntry[]> {
    const entries = await unfinished(journal, urn, marker, fingerprint);
    return entries.filter((entry) => !journal.isOwnedElsewhere(entry));
}

/** Likewise, with those that other processes work on. */
async function unfinished(
    journal: Journal,
    urn: string | undefined,
    marker: string | undefined,
    fingerprint: string,
): Promise<JournalEntry[]> {
    if (urn === undefined) return [];
    const entries = await journal.entriesFor(urn);
    return entries.filter(
        (entry) => (entry.marker !== marker || isUnsettled(entry)) && !entry.searchedUnder?.includes(fingerprint),
    );
}

/**
 * The recorded object `id` with `marker` was deleted: deletes also what interrupted replacements of it left. The URN alone is
 * no proof: recorded outputs keep the one that the resource had before its stack was renamed, or it was moved (S9).
 */
export async function endPending<T extends Listed>(
    operation: Operation,
    kind: Kind<T>,
    marker: string | undefined,
    id: string,
): Promise<void> {
    const { api, journal, managed } = operation.environment;
    // In an `up`, what is pending is the replacement of this very object.
    const isReplaced = managed.predecessorOf(operation.urn) !== undefined;
    const isOver = (entry: JournalEntry) => {
        const isOwn = isSameProcess(entry.owner, journal.owner);
        // What the engine was given may be in the state: it hands it over if so.
        const isLeft = !isReplaced && !isOwn && entry.answered !== true && entry.replaces === id;
        return entry.marker === marker || isLeft;
    };
    const entries = await onceReleased(operation, async () =>
        (await unfinished(journal, operation.urn, marker, api.fingerprint)).filter(isOver),
    );
    for (const entry of entries) {
        if (!journal.isOwnedElsewhere(entry)) await removeLeftover(operation, kind, entry);
    }
}

/** Deletes the objects of abandoned creates. The recorded object `id`, which has `marker`, is left alone. */
export async function removeAbandoned<T extends Listed>(
    operation: Operation,
    kind: Kind<T>,
    marker: string | undefined,
    id: string,
): Promise<void> {
    const { api, journal } = operation.environment;
    for (const entry of await leftovers(journal, operation.urn, marker, api.fingerprint)) {
        // Another state may have it, because of `state move`; or somebody may have released it.
        const isOther = entry.marker !== marker && entry.answered === true;
        const isLeft = isOther && ((await isRecorded(entry, operation)) || (await wasRecorded(entry, operation)));
        if (isLeft && (entry.id === undefined || !isUnsettled(entry))) await journal.close(entry.marker);
        else await removeLeftover(operation, kind, entry, isLeft ? entry.id : id);
    }
}

async function removeLeftover<T extends Listed>(
    operation: Operation,
    kind: Kind<T>,
    entry: JournalEntry,
    keptId?: string,
): Promise<void> {
    if (entry.kind !== kind.name) return;
    const { api, clock, journal } = operation.environment;
    const search = new MarkerSearch(operation, { kind, entry, anyShape: true, options: { signal: operation.signal } });
    const removeAll = async (objects: readonly T[]) => {
        for (const object of objects) {
            if (keptId === undefined || !isSameId(kind.idOf(object), keptId)) await search.remove(object);
        }
    };
    // The recorded object's own entry is about second objects alone. If it was deleted outside, there is none to delete.
    const isOwn = keptId !== undefined && entry.id !== undefined && isSameId(entry.id, keptId);
    if (isOwn && (await unlessMissing(() => kind.get(keptId, { signal: operation.signal }))) === undefined) return;
    operation.progress("looking for what an interrupted create left behind");
    const first = isOwn ? undefined : await search.find();
    if (first !== undefined) await removeAll([first]);
    const isHere = entry.fingerprint === api.fingerprint;
    if (first === undefined || isUnsettled(entry)) {
        if (isHere) await clock.sleep(lateMs(entry, clock), operation.signal);
        await removeAll(await search.all({ anyTitle: true, thorough: true }));
    }
    operation.progress("nothing is left behind");
    if (first !== undefined || isHere) await journal.close(entry.marker);
    // Under other credentials "not found" proves nothing: the entry stays, and these need not look again.
    else await journal.note(entry.marker, searchedToo(entry, api.fingerprint));
}
