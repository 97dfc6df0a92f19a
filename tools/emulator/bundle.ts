/** Puts mediabunny into `emulator/dist/media.js`, after `tsc --build`: see `emulator/src/media.ts`. */
import { join } from "node:path";
import manifest from "../../emulator/package.json" with { type: "json" };
import { bundle } from "../plugin/bundle.ts";

const emulator = join(import.meta.dirname, "..", "..", "emulator");
const entryPoints = [join(emulator, "src", "media.ts")];
await bundle(join(emulator, "dist"), manifest.name, manifest.version, { entryPoints, target: "node22" });
