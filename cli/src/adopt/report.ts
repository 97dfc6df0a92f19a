/** The output of `adopt`. */
import { basename } from "node:path";
import { typed } from "../files";
import type { Target } from "../programs/index";
import type { Shell } from "../shell";
import { counted, quoted } from "../terminal";
import type { Gathered } from "./gather";

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
    { terminal, cwd }: Shell,
    { adopted, skipped, known }: Gathered,
    { entries, program }: Files,
    { language, native }: Target,
): void {
    if (known.length > 0) {
        terminal.note(`Skipped: ${counted(known.length, "object")} that the stack's state already has.`);
    }
    for (const { kind, id, title, reason } of skipped) {
        terminal.note(`Skipped: ${kind} ${id} ${quoted(title)}: ${reason}.`);
    }
    const partly = adopted.filter(({ undeclared }) => undeclared.length > 0).length;
    if (partly > 0) {
        terminal.note(
            `Of ${counted(partly, "object")}, a program cannot declare everything: the program says what is not managed.`,
        );
    }
    if (adopted.length === 0) {
        terminal.print("There is nothing to adopt.");
        return;
    }
    const of = (wanted: string) => counted(adopted.filter(({ kind }) => kind === wanted).length, wanted.toLowerCase());
    const use =
        language === "yaml"
            ? `Copy the resources of ${basename(program)} into Pulumi.yaml`
            : `Make ${basename(program)} the program (or import it from the program)`;
    const total = `${known.length + skipped.length} skipped.`;
    if (entries === undefined) {
        terminal.print(
            `${of("Content")} to adopt as a library, ${total}\n  ${program}\n\n${use}, then run:\n  pulumi up`,
        );
        return;
    }
    terminal.print(`${of("Content")} and ${of("Livestream")} to adopt, ${total}
  ${entries}
  ${program}

${use}, then run:
  pulumi import --file ${typed(entries, cwd)} --yes --generate-code=false`);
    // The plugin of native types reads the values that an import file cannot have.
    if (!native) terminal.print("  pulumi refresh --yes");
    terminal.print("  pulumi preview --diff --expect-no-changes");
}
