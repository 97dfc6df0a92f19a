/** Files that a command writes. Nothing is written over unless the user says so. */
import { access, writeFile } from "node:fs/promises";
import { basename, dirname, relative } from "node:path";
import { messages } from "../messages";
import { CommandError } from "./commandLine";

/** Asked before anything is read: nobody should wait for what cannot be written. */
export async function refuseExisting(...paths: string[]): Promise<void> {
    for (const path of paths) {
        const exists = await access(path).then(
            () => true,
            () => false,
        );
        if (exists) throw new CommandError(messages.fileExists({ path }));
    }
}

export async function writeNew(path: string, text: string, force: boolean): Promise<void> {
    try {
        await writeFile(path, text, { flag: force ? "w" : "wx" });
    } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        throw new CommandError(messages.fileNotWritten({ file: basename(path), folder: dirname(path), error: why }));
    }
}

/** The path as one types it in that folder. */
export function typed(path: string, cwd: string): string {
    const short = relative(cwd, path);
    return /^[\w@%+=:,./\\-]+$/.test(short) ? short : `'${short.replaceAll("'", "'\\''")}'`;
}
