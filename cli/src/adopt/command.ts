/** `adopt`: writes an import file for the objects of an account, and a program that declares the same. */
import { basename } from "node:path";
import { type Command, exitCodes, pluginSource } from "../commandLine";
import { withApi } from "../connection";
import type { Described } from "../entry";
import { refuseUnwritable, replaceFile } from "../files";
import { libraryText, programText } from "../programText";
import { identityOf, type StackState, stateOrEmpty } from "../state";
import { gather } from "./gather";
import { type Options, optionsOf } from "./options";
import { printAdopted } from "./report";

export const adopt: Command = async (args, shell) => {
    const options = optionsOf(args, shell);
    const { stack, files, json, force, library } = options;
    await refuseUnwritable(force, ...(library ? [] : [files.entries]), files.program);
    const state = await stateOrEmpty(shell, stack);
    const identity = await identityOf(shell, state, stack);
    const target = { language: options.language, native: isNative(options, state) };
    const plugin = target.native && !library ? pluginSource(state.pluginVersions.at(-1)) : undefined;
    const gathered = await withApi(shell, stack, async (api) => {
        const result = await gather(shell, api, { ...options, state, identity, plugin });
        const { adopted } = result;
        if (adopted.length > 0) {
            if (!library) await replaceFile(files.entries, importText(adopted));
            const text = library ? libraryText(adopted, target) : programText(adopted, basename(files.entries), target);
            await replaceFile(files.program, text);
        }
        return result;
    });
    printAdopted(shell, gathered, { files: library ? { ...files, entries: undefined } : files, target, json });
    return gathered.skipped.some(({ unread }) => unread) ? exitCodes.incomplete : exitCodes.done;
};

/** Only TypeScript has dynamic types; there the stack says which ones its program uses. */
function isNative({ language, native }: Options, state: StackState): boolean {
    return native || language !== "typescript" || state.native;
}

function importText(adopted: readonly Described[]): string {
    return `${JSON.stringify({ resources: adopted.map(({ entry }) => entry) }, undefined, 4)}\n`;
}
