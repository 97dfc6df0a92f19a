/** What `orphans` is asked for. */
import { resolve } from "node:path";
import { parseDuration } from "../../lifecycle/wait/duration";
import { readOptions, readTimeout, UsageError } from "../commandLine";
import type { Shell } from "../shell";

/** Longer than any create takes by default, its wait for Ready included. */
const defaultMinAge = "2h";

export interface Options {
    readonly stack: string | undefined;
    /** In ms. */
    readonly minAge: number;
    readonly includePending: boolean;
    /** Any of these; all objects when there are none. */
    readonly ids: readonly string[];
    /** For the read of one object, in ms. */
    readonly timeoutMs: number;
    readonly remove: boolean;
    readonly yes: boolean;
    /** Absolute. */
    readonly importFile: string | undefined;
    readonly force: boolean;
    readonly json: boolean;
}

export function optionsOf(args: string[], shell: Shell): Options {
    const options = readOptions(args, {
        stack: { type: "string" },
        "min-age": { type: "string" },
        "include-pending": { type: "boolean" },
        id: { type: "string", multiple: true },
        delete: { type: "boolean" },
        yes: { type: "boolean" },
        "import-file": { type: "string" },
        force: { type: "boolean" },
        timeout: { type: "string" },
        json: { type: "boolean" },
    });
    const { delete: remove = false, yes = false, "import-file": importFile } = options;
    const minAge = parseDuration(options["min-age"] ?? defaultMinAge);
    if (minAge === undefined) throw new UsageError("--min-age must be a duration such as 30m, 2h or 0s.");
    if (remove && importFile !== undefined) throw new UsageError("--delete and --import-file exclude each other.");
    if (remove && !yes && !shell.talk.canAsk) {
        throw new UsageError("--delete asks before it deletes, and there is no terminal to ask at. Add --yes.");
    }
    return {
        stack: options.stack,
        minAge,
        includePending: options["include-pending"] === true,
        ids: options.id ?? [],
        timeoutMs: readTimeout(options.timeout),
        remove,
        yes,
        importFile: importFile === undefined ? undefined : resolve(shell.cwd, importFile),
        force: options.force === true,
        json: options.json === true,
    };
}
