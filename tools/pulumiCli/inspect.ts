/** Looks at a Pulumi CLI that is already there: its version, and whether it can run Node programs. */
import { execFile } from "node:child_process";
import { accessSync, constants, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";

/** A Pulumi CLI and the folder that has to be on the PATH for it. */
export interface PulumiCli {
    readonly folder: string;
    readonly version: string;
}

/** The program of that name in the first folder that has one. */
export function findProgram(name: string, folders: readonly string[]): string | undefined {
    const file = process.platform === "win32" ? `${name}.exe` : name;
    return folders.map((folder) => join(folder, file)).find(isExecutable);
}

/** The CLI on the PATH, or why there is none that can run Node programs. */
export async function cliOnPath(env: NodeJS.ProcessEnv = process.env): Promise<PulumiCli | string> {
    const folders = (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
    const pulumi = findProgram("pulumi", folders);
    if (pulumi === undefined) return "there is no pulumi on the PATH";
    // The engine looks on the PATH and beside its own binary, wherever links lead to.
    const host = findProgram("pulumi-language-nodejs", [...folders, dirname(realpathSync(pulumi))]);
    if (host === undefined) return `${pulumi} has no pulumi-language-nodejs beside it or on the PATH`;
    const version = await cliVersion(pulumi);
    if (version === undefined) return `${pulumi} does not run`;
    return { folder: dirname(pulumi), version };
}

/** What `pulumi version` says, without a leading "v"; undefined when it does not run. */
export async function cliVersion(pulumi: string): Promise<string | undefined> {
    try {
        const env = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" };
        const { stdout } = await promisify(execFile)(pulumi, ["version"], { env, timeout: 30_000 });
        return stdout.trim().replace(/^v/, "");
    } catch {
        return undefined;
    }
}

function isExecutable(path: string): boolean {
    try {
        accessSync(path, constants.X_OK);
        return true;
    } catch {
        return false;
    }
}
