/** The files of fetched sources, and of streams made from them: each is deleted when nothing refers to it any more. */
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import type { Change, ContentRecord, LivestreamRecord, Store } from "./store";

export class MediaFolder {
    readonly #uses = new Map<string, number>();
    /** Called when a file is deleted. */
    onDelete: (file: string) => void = () => {};

    constructor(
        readonly path: string,
        store: Store,
    ) {
        for (const content of store.contents()) this.#count(fileOf(content), 1);
        store.observers.push((change, before) => this.#follow(change, before));
    }

    /** Deletes what an earlier run left behind and nothing refers to. */
    clean(): void {
        mkdirSync(this.path, { recursive: true });
        for (const name of readdirSync(this.path)) {
            const [, file] = /^([0-9a-f]{64})(?:\.hls(?:\.new)?)?$/.exec(name) ?? [];
            const isLeft = file === undefined ? name.startsWith("incoming-") : !this.#uses.has(file);
            if (isLeft) this.#remove(name);
        }
    }

    async create(): Promise<void> {
        await mkdir(this.path, { recursive: true });
    }

    pathOf(file: string): string {
        return join(this.path, file);
    }

    /** Takes a complete file in under its final name. It is held until it is released. */
    async keep(incoming: string, file: string): Promise<void> {
        this.hold(file);
        await rename(incoming, this.pathOf(file));
    }

    /** Keeps a file from being deleted. */
    hold(file: string): void {
        this.#count(file, 1);
    }

    release(file: string): void {
        this.#count(file, -1);
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

function fileOf(object: ContentRecord | LivestreamRecord | undefined): string | undefined {
    const outcome = object !== undefined && "outcome" in object ? object.outcome : null;
    return outcome?.playable ? (outcome.file ?? undefined) : undefined;
}
