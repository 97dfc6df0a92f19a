/**
 * The journal on disk: one small file per pending create, named after its mark's random part. Its first line is the entry,
 * as JSON; a second one holds the object's id as soon as it is known. A person may read or delete the files. They hold no
 * title, no address and no credential.
 */
import * as fs from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import type { Clock } from "../../api";
import type { Journal, JournalEntry } from "./journal";

const entrySchema = z.object({
    kind: z.string(),
    urn: z.string(),
    mark: z.string(),
    fingerprint: z.string(),
    titles: z.array(z.string()),
    shape: z.string(),
    startedAt: z.number(),
    owner: z.object({ pid: z.number(), host: z.string() }),
    fruitless: z.array(z.string()).optional(),
});
const idSchema = z.object({ id: z.string() });

/** The file operations in use. */
export type JournalFiles = Pick<typeof fs, "appendFile" | "mkdir" | "open" | "readdir" | "readFile" | "rename" | "rm">;

/**
 * A create that nobody came back to for so long belongs to a stack that is no more. What it may have left bears its mark:
 * `npx pulumi-videograph orphans` finds it.
 */
const forgottenAfter = 30 * 24 * 3_600_000;

export class FileJournal implements Journal {
    readonly #folder: string;
    readonly #clock: Clock;
    readonly #files: JournalFiles;
    /** The entries by mark. Read once: the engine's lock keeps other runs of the same stack away. */
    #entries: Promise<Map<string, JournalEntry>> | undefined;

    constructor(folder: string, clock: Clock, files: JournalFiles = fs) {
        this.#folder = folder;
        this.#clock = clock;
        this.#files = files;
    }

    async open(entry: JournalEntry): Promise<void> {
        const entries = await this.#load();
        await this.#files.mkdir(this.#folder, { recursive: true, mode: 0o700 });
        await this.#write(entry);
        entries.set(entry.mark, entry);
    }

    async identify(mark: string, id: string): Promise<void> {
        const entries = await this.#load();
        const entry = entries.get(mark);
        if (entry === undefined) return;
        entries.set(mark, { ...entry, id });
        // Not flushed: a machine that fails now loses the id, which the mark finds again, and never the entry.
        await this.#files.appendFile(this.#file(mark), `${JSON.stringify({ id })}\n`);
    }

    async close(mark: string): Promise<void> {
        const entries = await this.#load();
        if (entries.delete(mark)) await this.#files.rm(this.#file(mark), { force: true });
    }

    async entriesFor(urn: string): Promise<JournalEntry[]> {
        const known = [...(await this.#load()).values()].filter((entry) => entry.urn === urn);
        // Another process may have written an id since.
        const fresh = await Promise.all(known.map((entry) => this.#reread(entry)));
        return fresh.filter((entry) => entry !== undefined).sort((a, b) => a.startedAt - b.startedAt);
    }

    /** The open entries of all resources of all stacks, oldest first. */
    async entries(): Promise<JournalEntry[]> {
        return [...(await this.#load()).values()].sort((a, b) => a.startedAt - b.startedAt);
    }

    isOwnedElsewhere({ owner }: JournalEntry): boolean {
        return owner.host === hostname() && owner.pid !== process.pid && isAlive(owner.pid);
    }

    #load(): Promise<Map<string, JournalEntry>> {
        this.#entries ??= this.#readAll();
        return this.#entries;
    }

    async #readAll(): Promise<Map<string, JournalEntry>> {
        const entries = new Map<string, JournalEntry>();
        const files = await this.#files.readdir(this.#folder).catch(() => []);
        for (const file of files.filter((name) => name.endsWith(".json"))) {
            const path = join(this.#folder, file);
            const entry = await this.#read(path);
            if (entry === undefined) continue;
            if (entry.startedAt < this.#clock.now() - forgottenAfter) await this.#files.rm(path, { force: true });
            else entries.set(entry.mark, entry);
        }
        return entries;
    }

    async #reread(entry: JournalEntry): Promise<JournalEntry | undefined> {
        if (!this.isOwnedElsewhere(entry) && entry.owner.pid === process.pid) return entry;
        const fresh = await this.#read(this.#file(entry.mark));
        const entries = await this.#load();
        if (fresh === undefined) entries.delete(entry.mark);
        else entries.set(entry.mark, fresh);
        return fresh;
    }

    /** A whole file or none: written beside, then renamed, and on the disk when the promise resolves. */
    async #write({ id, ...entry }: JournalEntry): Promise<void> {
        const file = this.#file(entry.mark);
        const draft = `${file}.${process.pid}.tmp`;
        const lines = [entry, ...(id === undefined ? [] : [{ id }])].map((line) => `${JSON.stringify(line)}\n`);
        const handle = await this.#files.open(draft, "w", 0o600);
        try {
            await handle.writeFile(lines.join(""));
            await handle.sync();
        } finally {
            await handle.close();
        }
        await this.#files.rename(draft, file);
        await this.#syncFolder();
    }

    /** The new name is on the disk only when the folder is. */
    async #syncFolder(): Promise<void> {
        // Windows opens no folders, and needs none of this.
        const handle = await this.#files.open(this.#folder, "r").catch(() => undefined);
        try {
            await handle?.sync().catch(() => undefined);
        } finally {
            await handle?.close();
        }
    }

    async #read(file: string): Promise<JournalEntry | undefined> {
        try {
            const [first = "", second = ""] = (await this.#files.readFile(file, "utf8")).split("\n");
            const entry = entrySchema.parse(JSON.parse(first));
            const id = parseId(second);
            return id === undefined ? entry : { ...entry, id };
        } catch {
            // Gone meanwhile, or not ours.
            return undefined;
        }
    }

    #file(mark: string): string {
        return join(this.#folder, `${mark.slice(-12)}.json`);
    }
}

function parseId(line: string): string | undefined {
    try {
        return idSchema.parse(JSON.parse(line)).id;
    } catch {
        // No id yet, or cut off by a failing machine.
        return undefined;
    }
}

function isAlive(pid: number): boolean {
    try {
        process.kill(pid, 0);
        return true;
    } catch (error) {
        // EPERM: it lives, under another user.
        return error instanceof Error && "code" in error && error.code === "EPERM";
    }
}
