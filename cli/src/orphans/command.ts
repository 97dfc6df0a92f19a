/** `orphans`: finds the objects that a stack created and its state does not have; deletes them, or writes an import file. */
import { FileJournal } from "#provider/lifecycle/index";
import { journalFolder } from "#provider/session/journalFolder";
import { type Command, exitCodes } from "../commandLine";
import { withApi } from "../connection";
import { refuseUnwritable } from "../files";
import { chosen, type Done, remove, writeEntries } from "./act";
import { optionsOf } from "./options";
import { printDone, printFound, printJson } from "./report";
import { find } from "./search";

const nothingDone: Done = { deleted: [], kept: [], importFile: undefined };

export const orphans: Command = async (args, shell) => {
    const options = optionsOf(args, shell);
    const { importFile, force, json } = options;
    if (importFile !== undefined) await refuseUnwritable(force, importFile);
    const journal = new FileJournal({ folder: journalFolder(shell.variables) });
    return withApi(shell, options.stack, async (api) => {
        const found = await find(shell, api, journal, options);
        if (!json) printFound(shell, found);
        let done = nothingDone;
        if (chosen(found, options).length > 0) {
            if (importFile !== undefined) done = await writeEntries(shell, api, found, importFile, options);
            else if (options.remove) done = await remove(shell, api, journal, found, options);
        }
        if (json) printJson(shell, found, done);
        else printDone(shell, found, done, options);
        if (done.kept.length > 0 && options.remove) return exitCodes.failed;
        // An unread object may be an orphan.
        if (found.unread.length > 0) return exitCodes.incomplete;
        const isHandled = options.remove || importFile !== undefined;
        const hasOrphans = found.judged.some(({ status }) => status === "orphan");
        return hasOrphans && !isHandled ? exitCodes.found : exitCodes.done;
    });
};
