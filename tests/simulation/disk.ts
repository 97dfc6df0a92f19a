/**
 * A disk that keeps what was flushed when the machine fails, and of the rest whatever chance leaves. It offers what the
 * journal needs of `node:fs/promises`.
 */
import { basename, dirname } from "node:path";
import type { JournalFiles } from "../../provider/dist/lifecycle/create/fileJournal.js";
import type { SimulatedProcess } from "./machine.ts";

type Files = Map<string, string>;

export class SimulatedDisk {
    readonly #random: () => number;
    /** As processes see it. */
    #files: Files = new Map();
    /** As it is after the machine has failed, at least. */
    #flushed: Files = new Map();

    constructor(random: () => number) {
        this.#random = random;
    }

    /** After half a minute the system has written everything. */
    flush(): void {
        this.#flushed = new Map(this.#files);
    }

    /** The machine fails: of what was not flushed, each file is as it was before, as it is now, or cut off. */
    crash(): void {
        const left: Files = new Map();
        const texts = new Set(this.#flushed.values());
        for (const path of new Set([...this.#files.keys(), ...this.#flushed.keys()])) {
            const now = this.#files.get(path);
            const before = this.#flushed.get(path);
            const text = now === before || this.#random() < 0.5 ? now : before;
            if (text === undefined) continue;
            // What was flushed is not cut off, nor what was appended to it torn from it.
            const firm = before !== undefined && text.startsWith(before) ? before.length : 0;
            // Nor is what was flushed before it was renamed.
            const torn = text !== before && !texts.has(text) && this.#random() < 0.5;
            left.set(path, torn ? text.slice(0, firm + Math.floor(this.#random() * (text.length - firm))) : text);
        }
        this.#files = left;
        this.#flushed = new Map(left);
    }

    /** The first file that contains this text. */
    fileWith(text: string): string | undefined {
        return [...this.#files.values()].find((content) => content.includes(text));
    }

    /** The disk as one process uses it. */
    filesFor(process: SimulatedProcess): JournalFiles {
        const files = {
            mkdir: () => process.does(async () => undefined),
            readdir: (folder: string) =>
                process.does(async () =>
                    [...this.#files.keys()].filter((path) => dirname(path) === folder).map((path) => basename(path)),
                ),
            readFile: (path: string) =>
                process.does(async () => {
                    const text = this.#files.get(path);
                    if (text === undefined) throw Object.assign(new Error("ENOENT"), { code: "ENOENT" });
                    return text;
                }),
            appendFile: (path: string, text: string) =>
                process.does(async () => void this.#files.set(path, (this.#files.get(path) ?? "") + text)),
            rename: (from: string, to: string) =>
                process.does(async () => {
                    this.#files.set(to, this.#files.get(from) ?? "");
                    this.#files.delete(from);
                }),
            rm: (path: string) => process.does(async () => void this.#files.delete(path)),
            open: (path: string, flags: string) =>
                process.does(async () => {
                    if (flags === "w") this.#files.set(path, "");
                    return {
                        writeFile: (text: string) => process.does(async () => void this.#files.set(path, text)),
                        sync: () => process.does(async () => this.#sync(path)),
                        close: async () => undefined,
                    };
                }),
        };
        return files as unknown as JournalFiles;
    }

    /** Of a file: its text. Of a folder: the names in it, so far as their texts are flushed. */
    #sync(path: string): void {
        const text = this.#files.get(path);
        if (text !== undefined) {
            this.#flushed.set(path, text);
            return;
        }
        const texts = new Set(this.#flushed.values());
        for (const [file, content] of this.#files) {
            if (dirname(file) === path && texts.has(content)) this.#flushed.set(file, content);
        }
        for (const file of [...this.#flushed.keys()]) {
            if (dirname(file) === path && !this.#files.has(file)) this.#flushed.delete(file);
        }
    }
}
