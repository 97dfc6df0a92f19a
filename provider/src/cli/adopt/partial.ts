/**
 * What an unfinished `adopt` has read so far: a file of JSON lines beside the import file. It keeps memory small in large
 * accounts, and a run that was interrupted continues from it.
 */

import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { appendFile, open, rename, rm } from "node:fs/promises";
import { createInterface } from "node:readline";
import type { Described } from "../entry";
import { parseJson } from "../json";

export class PartialResult {
    readonly path: string;
    readonly #selection: string;

    /** @param selection - What was asked for: only a run that asks for the same continues. */
    constructor(importFile: string, selection: unknown) {
        this.path = `${importFile}.partial`;
        this.#selection = JSON.stringify({ selection });
    }

    /** Starts or continues; gives what an interrupted run has read already. */
    async *begin(): AsyncGenerator<Described> {
        const lines = await this.#lines();
        const first = await lines?.next();
        if (lines === undefined || first?.value !== this.#selection) {
            await replaceFile(this.path, [`${this.#selection}\n`]);
            return;
        }
        for await (const line of lines) yield* described(line);
        // The last line may have been cut off.
        await appendFile(this.path, "\n");
    }

    /** Adds what was read. */
    async add(taken: readonly Described[]): Promise<void> {
        if (taken.length > 0) await appendFile(this.path, taken.map((one) => `${JSON.stringify(one)}\n`).join(""));
    }

    /** Everything that was read. */
    async *read(): AsyncGenerator<Described> {
        for await (const line of (await this.#lines()) ?? []) yield* described(line);
    }

    async remove(): Promise<void> {
        await rm(this.path, { force: true });
    }

    async #lines(): Promise<AsyncGenerator<string, undefined> | undefined> {
        const handle = await open(this.path).catch(() => undefined);
        if (handle === undefined) return undefined;
        const input = createReadStream(this.path, { fd: handle });
        return (async function* () {
            yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
            return undefined;
        })();
    }
}

/** Empty for the first line, and for one that was cut off. */
function described(line: string): Described[] {
    const value = parseJson(line) as Partial<Described> | undefined;
    return value?.entry === undefined ? [] : [value as Described];
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
