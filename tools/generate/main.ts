/**
 * Writes the parts of the program's classes that the resources' definitions say: argument types and properties, with their
 * documentation.
 *
 *     npm run generate
 */
import { readFile, writeFile } from "node:fs/promises";
import { generated } from "./classes.ts";

for (const { path, update } of generated) await writeFile(path, update(await readFile(path, "utf8")));
