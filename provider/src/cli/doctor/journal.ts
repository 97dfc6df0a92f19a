/** The journal of pending creates: whether it can be written, and what is in it. */
import { constants } from "node:fs";
import { access, stat, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, sep } from "node:path";
import { FileJournal, type JournalEntry } from "../../lifecycle";
import { journalFolder } from "../../session/journalFolder";
import { counted, quoted, type Shell } from "../shell";
import { nameOf } from "../stackState";
import { type Finding, findingsOf } from "./finding";
import { isCi } from "./surroundings";

const maxShown = 5;

export async function* journal(shell: Shell): AsyncGenerator<Finding> {
    const { ok, warning, error } = findingsOf("Journal");
    const folder = journalFolder(shell.variables);
    const problem = await unwritable(folder);
    if (problem !== undefined) {
        yield error(
            `${folder}: ${problem}. Make it writable or name another folder in VIDEOGRAPH_JOURNAL_DIR; until then nothing can be created.`,
        );
        return;
    }
    const journal = new FileJournal({ folder });
    const entries = (await journal.entries()).filter(
        (entry) => entry.told !== true && !journal.isOwnedElsewhere(entry),
    );
    yield entries.length === 0
        ? ok(`${folder}, no pending creates`)
        : warning(
              `${counted(entries.length, "create")} of earlier runs may not have ended: ${shown(entries)}. The next \`pulumi up\` of their stacks ` +
                  "continues with them; `npx pulumi-videograph orphans` lists the objects.",
          );
    if (isCi(shell.variables) && (await isLostWithJob(folder, shell.variables))) {
        yield warning(
            "This is a CI job, and its disk may not survive it. Keep this folder from one job to the next (a cache, saved even when the " +
                "job fails), or name a lasting one in VIDEOGRAPH_JOURNAL_DIR: it is how an interrupted create is found again.",
        );
    }
}

/** By the types that statfs(2) gives them on Linux. */
const memoryDisks = new Set([0x01021994, 0x858458f6]);

/** Whoever names a folder has thought of it, unless it is a temporary one. */
async function isLostWithJob(folder: string, variables: NodeJS.ProcessEnv): Promise<boolean> {
    if (!variables.VIDEOGRAPH_JOURNAL_DIR && !variables.PULUMI_HOME) return true;
    if (folder.startsWith(tmpdir() + sep)) return true;
    for (let here = folder; ; here = dirname(here)) {
        const disk = await statfs(here).catch(() => undefined);
        if (disk !== undefined) return process.platform === "linux" && memoryDisks.has(disk.type);
        if (dirname(here) === here) return false;
    }
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
