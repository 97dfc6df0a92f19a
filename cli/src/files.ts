/** Files that a command writes. Nothing is overwritten unless the user allows it. */
import { existsSync } from "node:fs";
import { access, constants, writeFile } from "node:fs/promises";
import { basename, dirname, relative } from "node:path";
import { messageOf } from "#provider/messages/index";
import { CommandError } from "./commandLine";
import type { ImportEntry } from "./entry";
import { messages } from "./messages";
import type { Shell } from "./shell";

/** Refuses files that cannot be written before anything is read, so that a long run does not end with an error. */
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

/** The commands with which the entries of an import file get into the state, each on a line of its own. */
export function importSteps(path: string, { cwd }: Shell, isNative: boolean): string {
    const short = relative(cwd, path);
    const typed = /^[\w@%+=:,./\\-]+$/.test(short) ? short : `'${short.replaceAll("'", "'\\''")}'`;
    // The plugin of native types reads the values that an import file cannot have.
    return `  pulumi import --file ${typed} --yes --generate-code=false${isNative ? "" : "\n  pulumi refresh --yes"}`;
}
