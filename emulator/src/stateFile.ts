/**
 * Objects on disk: a file of JSON lines, each one a change. A change costs one appended line, so a thousand creates
 * cost a thousand lines and not a thousand rewrites, and what a client was told is on disk even if the emulator is
 * killed. The file is condensed to one line per object at each start.
 */
import {
    appendFileSync,
    closeSync,
    existsSync,
    mkdirSync,
    openSync,
    readFileSync,
    renameSync,
    writeFileSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { z } from "zod";
import { LockFile } from "./lockFile";
import { changeSchema } from "./recordSchemas";
import type { Change, Store } from "./store";

export class StateFile {
    readonly #descriptor: number;
    readonly #lock: LockFile;

    /** Loads `path` into `store`, which from then on writes its changes there. */
    constructor(path: string, store: Store, now: number) {
        mkdirSync(dirname(path), { recursive: true });
        this.#lock = new LockFile(resolve(path));
        try {
            this.#descriptor = this.#load(path, store, now);
        } catch (error) {
            this.#lock.release();
            throw error;
        }
        store.observers.push((change) => appendFileSync(this.#descriptor, `${JSON.stringify(change)}\n`));
    }

    #load(path: string, store: Store, now: number): number {
        if (existsSync(path)) for (const change of parse(path)) store.apply(change);
        const lines = [
            ...store.contents().map((content) => ({ content })),
            ...store.livestreams(now).map((livestream) => ({ livestream })),
            ...store.signingKeys().map((signingKey) => ({ signingKey })),
        ].map((change) => `${JSON.stringify(change)}\n`);
        writeFileSync(`${path}.new`, lines.join(""), { mode: 0o600 });
        renameSync(`${path}.new`, path);
        return openSync(path, "a");
    }

    close(): void {
        closeSync(this.#descriptor);
        this.#lock.release();
    }
}

function parse(path: string): Change[] {
    const lines = readFileSync(path, "utf8").split("\n");
    // A kill in the middle of a write leaves an unfinished last line: nobody was told of that change.
    lines.pop();
    return lines.map((line, index) => {
        const where = `The state file ${path} is damaged in line ${index + 1}`;
        let value: unknown;
        try {
            value = JSON.parse(line);
        } catch (cause) {
            throw new Error(`${where}; repair or remove it`, { cause });
        }
        const change = changeSchema.safeParse(value);
        if (!change.success) throw new Error(`${where}: ${z.prettifyError(change.error)}; repair or remove it`);
        return change.data;
    });
}
