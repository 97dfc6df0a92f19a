/** The project that a program belongs to, as the project file describes it. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import * as z from "zod/mini";
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

const plugin = z.object({ name: z.catch(z.string(), ""), path: z.catch(z.optional(z.string()), undefined) });
/** The parts in use. The engine refuses a file with wrong ones: here they count as left out. */
export const projectFile = z.object({
    name: z.string(),
    runtime: z.catch(z.union([z.string(), z.object({ name: z.string() })]), ""),
    main: z.catch(z.string(), "."),
    plugins: z.catch(z.object({ providers: z.array(z.catch(plugin, { name: "" })) }), { providers: [] }),
});

function projectIn(folder: string, text: string): Project | undefined {
    const { data } = z.safeParse(projectFile, parseYaml(text));
    if (data === undefined) return undefined;
    const { name, runtime, main, plugins } = data;
    // `main` may name the program's file: packages are loaded from its folder.
    const program = resolve(folder, main);
    const path = plugins.providers.find((one) => one.name === packageName)?.path;
    return {
        name,
        runtime: typeof runtime === "string" ? runtime : runtime.name,
        folder,
        programFolder: /\.[cm]?[jt]s$/.test(main) ? dirname(program) : program,
        pluginFolder: path === undefined ? undefined : resolve(folder, path),
    };
}

/** The text's value; `undefined` when it is malformed. JSON is YAML too. */
function parseYaml(text: string): unknown {
    // It takes milliseconds to load, and few processes need it.
    const { parse } = require("yaml") as typeof import("yaml");
    try {
        return parse(text);
    } catch {
        return undefined;
    }
}
