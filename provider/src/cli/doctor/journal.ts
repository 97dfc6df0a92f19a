/** The journal of pending creates: whether it can be written, and what is in it. */
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { FileJournal, type JournalEntry } from "../../lifecycle";
import { journalFolders } from "../../session/journalFolder";
import { counted, quoted, type Shell } from "../shell";
import { nameOf } from "../stackState";
import { type Finding, findingsOf } from "./finding";

const maxShown = 5;

export async function* journal(shell: Shell): AsyncGenerator<Finding> {
    const { ok, warning, error } = findingsOf("Journal");
    const folders = journalFolders(shell.variables);
    const { folder } = folders;
    const problem = await unwritable(folder);
    if (problem !== undefined) {
        yield error(
            `${folder}: ${problem}. Make it writable or name another folder in VIDEOGRAPH_JOURNAL_DIR; until then nothing can be created.`,
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
              `${counted(entries.length, "create")} of earlier runs may not have ended: ${shown(entries)}. The next \`pulumi up\` of their stacks ` +
                  "continues with them; `npx pulumi-videograph orphans` lists the objects.",
          );
    if (isLostWithJob(shell.variables)) {
        yield warning(
            "This is a CI job, and its disk may not survive it. Keep this folder from one job to the next (a cache, saved even when the " +
                "job fails), or name a lasting one in VIDEOGRAPH_JOURNAL_DIR: it is how an interrupted create is found again.",
        );
    }
}

/** Whoever names a folder has thought of it. */
function isLostWithJob({ CI, VIDEOGRAPH_JOURNAL_DIR, PULUMI_HOME }: NodeJS.ProcessEnv): boolean {
    return CI !== undefined && CI !== "" && CI !== "false" && !VIDEOGRAPH_JOURNAL_DIR && !PULUMI_HOME;
}

function shown(entries: readonly JournalEntry[]): string {
    const names = entries.slice(0, maxShown).map(({ kind, urn }) => `${kind} ${quoted(nameOf(urn))}`);
    return [...names, ...(entries.length > maxShown ? [`${entries.length - maxShown} more`] : [])].join(", ");
}

/** Why the folder cannot be written, or be made; nothing is written to find out. */
async function unwritable(folder: string): Promise<string | undefined> {
    for (let here = folder; ; here = dirname(here)) {
        try {
            if (!(await stat(here)).isDirectory()) return `${here} is not a folder`;
            await access(here, constants.W_OK | constants.X_OK);
            return undefined;
        } catch (error) {
            const missing = error instanceof Error && "code" in error && error.code === "ENOENT";
            if (!missing || dirname(here) === here) return `${here} cannot be written`;
        }
    }
}
