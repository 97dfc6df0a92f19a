/** The options of `adopt`. */
import { resolve } from "node:path";
import { findProject } from "#provider/session/project";
import type { Kind } from "../account";
import { durationOf, oneOf, readOptions, UsageError } from "../commandLine";
import { languages, type Target } from "../programText";
import type { Shell } from "../shell";

export type Options = ReturnType<typeof optionsOf>;

export function optionsOf(args: string[], shell: Shell) {
    const options = readOptions(args, {
        only: { type: "string" },
        title: { type: "string" },
        tag: { type: "string", multiple: true },
        status: { type: "string" },
        id: { type: "string", multiple: true },
        limit: { type: "string" },
        "include-managed": { type: "boolean" },
        library: { type: "boolean" },
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
    const library = options.library === true;
    if (library && options.only === "livestreams") throw new UsageError("--library is for contents only.");
    if (library && language !== "typescript") throw new UsageError("--library writes TypeScript only.");
    return {
        library,
        ...{ files, stack: options.stack, title: options.title, status: options.status },
        kinds: kindsOf(library ? "contents" : options.only),
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

/** The file for the results of an unfinished run. */
export function partialOf(entries: string): string {
    return `${entries}.partial`;
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
