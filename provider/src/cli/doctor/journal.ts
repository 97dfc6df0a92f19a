/** The journal of pending creates: whether it can be written, and what is in it. */
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { FileJournal, type JournalEntry } from "../../lifecycle";
import { journalFolders } from "../../session/journalFolder";
import { counted, quoted, type Shell } from "../shell";
import { nameOf } from "../stackState";
import { type Finding, findingsOf } from "./finding";

const mostShown = 5;

export async function* journal(shell: Shell): AsyncGenerator<Finding> {
    const { ok, warning, error } = findingsOf("Journal");
    const folders = journalFolders(shell.variables);
    const { folder } = folders;
    const problem = await unwritable(folder);
    if (problem !== undefined) {
        yield error(
            `${folder}: ${problem}. Make it writable or name another folder in VIDEOGRAPH_JOURNAL_DIR; until then nothing is created.`,
        );
        return;
    }
    const journal = new FileJournal(folders);
    const entries = (await journal.entries()).filter(
        (entry) => entry.answered !== true && !journal.isOwnedElsewhere(entry),
    );
    yield entries.length === 0
        ? ok(`${folder}, no pending creates`)
        : warning(
              `${counted(entries.length, "create")} of earlier runs not ended: ${shown(entries)}. The next \`pulumi up\` of their stacks ` +
                  "takes them up; `npx pulumi-videograph orphans` shows the objects.",
          );
}

function shown(entries: readonly JournalEntry[]): string {
    const names = entries.slice(0, mostShown).map(({ kind, urn }) => `${kind} ${quoted(nameOf(urn))}`);
    return [...names, ...(entries.length > mostShown ? [`${entries.length - mostShown} more`] : [])].join(", ");
}

/** Why the folder cannot be written, or be made; nothing is written to find out. */
async function unwritable(folder: string): Promise<string | undefined> {
    for (let here = folder; ; here = dirname(here)) {
        try {
            if (!(await stat(here)).isDirectory()) return `${here} is no folder`;
            await access(here, constants.W_OK | constants.X_OK);
            return undefined;
        } catch (error) {
            const missing = error instanceof Error && "code" in error && error.code === "ENOENT";
            if (!missing || dirname(here) === here) return `${here} cannot be written`;
        }
    }
}
