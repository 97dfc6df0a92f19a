/** Files that a command writes. Nothing is overwritten unless the user allows it. */

import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { access, appendFile, constants, open, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, relative } from "node:path";
import { parseJson } from "#provider/api/json";
import { messages } from "#provider/messages/index";
import { CommandError } from "./commandLine";

/** Checked before anything is read, so that nobody waits for what cannot be written. */
export async function refuseUnwritable(force: boolean, ...paths: string[]): Promise<void> {
    for (const path of paths) {
        const isThere = await stat(path).then(
            () => true,
            () => false,
        );
        if (isThere && !force) throw new CommandError(messages.fileExists({ path }));
        await access(dirname(path), constants.W_OK).catch((error) => {
            throw notWritten(path, error);
        });
    }
}

export async function writeNew(path: string, text: string, force: boolean): Promise<void> {
    await writeFile(path, text, { flag: force ? "w" : "wx" }).catch((error) => {
        throw notWritten(path, error);
    });
}

/** Writes a file piece by piece: whole or not at all. */
export async function replaceFile(path: string, pieces: Iterable<string> | AsyncIterable<string>): Promise<void> {
    const draft = `${path}.${process.pid}.tmp`;
    const stream = createWriteStream(draft, { flags: "w" });
    try {
        for await (const piece of pieces) {
            if (!stream.write(piece)) await once(stream, "drain");
        }
        stream.end();
        await once(stream, "finish");
        await rename(draft, path);
    } catch (error) {
        stream.destroy();
        await rm(draft, { force: true });
        throw error instanceof CommandError ? error : notWritten(path, error);
    }
}

function notWritten(path: string, error: unknown): CommandError {
    const why = error instanceof Error ? error.message : String(error);
    return new CommandError(messages.fileNotWritten({ file: basename(path), folder: dirname(path), error: why }));
}

/** The path as one types it in that folder. */
export function typed(path: string, cwd: string): string {
    const short = relative(cwd, path);
    return /^[\w@%+=:,./\\-]+$/.test(short) ? short : `'${short.replaceAll("'", "'\\''")}'`;
}

/**
 * What an unfinished command has read so far: a file of JSON lines. It keeps memory small in large accounts, and an
 * interrupted run continues from it.
 */
export class PartialResult<T> {
    readonly #path: string;
    readonly #selection: string;
    readonly #parse: (value: unknown) => T | undefined;

    /**
     * @param selection - What was asked for: only a run that asks for the same continues.
     * @param parse - What a line says; `undefined` for one that is not valid.
     */
    constructor(path: string, selection: unknown, parse: (value: unknown) => T | undefined) {
        this.#path = path;
        this.#selection = lineOf({ selection });
        this.#parse = parse;
    }

    /** Starts or continues; gives what an interrupted run has read already. */
    async *begin(): AsyncGenerator<T> {
        if ((await this.#firstLine()) !== this.#selection) {
            await replaceFile(this.#path, [`${this.#selection}\n`]);
            return;
        }
        yield* this.read();
        // The last line may have been cut off.
        await appendFile(this.#path, "\n");
    }

    async add(taken: T): Promise<void> {
        await appendFile(this.#path, `${lineOf(taken)}\n`);
    }

    /** Everything that was read. The first line, and one that was cut off, say nothing. */
    async *read(): AsyncGenerator<T> {
        const handle = await open(this.#path);
        for await (const line of handle.readLines()) {
            const value = this.#parse(parseJson(line));
            if (value !== undefined) yield value;
        }
    }

    async remove(): Promise<void> {
        await rm(this.#path, { force: true });
    }

    async #firstLine(): Promise<string | undefined> {
        const handle = await open(this.#path).catch(() => undefined);
        for await (const line of handle?.readLines() ?? []) return line;
        return undefined;
    }
}

/** On one line for `readLines` too, which takes these separators for line ends; JSON does not escape them. */
function lineOf(value: unknown): string {
    return JSON.stringify(value).replace(/[\u2028\u2029]/g, (character) =>
        character === "\u2028" ? "\\u2028" : "\\u2029",
    );
}
