/** The project that a program belongs to, as the project file describes it. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isObject } from "../api/json";
import { packageName } from "../typeTokens";

export interface Project {
    readonly name: string;
    /** The name of the language's runtime: `nodejs`, `python`, … */
    readonly runtime: string;
    readonly folder: string;
    /** The folder that the program loads packages from. */
    readonly programFolder: string;
    /** The folder of this package's plugin, if the file names one. */
    readonly pluginFolder?: string | undefined;
}

const projectFiles = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];

/** The project of the folder, or of the nearest folder above it, in the CLI's order. */
export function findProject(from: string): Project | undefined {
    for (let folder = resolve(from); ; folder = dirname(folder)) {
        const file = projectFiles.map((name) => join(folder, name)).find((path) => existsSync(path));
        if (file !== undefined) return projectIn(folder, readFileSync(file, "utf8"));
        if (dirname(folder) === folder) return undefined;
    }
}

function projectIn(folder: string, text: string): Project | undefined {
    const settings = parseYaml(text);
    if (!isObject(settings) || typeof settings.name !== "string") return undefined;
    const runtime = isObject(settings.runtime) ? settings.runtime.name : settings.runtime;
    const main = typeof settings.main === "string" ? settings.main : ".";
    // `main` may name the program's file.
    const program = resolve(folder, main);
    const programFolder = /\.[cm]?[jt]s$/.test(main) ? dirname(program) : program;
    return {
        name: settings.name,
        runtime: typeof runtime === "string" ? runtime : "",
        folder,
        programFolder,
        pluginFolder: pluginFolderIn(settings, folder),
    };
}

function pluginFolderIn({ plugins }: Record<string, unknown>, folder: string): string | undefined {
    const providers = isObject(plugins) && Array.isArray(plugins.providers) ? plugins.providers : [];
    const path = providers.filter(isObject).find(({ name }) => name === packageName)?.path;
    return typeof path === "string" ? resolve(folder, path) : undefined;
}

/** The text's value; `undefined` when it is malformed. JSON is YAML too. */
function parseYaml(text: string): unknown {
    // Few processes need the parser.
    const { parse } = require("yaml") as typeof import("yaml");
    try {
        return parse(text);
    } catch {
        return undefined;
    }
}
