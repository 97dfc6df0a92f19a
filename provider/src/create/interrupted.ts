/** Names the creates that were interrupted, and that nothing in a run takes up: each may have left an object that no state has. */
import type { Journal } from "../evidence/journal";
import type { JournalEntry } from "../evidence/journalEntry";
import { namesIn } from "../evidence/marker";
import { type Message, messages } from "../messages";

export async function nameInterrupted(
    journal: Journal,
    entries: Promise<JournalEntry[]>,
    say: (message: Message) => void,
    isMeant: (entry: JournalEntry) => boolean,
): Promise<void> {
    const isOpen = (one: JournalEntry) => one.marker !== undefined && !journal.isHeldByLivingProcess(one);
    const open = (await entries.catch(() => [])).filter((one) => isMeant(one) && isOpen(one));
    if (open.length === 0) return;
    const names = open.slice(0, 5).map(({ kind, urn }) => `${kind} "${namesIn(urn).name}"`);
    const more = open.length > names.length ? ` and ${open.length - names.length} more` : "";
    say(messages.pendingCreates({ resources: `${names.join(", ")}${more}` }));
}
