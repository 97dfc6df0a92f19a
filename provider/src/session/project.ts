/** The Pulumi project around a folder, as Pulumi.yaml describes it. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import * as z from "zod/mini";
import { packageName } from "../typeTokens";

export interface Project {
    readonly name: string;
    /** The name of the language's runtime: `nodejs`, `python`, … */
    readonly runtime: string;
    readonly folder: string;
    /** The folder from which Node looks for the packages that the program imports. */
    readonly programFolder: string;
    /** The folder of this package's plugin, where the user has named one under `plugins`. */
    readonly pluginFolder?: string | undefined;
}

const projectFiles = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];

/** The project of the folder, or of the nearest folder above. The CLI looks in the same order. */
export function findProject(from: string): Project | undefined {
    for (let folder = resolve(from); ; folder = dirname(folder)) {
        const file = projectFiles.map((name) => join(folder, name)).find((path) => existsSync(path));
        if (file !== undefined) return projectIn(folder, readFileSync(file, "utf8"));
        if (dirname(folder) === folder) return undefined;
    }
}

const plugin = z.object({ name: z.catch(z.string(), ""), path: z.catch(z.optional(z.string()), undefined) });
/**
 * The parts of Pulumi.yaml that this package reads. A part of a wrong type counts as missing: the engine refuses such a file with a better message.
 */
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
    // `main` names a folder, or a file such as `src/index.ts`.
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

/** The value of the YAML text; `undefined` where the text is malformed. Pulumi.json is parsed here as well: JSON is YAML. */
function parseYaml(text: string): unknown {
    // Not imported at the top of the file: that takes milliseconds, and few processes read a project.
    const { parse } = require("yaml") as typeof import("yaml");
    try {
        return parse(text);
    } catch {
        return undefined;
    }
}
