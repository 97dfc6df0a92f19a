/** Completes `emulator/dist`, after `tsc --build`: two libraries go into the modules that name them, and `openapi.json` describes the API. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../emulator/package.json" with { type: "json" };
import { bundle } from "../plugin/bundle.ts";
import { makeDocument } from "./openApi/document.ts";

const emulator = join(import.meta.dirname, "..", "..", "emulator");
const dist = join(emulator, "dist");
const entryPoints = ["media.ts", "lockFile.ts"].map((name) => join(emulator, "src", name));
await bundle(dist, manifest, [{ entryPoints, target: "node22" }]);
writeFileSync(join(dist, "openapi.json"), `${JSON.stringify(makeDocument(), null, 4)}\n`);
