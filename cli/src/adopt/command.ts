/** `adopt`: writes an import file for what an account has, and a program that declares the same. */
import { basename } from "node:path";
import { messages } from "#provider/messages/index";
import { type Command, CommandError, exitCodes, pluginSource } from "../commandLine";
import { withApi } from "../connection";
import type { Described } from "../entry";
import { PartialResult, refuseUnwritable, replaceFile } from "../files";
import { programPieces } from "../programText";
import { identityOf, type StackState, stateAtHand } from "../state";
import { gather } from "./gather";
import { type Options, optionsOf, partialOf } from "./options";
import { tell } from "./report";

export const adopt: Command = async (args, shell) => {
    const options = optionsOf(args, shell);
    const { stack, files, json, force, timeoutMs: _, native: __, ...wanted } = options;
    await refuseUnwritable(force, files.entries, files.program);
    const state = await stateAtHand(shell, stack);
    const identity = await identityOf(shell, state, stack);
    const target = { language: options.language, native: isNative(options, state) };
    const plugin = target.native ? pluginSource(state.pluginVersions.at(-1)) : undefined;
    const gathered = await withApi(shell, stack, async (api) => {
        const selection = { ...wanted, identity, plugin, fingerprint: api.fingerprint };
        const partial = new PartialResult(partialOf(files.entries), selection, described);
        const result = await gather(shell, api, { ...options, state, identity, plugin }, partial);
        const count = result.adopted.length;
        if (count > 0) {
            await writeAll(files.entries, count, partial, importPieces);
            await writeAll(files.program, count, partial, (all) => programPieces(all, basename(files.entries), target));
        }
        await partial.remove();
        return result;
    });
    tell(shell, gathered, { files, target, json });
    return gathered.skipped.some(({ unread }) => unread) ? exitCodes.incomplete : exitCodes.done;
};

/** Only TypeScript has dynamic types; there the stack says which ones its program uses. */
function isNative({ language, native }: Options, state: StackState): boolean {
    return native || language !== "typescript" || state.native;
}

function described(value: unknown): Described | undefined {
    const read = value as Partial<Described> | undefined;
    return read?.entry === undefined ? undefined : (read as Described);
}

/** Writes a file for all objects that were read. @throws {CommandError} when one is missing. */
async function writeAll(
    path: string,
    count: number,
    partial: PartialResult<Described>,
    pieces: (all: AsyncIterable<Described>) => AsyncIterable<string>,
): Promise<void> {
    let written = 0;
    async function* counted() {
        for await (const one of partial.read()) {
            written++;
            yield one;
        }
        if (written !== count)
            throw new CommandError(messages.objectsMissing({ file: basename(path), count, written }));
    }
    await replaceFile(path, pieces(counted()));
}

async function* importPieces(resources: AsyncIterable<Described>): AsyncGenerator<string> {
    yield '{\n    "resources": [';
    let separator = "\n";
    for await (const { entry } of resources) {
        const indent = " ".repeat(8);
        // Not by `^`, which also matches after the line separators of texts.
        yield `${separator}${indent}${JSON.stringify(entry, undefined, 4).replaceAll("\n", `\n${indent}`)}`;
        separator = ",\n";
    }
    yield "\n    ]\n}\n";
}
