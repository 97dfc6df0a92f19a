/** `adopt`: writes an import file for the objects of an account, and a program that declares the same. */
import { basename, resolve } from "node:path";
import { findProject } from "#provider/session/project";
import type { Kind } from "../account";
import { command, common, exitCodes, flag, pluginSource, text, texts, UsageError } from "../commandLine";
import { withApi } from "../connection";
import { refuseUnwritable, writeImportFile, writeText } from "../files";
import { languages, libraryText, programText, type Target } from "../programs/index";
import type { Shell } from "../shell";
import { exportedState, identityOf } from "../state";
import { gather } from "./gather";
import { printAdopted, printJson } from "./report";

const kindsOf: Readonly<Record<string, readonly Kind[]>> = { contents: ["Content"], livestreams: ["Livestream"] };

export const adopt = command({
    name: "adopt",
    about: `Brings existing contents and livestreams under Pulumi's management.

Reads the whole account and writes two files: an import file, which puts the objects into the state of a stack, and a
program that declares them exactly as they are, protected against deletion. It prints the next steps. Nothing changes on
the service or in Pulumi. Objects that it skips are reported with the reason.`,
    options: {
        only: text("contents|livestreams", "only these"),
        title: text("text", "only objects whose title contains the text, ignoring case"),
        tag: texts("tag", "only objects with the tag; may be repeated"),
        id: texts("id", "only the object with this id; may be repeated"),
        "include-managed": flag("also adopt objects with the marker of a stack"),
        library: flag("write a program with one ContentLibrary; `pulumi up` adopts its contents"),
        file: text("path", "the import file (default videograph-import.json)"),
        program: text("path", "the program (default videograph-adopted.ts)"),
        language: text(Object.keys(languages).join("|"), "its language (default: that of the project)"),
        native: flag("use the native types, even in a TypeScript stack that has none yet"),
        force: flag("replace files that exist"),
        ...common,
    },
    exits: `0 done (also when there is nothing to adopt), 1 an error, 2 a wrong command line, 4 done, but some objects
could not be read.`,
    async run(given, shell) {
        const { stack, library = false, force = false, only } = given;
        const language = languageOf(given.language, shell);
        if (library && only === "livestreams") throw new UsageError("--library is for contents only.");
        if (library && language !== "typescript") throw new UsageError("--library writes TypeScript only.");
        const entries = resolve(shell.cwd, given.file ?? "videograph-import.json");
        const program = resolve(shell.cwd, given.program ?? languages[language].file);
        if (entries === program) throw new UsageError("--file and --program must be two files.");
        await refuseUnwritable(force, ...(library ? [] : [entries]), program);

        const state = await exportedState(shell, stack);
        // Only TypeScript has dynamic types; there the stack says which ones its program uses.
        const native = given.native === true || language !== "typescript" || state.plugin !== undefined;
        const target: Target = { language, native };
        const gathered = await withApi(shell, stack, async (api) =>
            gather(shell, api, {
                kinds: kindsOf[library ? "contents" : (only ?? "")] ?? ["Content", "Livestream"],
                ...{ title: given.title ?? "", tags: given.tag ?? [], ids: given.id ?? [], state },
                includeManaged: given["include-managed"] === true,
                identity: await identityOf(shell, state, stack),
                plugin: native && !library ? (state.plugin ?? pluginSource()) : undefined,
            }),
        );
        const { adopted, skipped } = gathered;
        if (adopted.length > 0) {
            const resources = adopted.map(({ entry }) => entry);
            if (!library) await writeImportFile(entries, resources);
            const content = library ? libraryText(adopted, target) : programText(adopted, basename(entries), target);
            await writeText(program, content);
        }
        const files = { entries: library ? undefined : entries, program };
        if (given.json) printJson(shell, gathered, files);
        else printAdopted(shell, gathered, files, target);
        return skipped.some(({ unread }) => unread) ? exitCodes.incomplete : exitCodes.done;
    },
});

/** The language that is named, or else that of the project's program; TypeScript for all others. */
function languageOf(named: string | undefined, { cwd }: Shell): Target["language"] {
    const wanted = named ?? findProject(cwd)?.runtime;
    return (Object.keys(languages) as Target["language"][]).find((one) => one === wanted) ?? "typescript";
}
