/**
 * One file of the journal: the creates of one process, which a killed one cannot report, as lines of JSON that are only appended. A line is an
 * entry, facts that an entry learns later, or the note that an entry is closed. The file goes when all its entries are closed.
 */
import { constants } from "node:fs";
import type * as fs from "node:fs/promises";
import { basename, dirname } from "node:path";
import * as z from "zod/mini";
import { parseJson } from "../api/json";
import { journalAdvice, LifecycleError, messageOf, messages, textFor } from "../messages";
import { type Writer, writer } from "./processes";
import { Turns } from "./turns";

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
type ChangeLine = z.infer<typeof changeLine>;
type Line = JournalEntry | ChangeLine;
export type Learned = Omit<ChangeLine, "nonce" | "closed">;

/** The file operations in use. */
export type JournalFiles = Pick<typeof fs, "lstat" | "mkdir" | "open" | "readdir" | "rm">;

export class JournalFile {
    /** The open entries by nonce. */
    readonly entries = new Map<string, JournalEntry>();
    /** The same by resource: a library has thousands, and each of its creates asks for its own. */
    readonly #byResource = new Map<string, Map<string, JournalEntry>>();
    /** The file's process has ended, and all its lines were read: it need not be read again. */
    #isFinal = false;
    /** One write at a time: side by side, a note could come to stand before its entry, where no reader takes it. */
    readonly #writes = new Turns<readonly Line[], void>(
        async () => {},
        (lines) => this.#write(lines.flat()),
    );

    /** `isAlive`: whether the process that wrote the file is alive, and may add to it; `undefined` for this process's own file. */
    constructor(
        readonly files: JournalFiles,
        readonly path: string,
        readonly isAlive?: (writer: Writer) => boolean,
    ) {}

    /** The open entries of a resource. */
    of(resource: string): JournalEntry[] {
        return [...(this.#byResource.get(resource)?.values() ?? [])];
    }

    /**
     * Adds lines. Entries outlive this process when the promise resolves, and a marker is on the disk. If a failing machine loses other facts, the
     * next run finds them out. All lines that wait at the same time share one write, and one fsync.
     */
    append(lines: readonly Line[]): Promise<void> {
        for (const line of lines) this.#apply(line);
        return this.#writes.join(lines);
    }

    /** Adds entries, and none if they cannot be written. */
    async open(entries: readonly JournalEntry[]): Promise<void> {
        await this.append(entries).catch((error: unknown) => {
            for (const { nonce } of entries) this.#apply({ nonce, closed: true });
            throw error;
        });
    }

    /** Closes entries, and removes the file with the last one. */
    async close(nonces: readonly string[]): Promise<void> {
        if (!nonces.some((nonce) => this.entries.has(nonce))) return;
        await this.read();
        const open = nonces.filter((nonce) => this.entries.has(nonce));
        if (open.length > 0) await this.append(open.map((nonce) => ({ nonce, closed: true })));
    }

    async #write(lines: readonly Line[]): Promise<void> {
        if (this.entries.size === 0 && (this.#isOwn || this.#isFinal)) return this.files.rm(this.path, { force: true });
        const known = await this.#opened(appendOnly);
        // Somebody removed the file: that closes another process's entries; our own open ones are written into a new file.
        if (known === undefined && !this.#isOwn) return;
        const all = known === undefined ? [...this.entries.values()] : lines;
        const handle = known ?? (await this.#created());
        try {
            if (known === undefined) await this.#syncName();
            // The line before may have been cut off when the disk was full, or the machine failed.
            await handle.appendFile(`\n${all.map((line) => JSON.stringify(line)).join("\n")}\n`);
            if (lines.some(({ marker }) => marker !== undefined)) await handle.sync();
        } finally {
            await handle.close();
        }
    }

    async #created(): Promise<fs.FileHandle> {
        await this.files.mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
        return this.files.open(this.path, "ax", 0o600);
    }

    /** The file's name is a part of its folder. Windows, CIFS, FUSE and WSL cannot sync that: there the sync of the file itself has to do. */
    async #syncName(): Promise<void> {
        try {
            const names = await this.files.open(dirname(this.path), "r");
            await names.sync().finally(() => names.close());
        } catch (error) {
            // A machine that has no room for the name, or no handle for the folder, does not lack the sync.
            if (["ENOSPC", "EDQUOT", "EMFILE", "ENFILE"].includes(codeOf(error) ?? "")) throw error;
        }
    }

    /** Reads the file of another process again, as long as the process may add to it. */
    async read(): Promise<void> {
        if (this.#isOwn || this.#isFinal) return;
        const [known] = this.entries.values();
        const isFinal = known !== undefined && !this.isAlive?.(known.writer);
        const handle = await this.#opened(readOnly);
        const text = await handle?.readFile("utf8").finally(() => handle.close());
        this.entries.clear();
        this.#byResource.clear();
        for (const [index, line] of (text ?? "").split("\n").entries()) {
            const json = parseJson(line);
            // A line that was cut off is no JSON: its create has sent nothing.
            if (json === undefined) continue;
            const { data } = z.safeParse(anyLine, json);
            // Only people make such a line. What they changed may have been all that is known of an object.
            if (data === undefined)
                throw fault("line", `line ${index + 1} of ${basename(this.path)} is not as it was written`);
            this.#apply(data);
        }
        this.#isFinal = isFinal;
    }

    #apply(line: Line): void {
        const { nonce } = line;
        const entry = "writer" in line ? line : this.entries.get(nonce);
        if (entry === undefined) return;
        const namesakes = this.#byResource.get(entry.resourceDigest) ?? new Map();
        this.#byResource.set(entry.resourceDigest, namesakes);
        const isClosed = "closed" in line && line.closed;
        if (!isClosed) Object.assign(entry, line);
        for (const all of [this.entries, namesakes]) isClosed ? all.delete(nonce) : all.set(nonce, entry);
    }

    get #isOwn(): boolean {
        return this.isAlive === undefined;
    }

    #opened(flags: number): Promise<fs.FileHandle | undefined> {
        return this.files.open(this.path, flags).catch(unlessNoFile);
    }
}

/**
 * A link is not followed, or it could lead the lines into any file of the user's; a pipe is not waited for, or the run would hang. Windows has
 * neither flag. O_CREAT is left out: a file that somebody has removed would come back with one line alone, without the entries that are open.
 */
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

/** An error with a code, by which `unusable` finds the way out. */
export function fault(code: "line" | "link" | "shared" | "ENOTDIR", message: string): Error {
    return Object.assign(new Error(message), { code });
}

/** @throws {LifecycleError} with a way out that helps for the error's code */
export function unusable(folder: string, error: unknown): never {
    if (error instanceof LifecycleError) throw error;
    const advice = textFor(journalAdvice, codeOf(error) ?? "") ?? journalAdvice.other;
    throw new LifecycleError(messages.journalUnusable({ folder, error: messageOf(error), advice }));
}
