/** `orphans`: finds the objects that a stack created and its state does not have; deletes them, or writes an import file. */
import { resolve } from "node:path";
import { FileJournal } from "#provider/lifecycle/index";
import { journalFolder } from "#provider/session/journalFolder";
import { type Command, durationOf, exitCodes, readOptions, UsageError } from "../commandLine";
import { withApi } from "../connection";
import { refuseUnwritable } from "../files";
import type { Shell } from "../shell";
import { chosen, type Done, remove, writeEntries } from "./act";
import { tell, tellDone, tellJson } from "./report";
import { find } from "./search";

export type Options = ReturnType<typeof optionsOf>;

const nothingDone: Done = { deleted: [], kept: [], importFile: undefined };

export const orphans: Command = async (args, shell) => {
    const options = optionsOf(args, shell);
    const { importFile, force, json } = options;
    if (importFile !== undefined) await refuseUnwritable(force, importFile);
    const journal = new FileJournal({ folder: journalFolder(shell.variables) });
    return withApi(shell, options.stack, async (api) => {
        const found = await find(shell, api, journal, options);
        if (!json) tell(shell, found);
        let done = nothingDone;
        if (chosen(found, options).length > 0) {
            if (importFile !== undefined) done = await writeEntries(shell, api, found, importFile, options);
            else if (options.remove) done = await remove(shell, api, journal, found, options);
        }
        if (json) tellJson(shell, found, done);
        else tellDone(shell, found, done, options);
        if (done.kept.length > 0 && options.remove) return exitCodes.failed;
        // What could not be read may be one.
        if (found.unread.length > 0) return exitCodes.incomplete;
        const isHandled = options.remove || importFile !== undefined;
        const hasOrphans = found.judged.some(({ status }) => status === "orphan");
        return hasOrphans && !isHandled ? exitCodes.found : exitCodes.done;
    });
};

function optionsOf(args: string[], shell: Shell) {
    const options = readOptions(args, {
        stack: { type: "string" },
        id: { type: "string", multiple: true },
        delete: { type: "boolean" },
        yes: { type: "boolean" },
        "import-file": { type: "string" },
        force: { type: "boolean" },
        timeout: { type: "string" },
        json: { type: "boolean" },
    });
    const { stack, id: ids = [], delete: remove = false, yes = false, force = false, json = false } = options;
    const { "import-file": file, timeout = "1m" } = options;
    if (remove && file !== undefined) throw new UsageError("--delete and --import-file exclude each other.");
    if (remove && !yes && !shell.talk.canAsk) {
        throw new UsageError("--delete asks before it deletes, and there is no terminal to ask at. Add --yes.");
    }
    const importFile = file === undefined ? undefined : resolve(shell.cwd, file);
    return { stack, ids, remove, yes, importFile, force, json, timeoutMs: durationOf("--timeout", timeout) };
}
