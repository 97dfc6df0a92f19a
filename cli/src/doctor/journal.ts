/** The journal of creates: whether it can be written, and its entries. */
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { FileJournal } from "#provider/lifecycle/index";
import { journalFolder } from "#provider/session/journalFolder";
import type { Shell } from "../shell";
import { counted } from "../terminal";
import { type Finding, findingsOf } from "./finding";

export async function journal({ variables }: Shell): Promise<Finding> {
    const { ok, warning, error } = findingsOf("Journal");
    const folder = journalFolder(variables);
    const problem = await unwritable(folder);
    if (problem !== undefined) {
        return error(
            `${folder}: ${problem}. Make it writable or set VIDEOGRAPH_JOURNAL_DIR to another folder; until then nothing can be created.`,
        );
    }
    const files = new FileJournal({ folder });
    const entries = await files.entries();
    const told = entries.filter((entry) => entry.told === true).length;
    const answered = told === 0 ? "" : `, ${counted(told, "answered create")}`;
    const open = entries.filter((entry) => entry.told !== true && !files.isOwnedElsewhere(entry));
    if (open.length === 0) return ok(`${folder}, no open creates${answered}`);
    return warning(
        `${folder}, ${counted(open.length, "open create")} of earlier runs${answered}. \`npx pulumi-videograph forget\` lists them. A ` +
            "`pulumi up` that creates these resources continues with them; `npx pulumi-videograph orphans` finds other objects that they left.",
    );
}

/** Why the folder cannot be written or created. Nothing is written to find out. */
async function unwritable(folder: string): Promise<string | undefined> {
    for (let here = folder; ; here = dirname(here)) {
        try {
            if (!(await stat(here)).isDirectory()) return `${here} is not a folder`;
            await access(here, constants.W_OK | constants.X_OK);
            return undefined;
        } catch (error) {
            const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
            if (!isMissing || dirname(here) === here) return `${here} cannot be written`;
        }
    }
}
