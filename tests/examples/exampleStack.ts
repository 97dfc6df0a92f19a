/** An example as its user has it: its own files in a folder of their own, run by the real CLI. */
import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, realpath, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { build } from "esbuild";
import { isolatedEnvironment } from "../../tools/pulumiCli/environment.ts";
import type { PulumiCli } from "../../tools/pulumiCli/index.ts";
import { cheaper, programModules } from "../support/environment.ts";
import { secretsProvider } from "../support/keyService.ts";
import type { Testbed } from "../support/testbed.ts";
import type { TestStack } from "../support/testStack.ts";

const repository = join(import.meta.dirname, "..", "..");

/** `npm run types` checks the types of all examples once; Pulumi would do so in every run, which takes longer than all else. */
const withoutTypes = { PULUMI_NODEJS_TRANSPILE_ONLY: "true" };

/** An environment for runs of an example that cost less. See also {@link compile}. */
export async function runsFaster(env: Readonly<Record<string, string>>): Promise<Record<string, string>> {
    return { ...(await cheaper(env)), ...withoutTypes };
}

const isOwn = (path: string) => basename(path) !== "node_modules";

/** The files of an example (or of a folder), with the packages of this repository in place of its `npm install`. */
export async function copyExample(example: string, to: string): Promise<void> {
    await cp(resolve(repository, "examples", example), to, { recursive: true, filter: isOwn });
    await symlink(await programModules(), join(to, "node_modules"));
}

/** An example in a folder of its own, and an environment with a state of its own. */
export async function exampleFolder(example: string, cli: PulumiCli) {
    // Processes are found by the real path.
    const folder = await mkdtemp(join(await realpath(tmpdir()), `videograph-${example}-`));
    const [backend, home] = [join(folder, ".backend"), join(folder, ".home")];
    for (const path of [backend, home]) await mkdir(path);
    await copyExample(example, folder);
    return { folder, env: { ...isolatedEnvironment(cli, { backend, home, passphrase: "" }), HOME: home } };
}

/** What a page says to type, at less cost: without the preview that comes first, and without a passphrase (see keyService). */
export function cheaperCommands(script: string): string {
    const withoutPreview = script.replaceAll(/\bpulumi (up|destroy)\b(?!.*--skip-preview)/g, "$& --skip-preview");
    return withoutPreview.replaceAll(/\bpulumi stack init \w+/g, `$& --secrets-provider ${secretsProvider}`);
}

/** The programs in a folder as JavaScript beside them, which runs: else each run loads a compiler. */
export async function compile(folder: string): Promise<void> {
    const entryPoints = globSync("{,*/}*.ts", { cwd: folder, exclude: ["node_modules"] });
    await build({ entryPoints, absWorkingDir: folder, outdir: ".", format: "cjs", platform: "node", target: "es2023" });
}

/** A stack of the example, before its configuration and without anything deployed. */
export async function exampleStack(testbed: Testbed, example: string): Promise<TestStack> {
    const stack = await testbed.stack("");
    await cp(join(repository, "examples", example), stack.folder, { recursive: true, filter: isOwn });
    await compile(stack.folder);
    // The project's name is the one thing that is not the example's: a test's stack finds its state by it.
    const file = join(stack.folder, "Pulumi.yaml");
    const project = await readFile(file, "utf8");
    assert.ok(project.includes(`name: ${example}\n`), `${example}/Pulumi.yaml names another project`);
    await writeFile(file, project.replace(`name: ${example}\n`, "name: e2e\n"));
    return stack;
}
