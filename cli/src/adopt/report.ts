/** The output of `adopt`. */
import { basename } from "node:path";
import type { Kind } from "../account";
import { typed } from "../files";
import type { Target } from "../programText";
import { counted, quoted, type Shell } from "../shell";
import type { Gathered } from "./gather";

/** Of each other stack. */
const mostShown = 10;

export function printAdopted(
    shell: Shell,
    { adopted, skipped, known }: Gathered,
    { files, target, json }: { files: { entries: string | undefined; program: string }; target: Target; json: boolean },
): void {
    const { terminal } = shell;
    const written = adopted.length > 0 ? files : { entries: null, program: null };
    if (json) {
        terminal.printJson({
            file: written.entries ?? null,
            program: written.program,
            imported: adopted.map(({ kind, entry: { id, name }, undeclared }) => ({ kind, id, name, undeclared })),
            skipped: [...known, ...skipped],
        });
        return;
    }
    if (known.length > 0)
        terminal.note(`Skipped: ${counted(known.length, "object")} that the stack's state already has.`);
    for (const stack of new Set(skipped.map((one) => one.stack))) {
        const ofStack = skipped.filter((one) => one.stack === stack);
        // A stack may have thousands of objects.
        const shown = stack === undefined ? ofStack : ofStack.slice(0, mostShown);
        for (const { kind, id, title, reason } of shown)
            terminal.note(`Skipped: ${kind} ${id} ${quoted(title)}: ${reason}.`);
        const more = ofStack.length - shown.length;
        if (more > 0)
            terminal.note(`Skipped: ${counted(more, "more object")} of the stack ${stack}; --json lists them.`);
    }
    const undeclared = adopted.map((one) => one.undeclared.join(", ")).filter((names) => names !== "");
    for (const names of new Set(undeclared)) {
        const count = undeclared.filter((other) => other === names).length;
        terminal.note(
            `Not managed for ${counted(count, "object")}, because a program cannot declare it: ${names}. The program names the objects.`,
        );
    }
    if (adopted.length === 0) {
        terminal.print("There is nothing to adopt.");
        return;
    }
    if (files.entries === undefined) {
        terminal.print(
            `${counted(adopted.length, "content")} to adopt as a library, ${known.length + skipped.length} skipped.\n` +
                `  ${files.program}\n\n` +
                `Make ${basename(files.program)} the program (or import it from the program), then run:\n` +
                "  pulumi up",
        );
        return;
    }
    const count = (kind: Kind) => adopted.filter((one) => one.kind === kind).length;
    terminal.print(
        `${counted(count("Content"), "content")} and ${counted(count("Livestream"), "livestream")} to adopt, ${known.length + skipped.length} skipped.\n` +
            `  ${files.entries}\n  ${files.program}\n\n` +
            `${use(basename(files.program), target)}, then run:\n` +
            `  pulumi import --file ${typed(files.entries, shell.cwd)} --yes --generate-code=false\n` +
            // The plugin reads the values that an import file cannot have.
            (target.native ? "" : "  pulumi refresh --yes\n") +
            "  pulumi preview --diff --expect-no-changes",
    );
}

function use(file: string, { language }: Target): string {
    return language === "yaml"
        ? `Copy the resources of ${file} into Pulumi.yaml`
        : `Make ${file} the program (or import it from the program)`;
}
