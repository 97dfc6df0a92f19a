/** The output of `adopt`. */
import { basename } from "node:path";
import { importSteps } from "../files";
import type { Target } from "../programs/index";
import type { Shell } from "../shell";
import { counted, quoted } from "../terminal";
import type { Gathered } from "./gather";

/** Other stacks may have thousands of objects. */
const mostShown = 50;

interface Files {
    /** None for a library. */
    readonly entries: string | undefined;
    readonly program: string;
}

export function printJson({ terminal }: Shell, { adopted, skipped, known }: Gathered, files: Files): void {
    const isWritten = adopted.length > 0;
    terminal.printJson({
        file: (isWritten && files.entries) || null,
        program: isWritten ? files.program : null,
        imported: adopted.map(({ kind, entry: { id, name }, undeclared }) => ({ kind, id, name, undeclared })),
        skipped: [...known, ...skipped],
    });
}

export function printAdopted(
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
    const partly = adopted.filter(({ undeclared }) => undeclared.length > 0).length;
    if (partly > 0) {
        terminal.note(
            `Of ${counted(partly, "object")}, a program cannot declare everything: the program says what is not managed.`,
        );
    }
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
