/** `adopt`: writes an import file for what an account has, and a program that declares the same. */
import { basename, resolve } from "node:path";
import type { Kind } from "../account";
import { type Command, exitCodes, oneOf, readOptions, readTimeout, UsageError } from "../commandLine";
import { withApi } from "../connection";
import type { Described } from "../entry";
import { refuseExisting } from "../files";
import { PartialResult, replaceFile } from "../partial";
import { programPieces } from "../programText";
import { identityOfStack, stateAtHand } from "../stackState";
import { gather } from "./gather";
import { tell } from "./report";

export const adoptCommand: Command = {
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
            timeout: { type: "string" },
            json: { type: "boolean" },
        });
        const { only, stack, force = false } = options;
        const kinds = kindsOf(only);
        const limit = limitOf(options.limit);
        const timeoutMs = readTimeout(options.timeout);
        const files = {
            entries: resolve(shell.cwd, options.file ?? "videograph-import.json"),
            program: resolve(shell.cwd, options.program ?? "videograph-adopted.ts"),
        };
        if (files.entries === files.program) throw new UsageError("--file and --program must be two files.");
        if (!force) await refuseExisting(files.entries, files.program);

        const state = await stateAtHand(shell, stack);
        const wanted = {
            kinds,
            title: options.title,
            tags: options.tag ?? [],
            status: options.status,
            ids: options.id ?? [],
            limit,
            includeManaged: options["include-managed"] === true,
        };
        const identity = state.identity ?? (await identityOfStack(shell, stack));
        const gathered = await withApi(shell, stack, async (api) => {
            const selection = { ...wanted, identity, fingerprint: api.fingerprint };
            const partial = new PartialResult(`${files.entries}.partial`, selection, described);
            const result = await gather(shell, api, { ...wanted, state, identity, timeoutMs }, partial);
            if (result.adopted.length > 0) {
                await replaceFile(files.entries, importPieces(partial.read()));
                await replaceFile(files.program, programPieces(partial.read(), basename(files.entries)));
            }
            await partial.remove();
            return result;
        });
        tell(shell, gathered, files, options.json === true);
        return gathered.skipped.some(({ unread }) => unread) ? exitCodes.incomplete : exitCodes.done;
    },
};

function described(value: unknown): Described | undefined {
    const read = value as Partial<Described> | undefined;
    return read?.entry === undefined ? undefined : (read as Described);
}

async function* importPieces(resources: AsyncIterable<Described>): AsyncGenerator<string> {
    yield '{\n    "resources": [';
    let separator = "\n";
    for await (const { entry } of resources) {
        yield separator + JSON.stringify(entry, undefined, 4).replace(/^/gm, " ".repeat(8));
        separator = ",\n";
    }
    yield "\n    ]\n}\n";
}

function kindsOf(only: string | undefined): Kind[] {
    if (only === undefined) return ["Content", "Livestream"];
    return oneOf("--only", ["contents", "livestreams"], only) === "contents" ? ["Content"] : ["Livestream"];
}

function limitOf(text: string | undefined): number {
    if (text === undefined) return Number.POSITIVE_INFINITY;
    if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError("--limit must be a whole number of 1 or more.");
    return Number(text);
}
