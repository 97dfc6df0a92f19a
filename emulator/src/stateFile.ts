/**
 * Objects on disk: a file of JSON lines, each one a change. A change costs one appended line, so a thousand creates
 * cost a thousand lines and not a thousand rewrites, and what was answered is on disk even if the emulator is
 * killed. The file is condensed to one line per object at each start, and when changes have made it several times as large.
 */
import * as fs from "node:fs";
import { dirname, resolve } from "node:path";
import { z } from "zod";
import { LockFile } from "./lockFile";
import { changeSchema } from "./recordSchemas";
import type { Change, Store } from "./store";

/** A file smaller than this is left as it is until the next start. */
const condenseBytes = 4 * 1024 ** 2;
/** How many times larger than the condensed one a file may become. */
const maxGrowth = 4;

export class StateFile {
    readonly #path: string;
    readonly #store: Store;
    readonly #lock: LockFile;
    #descriptor: number;
    #bytes = 0;
    #condensedBytes = 0;

    /** Loads `path` into `store`, which from then on writes its changes there. */
    constructor(path: string, store: Store, now: number) {
        this.#path = path;
        this.#store = store;
        fs.mkdirSync(dirname(path), { recursive: true });
        this.#lock = new LockFile(resolve(path));
        try {
            if (fs.existsSync(path)) for (const change of parse(path)) store.apply(change);
            store.livestreams(now); // deletes those whose deletion has ended meanwhile
            this.#descriptor = this.#condense();
        } catch (error) {
            this.#lock.release();
            throw error;
        }
        store.observers.push((change) => this.#append(change));
    }

    close(): void {
        fs.closeSync(this.#descriptor);
        this.#lock.release();
    }

    #append(change: Change): void {
        const line = `${JSON.stringify(change)}\n`;
        fs.appendFileSync(this.#descriptor, line);
        this.#bytes += line.length;
        if (this.#bytes < condenseBytes || this.#bytes < maxGrowth * this.#condensedBytes) return;
        fs.closeSync(this.#descriptor);
        this.#descriptor = this.#condense();
    }

    /** Writes one line per object, at once or not at all. Opens the file for what follows. */
    #condense(): number {
        const lines = [
            ...this.#store.contents().map((content) => ({ content })),
            ...this.#store.livestreams(0).map((livestream) => ({ livestream })),
            ...this.#store.signingKeys().map((signingKey) => ({ signingKey })),
        ].map((change) => `${JSON.stringify(change)}\n`);
        fs.writeFileSync(`${this.#path}.new`, lines.join(""), { mode: 0o600 });
        fs.renameSync(`${this.#path}.new`, this.#path);
        this.#condensedBytes = lines.reduce((sum, { length }) => sum + length, 0);
        this.#bytes = this.#condensedBytes;
        return fs.openSync(this.#path, "a");
    }
}

function parse(path: string): Change[] {
    const lines = fs.readFileSync(path, "utf8").split("\n");
    // A kill in the middle of a write leaves an unfinished last line: that change was not answered yet.
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
