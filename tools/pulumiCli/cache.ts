/** Folders that are made once per machine and kept in the user's cache folder, outside the clone. */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { lock } from "proper-lockfile";

function cacheFolder(): string {
    const caches =
        process.env.XDG_CACHE_HOME ||
        (process.platform === "darwin" ? join(homedir(), "Library", "Caches") : join(homedir(), ".cache"));
    return join(caches, "pulumi-videograph");
}

/**
 * The folder of that name, which `make` has filled once; one process at a time. The machine is part of its path, for home folders
 * shared between machines. It is made under another name and then renamed: under its own, it is complete.
 */
export async function kept(name: string, make: (folder: string) => Promise<void>): Promise<string> {
    const folder = join(cacheFolder(), `${name}-${process.platform}-${process.arch}`);
    if (existsSync(folder)) return folder;
    await mkdir(cacheFolder(), { recursive: true });
    const release = await lock(folder, {
        realpath: false,
        retries: { forever: true, minTimeout: 500, maxTimeout: 500 },
    });
    const fresh = `${folder}.new`;
    try {
        if (existsSync(folder)) return folder;
        await rm(fresh, { recursive: true, force: true });
        await mkdir(fresh);
        await make(fresh);
        await rename(fresh, folder);
        return folder;
    } finally {
        await rm(fresh, { recursive: true, force: true });
        await release();
    }
}

export function digestOf(...contents: (string | Buffer)[]): string {
    const hash = createHash("sha256");
    for (const content of contents) hash.update(content);
    return hash.digest("hex").slice(0, 12);
}

/** What takes minutes says so. Standard output is for results. */
export function say(line: string): void {
    process.stderr.write(`${line}\n`);
}
