/** Sets the version in every file that names it: `npm run release:set -- 0.2.0`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readPlaces, withVersion } from "./places.ts";

const [version = ""] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+(-[\w.-]+)?$/.test(version)) throw new Error("usage: npm run release:set -- <version>");
for (const [path, text] of Object.entries(readPlaces())) {
    const changed = withVersion(text, version);
    if (changed === text) continue;
    writeFileSync(join(import.meta.dirname, "..", "..", path), changed);
    console.log(path);
}
