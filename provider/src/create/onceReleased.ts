/** Waits for an earlier run of this machine that is still at work. */
import { earlierRunMs, earlierRunStepMs } from "../api";
import type { JournalEntry } from "../evidence/journal";
import type { Operation } from "../operation/operation";

/**
 * The entries, once no other process works on them. A process of a run that was killed ends with the request under way. One
 * that is still alive after the time limit may be another one of this run.
 */
export async function onceReleased(operation: Operation, read: () => Promise<JournalEntry[]>): Promise<JournalEntry[]> {
    const { clock, journal } = operation.environment;
    for (let waitedMs = 0; ; waitedMs += earlierRunStepMs) {
        const entries = await read();
        const isBusy = entries.some((entry) => journal.isOwnedElsewhere(entry));
        if (!isBusy || waitedMs >= earlierRunMs) {
            if (waitedMs > 0 && !isBusy) operation.progress("the earlier run has ended");
            return entries;
        }
        operation.progress("waiting for an earlier run of this stack that is still at work");
        await clock.sleep(earlierRunStepMs, operation.signal);
    }
}
