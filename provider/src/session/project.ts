/** The project that a program belongs to, as its file describes it. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import * as z from "zod";

export interface Project {
    readonly name: string;
    /** `nodejs`, `python`, … */
    readonly runtime: string;
    /** Where the project file is. */
    readonly folder: string;
    /** Where the program is, and so where packages are loaded from. */
    readonly programFolder: string;
}

const runtimeSchema = z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]);
const projectSchema = z.object({ name: z.string(), runtime: runtimeSchema.catch(""), main: z.string().catch(".") });

const projectFiles = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];

/** The project of the folder or of the nearest one above it, in the CLI's order. */
export function findProject(from: string): Project | undefined {
    for (let folder = resolve(from); ; folder = dirname(folder)) {
        const file = projectFiles.map((name) => join(folder, name)).find((path) => existsSync(path));
        if (file !== undefined) return projectIn(folder, readFileSync(file, "utf8"));
        if (dirname(folder) === folder) return undefined;
    }
}

function projectIn(folder: string, text: string): Project | undefined {
    const settings = projectSchema.safeParse(parseYaml(text)).data;
    if (settings === undefined) return undefined;
    // `main` may name the program's file.
    const program = resolve(folder, settings.main);
    const programFolder = /\.[cm]?[jt]s$/.test(settings.main) ? dirname(program) : program;
    return { name: settings.name, runtime: settings.runtime, folder, programFolder };
}

/** `undefined` when it is malformed. JSON is YAML too. */
function parseYaml(text: string): unknown {
    // Few processes need the parser.
    const { parse } = require("yaml") as typeof import("yaml");
    try {
        return parse(text);
    } catch {
        return undefined;
    }
}
