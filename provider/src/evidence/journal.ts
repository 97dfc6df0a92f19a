/**
 * The journal on disk: a folder with one file for each process that creates objects (journalFile.ts). People may read or delete the files, which
 * have no title, URL or credential.
 */
import { randomBytes } from "node:crypto";
import * as fs from "node:fs/promises";
import { homedir } from "node:os";
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

/** `$VIDEOGRAPH_JOURNAL_DIR`, else a folder in Pulumi's own home. */
export function journalFolder(env: NodeJS.ProcessEnv = process.env): string {
    const home = env.PULUMI_HOME || join(homedir(), ".pulumi");
    return env.VIDEOGRAPH_JOURNAL_DIR || join(home, "videograph", "journal");
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
    /** All files, this process's own last. Listed once: while this run has the engine's lock, no other run of the stack begins one. */
    #all: Promise<JournalFile[]> | undefined;
    /** The entries that this process has opened or added to. */
    readonly #written = new Set<string>();
    /** The closed entries of this process, by their create (`attemptOf`): if the engine repeats the create, they count again. */
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
     * Whether this process has opened the entry, or added to it. What this run has read of the state is older than such an entry, and must not close it.
     * Nor is its create an interrupted one.
     */
    isOwn(nonce: string): boolean {
        return this.#written.has(nonce);
    }

    /** Whether another living process of this machine works on the create. */
    isHeldByLivingProcess({ writer }: Pick<JournalEntry, "writer">): boolean {
        // With this process's own pid, the entry is its own, or that of an earlier process, which has ended.
        return writer.pid !== this.writer.pid && this.#processes.isAlive(writer);
    }

    /** Opens an entry. If the engine repeats the create, it has thrown the earlier answer away: so the entries of the earlier tries are opened again. */
    async open(entry: JournalEntry): Promise<void> {
        await this.#allFiles();
        this.#written.add(entry.nonce);
        const attempt = attemptOf(entry);
        await this.#own.open([...(this.#answered.get(attempt) ?? []), entry]).catch(this.#refuse);
        this.#answered.delete(attempt);
    }

    /** Adds to an open entry. When the promise resolves, a marker is on the disk: only then may the POST leave. */
    async note(nonce: string, learned: Learned): Promise<void> {
        const files = await this.#allFiles();
        this.#written.add(nonce);
        await files
            .find(({ entries }) => entries.has(nonce))
            ?.append([{ nonce, ...learned }])
            .catch(this.#refuse);
    }

    /** Removes entries for good: unlike a closed entry, a repeated create does not open them again. */
    async forget(nonces: Iterable<string>): Promise<void> {
        const files = (await this.#allFiles()).filter(({ entries }) => entries.size > 0);
        // To list the nonces of a library, thousands of markers are parsed. Most journals have no entry, and need none of them.
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
        // Whoever may change the link could lead this run to another folder, with entries that make it adopt or delete objects.
        if (folder.isSymbolicLink()) throw fault("link", "it is a link");
        if (!folder.isDirectory()) throw fault("ENOTDIR", "it is not a folder");
        // For the same reason nobody else may write here. (A group is often the user's own, and may.)
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
