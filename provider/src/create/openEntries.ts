/** Names the creates of a stack that were interrupted, and that nothing in a run takes up. */
import type { FileJournal } from "../evidence/fileJournal";
import type { JournalEntry } from "../evidence/journal";
import { namesIn, resourceDigest } from "../evidence/marker";
import { messages, type Reporter } from "../messages";
import type { Operation } from "../operation/operation";
import { isSameStack, parseUrn } from "../urn";

/** Names them once. The engine calls no provider for a create without an object, and shows no message after the last operation. */
export class OpenEntries {
    #isSaid = false;

    /** The first delete names them all. In an `up` it comes after the creates, which take care of what the program declares. */
    async beforeDelete({ services, urn }: Operation, stack: Pick<Reporter, "warn">): Promise<void> {
        if (this.#isSaid || urn === undefined) return;
        this.#isSaid = true;
        await nameOpen(services.journal, urn, stack, (entry) => !services.claims.isDeclared(entry.urn));
    }
}

/** The open entries of the URN's stack that pass the test. */
export async function nameOpen(
    journal: FileJournal,
    urn: string,
    reporter: Pick<Reporter, "warn">,
    isMeant: (entry: JournalEntry) => boolean,
): Promise<void> {
    const resources = namesOfOpen(journal, (await journal.entriesOfStack(urn).catch(() => [])).filter(isMeant));
    if (resources !== undefined) reporter.warn(messages.pendingCreates({ resources }));
}

/** A resource stays as it is, so nothing takes up what an interrupted create of it has left. */
export async function nameOpenOf(journal: FileJournal, urn: string, reporter: Pick<Reporter, "info">): Promise<void> {
    const kind = parseUrn(urn)?.types.split(":").at(-1) ?? "";
    const entries = await journal.entriesOf(resourceDigest(urn, kind)).catch(() => []);
    const resources = namesOfOpen(
        journal,
        entries.filter((one) => isSameStack(one.urn, urn)),
    );
    if (resources !== undefined) reporter.info(messages.pendingCreates({ resources }));
}

/** The resources whose creates may have left an object that no state has; `undefined` without any. */
function namesOfOpen(journal: FileJournal, entries: readonly JournalEntry[]): string | undefined {
    const open = entries.filter((one) => one.marker !== undefined && !journal.isHeldByLivingProcess(one));
    const names = open.slice(0, 5).map(({ kind, urn }) => `${kind} "${namesIn(urn).name}"`);
    const more = open.length > names.length ? ` and ${open.length - names.length} more` : "";
    return open.length === 0 ? undefined : `${names.join(", ")}${more}`;
}
