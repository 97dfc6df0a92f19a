/** Files that a command writes. Nothing is overwritten unless the user allows it. */
import { existsSync } from "node:fs";
import { access, constants, writeFile } from "node:fs/promises";
import { basename, dirname, relative } from "node:path";
import { messageOf } from "#provider/messages/index";
import { CommandError } from "./commandLine";
import type { ImportEntry } from "./entry";
import { messages } from "./messages";
import type { Shell } from "./shell";

/** Refuses files that cannot be written. Called first: otherwise a long run would end with this error, and its result be lost. */
export async function refuseUnwritable(force: boolean, ...paths: string[]): Promise<void> {
    for (const path of paths) {
        if (!force && existsSync(path)) throw new CommandError(messages.fileExists({ path }));
        await withFileErrors(path, access(dirname(path), constants.W_OK));
    }
}

export async function writeImportFile(path: string, resources: readonly ImportEntry[]): Promise<void> {
    await writeText(path, `${JSON.stringify({ resources }, undefined, 4)}\n`);
}

export async function writeText(path: string, text: string): Promise<void> {
    await withFileErrors(path, writeFile(path, text));
}

async function withFileErrors(path: string, action: Promise<void>): Promise<void> {
    await action.catch((error) => {
        const why = { file: basename(path), folder: dirname(path), error: messageOf(error) };
        throw new CommandError(messages.fileNotWritten(why));
    });
}

/** The commands that put the entries of an import file into the state, a line each. */
export function importSteps(path: string, { cwd }: Shell, isNative: boolean): string {
    const short = relative(cwd, path);
    const typed = /^[\w@%+=:,./\\-]+$/.test(short) ? short : `'${short.replaceAll("'", "'\\''")}'`;
    // An import file has no outputs. For native types the plugin reads them during the import; for dynamic types only a refresh does.
    return `  pulumi import --file ${typed} --yes --generate-code=false${isNative ? "" : "\n  pulumi refresh --yes"}`;
}
