/** The Pulumi project that a folder belongs to, as far as this package needs to know it. */
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

export interface Project {
    readonly name: string;
    /** Where the project file is. */
    readonly folder: string;
    /** Where the program is, and so where packages are loaded from. */
    readonly programFolder: string;
}

const files = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];

/** The project of the folder or of the nearest one above it. */
export function findProject(folder: string): Project | undefined {
    for (let here = resolve(folder); ; here = dirname(here)) {
        for (const file of files) {
            const text = read(join(here, file));
            if (text === undefined) continue;
            const name = setting(file, text, "name");
            const main = setting(file, text, "main") ?? ".";
            // `main` may name the program's file.
            const program = resolve(here, main);
            return name === undefined
                ? undefined
                : { name, folder: here, programFolder: /\.[cm]?[jt]s$/.test(main) ? dirname(program) : program };
        }
        if (dirname(here) === here) return undefined;
    }
}

/** A text at the top level of a project file: nothing else of YAML is needed. */
function setting(file: string, text: string, key: string): string | undefined {
    if (file.endsWith(".json")) {
        const value = (JSON.parse(text) as Record<string, unknown>)[key];
        return typeof value === "string" ? value : undefined;
    }
    const line = new RegExp(`^${key}:[ \\t]+(?:"([^"]*)"|'([^']*)'|([^\\s#][^#\\r\\n]*))`, "m").exec(text);
    return line
        ?.slice(1)
        .find((value) => value !== undefined)
        ?.trim();
}

function read(path: string): string | undefined {
    try {
        return readFileSync(path, "utf8");
    } catch {
        return undefined;
    }
}
