/**
 * One file of the journal: the creates of one process, which a killed one cannot report, as lines of JSON that are only appended. A line is an
 * entry, facts that an entry learns later, or the note that an entry is closed. The file goes when all its entries are closed.
 */
import { constants } from "node:fs";
import type * as fs from "node:fs/promises";
import { basename, dirname } from "node:path";
import * as z from "zod/mini";
import { parseJson } from "../api/json";
import { journalAdvice, LifecycleError, messageOf, messages } from "../messages";
import { writer } from "./processes";

/** Facts that a create learns after its entry was opened. */
const learned = {
    /** The marker of the object, noted just before the first POST. Without it nothing was sent. */
    marker: z.optional(z.string()),
    /** The birth of the stack's state: "" where it has none yet, or the entry proves nothing any more; `undefined` where the state was unreadable. */
    birth: z.optional(z.string()),
    /** The object's id, once it is known. */
    id: z.optional(z.string()),
    /**
     * The earlier nonce, or "", of an object that a state may have had: the object was to be adopted, and its marker has this entry's nonce only
     * after a PUT; or its create may be recorded by now.
     */
    adoptedNonce: z.optional(z.string()),
};

export const entryLine = z.object({
    /** The entry's name, and the end of its marker. */
    nonce: z.string(),
    /** The kind that is being created, such as `Content`. */
    kind: z.string(),
    urn: z.string(),
    /** The digest of the resource within any stack: `digestOfResource`. */
    resourceDigest: z.string(),
    /** Digest of the title that was sent. It finds the object in a list without writing the title down. */
    titleDigest: z.string(),
    /** Digest of the inputs that only a create can set, keyed by the nonce. */
    inputsDigest: z.string(),
    /** The fingerprint of the credentials in use. */
    fingerprint: z.string(),
    /** The time when the create began, in ms since the epoch. */
    startedAt: z.number(),
    writer,
    ...learned,
});
/** Strict, so that an entry with a broken field is not taken for a change. */
export const changeLine = z.strictObject({ nonce: z.string(), closed: z.optional(z.literal(true)), ...learned });
const anyLine = z.union([entryLine, changeLine]);

export type JournalEntry = z.infer<typeof entryLine>;
export type Learned = Omit<z.infer<typeof changeLine>, "nonce" | "closed">;

/** The file operations in use. */
export type JournalFiles = Pick<typeof fs, "lstat" | "mkdir" | "open" | "readdir" | "rm">;

export class JournalFile {
    /** The open entries by nonce. */
    readonly entries = new Map<string, JournalEntry>();
    /** Every entry by resource, also closed ones: the engine may repeat a create. By resource, because a library has thousands. */
    readonly #all = new Map<string, JournalEntry[]>();
    readonly #files: JournalFiles;
    readonly #path: string;
    /** Whether the process that wrote the entry is alive, and may add to the file. `undefined` for this process's own file. */
    readonly #isAlive: ((entry: JournalEntry) => boolean) | undefined;
    /** The file's process has ended, and all its lines were read. */
    #isFinal = false;
    #lines: object[] = [];
    #isDurable = false;
    /** The next write, which takes the lines; it waits for the last one. */
    #next: Promise<void> | undefined;
    #last = Promise.resolve();

    constructor(files: JournalFiles, path: string, isAlive?: (entry: JournalEntry) => boolean) {
        this.#files = files;
        this.#path = path;
        this.#isAlive = isAlive;
    }

    /** The entries of a resource, also those that are closed. */
    of(resource: string): readonly JournalEntry[] {
        return this.#all.get(resource) ?? [];
    }

    /** Adds an entry. It outlives this process when the promise resolves. */
    async open(entry: JournalEntry): Promise<void> {
        this.#set(entry);
        await this.#append([entry], entry.marker !== undefined).catch((error: unknown) => {
            this.entries.delete(entry.nonce);
            throw error;
        });
    }

    /** Adds to an entry. A marker is on the disk when the promise resolves. If a failing machine loses other facts, the next run finds them out. */
    note(nonce: string, learned: Learned): Promise<void> {
        Object.assign(this.entries.get(nonce) ?? {}, learned);
        return this.#append([{ nonce, ...learned }], learned.marker !== undefined);
    }

    async close(nonces: readonly string[]): Promise<void> {
        await this.read().catch(this.#refuse);
        const closed = nonces.filter((nonce) => this.entries.delete(nonce));
        if (closed.length > 0) await this.#append(closed.map((nonce) => ({ nonce, closed: true })));
    }

    /** Appends lines. All that wait at the same time share one write, and one fsync. */
    #append(lines: readonly object[], isDurable = false): Promise<void> {
        for (const line of lines) this.#lines.push(line);
        this.#isDurable ||= isDurable;
        this.#next ??= this.#last.then(() => this.#write()).catch(this.#refuse);
        return this.#next;
    }

    async #write(): Promise<void> {
        const [lines, isDurable] = [this.#lines, this.#isDurable];
        this.#last = (this.#next ?? this.#last).catch(() => undefined);
        [this.#lines, this.#isDurable, this.#next] = [[], false, undefined];
        if (this.entries.size === 0 && (this.#isOwn || this.#isFinal))
            return this.#files.rm(this.#path, { force: true });
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

    async #created(): Promise<fs.FileHandle> {
        const folder = dirname(this.#path);
        await this.#files.mkdir(folder, { recursive: true, mode: 0o700 });
        const handle = await this.#files.open(this.#path, "ax", 0o600);
        try {
            await this.#syncName(folder);
        } catch (error) {
            await handle.close();
            throw error;
        }
        return handle;
    }

    /** Syncs the folder, which the file's name is a part of. Windows, CIFS, FUSE and WSL cannot do that: there the sync of the file itself has to do. */
    async #syncName(folder: string): Promise<void> {
        try {
            const handle = await this.#files.open(folder, "r");
            await handle.sync().finally(() => handle.close());
        } catch (error) {
            // A machine that has no room for the name, or no handle for the folder, does not lack the sync.
            if (["ENOSPC", "EDQUOT", "EMFILE", "ENFILE"].includes(codeOf(error) ?? "")) throw error;
        }
    }

    readonly #refuse = (error: unknown) => unusable(dirname(this.#path), error);

    /** Reads the file of another process again, as long as the process may add to it. */
    async read(): Promise<void> {
        if (this.#isOwn || this.#isFinal) return;
        const [first] = this.#all.values().next().value ?? [];
        const isFinal = first !== undefined && !this.#isAlive?.(first);
        const handle = await this.#opened(readOnly);
        const text = await handle?.readFile("utf8").finally(() => handle.close());
        this.entries.clear();
        for (const [index, line] of text?.split("\n").entries() ?? []) this.#apply(parseJson(line), index + 1);
        this.#isFinal = isFinal;
    }

    /** Only people make a line that is JSON and none of ours. What they changed may have been all that is known of an object. */
    #apply(line: unknown, number: number): void {
        // A line that was cut off is no JSON: its create has sent nothing.
        if (line === undefined) return;
        const { data } = z.safeParse(anyLine, line);
        if (data === undefined)
            throw new BrokenLine(`line ${number} of ${basename(this.#path)} is not as it was written`);
        if ("writer" in data) this.#set(data);
        else if (data.closed) this.entries.delete(data.nonce);
        else Object.assign(this.entries.get(data.nonce) ?? {}, data);
    }

    #set(entry: JournalEntry): void {
        const { nonce, resourceDigest } = entry;
        this.entries.set(nonce, entry);
        this.#all.set(resourceDigest, [...this.of(resourceDigest).filter((one) => one.nonce !== nonce), entry]);
    }

    get #isOwn(): boolean {
        return this.#isAlive === undefined;
    }

    #opened(flags: number): Promise<fs.FileHandle | undefined> {
        return this.#files.open(this.#path, flags).catch(unlessNoFile);
    }
}

class BrokenLine extends Error {
    readonly code = "line";
}

/** The flags that follow no link and wait for no pipe; Windows has neither. No flag makes a new file, which would lack the lines of the old one. */
const special = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const appendOnly = constants.O_WRONLY | constants.O_APPEND | special;
const readOnly = constants.O_RDONLY | special;

/** Returns `undefined` where the file or folder does not exist. */
export function unlessNoFile(error: unknown): undefined {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "")) return;
    throw error;
}

function codeOf(error: unknown): string | undefined {
    return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

/** @throws {LifecycleError} with a way out that helps for the error's code */
export function unusable(folder: string, error: unknown): never {
    if (error instanceof LifecycleError) throw error;
    const way = journalAdvice[(codeOf(error) ?? "other") as keyof typeof journalAdvice] ?? journalAdvice.other;
    throw new LifecycleError(messages.journalUnusable({ folder, error: messageOf(error), advice: way }));
}
