/** The options of `orphans`. */
import { resolve } from "node:path";
import { durationOf, readOptions, UsageError } from "../commandLine";
import type { Shell } from "../shell";

export type Options = ReturnType<typeof optionsOf>;

export function optionsOf(args: string[], shell: Shell) {
    const options = readOptions(args, {
        stack: { type: "string" },
        id: { type: "string", multiple: true },
        delete: { type: "boolean" },
        yes: { type: "boolean" },
        "import-file": { type: "string" },
        force: { type: "boolean" },
        timeout: { type: "string" },
        json: { type: "boolean" },
    });
    const { stack, id: ids = [], delete: remove = false, yes = false, force = false, json = false } = options;
    const { "import-file": file, timeout = "1m" } = options;
    if (remove && file !== undefined) throw new UsageError("--delete and --import-file exclude each other.");
    if (remove && !yes && !shell.terminal.canAsk) {
        throw new UsageError("--delete asks before it deletes, and there is no terminal to ask at. Add --yes.");
    }
    const importFile = file === undefined ? undefined : resolve(shell.cwd, file);
    return { stack, ids, remove, yes, importFile, force, json, timeoutMs: durationOf("--timeout", timeout) };
}
