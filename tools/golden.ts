/** Writes the golden files of the C# SDK anew, with Pulumi's own generator: tests/native/golden/dotnet. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { schemaFor } from "../provider/dist/native/schemaFor.js";
import { digestOf } from "./pulumiCli/cache.ts";
import { csharpGenerator } from "./pulumiCli/languages.ts";

export const golden = join(import.meta.dirname, "..", "tests", "native", "golden", "dotnet");
const schemaFile = join(import.meta.dirname, "..", "provider", "plugin", "schema.json");

/** The digest of what the files are made of. The version of a release is in none of them. */
export function digestOfSchema(): string {
    const { version: _, ...schema } = JSON.parse(schemaFor(readFileSync(schemaFile, "utf8"), "dotnet"));
    return digestOf(JSON.stringify(schema));
}

if (import.meta.main) {
    const folder = mkdtempSync(join(tmpdir(), "videograph-golden-"));
    const schema = join(folder, "schema.json");
    writeFileSync(schema, schemaFor(readFileSync(schemaFile, "utf8"), "dotnet"));
    execFileSync(join(await csharpGenerator(), "csharp"), [schema, join(folder, "sdk")]);
    rmSync(golden, { recursive: true, force: true });
    // The classes of the schema. Project file, logo and settings are the generator's own.
    cpSync(join(folder, "sdk", "Videograph"), golden, { recursive: true, filter: (path) => !path.endsWith(".md") });
    writeFileSync(join(golden, "schema.digest"), `${digestOfSchema()}\n`);
    rmSync(folder, { recursive: true });
}
