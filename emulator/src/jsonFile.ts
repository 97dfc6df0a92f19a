/** Reads files that the command line names. */
import { readFileSync } from "node:fs";
import type { z } from "zod";
import { ServiceError } from "./http";
import { check } from "./validate";

/** The content of a file of JSON; an error names the option. */
export function readJsonFile<T>(option: string, path: string, schema: z.ZodType<T>): T {
    try {
        return check(schema, JSON.parse(readFileSync(path, "utf8")), "file");
    } catch (error) {
        const why = error instanceof ServiceError ? error.problems.join("; ") : (error as Error).message;
        throw new Error(`${option} ${path} cannot be used: ${why}`);
    }
}
