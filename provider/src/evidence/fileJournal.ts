/**
 * The journal on disk: one folder, in it one small file per create, `<resource>-<nonce>-<stack>.json`, so that no lookup reads the
 * entries of others. The first line is the entry as JSON; each further line adds to it. People may read or delete the files. They hold no title, URL or credential.
 */
import { constants } from "node:fs";
import * as fs from "node:fs/promises";
import { basename, join } from "node:path";
import { parseJson } from "../api/json";
import { LifecycleError, messageOf, messages } from "../messages";
import { digest } from "./digest";
import { type EntryName, entrySchema, type JournalEntry, type Learned, learnedSchema, type Owner } from "./journal";
import { namesIn } from "./marker";
import { type Processes, systemProcesses } from "./owner";

/** The file operations in use. */
export type JournalFiles = Pick<typeof fs, "appendFile" | "lstat" | "mkdir" | "open" | "readdir" | "readFile" | "rm">;

export interface FileJournalOptions {
    folder: string;
    files?: JournalFiles;
    processes?: Processes;
}

export class FileJournal {
    readonly #folder: string;
    readonly #files: JournalFiles;
    readonly #processes: Processes;
    /** The names of the files by resource, of which a library has thousands. Read once: the engine's lock keeps other runs of the same stack away. */
    #names: Promise<Map<string, Set<string>>> | undefined;
    /** The entries of this process's creates, by nonce: the engine may repeat a create after it was answered (an `onError` hook). */
    readonly #own = new Map<string, JournalEntry>();

    constructor({ folder, files = fs, processes = systemProcesses }: FileJournalOptions) {
        this.#folder = folder;
        this.#files = files;
        this.#processes = processes;
    }

    /** This process. */
    get owner(): Owner {
        return this.#processes.self;
    }

    /** Whether another living process of this machine works on the entry. */
    isOwnedElsewhere({ owner }: JournalEntry): boolean {
        // The process that had this pid before has ended.
        return owner.pid !== this.owner.pid && this.#processes.isAlive(owner);
    }

    open(entry: JournalEntry): Promise<void> {
        return usable(async () => {
            const names = await this.#known();
            await this.#files.mkdir(this.#folder, { recursive: true, mode: 0o700 });
            const name = `${entry.resource}-${entry.nonce}-${stackDigest(entry.urn)}.json`;
            const handle = await this.#files.open(join(this.#folder, name), "wx", 0o600);
            await handle.writeFile(`${JSON.stringify(entry)}\n`).finally(() => handle.close());
            names.set(entry.resource, (names.get(entry.resource) ?? new Set()).add(name));
            this.#own.set(entry.nonce, entry);
        });
    }

    /** Adds to an entry. A marker is on the disk when the promise resolves: only then may the POST go out. */
    note(entry: EntryName, learned: Learned): Promise<void> {
        return usable(async () => {
            const path = await this.#pathOf(entry);
            if (path === undefined) return;
            Object.assign(this.#own.get(entry.nonce) ?? {}, learned);
            // The line before may have been cut off when the machine failed.
            await this.#files.appendFile(path, `\n${JSON.stringify(learned)}\n`, { flag: appendOnly });
            // The next run finds anything else that a failing machine loses, by the marker or in its state.
            if (learned.marker === undefined) return;
            await this.#sync(path, "r+");
            // The name of a new file is a part of its folder. Windows cannot open one, and writes both at once.
            if (process.platform !== "win32") await this.#sync(this.#folder, "r");
        });
    }

    async #sync(path: string, flags: string): Promise<void> {
        const handle = await this.#files.open(path, flags);
        await handle.sync().finally(() => handle.close());
    }

    /** Forgets an entry, if it exists. */
    close(entry: EntryName): Promise<void> {
        this.#own.delete(entry.nonce);
        return this.answered(entry);
    }

    /** The answer leaves for the engine: no later run needs the entry. */
    async answered(entry: EntryName): Promise<void> {
        const path = await this.#pathOf(entry);
        if (path === undefined) return;
        await this.#files.rm(path, { force: true });
        (await this.#known()).get(entry.resource)?.delete(basename(path));
    }

    /** Before the engine's repetition of a create: a later run has to know both. */
    async reopen(entry: JournalEntry): Promise<void> {
        if ((await this.#pathOf(entry)) === undefined) await this.open(entry);
    }

    /** This process's own entries of a resource, also of creates that were answered. */
    ownEntriesOf(resource: string): JournalEntry[] {
        return [...this.#own.values()].filter((entry) => entry.resource === resource);
    }

    /** The entries of a resource (`resourceDigest`), of whatever stack, oldest first. */
    entriesOf(resource: string): Promise<JournalEntry[]> {
        return this.#readAll(async () => [...((await this.#known()).get(resource) ?? [])]);
    }

    /** The entries of all resources of the URN's stack, oldest first. */
    entriesOfStack(urn: string): Promise<JournalEntry[]> {
        const end = `-${stackDigest(urn)}.json`;
        return this.#readAll(async () => (await this.#all()).filter((name) => name.endsWith(end)));
    }

    /** The entries of all stacks, oldest first. */
    entries(): Promise<JournalEntry[]> {
        return this.#readAll(() => this.#all());
    }

    async #all(): Promise<string[]> {
        return [...(await this.#known()).values()].flatMap((names) => [...names]);
    }

    async #readAll(names: () => Promise<string[]>): Promise<JournalEntry[]> {
        const entries: (JournalEntry | undefined)[] = [];
        await usable(async () => {
            const left = await names();
            while (left.length > 0)
                entries.push(...(await Promise.all(left.splice(-filesAtOnce).map((name) => this.#read(name)))));
        });
        return entries.filter((entry) => entry !== undefined).sort((a, b) => a.startedAt - b.startedAt);
    }

    #known(): Promise<Map<string, Set<string>>> {
        this.#names ??= this.#requireOwnFolder()
            .then(() => this.#files.readdir(this.#folder))
            .catch((error: unknown) => (isMissing(error) ? [] : Promise.reject(error)))
            .then((files) => {
                const byResource = Map.groupBy(
                    files.filter((name) => isEntry.test(name)),
                    (name) => name.slice(0, 8),
                );
                return new Map(Array.from(byResource, ([resource, names]) => [resource, new Set(names)]));
            });
        return this.#names;
    }

    /** Whoever can write there decides what this user's next run believes. */
    async #requireOwnFolder(): Promise<void> {
        const { uid, mode } = await this.#files.lstat(this.#folder);
        const user = process.getuid?.();
        if (user !== undefined && (uid !== user || (mode & writableByOthers) !== 0))
            throw new Error("other users can write to its folder");
    }

    async #pathOf({ resource, nonce }: EntryName): Promise<string | undefined> {
        const name = [...((await this.#known()).get(resource) ?? [])].find((one) => one.slice(9, 21) === nonce);
        return name === undefined ? undefined : join(this.#folder, name);
    }

    async #read(name: string): Promise<JournalEntry | undefined> {
        const text = await this.#files
            .readFile(join(this.#folder, name), { encoding: "utf8", flag: readOnly as unknown as string })
            .catch((error: unknown) => {
                if (isMissing(error)) return undefined;
                throw error;
            });
        return text === undefined ? undefined : parseEntry(text);
    }
}

/** @throws {LifecycleError} where the folder cannot be read or written. */
function usable<T>(body: () => Promise<T>): Promise<T> {
    return body().catch((error: unknown) => {
        throw new LifecycleError(messages.journalUnusable({ error: messageOf(error) }));
    });
}

/** Never a new file: a forgotten entry would lack its first line. */
const appendOnly = constants.O_WRONLY | constants.O_APPEND | regularFile();
const readOnly = constants.O_RDONLY | regularFile();

/** No link is followed, and no pipe is waited for. Windows has neither flag. */
function regularFile(): number {
    return (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
}

/** A group is often the user's own. */
const writableByOthers = 0o002;

/** A process may open 1,024 files on many systems, and a fleet of libraries has a hundred thousand entries. */
const filesAtOnce = 64;

const isEntry = /^[0-9a-f]{8}-[0-9a-f]{12}-[0-9a-f]{8}\.json$/;

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
