/** `orphans`: finds the objects that a stack made and its state does not know; deletes them, or writes them into an import file. */
import type { VideographApi } from "../../api";
import { FileJournal } from "../../lifecycle";
import { journalFolder } from "../../session/journalFolder";
import { type Command, exitCodes } from "../commandLine";
import { withApi } from "../connection";
import { refuseExisting } from "../files";
import type { Shell } from "../shell";
import { writeEntries } from "./adoption";
import { type Done, nothingDone } from "./done";
import { type Options, optionsOf } from "./options";
import { ReadBefore } from "./readBefore";
import { remove } from "./removal";
import { tell, tellDone, tellJson } from "./report";
import { type Found, find } from "./search";

export const orphansCommand: Command = {
    async run(args, shell) {
        const options = optionsOf(args, shell);
        if (options.importFile !== undefined && !options.force) await refuseExisting(options.importFile);
        const folder = journalFolder(shell.variables);
        const journal = new FileJournal({ folder });
        return withApi(shell, options.stack, async (api) => {
            const day = new Date(shell.clock.now()).toISOString().slice(0, 10);
            const before = new ReadBefore(folder, api.fingerprint, day);
            const found = await find(shell, api, { journal, before }, options);
            if (!options.json) tell(shell, found, options);
            const done = await act(shell, api, journal, found, options);
            if (options.json) tellJson(shell, found, done);
            else tellDone(shell, found, done, options);
            await before.remove();
            if (done.kept.length > 0 && options.remove) return exitCodes.failed;
            // What could not be read may be one.
            if (found.unread.length > 0) return exitCodes.incomplete;
            const isHandled = found.orphans.length === 0 || options.remove || options.importFile !== undefined;
            return isHandled ? exitCodes.done : exitCodes.found;
        });
    },
};

async function act(
    shell: Shell,
    api: VideographApi,
    journal: FileJournal,
    found: Found,
    options: Options,
): Promise<Done> {
    if (found.orphans.length === 0) return nothingDone;
    if (options.importFile !== undefined) return writeEntries(shell, api, found, options.importFile, options);
    return options.remove ? remove(shell, api, journal, found, options) : nothingDone;
}
