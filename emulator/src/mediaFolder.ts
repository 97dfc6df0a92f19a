/** The files of fetched sources, named by the hash of their bytes, and the streams that are made from them. */
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import type { ContentRecord } from "./store";

export class MediaFolder {
    constructor(readonly path: string) {}

    /** The path of a file: never outside of the folder, whatever a state file says. */
    pathOf(file: string): string {
        return join(this.path, basename(file));
    }

    create(): void {
        // Sources may be private.
        mkdirSync(this.path, { recursive: true, mode: 0o700 });
    }

    /** Deletes unfinished files, and files to which no content refers any more. */
    clean(contents: readonly ContentRecord[]): void {
        this.create();
        const used = new Set(contents.map(({ outcome }) => (outcome?.playable ? outcome.file : null)));
        for (const name of readdirSync(this.path)) {
            const [, file] = /^([0-9a-f]{64})(?:\.hls)?$/.exec(name) ?? [];
            const isLeft = file === undefined ? /^incoming-|\.new$/.test(name) : !used.has(file);
            if (isLeft) rmSync(this.pathOf(name), { recursive: true, force: true });
        }
    }
}
