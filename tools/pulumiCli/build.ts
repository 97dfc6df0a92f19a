/** Builds programs from their official Go modules, at the versions and checksums pinned in tools/go/. */
import { execFile } from "node:child_process";
import { chmod, copyFile, mkdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { say } from "./cache.ts";

const sdk = "github.com/pulumi/pulumi/sdk/v3";

/**
 * Builds the CLI and its hosts of Node, Python and Go programs into `<root>/bin`. The hosts are modules of their own: later
 * versions of the SDK's module do not contain them.
 */
export async function buildCli(version: string, root: string): Promise<void> {
    const bin = join(root, "bin");
    await mkdir(bin, { recursive: true });
    say("Building the Pulumi CLI from its Go modules: about 5 minutes on two cores, once per machine");
    await goBuild("cli", "tool", bin, version);
    await goBuild("languageHost", "tool", bin, "3.68.0");
    await goBuild("goHost", "tool", bin, "3.60.0");
    await addScripts(bin);
}

/** Builds a package, or `tool` for all that the go.mod in `tools/go/<module>` calls so. */
export async function goBuild(module: string, what: string, bin: string, version: string): Promise<void> {
    const flags = `-s -w -X ${sdk}/go/common/version.Version=v${version}`;
    await go(module, "build", "-mod=readonly", "-buildvcs=false", "-ldflags", flags, "-o", `${bin}/`, what);
}

async function go(module: string, ...args: string[]): Promise<string> {
    const cwd = join(import.meta.dirname, "..", "go", module);
    const run = promisify(execFile)("go", args, { cwd, maxBuffer: 2 ** 26 });
    const { stdout } = await run.catch((error: NodeJS.ErrnoException & { stderr?: string }) => {
        if (error.code === "ENOENT")
            throw new Error("there is no Go toolchain on the PATH (1.25.11 or newer is needed)");
        throw new Error(
            `go ${args[0]} of ${module} failed: ${(error.stderr ?? error.message).trim().split("\n").at(-1)}`,
        );
    });
    return stdout.trim();
}

/**
 * The scripts next to the official binary: the launcher of dynamic providers, which the engine warns of elsewhere
 * and which finds the SDK from the program's folder, and the script by which the host runs a Python program.
 */
async function addScripts(bin: string): Promise<void> {
    const nodeSdk = dirname(createRequire(import.meta.url).resolve("@pulumi/pulumi/package.json"));
    const goSdk = await go("languageHost", "list", "-mod=readonly", "-m", "-f", "{{.Dir}}", sdk);
    for (const script of [
        join(nodeSdk, "pulumi-resource-pulumi-nodejs"),
        join(goSdk, "python", "cmd", "pulumi-language-python-exec"),
    ]) {
        const copy = join(bin, script.slice(dirname(script).length + 1));
        await copyFile(script, copy);
        await chmod(copy, 0o755);
    }
}
