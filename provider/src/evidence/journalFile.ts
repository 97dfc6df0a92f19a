/**
 * One file of the journal: the creates of one process, as lines of JSON that are only appended. A line is an entry, facts that an entry
 * learns later, or the note that an entry is closed. The file goes when all its entries are closed.
 */
import { constants } from "node:fs";
import type * as fs from "node:fs/promises";
import { join } from "node:path";
import { isObject, parseJson } from "../api/json";
import type { JournalEntry, Learned } from "./journalEntry";

/** The file operations in use. */
export type JournalFiles = Pick<typeof fs, "lstat" | "mkdir" | "open" | "readdir" | "rm">;

export class JournalFile {
    /** The open entries by nonce. */
    readonly entries = new Map<string, JournalEntry>();
    /** The entries by resource, also the closed ones: a library has thousands. */
    readonly #all = new Map<string, JournalEntry[]>();
    readonly #files: JournalFiles;
    readonly #folder: string;
    #name: string | undefined;
    /** Whether the process that wrote the entry is alive. `undefined` for this process's own file. */
    readonly #isAlive: ((entry: JournalEntry) => boolean) | undefined;
    /** The file's process has ended, and all its lines were read. */
    #isFinal = false;
    #lines: object[] = [];
    #isDurable = false;
    /** The next write, which takes the lines; it waits for the last one. */
    #next: Promise<void> | undefined;
    #last = Promise.resolve();

    /** The file of this process, made by its first entry; or of an `other` process, which may still add to it while `isAlive`. */
    constructor(files: JournalFiles, folder: string, other?: { name: string; isAlive(entry: JournalEntry): boolean }) {
        this.#files = files;
        this.#folder = folder;
        this.#name = other?.name;
        this.#isAlive = other?.isAlive;
    }

    /** The entries of a resource, also those that are closed. */
    of(resource: string): readonly JournalEntry[] {
        return this.#all.get(resource) ?? [];
    }

    /** Adds an entry. It outlives this process when the promise resolves. */
    async open(entry: JournalEntry): Promise<void> {
        this.#set(entry);
        await this.#append(entry, entry.marker !== undefined).catch((error: unknown) => {
            this.entries.delete(entry.nonce);
            throw error;
        });
    }

    /** Adds to an entry. A marker is on the disk when the promise resolves. If a failing machine loses other facts, the next run finds them out. */
    note(nonce: string, learned: Learned): Promise<void> {
        Object.assign(this.entries.get(nonce) ?? {}, learned);
        return this.#append({ nonce, ...learned }, learned.marker !== undefined);
    }

    async close(nonce: string): Promise<void> {
        await this.read();
        if (this.entries.delete(nonce)) await this.#append({ nonce, closed: true });
    }

    /** Appends a line. All lines that wait at the same time share one write, and one fsync. */
    #append(line: object, isDurable = false): Promise<void> {
        this.#lines.push(line);
        this.#isDurable ||= isDurable;
        this.#next ??= this.#last.then(() => this.#write());
        return this.#next;
    }

    async #write(): Promise<void> {
        const [lines, isDurable] = [this.#lines, this.#isDurable];
        this.#last = (this.#next ?? this.#last).catch(() => undefined);
        [this.#lines, this.#isDurable, this.#next] = [[], false, undefined];
        if (this.entries.size === 0 && (this.#isOwn || this.#isFinal)) {
            if (this.#name !== undefined) await this.#files.rm(this.#path, { force: true });
            return;
        }
        const known = await this.#opened(appendOnly);
        // Somebody removed the file: that closes another process's entries; our own open ones are written into a new file.
        if (known === undefined && !this.#isOwn) return;
        const all = known === undefined ? [...this.entries.values()] : lines;
        const handle = known ?? (await this.#created());
        try {
            // The line before may have been cut off when the disk was full, or the machine failed.
            await handle.appendFile(`\n${all.map((line) => JSON.stringify(line)).join("\n")}\n`);
            if (isDurable) await handle.sync();
        } finally {
            await handle.close();
        }
    }

    /** A new file, named by an entry, so that no two have one name. */
    async #created(): Promise<fs.FileHandle> {
        await this.#files.mkdir(this.#folder, { recursive: true, mode: 0o700 });
        const [nonce] = this.entries.keys();
        if (nonce !== undefined) this.#name = `${nonce}.jsonl`;
        const handle = await this.#files.open(this.#path, "ax", 0o600);
        // The file's name is a part of the folder. Windows cannot open a folder, and writes both at once.
        const folder = process.platform === "win32" ? undefined : await this.#files.open(this.#folder, "r");
        await folder?.sync().finally(() => folder.close());
        return handle;
    }

    /** Reads the file of another process again, as long as the process may add to it. */
    async read(): Promise<void> {
        if (this.#isOwn || this.#isFinal) return;
        const [first] = this.#all.values().next().value ?? [];
        const isFinal = first !== undefined && !this.#isAlive?.(first);
        const handle = await this.#opened(readOnly);
        const text = await handle?.readFile("utf8").finally(() => handle.close());
        this.entries.clear();
        // The last line may be cut off: then it is no JSON.
        for (const line of text?.split("\n") ?? []) this.#apply(parseJson(line));
        this.#isFinal = isFinal;
    }

    #apply(line: unknown): void {
        if (!isObject(line) || typeof line.nonce !== "string") return;
        if ("writer" in line) this.#set(line as unknown as JournalEntry);
        else if (line.closed) this.entries.delete(line.nonce);
        else Object.assign(this.entries.get(line.nonce) ?? {}, line);
    }

    #set(entry: JournalEntry): void {
        this.entries.set(entry.nonce, entry);
        this.#all.set(entry.resourceDigest, [
            ...this.of(entry.resourceDigest).filter(({ nonce }) => nonce !== entry.nonce),
            entry,
        ]);
    }

    get #isOwn(): boolean {
        return this.#isAlive === undefined;
    }

    get #path(): string {
        return join(this.#folder, this.#name ?? "");
    }

    async #opened(flags: number): Promise<fs.FileHandle | undefined> {
        return this.#name === undefined ? undefined : this.#files.open(this.#path, flags).catch(unlessNoFile);
    }
}

/** The flags that follow no link and wait for no pipe; Windows has neither. No flag makes a new file, which would lack the lines of the old one. */
const special = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const appendOnly = constants.O_WRONLY | constants.O_APPEND | special;
const readOnly = constants.O_RDONLY | special;

/** Returns `undefined` where the file or folder does not exist. */
export function unlessNoFile(error: unknown): undefined {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return;
    throw error;
}
