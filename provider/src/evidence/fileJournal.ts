/**
 * The journal on disk: one folder, in it one small file per create, `<resource>-<stack>-<nonce>.json`. The first two parts are
 * digests, so that no lookup reads the entries of others. The first line is the entry as JSON; each further line adds to it.
 * People may read or delete the files. They hold no title, URL or credential.
 */
import { constants } from "node:fs";
import * as fs from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseJson } from "../api/json";
import { LifecycleError, messageOf, messages } from "../messages";
import { digest } from "./digest";
import { entrySchema, type Journal, type JournalEntry, type Learned, learnedSchema, type Owner } from "./journal";
import { namesIn, resourceDigest } from "./marker";
import { type Processes, systemProcesses } from "./owner";

/** The file operations in use. */
export type JournalFiles = Pick<typeof fs, "appendFile" | "mkdir" | "open" | "readdir" | "readFile" | "rm">;

export interface FileJournalOptions {
    folder: string;
    files?: JournalFiles;
    processes?: Processes;
}

export class FileJournal implements Journal {
    readonly #folder: string;
    readonly #files: JournalFiles;
    readonly #processes: Processes;
    /** Read once: the engine's lock keeps other runs of the same stack away. */
    #index: Promise<Index> | undefined;

    constructor({ folder, files = fs, processes = systemProcesses }: FileJournalOptions) {
        this.#folder = folder;
        this.#files = files;
        this.#processes = processes;
    }

    get owner(): Owner {
        return this.#processes.self;
    }

    isOwnedElsewhere({ owner }: JournalEntry): boolean {
        // The process that had this pid before has ended.
        return owner.pid !== this.owner.pid && this.#processes.isAlive(owner);
    }

    open(entry: JournalEntry): Promise<void> {
        return written(() => this.#open(entry));
    }

    async #open(entry: JournalEntry): Promise<void> {
        const index = await this.#indexed();
        const made = await this.#files.mkdir(this.#folder, { recursive: true, mode: 0o700 });
        const name = nameOf(entry);
        const handle = await this.#files.open(join(this.#folder, name), "wx", 0o600);
        await handle.writeFile(`${JSON.stringify(entry)}\n`).finally(() => handle.close());
        index.add(name);
        if (made !== undefined) await this.#syncFolder(dirname(made));
    }

    note(nonce: string, learned: Learned): Promise<void> {
        return written(() => this.#note(nonce, learned));
    }

    async #note(nonce: string, learned: Learned): Promise<void> {
        const path = await this.#pathOf(nonce);
        if (path === undefined) return;
        // The line before may have been cut off when the machine failed.
        await this.#files.appendFile(path, `\n${JSON.stringify(learned)}\n`, { flag: appendOnly });
        // The next run finds anything else that a failing machine loses, by the marker or in its state.
        if (learned.marker === undefined) return;
        await this.#sync(path, "r+");
        // The file's name is on the disk only when the folder is.
        await this.#syncFolder(this.#folder);
    }

    async close(nonce: string): Promise<void> {
        const path = await this.#pathOf(nonce);
        if (path === undefined) return;
        await this.#files.rm(path, { force: true });
        (await this.#indexed()).delete(nonce);
    }

    entriesLike(urn: string, kind: string): Promise<JournalEntry[]> {
        const resource = resourceDigest(urn, kind);
        return this.#readAll((index) => index.ofResource(resource));
    }

    entriesOfStack(urn: string): Promise<JournalEntry[]> {
        const stack = stackDigest(urn);
        return this.#readAll((index) => index.names().filter((name) => name.split("-")[1] === stack));
    }

    /** The entries of all stacks, oldest first. */
    entries(): Promise<JournalEntry[]> {
        return this.#readAll((index) => index.names());
    }

    async #readAll(namesIn: (index: Index) => string[]): Promise<JournalEntry[]> {
        const entries = await this.#indexed()
            .then((index) => Promise.all(namesIn(index).map((name) => this.#read(join(this.#folder, name)))))
            .catch((error: unknown) => {
                throw new LifecycleError(messages.journalUnusable({ error: messageOf(error) }));
            });
        return entries.filter((entry) => entry !== undefined).sort((a, b) => a.startedAt - b.startedAt);
    }

    #indexed(): Promise<Index> {
        this.#index ??= this.#files
            .readdir(this.#folder)
            .catch((error: unknown) => (isMissing(error) ? [] : Promise.reject(error)))
            .then((names) => new Index(names.filter((name) => isEntry.test(name))));
        return this.#index;
    }

    async #pathOf(nonce: string): Promise<string | undefined> {
        const name = (await this.#indexed()).get(nonce);
        return name === undefined ? undefined : join(this.#folder, name);
    }

    async #syncFolder(folder: string): Promise<void> {
        // Windows cannot open folders, and does not need this.
        await this.#sync(folder, "r").catch(() => undefined);
    }

    async #sync(path: string, flags: string): Promise<void> {
        const handle = await this.#files.open(path, flags);
        await handle.sync().finally(() => handle.close());
    }

    async #read(file: string): Promise<JournalEntry | undefined> {
        const text = await this.#files.readFile(file, "utf8").catch((error: unknown) => {
            if (isMissing(error)) return undefined;
            throw error;
        });
        return text === undefined ? undefined : parseEntry(text);
    }
}

/** File names by nonce and by resource: a library searches for thousands of entries. */
class Index {
    readonly #byNonce = new Map<string, string>();
    readonly #byResource = new Map<string, Set<string>>();

    constructor(names: readonly string[]) {
        for (const name of names) this.add(name);
    }

    add(name: string): void {
        this.#byNonce.set(nonceOf(name), name);
        const resource = name.slice(0, 8);
        const names = this.#byResource.get(resource);
        if (names === undefined) this.#byResource.set(resource, new Set([name]));
        else names.add(name);
    }

    delete(nonce: string): void {
        const name = this.#byNonce.get(nonce) ?? "";
        this.#byNonce.delete(nonce);
        this.#byResource.get(name.slice(0, 8))?.delete(name);
    }

    get(nonce: string): string | undefined {
        return this.#byNonce.get(nonce);
    }

    ofResource(resource: string): string[] {
        return [...(this.#byResource.get(resource) ?? [])];
    }

    names(): string[] {
        return [...this.#byNonce.values()];
    }
}

async function written(write: () => Promise<void>): Promise<void> {
    await write().catch((error: unknown) => {
        throw new LifecycleError(messages.journalUnusable({ error: messageOf(error) }));
    });
}

/** Never a new file: a forgotten entry would lack its first line. */
const appendOnly = constants.O_WRONLY | constants.O_APPEND;

const isEntry = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{12}\.json$/;

function nonceOf(name: string): string {
    return name.slice(-17, -5);
}

function nameOf({ urn, kind, nonce }: JournalEntry): string {
    return `${resourceDigest(urn, kind)}-${stackDigest(urn)}-${nonce}.json`;
}

function stackDigest(urn: string): string {
    const { project, stack } = namesIn(urn);
    return digest(`${project}/${stack}`, 8);
}

function parseEntry(text: string): JournalEntry | undefined {
    const [head, ...rest] = text.split("\n").map((line) => parseJson(line));
    const entry = entrySchema.safeParse(head).data;
    // A line may be cut off when the machine fails.
    return entry && Object.assign(entry, ...rest.map((line) => learnedSchema.safeParse(line).data));
}

function isMissing(error: unknown): boolean {
    return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
