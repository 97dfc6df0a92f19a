/** The Pulumi project that a folder belongs to, as far as this package needs to know it. */
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parse } from "yaml";
import * as z from "zod";

export interface Project {
    readonly name: string;
    /** Where the project file is. */
    readonly folder: string;
    /** Where the program is, and so where packages are loaded from. */
    readonly programFolder: string;
}

const projectSchema = z.object({ name: z.string(), main: z.string().catch(".") });

const files = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];

/** The project of the folder or of the nearest one above it. */
export function findProject(folder: string): Project | undefined {
    for (let here = resolve(folder); ; here = dirname(here)) {
        for (const file of files) {
            const text = read(join(here, file));
            if (text === undefined) continue;
            const settings = projectSchema.safeParse(parsed(text)).data;
            if (settings === undefined) return undefined;
            const { name, main } = settings;
            // `main` may name the program's file.
            const program = resolve(here, main);
            return { name, folder: here, programFolder: /\.[cm]?[jt]s$/.test(main) ? dirname(program) : program };
        }
        if (dirname(here) === here) return undefined;
    }
}

/** JSON is YAML too. */
function parsed(text: string): unknown {
    try {
        return parse(text);
    } catch {
        return undefined;
    }
}

function read(path: string): string | undefined {
    try {
        return readFileSync(path, "utf8");
    } catch {
        return undefined;
    }
}
