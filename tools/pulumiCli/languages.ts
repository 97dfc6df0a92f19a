/**
 * What programs in Python, Go and YAML need in addition to a CLI that was built here: the generators of SDKs and the host of YAML programs, built
 * from the modules pinned in tools/go/, and, for the tests, a Python that has Pulumi's SDK.
 */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { goBuild, pinnedVersion } from "./build.ts";
import { digestOf, kept } from "./cache.ts";
import { findProgram } from "./index.ts";
import { ProgressLine } from "./progress.ts";
import { pythonWith } from "./python.ts";

export interface Languages {
    /** The folders of the Python that has Pulumi's SDK, and of the host of YAML programs. */
    readonly path: string;
    readonly python: string;
    /** The folder with the SDKs of this clone: `python`, `go` and `nodejs`. Nobody writes to it. */
    sdks(): Promise<string>;
}

const modules = join(import.meta.dirname, "..", "go");
const plugin = join(import.meta.dirname, "..", "..", "provider", "plugin");

/** Gets them, or says why not. */
export async function obtainLanguages(): Promise<Languages | string> {
    const python = await pythonWith("pulumi==3.272.0", "parver==0.5", "mypy==1.18.2", "setuptools", "wheel");
    if (python === undefined || findProgram("go") === undefined) return "there is no Go or no python3 on the PATH";
    await generator();
    const path = [python, await yamlHost()].join(delimiter);
    return { path, python: join(python, "python"), sdks };
}

/** Once for each schema: tests and commands share them. */
export async function sdks(): Promise<string> {
    const schema = join(plugin, "schema.json");
    const generate = await generator();
    return kept(`sdks-${digestOf(readFileSync(schema), generate)}`, async (folder) => {
        await promisify(execFile)(join(generate, "generate"), [schema, folder, "python", "nodejs", "go"]);
    });
}

function generator(): Promise<string> {
    return built("generate", ".", pinnedVersion, "the generators of SDKs", "main.go");
}

/** The generator of C#'s SDK: an older one, in a module of its own. */
export function csharpGenerator(): Promise<string> {
    return built("csharp", ".", "3.220.0", "the generator of C#", "main.go");
}

export function yamlHost(): Promise<string> {
    return built("yamlHost", "tool", "1.38.1", "the host of YAML programs");
}

function built(module: string, what: string, version: string, words: string, ...files: string[]): Promise<string> {
    const sources = [...files, "go.sum"].map((file) => readFileSync(join(modules, module, file)));
    return kept(`${module}-${digestOf(...sources)}`, async (folder) => {
        const line = new ProgressLine();
        let done = 0;
        const show = () => line.show(`Building ${words}, once per machine: ${done} Go packages downloaded or compiled`);
        show();
        try {
            await goBuild(module, what, folder, version, () => {
                done += 1;
                show();
            });
        } finally {
            line.end();
        }
    });
}
