/** Completes `emulator/dist`, after `tsc --build`: mediabunny goes into `media.js`, and `openapi.json` describes the API. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../emulator/package.json" with { type: "json" };
import { bundle } from "../plugin/bundle.ts";
import { makeDocument } from "./openApi/document.ts";

const emulator = join(import.meta.dirname, "..", "..", "emulator");
const dist = join(emulator, "dist");
const entryPoints = [join(emulator, "src", "media.ts")];
await bundle(dist, manifest.name, manifest.version, { entryPoints, target: "node22" });
writeFileSync(join(dist, "openapi.json"), `${JSON.stringify(makeDocument(), null, 4)}\n`);
