/** How `import` tells what it wrote and what it left out. */
import { basename } from "node:path";
import type { Kind } from "../account";
import { typed } from "../files";
import { counted, quoted, type Shell } from "../shell";
import type { Gathered } from "./gather";

export function tell(
    shell: Shell,
    { taken, skipped, known }: Gathered,
    files: { entries: string; program: string },
    json: boolean,
): void {
    const { talk } = shell;
    const written = taken.length > 0 ? files : { entries: null, program: null };
    if (json) {
        const imported = taken.map(({ kind, entry, undeclared }) => ({
            kind,
            id: entry.id,
            name: entry.name,
            undeclared,
        }));
        talk.printJson({ file: written.entries, program: written.program, imported, skipped: [...known, ...skipped] });
        return;
    }
    if (known.length > 0) talk.say(`Left out: ${counted(known.length, "object")} that the stack's state has already.`);
    for (const stack of new Set(skipped.map((one) => one.stack))) {
        if (stack === undefined) continue;
        const made = skipped.filter((one) => one.stack === stack).length;
        talk.say(
            `Left out: ${counted(made, "object")} made by the stack ${stack}, says the mark (--include-managed takes them).`,
        );
    }
    for (const { kind, id, title, reason, stack } of skipped) {
        if (stack === undefined) talk.say(`Left out: ${kind} ${id} ${quoted(title)}: ${reason}.`);
    }
    const undeclared = taken.map((one) => one.undeclared.join(", ")).filter((names) => names !== "");
    for (const names of new Set(undeclared)) {
        const count = undeclared.filter((other) => other === names).length;
        talk.say(
            `Not managed of ${counted(count, "object")}, because a program cannot declare it: ${names}. The program says of which.`,
        );
    }
    if (taken.length === 0) {
        talk.print("There is nothing to take over.");
        return;
    }
    const count = (kind: Kind) => taken.filter((one) => one.kind === kind).length;
    talk.print(
        `${counted(count("Content"), "content")} and ${counted(count("Livestream"), "livestream")} to take over, ${known.length + skipped.length} left out.\n` +
            `  ${files.entries}\n  ${files.program}\n\n` +
            "Next:\n" +
            `  pulumi import --file ${typed(files.entries, shell.cwd)} --yes --generate-code=false --protect=false\n` +
            "  pulumi refresh --yes\n" +
            `and then, with ${basename(files.program)} as the program or a part of it:\n` +
            "  pulumi preview --diff --expect-no-changes",
    );
}
