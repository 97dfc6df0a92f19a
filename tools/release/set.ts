/**
 * Sets the version, and where it is given the home on GitHub, in every file that names it:
 *
 *     npm run release:set -- 0.2.0
 *     npm run release:set -- 0.2.0 <owner>/pulumi-videograph
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { identityOf, readPlaces, renamed } from "./places.ts";

const places = readPlaces();
const [version = "", home = identityOf(places).home] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+(-[\w.-]+)?$/.test(version) || !/^[\w-]+\/pulumi-videograph$/.test(home)) {
    console.error("usage: npm run release:set -- <version> [<owner>/pulumi-videograph]");
    process.exit(1);
}
for (const [path, text] of Object.entries(places)) {
    const changed = renamed(text, { version, home });
    if (changed === text) continue;
    writeFileSync(join(import.meta.dirname, "..", "..", path), changed);
    console.log(path);
}
