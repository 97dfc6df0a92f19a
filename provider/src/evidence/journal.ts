/**
 * The journal on disk: a folder with one file for each process that creates objects (journalFile.ts). People may read or delete the files, which
 * have no title, URL or credential.
 */
import { randomBytes } from "node:crypto";
import * as fs from "node:fs/promises";
import { join } from "node:path";
import {
    fault,
    type JournalEntry,
    JournalFile,
    type JournalFiles,
    type Learned,
    unlessNoFile,
    unusable,
} from "./journalFile";
import { attemptOf } from "./marker";
import { type Processes, systemProcesses, type Writer } from "./processes";
import { pulumiHome } from "./pulumiHome";

/** The folder of the journal: `VIDEOGRAPH_JOURNAL_DIR`, or else a folder in Pulumi's own home. */
export function journalFolder(env: NodeJS.ProcessEnv = process.env): string {
    return env.VIDEOGRAPH_JOURNAL_DIR || join(pulumiHome(env), "videograph", "journal");
}

interface JournalOptions {
    folder: string;
    files?: JournalFiles;
    processes?: Processes;
}

export class Journal {
    readonly #folder: string;
    readonly #files: JournalFiles;
    readonly #processes: Processes;
    readonly #own: JournalFile;
    /**
     * All files of the journal, this process's own last. The folder is listed once: while this run has the engine's lock, no other run of the stack
     * adds a file.
     */
    #all: Promise<JournalFile[]> | undefined;
    /** The entries that this process has opened or added to. */
    readonly #written = new Set<string>();
    /** The closed entries of this process, by their create (`attemptOf`). If the engine repeats the create, they are opened again. */
    readonly #answered = new Map<string, JournalEntry[]>();

    constructor({ folder, files = fs, processes = systemProcesses }: JournalOptions) {
        this.#folder = folder;
        this.#files = files;
        this.#processes = processes;
        this.#own = new JournalFile(files, join(folder, `${randomBytes(6).toString("hex")}.jsonl`));
    }

    get writer(): Writer {
        return this.#processes.self;
    }

    /**
     * Whether this process has opened the entry, or added to it. The create of such an entry was not interrupted. The state that this run has read is
     * older than the entry, and cannot show that the create has ended.
     */
    isOwn(nonce: string): boolean {
        return this.#written.has(nonce);
    }

    /** Whether another living process of this machine works on the create. */
    isHeldByLivingProcess({ writer }: Pick<JournalEntry, "writer">): boolean {
        // An entry with this process's pid is its own, or that of an earlier process with the same pid, which has ended.
        return writer.pid !== this.writer.pid && this.#processes.isAlive(writer);
    }

    /**
     * Opens an entry. An engine that repeats a create has dropped the answer to the earlier try. That try's entry is opened again: without it, a
     * killed run would leave an object that nothing names.
     */
    async open(entry: JournalEntry): Promise<void> {
        await this.#allFiles();
        this.#written.add(entry.nonce);
        const attempt = attemptOf(entry);
        await this.#own.open([...(this.#answered.get(attempt) ?? []), entry]).catch(this.#refuse);
        // These entries are open now. Without this line, a third try of the create would open an entry again that was forgotten meanwhile.
        this.#answered.delete(attempt);
    }

    /** Adds facts to an open entry. When the promise resolves, a marker among them is on the disk: only then may the POST leave. */
    async note(nonce: string, learned: Learned): Promise<void> {
        const files = await this.#allFiles();
        this.#written.add(nonce);
        await files
            .find(({ entries }) => entries.has(nonce))
            ?.append([{ nonce, ...learned }])
            .catch(this.#refuse);
    }

    /** Removes entries for good. A create that the engine repeats opens a closed entry again, but never a removed one. */
    async forget(nonces: Iterable<string>): Promise<void> {
        const files = (await this.#allFiles()).filter(({ entries }) => entries.size > 0);
        // `nonces` is read only if there is an entry: for a library it parses thousands of markers, and most journals have no entry.
        const all = files.length === 0 ? [] : [...nonces];
        for (const file of files) await file.close(all).catch(this.#refuse);
    }

    /** Closes entries whose answer leaves for the engine: no later run needs them. In memory they stay, because the engine may repeat the create. */
    close(nonces: readonly string[]): Promise<void> {
        for (const entry of nonces.flatMap((nonce) => this.#own.entries.get(nonce) ?? [])) {
            const attempt = attemptOf(entry);
            this.#answered.set(attempt, [...(this.#answered.get(attempt) ?? []), entry]);
        }
        return this.#own.close(nonces).catch(this.#refuse);
    }

    /** The entries of a resource (`resourceDigest`) in any stack, oldest first. */
    entriesOf(resource: string): Promise<JournalEntry[]> {
        return this.#select((file) => file.of(resource));
    }

    /** The entries of all stacks, oldest first. */
    entries(): Promise<JournalEntry[]> {
        return this.#select(({ entries }) => [...entries.values()]);
    }

    async #select(from: (file: JournalFile) => JournalEntry[]): Promise<JournalEntry[]> {
        const files = await this.#allFiles();
        for (const file of files) if (from(file).length > 0) await file.read().catch(this.#refuse);
        return files.flatMap(from).sort((a, b) => a.startedAt - b.startedAt);
    }

    #allFiles(): Promise<JournalFile[]> {
        this.#all ??= this.#findFiles().catch((error: unknown) => {
            // Otherwise a fault of one moment, such as too many open files, would refuse all further creates of the run.
            this.#all = undefined;
            return this.#refuse(error);
        });
        return this.#all;
    }

    readonly #refuse = (error: unknown) => unusable(this.#folder, error);

    async #findFiles(): Promise<JournalFile[]> {
        const folder = await this.#files.lstat(this.#folder).catch(unlessNoFile);
        if (folder === undefined) return [this.#own];
        // Anybody who can change the link could lead this run to another folder, whose entries make it adopt or delete objects.
        if (folder.isSymbolicLink()) throw fault("link", "it is a link");
        if (!folder.isDirectory()) throw fault("ENOTDIR", "it is not a folder");
        // Other users must not write here: their entries could make this run adopt or delete objects. (The group may: it is often the user's own.)
        const user = process.getuid?.();
        if (user !== undefined && (folder.uid !== user || (folder.mode & 0o002) !== 0))
            throw fault("shared", "other users can write to it");
        const names = (await this.#files.readdir(this.#folder)).filter((name) => /^[0-9a-f]{12}\.jsonl$/.test(name));
        const isAlive = (writer: Writer) => this.isHeldByLivingProcess({ writer });
        const files = names.map((name) => new JournalFile(this.#files, join(this.#folder, name), isAlive));
        for (const file of files) await file.read();
        return [...files, this.#own];
    }
}
