/** Files that a command writes. Nothing is written over unless the user says so. */
import { access, writeFile } from "node:fs/promises";
import { basename, dirname, relative } from "node:path";
import { CommandError } from "./commandLine";

/** Asked before anything is read: nobody should wait for what cannot be written. */
export async function refuseExisting(...paths: string[]): Promise<void> {
    for (const path of paths) {
        const exists = await access(path).then(
            () => true,
            () => false,
        );
        if (exists)
            throw new CommandError(`${path} exists. Move it away, name another file, or let --force replace it.`);
    }
}

export async function writeNew(path: string, text: string, force: boolean): Promise<void> {
    try {
        await writeFile(path, text, { flag: force ? "w" : "wx" });
    } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        throw new CommandError(`${basename(path)} could not be written into ${dirname(path)}: ${why}.`);
    }
}

/** The path as one types it in that folder. */
export function typed(path: string, cwd: string): string {
    const short = relative(cwd, path);
    return /^[\w@%+=:,./\\-]+$/.test(short) ? short : `'${short.replaceAll("'", "'\\''")}'`;
}
