/** What a program loads: a run of the CLI starts it each time. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";

describe("A program without lookups", () => {
    for (const face of ["index.js", "native/index.js"])
        it(`loads nothing that sends requests or checks answers (${face})`, () => {
            const script = "require(process.argv[1]); console.log(Object.keys(require.cache).join('\\n'))";
            const module = join(import.meta.dirname, "..", "..", "..", "provider", "dist", face);
            const loaded = execFileSync(process.execPath, ["-e", script, module], { encoding: "utf8" }).split("\n");
            assert.ok(loaded.includes(module));
            assert.deepEqual(
                loaded.filter((file) => /[\\/](zod|undici|dist[\\/](api[\\/]index|lookups[\\/]find)\.js)/.test(file)),
                [],
            );
        });
});
