/** A user's project: the packed packages installed from their tarballs by a package manager. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { nodePath } from "../../tools/pulumiCli/environment.ts";

/** Installs what the folder's package.json names, and more. The store of pnpm is beside the project: nothing is kept, and files can be linked. */
export async function install(manager: "npm" | "pnpm", folder: string, ...more: string[]): Promise<void> {
    const args = {
        npm: ["--no-audit", "--no-fund"],
        pnpm: ["--no-frozen-lockfile", "--store-dir", join(folder, ".pnpm-store")],
    };
    const { stderr } = await run(
        manager,
        ["install", "--ignore-scripts", "--prefer-offline", ...args[manager], ...more],
        folder,
    );
    assert.doesNotMatch(stderr, /unmet peer|ERESOLVE/i);
}

/** Runs a program of the user's PATH, with this repository's Node and tools first. It must succeed. */
export async function run(
    command: string,
    args: readonly string[],
    cwd: string,
): Promise<{ stdout: string; stderr: string }> {
    const env: Record<string, string> = { PATH: [nodePath, process.env.PATH ?? ""].join(delimiter) };
    for (const [name, value] of Object.entries(process.env)) {
        // What `npm test` tells its children of this repository is no business of another project's installation.
        if (
            value === undefined ||
            /^(PATH|INIT_CWD|NODE_ENV|npm_(package|lifecycle|config_local_prefix)\w*)$/i.test(name)
        )
            continue;
        env[name] = value;
    }
    return await promisify(execFile)(command, args, { cwd, env, maxBuffer: 16 * 1024 * 1024 }).catch(
        ({ message, stdout }: Error & { stdout: string }) => assert.fail(`${message}\n${stdout}`),
    );
}
