/** What programs and the process of dynamic resources load: a run of the CLI starts two of them each time. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const provider = join(import.meta.dirname, "..", "..", "..", "provider");

/** The files of this repository and of undici that a process loads with the module. */
function loadedWith(module: string): string[] {
    const script = "require(process.argv[1]); console.log(Object.keys(require.cache).join('\\n'))";
    const loaded = execFileSync(process.execPath, ["-e", script, join(provider, module)], { encoding: "utf8" });
    return loaded
        .trim()
        .split("\n")
        .filter((file) => file.startsWith(provider) || /[\\/](undici|zod)[\\/]/.test(file));
}

describe("A process loads one file of this package, and nothing that sends requests", () => {
    for (const module of ["dist/index.js", "dist/native/index.js", "dist/dynamic/provider.js"])
        it(module, () => assert.deepEqual(loadedWith(module), [join(provider, module)]));

    // A module that is loaded later, from the same file, makes esbuild keep whole what it imports: 8 ms of each start.
    for (const module of ["dist/index.js", "dist/native/index.js", "dist/dynamic/provider.js"])
        it(`${module} has of zod what is used`, () =>
            assert.doesNotMatch(readFileSync(join(provider, module), "utf8"), /zod\/v4\/core\/to-json-schema/));
});
