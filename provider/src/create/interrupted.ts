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
    const isAbandoned = (one: JournalEntry) =>
        one.marker !== undefined && !journal.isOwn(one) && !journal.isHeldByLivingProcess(one);
    const abandoned = (await entries.catch(() => [])).filter((one) => isMeant(one) && isAbandoned(one));
    if (abandoned.length === 0) return;
    const names = abandoned.slice(0, 5).map(({ kind, urn }) => `${kind} "${namesIn(urn).name}"`);
    const more = abandoned.length > names.length ? ` and ${abandoned.length - names.length} more` : "";
    say(messages.pendingCreates({ resources: `${names.join(", ")}${more}` }));
}
