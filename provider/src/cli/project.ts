/** The Pulumi project that a folder belongs to, as far as this package needs to know it. */
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import * as z from "zod";
import { parseProject, projectFiles } from "../session/projectFile";

export interface Project {
    readonly name: string;
    /** Where the project file is. */
    readonly folder: string;
    /** Where the program is, and so where packages are loaded from. */
    readonly programFolder: string;
}

const projectSchema = z.object({ name: z.string(), main: z.string().catch(".") });

/** The project of the folder or of the nearest one above it. */
export function findProject(from: string): Project | undefined {
    for (const { folder, file } of projectFiles(from)) {
        const text = read(file);
        if (text === undefined) continue;
        const settings = projectSchema.safeParse(parseProject(text)).data;
        if (settings === undefined) return undefined;
        const { name, main } = settings;
        // `main` may name the program's file.
        const program = resolve(folder, main);
        return { name, folder, programFolder: /\.[cm]?[jt]s$/.test(main) ? dirname(program) : program };
    }
    return undefined;
}

function read(path: string): string | undefined {
    try {
        return readFileSync(path, "utf8");
    } catch {
        return undefined;
    }
}
