/** The journal of creates: whether it can be written, and its entries. */
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { FileJournal } from "#provider/lifecycle/index";
import { journalFolder } from "#provider/session/journalFolder";
import type { Shell } from "../shell";
import { counted } from "../terminal";
import { type Finding, findingsOf } from "./finding";

export async function* journal({ variables }: Shell): AsyncGenerator<Finding> {
    const { ok, warning, error } = findingsOf("Journal");
    const folder = journalFolder(variables);
    const problem = unwritable(folder);
    if (problem !== undefined) {
        yield error(
            `${problem}. Make it writable or set VIDEOGRAPH_JOURNAL_DIR to another folder; until then nothing can be created.`,
        );
        return;
    }
    const files = new FileJournal({ folder });
    const entries = await files.entries();
    const told = entries.filter((entry) => entry.told === true).length;
    const answered = told === 0 ? "" : `, ${counted(told, "answered create")}`;
    const open = entries.filter((entry) => entry.told !== true && !files.isOwnedElsewhere(entry));
    yield open.length === 0
        ? ok(`${folder}, no open creates${answered}`)
        : warning(
              `${folder}, ${counted(open.length, "open create")} of earlier runs${answered}. \`npx pulumi-videograph forget\` lists them. A ` +
                  "`pulumi up` that creates these resources continues with them; `npx pulumi-videograph orphans` finds other objects that they left.",
          );
}

/** Why the folder cannot be written or created. Nothing is written to find out. */
function unwritable(folder: string): string | undefined {
    if (!existsSync(folder)) return unwritable(dirname(folder));
    if (!statSync(folder).isDirectory()) return `${folder} is not a folder`;
    try {
        accessSync(folder, constants.W_OK | constants.X_OK);
        return undefined;
    } catch {
        return `${folder} cannot be written`;
    }
}
