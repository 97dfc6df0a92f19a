/** `adopt`: writes an import file for what an account has, and a program that declares the same. */
import { basename, resolve } from "node:path";
import { messages } from "#provider/messages/index";
import type { Kind } from "../account";
import {
    type Command,
    CommandError,
    durationOf,
    exitCodes,
    oneOf,
    pluginSource,
    readOptions,
    UsageError,
} from "../commandLine";
import { withApi } from "../connection";
import type { Described } from "../entry";
import { PartialResult, refuseUnwritable, replaceFile } from "../files";
import { languages, programPieces, type Target } from "../programText";
import { findProject } from "../pulumi";
import type { Shell } from "../shell";
import { identityOf, type StackState, stateAtHand } from "../state";
import { gather } from "./gather";
import { tell } from "./report";

export type Options = ReturnType<typeof optionsOf>;

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

function optionsOf(args: string[], shell: Shell) {
    const options = readOptions(args, {
        only: { type: "string" },
        title: { type: "string" },
        tag: { type: "string", multiple: true },
        status: { type: "string" },
        id: { type: "string", multiple: true },
        limit: { type: "string" },
        "include-managed": { type: "boolean" },
        file: { type: "string" },
        program: { type: "string" },
        language: { type: "string" },
        native: { type: "boolean" },
        force: { type: "boolean" },
        stack: { type: "string" },
        timeout: { type: "string" },
        json: { type: "boolean" },
    });
    const language = languageOf(options.language, shell);
    const files = {
        entries: resolve(shell.cwd, options.file ?? "videograph-import.json"),
        program: resolve(shell.cwd, options.program ?? languages[language].file),
    };
    if ([files.entries, partialOf(files.entries)].includes(files.program)) {
        throw new UsageError("--file and --program must be two files, and --program must not end with .json.partial.");
    }
    return {
        ...{ files, stack: options.stack, title: options.title, status: options.status },
        kinds: kindsOf(options.only),
        tags: options.tag ?? [],
        ids: options.id ?? [],
        limit: limitOf(options.limit),
        includeManaged: options["include-managed"] === true,
        ...{ language, native: options.native === true },
        force: options.force === true,
        json: options.json === true,
        timeoutMs: durationOf("--timeout", options.timeout ?? "1m"),
    };
}

/** The language that is named, or else that of the project's program; TypeScript for all others. */
function languageOf(named: string | undefined, shell: Shell): Target["language"] {
    const all = Object.keys(languages) as Target["language"][];
    if (named !== undefined) return oneOf("--language", all, named);
    const runtime = findProject(shell.cwd)?.runtime;
    return all.find((one) => one === runtime) ?? "typescript";
}

/** Only TypeScript has dynamic types; there the stack says which ones its program uses. */
function isNative({ language, native }: Options, state: StackState): boolean {
    return native || language !== "typescript" || state.native;
}

function partialOf(entries: string): string {
    return `${entries}.partial`;
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

function kindsOf(only: string | undefined): Kind[] {
    if (only === undefined) return ["Content", "Livestream"];
    return oneOf("--only", ["contents", "livestreams"], only) === "contents" ? ["Content"] : ["Livestream"];
}

function limitOf(text: string | undefined): number {
    if (text === undefined) return Number.POSITIVE_INFINITY;
    if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError("--limit must be a whole number of 1 or more.");
    return Number(text);
}
