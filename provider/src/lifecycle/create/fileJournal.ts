/**
 * The journal on disk: a folder per stack, in it one small file per create. The file's name has a digest of the resource's
 * URN without the type and the random part of the marker, so that neither lookup reads other entries. Its first line is the
 * entry as JSON; each further line adds to it. People may read or delete the files. They hold no title, URL or credential.
 */
import * as fs from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";
import { parseUrn } from "../../urn";
import { digest } from "./digest";
import type { Journal, JournalEntry, Learned } from "./journal";
import { ownerInMarker, randomPart } from "./marker";
import { type Owner, type Processes, systemProcesses } from "./owner";

const version = 2;

const learnedSchema = z.object({
    id: z.string().optional(),
    answered: z.boolean().optional(),
    posts: z.number().optional(),
    sentAt: z.number().optional(),
    settled: z.boolean().optional(),
    searchedUnder: z.array(z.string()).optional(),
});
const common = learnedSchema.extend({
    kind: z.string(),
    urn: z.string(),
    fingerprint: z.string(),
    titles: z.array(z.string()),
    shape: z.string(),
    startedAt: z.number(),
    owner: z.object({ pid: z.number(), host: z.string(), started: z.string().optional() }),
    replaces: z.string().optional(),
    resumed: z.boolean().optional(),
    organization: z.string().optional(),
});
const entrySchema = common.extend({ version: z.literal(version), marker: z.string() });
/** As builds up to 0.1 wrote it. Whether the engine had an answer is not recorded. */
const firstSchema = common.extend({ mark: z.string(), fruitless: z.array(z.string()).optional() });

/** The file operations in use. */
export type JournalFiles = Pick<typeof fs, "appendFile" | "mkdir" | "open" | "readdir" | "readFile" | "rename" | "rm">;

export interface FileJournalOptions {
    /** The folder of this backend. */
    folder: string;
    /** Where builds up to 0.1 kept the entries of this backend. What they left there is found and closed. */
    firstFolder?: string | undefined;
    files?: JournalFiles;
    processes?: Processes;
}

export class FileJournal implements Journal {
    organization: string | undefined;
    readonly #folder: string;
    readonly #files: JournalFiles;
    readonly #processes: Processes;
    /** What is in each stack's folder. Read once: the engine's lock keeps other runs of the same stack away. */
    readonly #indexes = new Map<string, Promise<FolderIndex>>();
    readonly #firstFolder: string | undefined;
    #first: Promise<Map<string, JournalEntry>> | undefined;

    constructor({ folder, firstFolder, files = fs, processes = systemProcesses }: FileJournalOptions) {
        this.#folder = folder;
        this.#firstFolder = firstFolder;
        this.#files = files;
        this.#processes = processes;
    }

    get owner(): Owner {
        return this.#processes.self;
    }

    async open(entry: JournalEntry): Promise<void> {
        const organization = entry.organization ?? this.organization;
        await this.#store({ ...entry, ...(organization !== undefined && { organization }) });
    }

    async #store(entry: JournalEntry): Promise<void> {
        const folder = this.#folderOf(stackOfMarker(entry.marker));
        const index = await this.#indexOf(folder);
        const made = await this.#files.mkdir(folder, { recursive: true, mode: 0o700 });
        const name = nameOf(entry);
        await this.#write(folder, name, `${JSON.stringify({ version, ...entry })}\n`);
        if (made !== undefined) await this.#syncFolder(dirname(made));
        index.add(name);
        await this.#forgetFirst(entry.marker);
    }

    async note(marker: string, learned: Learned): Promise<void> {
        const first = (await this.#firstEntries()).get(marker);
        if (first !== undefined) return this.#store({ ...first, ...learned });
        const path = await this.#pathOf(marker);
        if (path === undefined) return;
        // The line before may have been cut off when the machine failed.
        await this.#files.appendFile(path, `\n${JSON.stringify(learned)}\n`);
        // Anything else can be found out again if the machine fails now.
        if (learned.answered === true) await this.#sync(path, "r+");
    }

    async close(marker: string): Promise<void> {
        await this.#forgetFirst(marker);
        const folder = this.#folderOf(stackOfMarker(marker));
        const index = await this.#indexOf(folder);
        const name = index.byMarker(marker);
        if (name === undefined) return;
        await this.#files.rm(join(folder, name), { force: true });
        index.delete(name);
    }

    async find(marker: string): Promise<JournalEntry | undefined> {
        const path = await this.#pathOf(marker);
        const entry = path === undefined ? undefined : await this.#read(path);
        return entry?.marker === marker ? entry : (await this.#firstEntries()).get(marker);
    }

    async entriesFor(urn: string): Promise<JournalEntry[]> {
        const key = journalKey(urn);
        const folder = this.#folderOf(stackOf(urn));
        const entries = await this.#readAll(folder, (await this.#indexOf(folder)).byKey(key));
        return this.#withFirst(entries, (entry) => journalKey(entry.urn) === key && this.#isOfOrganization(entry));
    }

    async entriesOfStack(urn: string): Promise<JournalEntry[]> {
        const stack = stackOf(urn);
        const folder = this.#folderOf(stack);
        const entries = await this.#readAll(folder, (await this.#indexOf(folder)).names);
        return this.#withFirst(entries, (entry) => stackOf(entry.urn) === stack && this.#isOfOrganization(entry));
    }

    /** The open entries of all stacks of this backend, oldest first. */
    async entries(): Promise<JournalEntry[]> {
        const folders = await this.#files.readdir(this.#folder).catch(() => []);
        const entries = await Promise.all(
            folders.map(async (name) => {
                const folder = join(this.#folder, name);
                return this.#readAll(folder, (await this.#indexOf(folder)).names);
            }),
        );
        return this.#withFirst(entries.flat(), () => true);
    }

    isOwnedElsewhere({ owner }: JournalEntry): boolean {
        // Whoever had this process's own pid before is dead.
        return owner.pid !== this.owner.pid && this.#processes.isAlive(owner);
    }

    async #readAll(folder: string, names: readonly string[]): Promise<JournalEntry[]> {
        const entries = await Promise.all(names.map((name) => this.#read(join(folder, name))));
        return entries.filter((entry) => entry !== undefined);
    }

    async #withFirst(entries: JournalEntry[], isMeant: (entry: JournalEntry) => boolean): Promise<JournalEntry[]> {
        const first = (await this.#firstEntries()).values();
        return [...first, ...entries].filter(isMeant).sort((a, b) => a.startedAt - b.startedAt);
    }

    #isOfOrganization({ organization = this.organization }: JournalEntry): boolean {
        return this.organization === undefined || organization === this.organization;
    }

    #folderOf(stack: string): string {
        return join(this.#folder, digest(stack));
    }

    #indexOf(folder: string): Promise<FolderIndex> {
        const known = this.#indexes.get(folder);
        if (known !== undefined) return known;
        const index = this.#files
            .readdir(folder)
            .catch((error: unknown) => (isMissing(error) ? [] : Promise.reject(error)))
            .then((names) => new FolderIndex(names));
        this.#indexes.set(folder, index);
        return index;
    }

    async #pathOf(marker: string): Promise<string | undefined> {
        const folder = this.#folderOf(stackOfMarker(marker));
        const name = (await this.#indexOf(folder)).byMarker(marker);
        return name === undefined ? undefined : join(folder, name);
    }

    /** A whole file or none: written beside, then renamed, and on the disk when the promise resolves. */
    async #write(folder: string, name: string, text: string): Promise<void> {
        const file = join(folder, name);
        const draft = `${file}.${this.owner.pid}.tmp`;
        const handle = await this.#files.open(draft, "w", 0o600);
        try {
            await handle.writeFile(text);
            await handle.sync();
        } finally {
            await handle.close();
        }
        await this.#files.rename(draft, file);
        await this.#syncFolder(folder);
    }

    /** The new name is on the disk only when the folder is. */
    async #syncFolder(folder: string): Promise<void> {
        // Windows opens no folders, and needs none of this.
        await this.#sync(folder, "r").catch(() => undefined);
    }

    async #sync(path: string, flags: string): Promise<void> {
        const handle = await this.#files.open(path, flags);
        try {
            await handle.sync();
        } finally {
            await handle.close();
        }
    }

    async #read(file: string): Promise<JournalEntry | undefined> {
        const text = await this.#files.readFile(file, "utf8").catch((error: unknown) => {
            if (isMissing(error)) return undefined;
            throw error;
        });
        return text === undefined ? undefined : parseEntry(text);
    }

    #firstEntries(): Promise<Map<string, JournalEntry>> {
        this.#first ??= this.#readFirst();
        return this.#first;
    }

    async #readFirst(): Promise<Map<string, JournalEntry>> {
        const entries = new Map<string, JournalEntry>();
        const folder = this.#firstFolder;
        if (folder === undefined) return entries;
        const names = await this.#files.readdir(folder).catch(() => []);
        for (const name of names.filter((one) => one.endsWith(".json"))) {
            const entry = await this.#read(join(folder, name)).catch(() => undefined);
            if (entry !== undefined) entries.set(entry.marker, entry);
        }
        return entries;
    }

    async #forgetFirst(marker: string): Promise<void> {
        if (this.#firstFolder === undefined || !(await this.#firstEntries()).delete(marker)) return;
        await this.#files.rm(join(this.#firstFolder, `${randomPart(marker)}.json`), { force: true });
    }
}

/** The file names of a folder: `<digest of the journal key>-<random part of the marker>.json`. */
class FolderIndex {
    readonly #byMarker = new Map<string, string>();
    readonly #byKey = new Map<string, Set<string>>();

    constructor(names: readonly string[]) {
        for (const name of names) if (fileName.test(name)) this.add(name);
    }

    get names(): string[] {
        return [...this.#byMarker.values()];
    }

    byMarker(marker: string): string | undefined {
        return this.#byMarker.get(randomPart(marker));
    }

    byKey(key: string): string[] {
        return [...(this.#byKey.get(digest(key)) ?? [])];
    }

    add(name: string): void {
        const [, key = "", random = ""] = fileName.exec(name) ?? [];
        this.#byMarker.set(random, name);
        const names = this.#byKey.get(key) ?? new Set();
        this.#byKey.set(key, names.add(name));
    }

    delete(name: string): void {
        const [, key = "", random = ""] = fileName.exec(name) ?? [];
        this.#byMarker.delete(random);
        this.#byKey.get(key)?.delete(name);
    }
}

const fileName = /^([0-9a-f]{16})-([0-9a-f]{12})\.json$/;

/**
 * The URN without its type: a pending create survives a change of the type (from the dynamic provider to the plugin). The
 * types of the parents stay, because names repeat under different parents.
 */
export function journalKey(urn: string): string {
    const parts = parseUrn(urn);
    if (parts === undefined) return urn;
    const parents = parts.types.split("$").slice(0, -1);
    return [parts.stack, parts.project, parents.join("$"), parts.name].join("::");
}

function stackOf(urn: string): string {
    const { project, stack } = parseUrn(urn) ?? {};
    return `${project || "unknown"}/${stack || "unknown"}`;
}

/** Neither a project's nor a stack's name can have a slash. After a `stack rename` the marker keeps the old name. */
function stackOfMarker(marker: string): string {
    return (ownerInMarker(marker) ?? "").split("/", 2).join("/");
}

function nameOf({ urn, marker }: JournalEntry): string {
    return `${digest(journalKey(urn))}-${randomPart(marker)}.json`;
}

function parseEntry(text: string): JournalEntry | undefined {
    const [head, ...rest] = text.split("\n").map(parseJson);
    const entry = entryOf(head);
    if (entry === undefined) return undefined;
    // A line may be cut off when the machine fails.
    return Object.assign(entry, ...rest.map((line) => learnedSchema.safeParse(line).data));
}

function entryOf(head: unknown): JournalEntry | undefined {
    const entry = entrySchema.safeParse(head).data;
    if (entry !== undefined) {
        const { version: _, ...rest } = entry;
        return rest;
    }
    const first = firstSchema.safeParse(head).data;
    if (first === undefined) return undefined;
    const { mark, fruitless, ...rest } = first;
    return { ...rest, marker: mark, answered: true, ...(fruitless && { searchedUnder: fruitless }) };
}

function parseJson(line: string): unknown {
    try {
        return JSON.parse(line);
    } catch {
        return undefined;
    }
}

function isMissing(error: unknown): boolean {
    return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
