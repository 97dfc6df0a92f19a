/** `adopt`: writes an import file for the objects of an account, and a program that declares the same. */
import { basename, resolve } from "node:path";
import { findProject } from "#provider/session/project";
import type { Kind } from "../account";
import { command, common, exitCodes, flag, pluginSource, text, texts, UsageError } from "../commandLine";
import { withApi } from "../connection";
import { importSteps, refuseUnwritable, writeImportFile, writeText } from "../files";
import { languages, libraryText, programText, type Target } from "../programs/index";
import type { Shell } from "../shell";
import { exportedState, identityOf } from "../state";
import { counted, quoted } from "../terminal";
import { type Gathered, gather } from "./gather";

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

/** Other stacks may have thousands of objects. */
const mostShown = 50;

interface Files {
    /** None for a library. */
    readonly entries: string | undefined;
    readonly program: string;
}

function printJson({ terminal }: Shell, { adopted, skipped, known }: Gathered, files: Files): void {
    const isWritten = adopted.length > 0;
    terminal.printJson({
        file: (isWritten && files.entries) || null,
        program: isWritten ? files.program : null,
        imported: adopted.map(({ kind, entry: { id, name } }) => ({ kind, id, name })),
        skipped: [...known, ...skipped],
    });
}

function printAdopted(
    shell: Shell,
    { adopted, skipped, known }: Gathered,
    { entries, program }: Files,
    { language, native }: Target,
): void {
    const { terminal } = shell;
    if (known.length > 0) {
        terminal.note(`Skipped: ${counted(known.length, "object")} that the stack's state already has.`);
    }
    for (const { kind, id, title, reason } of skipped.slice(0, mostShown)) {
        terminal.note(`Skipped: ${kind} ${id} ${quoted(title)}: ${reason}.`);
    }
    const more = skipped.length - mostShown;
    if (more > 0) terminal.note(`Skipped: ${counted(more, "more object")}; --json lists them.`);
    if (adopted.length === 0) {
        const isSkipped = skipped.length + known.length > 0;
        const why = isSkipped
            ? "everything that matches is skipped."
            : "nothing in the account matches. `npx pulumi-videograph doctor` shows where its credentials come from.";
        terminal.print(`There is nothing to adopt: ${why}`);
        return;
    }
    const of = (wanted: string) => counted(adopted.filter(({ kind }) => kind === wanted).length, wanted.toLowerCase());
    const use =
        language === "yaml"
            ? `Copy the resources of ${basename(program)} into Pulumi.yaml`
            : `Make ${basename(program)} the program (or import it from the program)`;
    const isLibrary = entries === undefined;
    const what = isLibrary
        ? `${of("Content")} to adopt as a library`
        : `${of("Content")} and ${of("Livestream")} to adopt`;
    const steps = isLibrary
        ? ["  pulumi up"]
        : [importSteps(entries, shell, native), "  pulumi preview --diff --expect-no-changes"];
    terminal.print(`${what}, ${known.length + skipped.length} skipped.`);
    for (const path of isLibrary ? [program] : [entries, program]) terminal.print(`  ${path}`);
    terminal.print(["", `${use}, then run:`, ...steps].join("\n"));
}
