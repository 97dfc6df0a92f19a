/**
 * The tools that tests of programs in Python, Go, C# and YAML need in addition to the CLI: the generators of SDKs and the host of YAML programs, built
 * from the modules pinned in tools/go/, and a Python that has Pulumi's SDK.
 */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { goBuild } from "./build.ts";
import { digestOf, kept } from "./cache.ts";
import { findProgram } from "./index.ts";
import { pythonWith } from "./python.ts";

export interface Languages {
    /** The folders of the Python that has Pulumi's SDK, and of the host of YAML programs. */
    readonly path: string;
    readonly python: string;
    /** Writes the SDKs of a schema for python, nodejs, go or dotnet to folders of these names. */
    generate(schema: string, destination: string, ...languages: string[]): Promise<void>;
}

const modules = join(import.meta.dirname, "..", "go");

/** Gets them, or says why not. */
export async function obtainLanguages(): Promise<Languages | string> {
    const python = await pythonWith("pulumi==3.272.0", "parver==0.5", "setuptools", "wheel");
    if (python === undefined || findProgram("go") === undefined) return "there is no Go or no python3 on the PATH";
    const built = (module: string, what: string, version: string, ...files: string[]) => {
        const sources = [...files, "go.sum"].map((file) => readFileSync(join(modules, module, file)));
        return kept(`${module}-${digestOf(...sources)}`, (folder) => goBuild(module, what, folder, version));
    };
    const generate = await built("generate", ".", "3.220.0", "main.go");
    const yamlHost = await built("yamlHost", "tool", "1.38.1");
    return {
        path: [python, yamlHost].join(delimiter),
        python: join(python, "python"),
        async generate(schema, destination, ...languages) {
            await promisify(execFile)(join(generate, "generate"), [schema, destination, ...languages]);
        },
    };
}
