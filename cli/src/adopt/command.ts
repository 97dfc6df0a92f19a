/** `adopt`: writes an import file for the objects of an account, and a program that declares the same. */
import { basename, resolve } from "node:path";
import { version } from "#provider/session/pluginSource";
import { findProject } from "#provider/session/project";
import type { Kind } from "../account";
import { command, commonOptions, exitCodes, flag, text, texts, UsageError } from "../commandLine";
import { withApi } from "../connection";
import { importSteps, refuseUnwritable, writeImportFile, writeText } from "../files";
import type { Shell } from "../shell";
import { exportedState } from "../state";
import { counted, quoted } from "../terminal";
import { type Gathered, gather } from "./gather";
import { languages, programText, type Target, whyUnwritable } from "./programs";

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
        ...commonOptions,
    },
    async run(given, shell) {
        const { stack, library = false, force = false, only } = given;
        const language = languageOf(given.language, shell);
        if (library && only === "livestreams") throw new UsageError("--library is for contents only.");
        if (library && language !== "typescript") throw new UsageError("--library writes TypeScript only.");
        const importFile = resolve(shell.cwd, given.file ?? "videograph-import.json");
        const program = resolve(shell.cwd, given.program ?? languages[language].file);
        if (importFile === program) throw new UsageError("--file and --program must be two files.");
        await refuseUnwritable(force, ...(library ? [] : [importFile]), program);

        const state = await exportedState(shell, stack);
        // Only TypeScript has dynamic types beside the native ones. The state shows which of them the program uses.
        const native = given.native === true || language !== "typescript" || state.plugin !== undefined;
        const gathered = await withApi(shell, stack, async (api) =>
            gather(shell, api, {
                kinds: kindsOf[only ?? ""] ?? ["Content", "Livestream"],
                included: library ? kindsOf.contents : undefined,
                title: given.title ?? "",
                tags: given.tag ?? [],
                ids: given.id ?? [],
                state,
                includeManaged: given["include-managed"] === true,
                whyUnwritable: (resource) => whyUnwritable(resource, language),
                plugin: native && !library ? (state.plugin ?? version) : undefined,
            }),
        );
        const { adopted, skipped, known } = gathered;
        const files = library ? [program] : [importFile, program];
        if (adopted.length > 0) {
            const resources = adopted.map(({ entry }) => entry);
            if (!library) await writeImportFile(importFile, resources);
            await writeText(program, programText(adopted, { language, native, library }));
        }
        if (given.json) {
            shell.terminal.printJson({
                file: adopted.length > 0 && !library ? importFile : null,
                program: adopted.length > 0 ? program : null,
                imported: adopted.map(({ kind, entry: { id, name } }) => ({ kind, id, name })),
                skipped: [...known, ...skipped],
            });
        } else if (printAdopted(shell, gathered, files)) {
            const steps = library
                ? "  pulumi up"
                : `${importSteps(importFile, shell, native)}\n  pulumi preview --diff --expect-no-changes`;
            shell.terminal.print(`\n${useOf(basename(program), language)}, then run:\n${steps}`);
        }
        return skipped.some(({ unread }) => unread) ? exitCodes.incomplete : exitCodes.done;
    },
});

/** The language that the user names, or that of the project's program; TypeScript where neither can be written. */
function languageOf(named: string | undefined, { cwd }: Shell): Target["language"] {
    const wanted = named ?? findProject(cwd)?.runtime;
    return (Object.keys(languages) as Target["language"][]).find((one) => one === wanted) ?? "typescript";
}

/** What to do with the program. */
function useOf(name: string, language: Target["language"]): string {
    const make = `Make ${name} the program (or import it from the program)`;
    const uses = {
        typescript: make,
        python: make,
        yaml: `Copy the resources of ${name} into Pulumi.yaml`,
        go: `Call the function in ${name}, videographAdopted(ctx), from the program`,
    };
    return uses[language];
}

/** Prints the result. Returns whether there is anything to adopt. */
function printAdopted({ terminal }: Shell, { adopted, skipped, known }: Gathered, files: readonly string[]): boolean {
    if (known.length > 0)
        terminal.note(`Skipped: ${counted(known.length, "object")} that the stack's state already has.`);
    for (const { kind, id, title, reason } of skipped)
        terminal.note(`Skipped: ${kind} ${id} ${quoted(title)}: ${reason}.`);
    if (adopted.length === 0) {
        terminal.print(
            "There is nothing to adopt: the account has nothing, or nothing else, that matches. `npx pulumi-videograph doctor` shows where the credentials come from.",
        );
        return false;
    }
    const countOf = (wanted: string) =>
        counted(adopted.filter(({ kind }) => kind === wanted).length, wanted.toLowerCase());
    terminal.print(
        `${countOf("Content")} and ${countOf("Livestream")} to adopt, ${known.length + skipped.length} skipped.`,
    );
    for (const path of files) terminal.print(`  ${path}`);
    return true;
}
