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
        id: { type: "string", multiple: true },
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
    if (files.entries === files.program) throw new UsageError("--file and --program must be two files.");
    const library = options.library === true;
    if (library && options.only === "livestreams") throw new UsageError("--library is for contents only.");
    if (library && language !== "typescript") throw new UsageError("--library writes TypeScript only.");
    return {
        library,
        ...{ files, stack: options.stack, title: options.title },
        kinds: kindsOf(library ? "contents" : options.only),
        tags: options.tag ?? [],
        ids: options.id ?? [],
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

function kindsOf(only: string | undefined): Kind[] {
    if (only === undefined) return ["Content", "Livestream"];
    return oneOf("--only", ["contents", "livestreams"], only) === "contents" ? ["Content"] : ["Livestream"];
}
