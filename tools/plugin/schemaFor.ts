/** Prints the schema from which a language's generator makes its SDK: `node tools/plugin/schemaFor.ts <language>`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { schemaFor } from "../../provider/dist/native/schemaFor.js";

const schema = join(import.meta.dirname, "..", "..", "provider", "plugin", "schema.json");
process.stdout.write(schemaFor(readFileSync(schema, "utf8"), process.argv[2]));
