/** `orphans`: finds the objects that a stack created and its state does not have; deletes them, or writes an import file. */
import { resolve } from "node:path";
import { FileJournal } from "#provider/lifecycle/index";
import { journalFolder } from "#provider/session/journalFolder";
import { command, common, exitCodes, flag, text, texts, UsageError } from "../commandLine";
import { withApi } from "../connection";
import { refuseUnwritable } from "../files";
import { type Done, remove, writeEntries } from "./act";
import { printDone, printFound, printJson } from "./report";
import { find, type Search } from "./search";

export const orphans = command({
    name: "orphans",
    about: `Finds the objects that a stack created and its state does not have.

An object is an orphan if it was made by a create of this stack that never ended in the state, and the journal on this
machine does not have it. Other objects with the marker of this stack are listed with the reason. They may belong to
another backend, or may have been released on purpose (\`pulumi state delete\`, retainOnDelete), and are only changed when
you name them with --id. --delete is refused while an update of the stack is running, and where the backend does not
show its locks, unless you name the objects.`,
    options: {
        delete: flag("delete the orphans after confirmation"),
        yes: flag("do not ask; required where there is no terminal"),
        "import-file": text("path", "write an import file that puts the orphans into the state under their old names"),
        force: flag("replace that file when it exists"),
        id: texts("id", "this object, even if it may not be an orphan; may be repeated"),
        ...common,
    },
    exits: `0 none found, or all of them handled, 1 an error, 2 a wrong command line, 3 orphans found, 4 some objects
could not be read, so there may be more orphans.`,
    async run({ id: ids = [], json, stack, delete: isDeleting = false, yes = false, force = false, ...given }, shell) {
        const path = given["import-file"];
        if (isDeleting && path !== undefined) throw new UsageError("--delete and --import-file cannot be combined.");
        if (isDeleting && !yes && !shell.terminal.canAsk) {
            throw new UsageError("--delete asks for confirmation, but there is no terminal. Add --yes.");
        }
        const importFile = path === undefined ? undefined : resolve(shell.cwd, path);
        if (importFile !== undefined) await refuseUnwritable(force, importFile);

        const journal = new FileJournal({ folder: journalFolder(shell.variables) });
        return withApi(shell, stack, async (api) => {
            const search: Search = { shell, api, journal, stack, ids };
            const found = await find(search);
            if (!json) printFound(shell, found);
            const isActing = found.chosen.length > 0 && (isDeleting || importFile !== undefined);
            let done: Done = { handled: [], kept: [] };
            if (isActing && importFile !== undefined) done = await writeEntries(search, found, importFile);
            else if (isActing) done = await remove(search, found, yes);
            if (json) printJson(shell, found, done, importFile);
            else if (isActing) printDone(shell, done, importFile);
            else if (found.chosen.length > 0) {
                shell.terminal.print(
                    "Next: --delete deletes them; --import-file <path> writes a file with which `pulumi import` puts them into the state.",
                );
            }
            if (done.kept.length > 0 && isDeleting) return exitCodes.failed;
            // An unread object may be an orphan.
            if (found.unread.length > 0) return exitCodes.incomplete;
            const hasOrphans = found.judged.some(({ status }) => status === "orphan");
            return hasOrphans && !isActing ? exitCodes.found : exitCodes.done;
        });
    },
});
