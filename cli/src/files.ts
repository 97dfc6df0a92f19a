/** Files that a command writes. Nothing is overwritten unless the user allows it. */

import { appendFileSync, existsSync } from "node:fs";
import { access, appendFile, constants, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, relative } from "node:path";
import { isObject, parseJson } from "#provider/api/json";
import { messages } from "#provider/messages/index";
import { CommandError } from "./commandLine";

/** Checked before anything is read, so that a long run does not end with an error. */
export async function refuseUnwritable(force: boolean, ...paths: string[]): Promise<void> {
    for (const path of paths) {
        if (!force && existsSync(path)) throw new CommandError(messages.fileExists({ path }));
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

/** Replaces a file: whole or not at all. */
export async function replaceFile(path: string, text: string): Promise<void> {
    const draft = `${path}.${process.pid}.tmp`;
    try {
        await writeFile(draft, text);
        await rename(draft, path);
    } catch (error) {
        await rm(draft, { force: true });
        throw notWritten(path, error);
    }
}

function notWritten(path: string, error: unknown): CommandError {
    const why = error instanceof Error ? error.message : String(error);
    return new CommandError(messages.fileNotWritten({ file: basename(path), folder: dirname(path), error: why }));
}

/** The path as a user types it in that folder. */
export function typed(path: string, cwd: string): string {
    const short = relative(cwd, path);
    return /^[\w@%+=:,./\\-]+$/.test(short) ? short : `'${short.replaceAll("'", "'\\''")}'`;
}

/** The results of an unfinished command: a file of JSON lines, with which an interrupted run continues. */
export class PartialResult<T extends object> {
    readonly #path: string;
    readonly #selection: string;

    /** @param selection - the arguments of the command: only a run with the same ones continues */
    constructor(path: string, selection: unknown) {
        this.#path = path;
        this.#selection = JSON.stringify({ selection });
    }

    /** Starts or continues; gives the results of the interrupted run. */
    async begin(): Promise<T[]> {
        const text = await readFile(this.#path, "utf8").catch(() => "");
        const [first, ...lines] = text.split("\n");
        if (first !== this.#selection) {
            await replaceFile(this.#path, `${this.#selection}\n`);
            return [];
        }
        // The last line may have been cut off.
        await appendFile(this.#path, "\n");
        return lines.map((line) => parseJson(line)).filter((value): value is T => isObject(value));
    }

    /** At once: results that wait for a slow disk would be lost with the run. */
    add(result: T): void {
        appendFileSync(this.#path, `${JSON.stringify(result)}\n`);
    }

    async remove(): Promise<void> {
        await rm(this.#path, { force: true });
    }
}
