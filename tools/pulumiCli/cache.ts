/** Folders that are made once per machine and kept in the user's cache folder, outside the clone. */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { lock } from "proper-lockfile";
import { say } from "./progress.ts";

function cacheFolder(): string {
    const caches =
        process.env.XDG_CACHE_HOME ||
        (process.platform === "darwin" ? join(homedir(), "Library", "Caches") : join(homedir(), ".cache"));
    return join(caches, "pulumi-videograph");
}

/**
 * The folder of that name in the cache folder, which `make` has filled once. The machine is part of its path, for home folders shared
 * between machines. A `make` that failed starts again from nothing.
 */
export function kept(name: string, make: (folder: string) => Promise<void>): Promise<string> {
    return filledOnce(join(cacheFolder(), `${name}-${process.platform}-${process.arch}`), async (folder) => {
        for (const entry of await readdir(folder)) await rm(join(folder, entry), { recursive: true, force: true });
        await make(folder);
    });
}

/**
 * That folder, which `make` has filled once; one process at a time. It is filled under another name and then renamed: under its own,
 * it is complete. What an earlier `make` that failed has put there is still there.
 */
export async function filledOnce(folder: string, make: (folder: string) => Promise<void>): Promise<string> {
    if (existsSync(folder)) return folder;
    await mkdir(dirname(folder), { recursive: true });
    const release = await lockOf(folder);
    try {
        if (existsSync(folder)) return folder;
        const unfinished = `${folder}.unfinished`;
        await mkdir(unfinished, { recursive: true });
        await make(unfinished);
        await rename(unfinished, folder);
        return folder;
    } finally {
        await release();
    }
}

async function lockOf(folder: string): Promise<() => Promise<void>> {
    try {
        return await lock(folder, { realpath: false });
    } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ELOCKED") throw error;
    }
    say(`Another process is filling ${folder}: waiting for it`);
    return lock(folder, { realpath: false, retries: { forever: true, minTimeout: 500, maxTimeout: 500 } });
}

export function digestOf(...contents: (string | Buffer)[]): string {
    const hash = createHash("sha256");
    for (const content of contents) hash.update(content);
    return hash.digest("hex").slice(0, 12);
}
