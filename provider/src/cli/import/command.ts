/** `import`: takes over what an account has, as an import file for the state and a program that declares the same. */
import { basename, resolve } from "node:path";
import type { Kind } from "../account";
import { type Command, exitCodes, oneOf, readOptions, UsageError } from "../commandLine";
import { withApi } from "../connection";
import { refuseExisting, writeNew } from "../files";
import { programText } from "../programText";
import { stateAtHand } from "../stackState";
import { gather } from "./gather";
import { tell } from "./report";

export const importCommand: Command = {
    async run(args, shell) {
        const options = readOptions(args, {
            only: { type: "string" },
            title: { type: "string" },
            tag: { type: "string", multiple: true },
            status: { type: "string" },
            id: { type: "string", multiple: true },
            limit: { type: "string" },
            "include-managed": { type: "boolean" },
            file: { type: "string" },
            program: { type: "string" },
            force: { type: "boolean" },
            stack: { type: "string" },
            json: { type: "boolean" },
        });
        const { only, stack, force = false } = options;
        const kinds = kindsOf(only);
        const limit = limitOf(options.limit);
        const files = {
            entries: resolve(shell.cwd, options.file ?? "videograph-import.json"),
            program: resolve(shell.cwd, options.program ?? "videograph-import.ts"),
        };
        if (files.entries === files.program) throw new UsageError("--file and --program must be two files.");
        if (!force) await refuseExisting(files.entries, files.program);

        const state = await stateAtHand(shell, stack);
        const gathered = await withApi(shell, stack, (api) =>
            gather(shell, api, {
                kinds,
                title: options.title,
                tags: options.tag ?? [],
                status: options.status,
                ids: options.id ?? [],
                limit,
                includeManaged: options["include-managed"] === true,
                state,
            }),
        );
        const { taken } = gathered;
        if (taken.length > 0) {
            const entries = { resources: taken.map(({ entry }) => entry) };
            await writeNew(files.entries, `${JSON.stringify(entries, undefined, 4)}\n`, force);
            await writeNew(files.program, programText(taken, basename(files.entries)), force);
        }
        tell(shell, gathered, files, options.json === true);
        return exitCodes.done;
    },
};

function kindsOf(only: string | undefined): Kind[] {
    if (only === undefined) return ["Content", "Livestream"];
    return oneOf("--only", ["contents", "livestreams"], only) === "contents" ? ["Content"] : ["Livestream"];
}

function limitOf(text: string | undefined): number {
    if (text === undefined) return Number.POSITIVE_INFINITY;
    if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError("--limit must be a whole number of 1 or more.");
    return Number(text);
}
