/** Writes `emulator/openapi.json` (`npm run openapi`), after `tsc --build`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeDocument } from "./document.ts";

const file = join(import.meta.dirname, "..", "..", "..", "emulator", "openapi.json");
writeFileSync(file, `${JSON.stringify(makeDocument(), null, 4)}\n`);
