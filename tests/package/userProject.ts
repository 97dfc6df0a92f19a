/** A user's project: the packed package installed from its tarball by a package manager, in the folder of a test stack. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { nodeFolder, nodePath } from "../../tools/pulumiCli/environment.ts";

type PackageManager = "npm" | "pnpm";

/** Replaces what a test stack's folder has in its place, and installs. */
export async function installIn(
    folder: string,
    manager: PackageManager,
    dependencies: Readonly<Record<string, string>>,
): Promise<void> {
    // The link to this repository's node_modules that test stacks have, or an earlier installation.
    await rm(join(folder, "node_modules"), { recursive: true, force: true });
    await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, dependencies }));
    const args = {
        npm: ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline"],
        // The store beside the project: nothing is kept, and files can be linked instead of copied.
        pnpm: [
            "install",
            "--ignore-scripts",
            "--prefer-offline",
            "--no-frozen-lockfile",
            "--store-dir",
            join(folder, ".pnpm-store"),
        ],
    };
    const { stderr } = await run(manager, args[manager], folder);
    assert.doesNotMatch(stderr, /unmet peer|ERESOLVE/i);
}

/** Whether packages can be had at all: without a registry nothing can be installed, and nothing is learned from that. */
export async function registryAnswers(): Promise<boolean> {
    const { code } = await run("npm", ["view", "undici", "version", "--fetch-retries=0"], nodeFolder).then(
        () => ({ code: 0 }),
        () => ({ code: 1 }),
    );
    return code === 0;
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
