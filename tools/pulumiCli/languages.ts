/**
 * The tools that tests of programs in Python, Go, C# and YAML need in addition to the CLI: the generators of SDKs and the host of YAML programs, built
 * from the modules pinned in tools/go/, and a Python that has Pulumi's SDK.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { goBuild } from "./build.ts";
import { kept } from "./cache.ts";
import { findProgram } from "./index.ts";

type SdkLanguage = "python" | "nodejs" | "go" | "dotnet";

export interface Languages {
    /** The folders of the Python that has Pulumi's SDK, and of the host of YAML programs. */
    readonly path: string;
    readonly python: string;
    /** Writes the SDKs of a schema to folders of the languages' names. */
    generate(schema: string, destination: string, ...languages: SdkLanguage[]): Promise<void>;
}

const run = promisify(execFile);
const pythonPackages = ["pulumi==3.272.0", "parver==0.5", "setuptools", "wheel"];
const modules = join(import.meta.dirname, "..", "go");

/** Gets them, or says why not: they need Go and Python. */
export async function obtainLanguages(): Promise<Languages | string> {
    const [go, python3] = [findProgram("go"), findProgram("python3")];
    if (go === undefined || python3 === undefined)
        return `there is no ${go === undefined ? "Go" : "python3"} on the PATH`;
    const built = (module: string, what: string, version: string, ...files: string[]) => {
        const sources = [...files, "go.sum"].map((file) => readFileSync(join(modules, module, file)));
        return kept(`${module}-${digestOf(...sources)}`, (folder) => goBuild(module, what, folder, version));
    };
    const generate = await built("generate", ".", "3.220.0", "main.go");
    const yamlHost = await built("yamlHost", "tool", "1.38.1");
    const venv = await kept(`python-${digestOf(pythonPackages.join())}`, async (folder) => {
        await run(python3, ["-m", "venv", folder]);
        const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
        await run(join(binOf(folder), "python"), [...pip, ...pythonPackages]);
    });
    return {
        path: [binOf(venv), yamlHost].join(delimiter),
        python: join(binOf(venv), "python"),
        async generate(schema, destination, ...languages) {
            await run(join(generate, "generate"), [schema, destination, ...languages]);
        },
    };
}

/** Where a virtual environment has its Python. */
export function binOf(venv: string): string {
    return join(venv, process.platform === "win32" ? "Scripts" : "bin");
}

export function digestOf(...contents: (string | Buffer)[]): string {
    const hash = createHash("sha256");
    for (const content of contents) hash.update(content);
    return hash.digest("hex").slice(0, 12);
}
