/** examples/policy in a folder of its own, as its user has it, and started where the CLI's language host is too old for packs. */
import { chmod, cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";

const repository = join(import.meta.dirname, "..", "..");
const packFolder = join(repository, "examples", "policy");

/** What the CLI prints when its Node.js language host cannot start policy packs. */
export const hostIsTooOld = /policy pack .* failed to start: .*not supported/;

export async function copyPack(target: string): Promise<void> {
    await cp(packFolder, target, { recursive: true, filter: (path) => !path.endsWith("node_modules") });
    await symlink(join(repository, "node_modules"), join(target, "node_modules"));
}

/**
 * Makes the engine start this pack without the language host, by the program that the newer host starts too. `bin` is a new folder,
 * which has to be the first of PATH.
 */
export async function startWithoutHost(pack: string, bin: string): Promise<void> {
    const project = join(pack, "PulumiPolicy.yaml");
    await writeFile(project, (await readFile(project, "utf8")).replace("runtime: nodejs", "runtime: sdk"));
    await mkdir(bin);
    const starter = join(bin, "pulumi-analyzer-policy-sdk");
    await writeFile(starter, `#!/bin/sh\nexec node node_modules/@pulumi/pulumi/cmd/run-policy-pack "$@"\n`);
    await chmod(starter, 0o755);
}
