/** Builds programs from their official Go modules, at the versions and checksums pinned in tools/go/. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { chmod, copyFile, mkdir, readdir, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { ProgressLine } from "./progress.ts";

const sdk = "github.com/pulumi/pulumi/sdk/v3";
const folders = join(import.meta.dirname, "..", "go");

/** A folder of tools/go/, and what it builds. */
interface Module {
    readonly name: string;
    readonly version: string;
    readonly programs: readonly string[];
}

/** The CLI that everything runs with, and the oldest that is tested. */
const [pinned, oldest] = [cliModule("cli"), cliModule("cliOldest")];
export const [pinnedVersion, oldestVersion] = [pinned.version, oldest.version];

/** The oldest Go that builds everything. */
const [, goVersion] = /^go (\S+)/m.exec(goModOf(pinned.name)) ?? [];

function cliModule(name: string): Module {
    const [, version = ""] = /\/pulumi\/pkg\/v3 v(\S+)/.exec(goModOf(name)) ?? [];
    return { name, version, programs: ["pulumi"] };
}

function goModOf(name: string): string {
    return readFileSync(join(folders, name, "go.mod"), "utf8");
}

/** The hosts of Node, Python and Go programs are modules of their own: later versions of the SDK's module do not contain them. */
const hosts: readonly Module[] = [
    { name: "languageHost", version: "3.68.0", programs: ["pulumi-language-nodejs", "pulumi-language-python"] },
    { name: "goHost", version: "3.60.0", programs: ["pulumi-language-go"] },
];

/** Builds the CLI and its hosts into `<root>/bin`. What is there already stays: it was built by an earlier run that was ended. */
export async function buildCli(version: string, root: string): Promise<void> {
    const cli = [pinned, oldest].find((module) => module.version === version);
    if (cli === undefined) throw new Error(`tools/go/ pins only ${pinnedVersion} and ${oldestVersion}`);
    const bin = join(root, "bin");
    await mkdir(bin, { recursive: true });
    const modules = [...hosts, cli].filter(
        ({ programs }) => !programs.every((program) => existsSync(join(bin, program))),
    );
    const line = new ProgressLine();
    let done = 0;
    try {
        for (const module of modules) {
            await goBuild(module.name, "tool", bin, module.version, () =>
                line.show(`Pulumi CLI ${version}: ${++done} Go packages downloaded or compiled`),
            );
        }
    } finally {
        line.end();
    }
    await addScripts(bin);
}

/** Builds a package, or `tool` for all that the go.mod in `tools/go/<module>` calls so, and tells each package that it downloads or compiles. */
export async function goBuild(
    module: string,
    what: string,
    bin: string,
    version: string,
    onPackage: (path: string) => void = () => {},
): Promise<void> {
    const flags = `-s -w -X ${sdk}/go/common/version.Version=v${version}`;
    // Go writes a program where it is to be; what is cut short there would look like a program.
    const unfinished = join(bin, `${module}.unfinished`);
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished);
    const options = ["-mod=readonly", "-buildvcs=false", "-v", "-ldflags", flags, "-o", `${unfinished}/`];
    await go(module, ["build", ...options, what], onPackage);
    for (const file of await readdir(unfinished)) await rename(join(unfinished, file), join(bin, file));
    await rm(unfinished, { recursive: true });
}

/** Runs Go in that folder of tools/go/, and gives what it prints. */
async function go(name: string, args: readonly string[], onLine: (line: string) => void = () => {}): Promise<string> {
    const child = spawn("go", args, { cwd: join(folders, name), stdio: ["ignore", "pipe", "pipe"] });
    let printed = "";
    let lastLine = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
        printed += text;
    });
    createInterface(child.stderr).on("line", (line) => {
        lastLine = line.trim() || lastLine;
        onLine(line);
    });
    const [code] = await once(child, "close").catch((error: NodeJS.ErrnoException) => {
        throw error.code === "ENOENT"
            ? new Error(`there is no Go toolchain on the PATH (${goVersion} or newer is needed)`)
            : error;
    });
    if (code !== 0) throw new Error(`go ${args[0]} of ${name} failed: ${lastLine}`);
    return printed.trim();
}

/**
 * The scripts next to the official binary: the launcher of dynamic providers, which the engine warns of elsewhere
 * and which finds the SDK from the program's folder, and the script by which the host runs a Python program.
 */
async function addScripts(bin: string): Promise<void> {
    const nodeSdk = dirname(createRequire(import.meta.url).resolve("@pulumi/pulumi/package.json"));
    const goSdk = await go("languageHost", ["list", "-mod=readonly", "-m", "-f", "{{.Dir}}", sdk]);
    for (const script of [
        join(nodeSdk, "pulumi-resource-pulumi-nodejs"),
        join(goSdk, "python", "cmd", "pulumi-language-python-exec"),
    ]) {
        const copy = join(bin, basename(script));
        await copyFile(script, copy);
        await chmod(copy, 0o755);
    }
}
