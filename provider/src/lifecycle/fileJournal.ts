/**
 * The journal on disk: one small JSON file per pending create, named after its mark's random part. A person may read or
 * delete the files. They hold no title, no address and no credential.
 */
import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import type { Clock } from "../api";
import type { Journal, JournalEntry } from "./journal";

const entrySchema = z.object({
    kind: z.string(),
    urn: z.string(),
    mark: z.string(),
    fingerprint: z.string(),
    title: z.string(),
    shape: z.string(),
    startedAt: z.number(),
    owner: z.object({ pid: z.number(), host: z.string() }),
    id: z.string().optional(),
});

/** A create that nobody came back to for so long belongs to a stack that is no more. */
const forgottenAfter = 30 * 24 * 3_600_000;

export class FileJournal implements Journal {
    readonly #folder: string;
    readonly #clock: Clock;
    /** The entries by mark. Read once: the engine's lock keeps other runs of the same stack away. */
    #entries: Promise<Map<string, JournalEntry>> | undefined;

    constructor(folder: string, clock: Clock) {
        this.#folder = folder;
        this.#clock = clock;
    }

    async open(entry: JournalEntry): Promise<void> {
        const entries = await this.#load();
        await mkdir(this.#folder, { recursive: true, mode: 0o700 });
        await this.#write(entry, "durable");
        entries.set(entry.mark, entry);
    }

    async identify(mark: string, id: string): Promise<void> {
        const entries = await this.#load();
        const entry = entries.get(mark);
        if (entry === undefined) return;
        const identified = { ...entry, id };
        entries.set(mark, identified);
        await this.#write(identified, "quick");
    }

    async close(mark: string): Promise<void> {
        const entries = await this.#load();
        if (entries.delete(mark)) await rm(this.#file(mark), { force: true });
    }

    async entriesFor(urn: string): Promise<JournalEntry[]> {
        const known = [...(await this.#load()).values()].filter((entry) => entry.urn === urn);
        // Another process may have written an id since.
        const fresh = await Promise.all(known.map((entry) => this.#reread(entry)));
        return fresh.filter((entry) => entry !== undefined).sort((a, b) => a.startedAt - b.startedAt);
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
        const files = await readdir(this.#folder).catch(() => []);
        for (const file of files.filter((name) => name.endsWith(".json"))) {
            const entry = await readEntry(join(this.#folder, file));
            if (entry === undefined) continue;
            if (entry.startedAt < this.#clock.now() - forgottenAfter)
                await rm(join(this.#folder, file), { force: true });
            else entries.set(entry.mark, entry);
        }
        return entries;
    }

    async #reread(entry: JournalEntry): Promise<JournalEntry | undefined> {
        if (!this.isOwnedElsewhere(entry) && entry.owner.pid === process.pid) return entry;
        const fresh = await readEntry(this.#file(entry.mark));
        const entries = await this.#load();
        if (fresh === undefined) entries.delete(entry.mark);
        else entries.set(entry.mark, fresh);
        return fresh;
    }

    /** A whole file or none: written beside, then renamed. */
    async #write(entry: JournalEntry, how: "durable" | "quick"): Promise<void> {
        const file = this.#file(entry.mark);
        const draft = `${file}.${process.pid}.tmp`;
        const handle = await open(draft, "w", 0o600);
        try {
            await handle.writeFile(`${JSON.stringify(entry, undefined, 4)}\n`);
            if (how === "durable") await handle.sync();
        } finally {
            await handle.close();
        }
        await rename(draft, file);
    }

    #file(mark: string): string {
        return join(this.#folder, `${mark.slice(-12)}.json`);
    }
}

async function readEntry(file: string): Promise<JournalEntry | undefined> {
    try {
        const parsed = entrySchema.parse(JSON.parse(await readFile(file, "utf8")));
        const { id, ...entry } = parsed;
        return id === undefined ? entry : { ...entry, id };
    } catch {
        // Gone meanwhile, or not ours.
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
