/**
 * What programs in Python and Go need beside the CLI: language hosts, Pulumi's SDK for Python, and the generators of SDKs,
 * also that for C#. Built from the modules pinned in tools/go/, in under a minute, and kept in the user's cache folder. Other
 * languages' hosts are in no module.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { type GoProgram, goBuild } from "./build.ts";
import { findProgram } from "./inspect.ts";
import { withLock } from "./lock.ts";
import { cacheFolder } from "./pin.ts";

export type SdkLanguage = "python" | "nodejs" | "go";

export interface Languages {
    /** Go on the PATH after the CLI's own folder: an official CLI brings newer hosts. */
    readonly path: readonly string[];
    /** The Python that has Pulumi's SDK. */
    readonly python: string;
    /** Writes the SDKs of a schema to folders of the languages' names. */
    generate(schema: string, destination: string, ...languages: SdkLanguage[]): Promise<void>;
}

const sdk = "github.com/pulumi/pulumi/sdk/v3";
const hosts: readonly GoProgram[] = [
    { module: "languageHost", package: `${sdk}/python/cmd/pulumi-language-python`, version: "v3.68.0" },
    { module: "goHost", package: `${sdk}/go/pulumi-language-go`, version: "v3.60.0" },
    { module: "generate", package: ".", version: "v3.259.0" },
];
const csharpGenerator: GoProgram = { module: "generateDotnet", package: ".", version: "v3.220.0" };
const pythonPackages = ["pulumi==3.272.0", "parver==0.5", "setuptools", "wheel"];

/** All that the cache holds; anything else there is built anew. */
const pins = JSON.stringify([hosts, pythonPackages]);

/** Gets the hosts, or says why not: they need Go and Python. */
export async function obtainLanguages(say: (line: string) => void = () => {}): Promise<Languages | string> {
    const folders = (process.env.PATH ?? "").split(delimiter);
    const go = findProgram("go", folders);
    const python = findProgram("python3", folders);
    if (go === undefined || python === undefined)
        return `there is no ${go === undefined ? "Go" : "python3"} on the PATH`;
    await mkdir(cacheFolder(), { recursive: true });
    const root = join(cacheFolder(), `languages-${process.platform}-${process.arch}`);
    await withLock(`${root}.lock`, async () => {
        const complete = join(root, "complete.json");
        if (existsSync(complete) && (await readFile(complete, "utf8")) === pins) return;
        say("Building language hosts for Python and Go, once per machine");
        await rm(root, { recursive: true, force: true });
        await build(root, { go, python });
        await writeFile(complete, pins);
    });
    const bin = join(root, "bin");
    return {
        path: [bin, venvFolder(root)],
        python: join(venvFolder(root), "python"),
        async generate(schema, destination, ...languages) {
            await run(join(bin, "generate"), [schema, destination, ...languages]);
        },
    };
}

/** Writes the C# SDK of a schema to a folder. */
export type CsharpGenerator = (schema: string, destination: string) => Promise<void>;

/** Gets the generator of C# SDKs, or says why not. It is in a module of its own, and nothing else is needed with it. */
export async function obtainCsharpGenerator(): Promise<CsharpGenerator | string> {
    const go = findProgram("go", (process.env.PATH ?? "").split(delimiter));
    if (go === undefined) return "there is no Go on the PATH";
    await mkdir(cacheFolder(), { recursive: true });
    const source = await readFile(join(import.meta.dirname, "..", "go", csharpGenerator.module, "main.go"));
    const build = createHash("sha256").update(source).update(csharpGenerator.version).digest("hex").slice(0, 12);
    const root = join(cacheFolder(), `csharp-generator-${build}-${process.platform}-${process.arch}`);
    await withLock(`${root}.lock`, async () => {
        if (existsSync(root)) return;
        // Built beside its place and renamed: what is in its place is complete.
        const fresh = await mkdtemp(`${root}.new-`);
        try {
            await goBuild(go, csharpGenerator, fresh);
            await rename(fresh, root);
        } finally {
            await rm(fresh, { recursive: true, force: true });
        }
    });
    return (schema, destination) => run(join(root, csharpGenerator.module), [schema, destination]);
}

function venvFolder(root: string): string {
    return join(root, "venv", process.platform === "win32" ? "Scripts" : "bin");
}

async function build(root: string, { go, python }: { go: string; python: string }): Promise<void> {
    const bin = join(root, "bin");
    await mkdir(bin, { recursive: true });
    for (const host of hosts) await goBuild(go, host, bin);
    await addPythonShim(go, bin);
    await run(python, ["-m", "venv", join(root, "venv")]);
    const installed = join(venvFolder(root), "python");
    await run(installed, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...pythonPackages]);
}

/** The script by which the host runs a program, which is no Go code but lies in its module. */
async function addPythonShim(go: string, bin: string): Promise<void> {
    const cwd = join(import.meta.dirname, "..", "go", "languageHost");
    const { stdout } = await promisify(execFile)(go, ["list", "-mod=readonly", "-m", "-f", "{{.Dir}}", sdk], { cwd });
    const name = "pulumi-language-python-exec";
    await copyFile(join(stdout.trim(), "python", "cmd", name), join(bin, name));
    await chmod(join(bin, name), 0o755);
}

async function run(program: string, args: readonly string[]): Promise<void> {
    await promisify(execFile)(program, args).catch((error: Error & { stderr?: string }) => {
        throw new Error(`${program} failed: ${error.stderr || error.message}`);
    });
}
