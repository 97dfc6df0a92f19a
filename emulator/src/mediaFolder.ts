/** The files of fetched sources, and of streams made from them: each is deleted when nothing refers to it. */
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import type { Change, ContentRecord, LivestreamRecord, Store } from "./store";

/** Sources may be private. */
const ownFolder = { recursive: true, mode: 0o700 };

/** The limit for files is reached. */
export class FullError extends Error {
    override readonly name = "FullError";
}

export class MediaFolder {
    readonly #uses = new Map<string, number>();
    /** Bytes of each file, its stream included. */
    readonly #sizes = new Map<string, number>();
    /** Called when a file is deleted. */
    onDelete: (file: string) => void = () => {};

    /** Files and objects together take at most `maxBytes`. */
    constructor(
        readonly path: string,
        private readonly store: Store,
        private readonly maxBytes: number,
    ) {
        for (const content of store.contents()) this.#count(fileOf(content), 1);
        store.observers.push((change, before) => this.#follow(change, before));
    }

    /** Deletes what an earlier run left behind and nothing refers to. */
    clean(): void {
        mkdirSync(this.path, ownFolder);
        for (const name of readdirSync(this.path)) {
            const [, file] = /^([0-9a-f]{64})(?:\.hls)?$/.exec(name) ?? [];
            const isLeft = file === undefined ? /^incoming-|\.new$/.test(name) : !this.#uses.has(file);
            if (isLeft) this.#remove(name);
            else if (file !== undefined) this.#grow(file, bytesOf(this.pathOf(name)));
        }
    }

    async create(): Promise<void> {
        await mkdir(this.path, ownFolder);
    }

    pathOf(file: string): string {
        return join(this.path, file);
    }

    /** Counts bytes that are about to be written. Throws when they do not fit. */
    take(bytes: number): void {
        if (this.store.bytes + bytes > this.maxBytes) {
            throw new FullError(`the emulator keeps at most ${this.maxBytes} bytes of objects and files`);
        }
        this.store.mediaBytes += bytes;
    }

    /** Undoes `take` for what was not kept. */
    giveBack(bytes: number): void {
        this.store.mediaBytes -= bytes;
    }

    /** Stores a complete file, whose bytes are already counted, under its final name. It is held until it is released. */
    async keep(incoming: string, file: string, bytes: number): Promise<void> {
        this.hold(file);
        this.giveBack(bytes);
        if (!this.#sizes.has(file)) this.#grow(file, bytes);
        await rename(incoming, this.pathOf(file));
    }

    /** Makes the stream of a file, which says what it writes. Throws when that does not fit. */
    async addStream(file: string, make: (take: (bytes: number) => void) => Promise<void>): Promise<void> {
        let bytes = 0;
        const take = (more: number) => {
            this.take(more);
            bytes += more;
        };
        await make(take).finally(() => this.giveBack(bytes));
        this.#grow(file, bytes);
    }

    /** Keeps a file from being deleted. */
    hold(file: string): void {
        this.#count(file, 1);
    }

    release(file: string): void {
        this.#count(file, -1);
    }

    #grow(file: string, bytes: number): void {
        this.#sizes.set(file, (this.#sizes.get(file) ?? 0) + bytes);
        this.store.mediaBytes += bytes;
    }

    #follow(change: Change, before: ContentRecord | LivestreamRecord | undefined): void {
        if ("content" in change) this.#count(fileOf(change.content), 1);
        if ("content" in change || "contentDeleted" in change) this.#count(fileOf(before), -1);
    }

    #count(file: string | undefined, by: 1 | -1): void {
        if (file === undefined) return;
        const uses = (this.#uses.get(file) ?? 0) + by;
        if (uses > 0) {
            this.#uses.set(file, uses);
            return;
        }
        this.#uses.delete(file);
        this.giveBack(this.#sizes.get(file) ?? 0);
        this.#sizes.delete(file);
        // At once, so that no later fetch of the same bytes can come in between.
        for (const name of [file, `${file}.hls`, `${file}.hls.new`]) this.#remove(name);
        this.onDelete(file);
    }

    #remove(name: string): void {
        try {
            rmSync(this.pathOf(name), { recursive: true, force: true });
        } catch {
            // Windows deletes no file that is being read. It goes at the next start, or with the whole folder.
        }
    }
}

/** Of a file, or of the files in a folder. */
function bytesOf(path: string): number {
    if (!statSync(path).isDirectory()) return statSync(path).size;
    return readdirSync(path).reduce((sum, name) => sum + statSync(join(path, name)).size, 0);
}

function fileOf(object: ContentRecord | LivestreamRecord | undefined): string | undefined {
    const outcome = object !== undefined && "outcome" in object ? object.outcome : null;
    return outcome?.playable ? (outcome.file ?? undefined) : undefined;
}
