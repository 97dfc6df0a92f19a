/**
 * The journal on disk: one folder, in it a file for each process that creates (journalFile.ts). People may read or delete the files. They hold
 * no title, URL or credential.
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
    /** All files, this process's own as the last one. Listed once: the engine's lock keeps other runs of the same stack away. */
    #all: Promise<JournalFile[]> | undefined;
    /** The entries that this process has opened or added to. */
    readonly #written = new Set<string>();
    /** The entries of this process whose answers have left, by attempt: the engine may repeat a create in the same run. */
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
     * Whether this process has opened the entry, or added to it. Everything that this run knows of the state is older than such an entry. Without
     * this question a record of the run before would close it, or a create under way would be reported as interrupted.
     */
    isOwn(nonce: string): boolean {
        return this.#written.has(nonce);
    }

    /** Whether another living process of this machine works on the entry. */
    isHeldByLivingProcess({ writer }: Pick<JournalEntry, "writer">): boolean {
        // An entry with this process's own pid is of an earlier process, which has ended: it would be waited for in vain.
        return writer.pid !== this.writer.pid && this.#processes.isAlive(writer);
    }

    /** Opens an entry, and again this process's answered ones of the same attempt: the engine repeats the create, so their answers do not count. */
    async open(entry: JournalEntry): Promise<void> {
        await this.#allFiles();
        this.#written.add(entry.nonce);
        const attempt = attemptOf(entry);
        await this.#own.open([...(this.#answered.get(attempt) ?? []), entry]).catch(this.#refuse);
        this.#answered.delete(attempt);
    }

    /** Adds to an open entry. A marker is on the disk when the promise resolves: only then may the POST go out. */
    async note(nonce: string, learned: Learned): Promise<void> {
        const files = await this.#allFiles();
        this.#written.add(nonce);
        await files
            .find(({ entries }) => entries.has(nonce))
            ?.append([{ nonce, ...learned }])
            .catch(this.#refuse);
    }

    /** Removes the entries of creates that no longer count, not even for a repetition in this process (`open`). */
    async forget(nonces: Iterable<string>): Promise<void> {
        const files = (await this.#allFiles()).filter(({ entries }) => entries.size > 0);
        // Most journals have no entry, and the nonces of a library are read from thousands of markers.
        const all = files.length === 0 ? [] : [...nonces];
        for (const file of files) await file.close(all).catch(this.#refuse);
    }

    /** Closes entries whose answer leaves for the engine: no later run needs them. This process still knows them: the engine may repeat the create. */
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
            // What the machine lacks for a moment, such as a file handle, does not refuse the run's other creates.
            this.#all = undefined;
            return this.#refuse(error);
        });
        return this.#all;
    }

    readonly #refuse = (error: unknown) => unusable(this.#folder, error);

    async #findFiles(): Promise<JournalFile[]> {
        const folder = await this.#files.lstat(this.#folder).catch(unlessNoFile);
        if (folder === undefined) return [this.#own];
        // Whoever may change the link could put another folder in its place between two runs.
        if (folder.isSymbolicLink()) throw fault("link", "it is a link");
        if (!folder.isDirectory()) throw fault("ENOTDIR", "it is not a folder");
        // Whoever can write there decides what this user's next run believes. A group is often the user's own.
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
