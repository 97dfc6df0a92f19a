/** tests/unit mirrors the code: whoever moves a folder of code moves its tests, and `npm run mutation` finds them by the folder's name. */
import assert from "node:assert/strict";
import { existsSync, globSync } from "node:fs";
import { dirname, join } from "node:path";

describe("tests/unit", () => {
    const root = join(import.meta.dirname, "..", "..", "..");

    it("has no folder that provider/src has not, but for those of the commands and the tools", () => {
        const folders = new Set(globSync("**/*.test.ts", { cwd: join(root, "tests/unit") }).map(dirname));
        folders.delete("cli");
        folders.delete("tools");
        assert.ok(folders.size > 10);
        const missing = [...folders].filter((folder) => !existsSync(join(root, "provider/src", folder)));
        assert.deepEqual(missing, []);
    });
});
