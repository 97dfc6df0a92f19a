/** Names the creates of a stack that were interrupted, and that nothing in a run takes up. */
import type { Journal } from "../evidence/journal";
import type { JournalEntry } from "../evidence/journalEntry";
import { namesIn, resourceDigest } from "../evidence/marker";
import { type Message, messages } from "../messages";
import { isSameStack, parseUrn } from "../urn";

/** Those of the URN's stack that pass the test. */
export async function nameInterrupted(
    journal: Journal,
    urn: string,
    say: (message: Message) => void,
    isMeant: (entry: JournalEntry) => boolean,
): Promise<void> {
    nameEntries(journal, (await journal.entriesOfStack(urn).catch(() => [])).filter(isMeant), say);
}

/** A resource stays as it is, so nothing takes up what an interrupted create of it has left. */
export async function nameInterruptedOf(journal: Journal, urn: string, say: (message: Message) => void): Promise<void> {
    const kind = parseUrn(urn)?.types.split(":").at(-1) ?? "";
    const entries = await journal.entriesOf(resourceDigest(urn, kind)).catch(() => []);
    nameEntries(
        journal,
        entries.filter((one) => isSameStack(one.urn, urn)),
        say,
    );
}

/** The resources whose creates may have left an object that no state has. */
function nameEntries(journal: Journal, entries: readonly JournalEntry[], say: (message: Message) => void): void {
    const open = entries.filter((one) => one.marker !== undefined && !journal.isHeldByLivingProcess(one));
    if (open.length === 0) return;
    const names = open.slice(0, 5).map(({ kind, urn }) => `${kind} "${namesIn(urn).name}"`);
    const more = open.length > names.length ? ` and ${open.length - names.length} more` : "";
    say(messages.pendingCreates({ resources: `${names.join(", ")}${more}` }));
}
