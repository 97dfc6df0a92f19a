/**
 * What an unfinished command has read so far: a file of JSON lines. It keeps memory small in large accounts, and a run that
 * was interrupted continues from it.
 */

import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { appendFile, open, rename, rm } from "node:fs/promises";
import { createInterface } from "node:readline";
import { parseJson } from "./json";

export class PartialResult<T> {
    readonly #path: string;
    readonly #selection: string;
    readonly #parse: (value: unknown) => T | undefined;

    /**
     * @param selection - What was asked for: only a run that asks for the same continues.
     * @param parse - What a line says; `undefined` for one that says nothing.
     */
    constructor(path: string, selection: unknown, parse: (value: unknown) => T | undefined) {
        this.#path = path;
        this.#selection = JSON.stringify({ selection });
        this.#parse = parse;
    }

    /** Starts or continues; gives what an interrupted run has read already. */
    async *begin(): AsyncGenerator<T> {
        const lines = await this.#lines();
        const first = await lines?.next();
        if (lines === undefined || first?.value !== this.#selection) {
            await replaceFile(this.#path, [`${this.#selection}\n`]);
            return;
        }
        for await (const line of lines) yield* this.#parsed(line);
        // The last line may have been cut off.
        await appendFile(this.#path, "\n");
    }

    /** Adds what was read. */
    async add(taken: T): Promise<void> {
        await appendFile(this.#path, `${JSON.stringify(taken)}\n`);
    }

    /** Everything that was read. */
    async *read(): AsyncGenerator<T> {
        for await (const line of (await this.#lines()) ?? []) yield* this.#parsed(line);
    }

    async remove(): Promise<void> {
        await rm(this.#path, { force: true });
    }

    /** Empty for the first line, and for one that was cut off. */
    #parsed(line: string): T[] {
        const value = this.#parse(parseJson(line));
        return value === undefined ? [] : [value];
    }

    async #lines(): Promise<AsyncGenerator<string, undefined> | undefined> {
        const handle = await open(this.#path).catch(() => undefined);
        if (handle === undefined) return undefined;
        const input = createReadStream(this.#path, { fd: handle });
        return (async function* () {
            yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
            return undefined;
        })();
    }
}

/** Writes a file piece by piece: whole or not at all. */
export async function replaceFile(path: string, pieces: Iterable<string> | AsyncIterable<string>): Promise<void> {
    const draft = `${path}.${process.pid}.tmp`;
    const stream = createWriteStream(draft, { flags: "w" });
    try {
        for await (const piece of pieces) {
            if (!stream.write(piece)) await once(stream, "drain");
        }
        await new Promise<void>((resolve, reject) => {
            stream.once("error", reject);
            stream.end(() => resolve());
        });
        await rename(draft, path);
    } catch (error) {
        stream.destroy();
        await rm(draft, { force: true });
        throw error;
    }
}
