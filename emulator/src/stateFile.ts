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
import { dirname } from "node:path";
import type { Change, Store } from "./store";

export class StateFile {
    readonly #descriptor: number;

    /** Loads `path` into `store`, which from then on writes its changes there. */
    constructor(path: string, store: Store, now: number) {
        mkdirSync(dirname(path), { recursive: true });
        if (existsSync(path)) for (const change of parse(path)) store.apply(change);
        const lines = [
            ...store.contents().map((content) => ({ content })),
            ...store.livestreams(now).map((livestream) => ({ livestream })),
            ...store.signingKeys().map((signingKey) => ({ signingKey })),
        ].map((change) => `${JSON.stringify(change)}\n`);
        writeFileSync(`${path}.new`, lines.join(""), { mode: 0o600 });
        renameSync(`${path}.new`, path);
        this.#descriptor = openSync(path, "a");
        store.observers.push((change) => appendFileSync(this.#descriptor, `${JSON.stringify(change)}\n`));
    }

    close(): void {
        closeSync(this.#descriptor);
    }
}

function parse(path: string): Change[] {
    const lines = readFileSync(path, "utf8").split("\n");
    // A kill in the middle of a write leaves an unfinished last line: nobody was told of that change.
    lines.pop();
    return lines.map((line, index) => {
        try {
            return JSON.parse(line) as Change;
        } catch (cause) {
            throw new Error(`The state file ${path} is damaged in line ${index + 1}; repair or remove it`, { cause });
        }
    });
}
