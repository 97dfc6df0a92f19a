/**
 * One file of the journal: the creates of one process. If the process is killed, the next run finds them here. The lines are JSON, and are only
 * appended: a line is an entry, facts that an entry learns later, or the note that an entry is closed. When all entries are closed, the file is
 * removed.
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
    /** The marker of the object, noted just before the first POST. An entry without it proves that nothing was sent. */
    marker: z.optional(z.string()),
    /** The birth of the stack's state (see `ResourceState`). "": the state has none yet, or the create was disowned. Not set: the state could not be read. */
    birth: z.optional(z.string()),
    /** The object's id, once it is known. */
    id: z.optional(z.string()),
    /**
     * Only for an adoption, or a disowned create (see `disownCreate`): the nonce that the object's marker had before, "" if it had no marker. The
     * marker keeps this nonce until the PUT. A state may have had the object, so no later create deletes it.
     */
    adoptedNonce: z.optional(z.string()),
};

export const entryLine = z.object({
    /** The entry's name. The marker of the object ends with it. */
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
    /** A digest of the address and token that the create used (`VideographApi.fingerprint`). */
    fingerprint: z.string(),
    /** The time when the create began, in ms since the epoch. */
    startedAt: z.number(),
    writer,
    ...learned,
});
/** Strict: otherwise an entry with a broken field would pass as a change of an entry. */
export const changeLine = z.strictObject({ nonce: z.string(), closed: z.optional(z.literal(true)), ...learned });
const anyLine = z.union([entryLine, changeLine]);

export type JournalEntry = z.infer<typeof entryLine>;
type ChangeLine = z.infer<typeof changeLine>;
type Line = JournalEntry | ChangeLine;
export type Learned = Omit<ChangeLine, "nonce" | "closed">;

/** The file operations that are in use. Tests put others in their place. */
export type JournalFiles = Pick<typeof fs, "lstat" | "mkdir" | "open" | "readdir" | "rm">;

export class JournalFile {
    /** The open entries by nonce. */
    readonly entries = new Map<string, JournalEntry>();
    /** The same entries by resource: each of a library's thousands of creates asks for the entries of its own resource. */
    readonly #byResource = new Map<string, Map<string, JournalEntry>>();
    /** Whether the file's process had ended when the file was read. That process adds nothing any more, so the file is not read again. */
    #isFinal = false;
    /** One write at a time. Otherwise a note could get into the file before its entry, and no reader would know which entry it belongs to. */
    readonly #writes = new Turns<readonly Line[], void>(
        async () => {},
        (lines) => this.#write(lines.flat()),
    );

    /** `isAlive`: whether the process that writes the file is alive. `undefined`: the file is this process's own. */
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
     * Adds lines. When the promise resolves, the lines outlive this process. A marker outlives a crash of the machine too, because it was synced; the
     * next run finds out other facts that a crash loses. All lines that wait at the same time share one write and one sync.
     */
    append(lines: readonly Line[]): Promise<void> {
        for (const line of lines) this.#apply(line);
        return this.#writes.join(lines);
    }

    /** Adds entries. If they cannot be written, none is open. */
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
        // Somebody removed the file of another process, which closes its entries. Only this process's own open entries go into a new file (below).
        if (known === undefined && !this.#isOwn) return;
        const all = known === undefined ? [...this.entries.values()] : lines;
        const handle = known ?? (await this.#created());
        try {
            if (known === undefined) await this.#syncName();
            // The line break comes first: a full disk may have cut off the line before, and a line that is joined to it would be lost as well.
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

    /** Syncs the folder, which has the new file's name. Windows and some network file systems cannot do that: there, the sync of the file is enough. */
    async #syncName(): Promise<void> {
        try {
            const names = await this.files.open(dirname(this.path), "r");
            await names.sync().finally(() => names.close());
        } catch (error) {
            // These errors say that the machine lacks room or handles, not that it cannot sync folders. The name may not be on the disk.
            if (["ENOSPC", "EDQUOT", "EMFILE", "ENFILE"].includes(codeOf(error) ?? "")) throw error;
        }
    }

    /** Reads the file again, if another process may have added to it. */
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
            // This line was cut off, and can be skipped: it has no marker of a sent POST, because such a line is synced before the POST leaves.
            if (json === undefined) continue;
            const { data } = z.safeParse(anyLine, json);
            // Only a person can have made such a line. If it were skipped, the only trace of an object could be lost.
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
 * Without O_NOFOLLOW, a link could lead the lines into any other file of the user. Without O_NONBLOCK, a run would wait for ever where the file is a
 * pipe. Windows has neither flag. O_CREAT is left out: with it, a file that somebody has removed would come back without its open entries.
 */
const special = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const appendOnly = constants.O_WRONLY | constants.O_APPEND | special;
const readOnly = constants.O_RDONLY | special;

/** For `catch`: returns `undefined` where the file or folder does not exist, and throws any other error. */
export function unlessNoFile(error: unknown): undefined {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "")) return;
    throw error;
}

function codeOf(error: unknown): string | undefined {
    return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

/** An error with a code. `unusable` adds the advice for that code. */
export function fault(code: "line" | "link" | "shared" | "ENOTDIR", message: string): Error {
    return Object.assign(new Error(message), { code });
}

/** Ends with the message that the journal cannot be used, and the advice for the error's code. @throws {LifecycleError} */
export function unusable(folder: string, error: unknown): never {
    if (error instanceof LifecycleError) throw error;
    const advice = textFor(journalAdvice, codeOf(error) ?? "") ?? journalAdvice.other;
    throw new LifecycleError(messages.journalUnusable({ folder, error: messageOf(error), advice }));
}
