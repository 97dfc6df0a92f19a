/** docs/reference/ is what the docstrings say today. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pagesOf } from "../../tools/reference/pages.ts";
import { readSurface, repository } from "../../tools/reference/sources.ts";

describe("The reference", function () {
    this.timeout(60_000);

    it("is what `npm run docs` makes of the docstrings", async () => {
        const wanted = pagesOf(await readSurface());
        const folder = join(repository, "docs", "reference");
        const stale = new Set([...readdirSync(folder), ...wanted.keys()]);
        for (const [name, text] of wanted) {
            if (stale.has(name) && readOr(join(folder, name)) === text) stale.delete(name);
        }
        assert.deepEqual([...stale], [], "These pages are out of date: run `npm run docs` and commit what it writes");
    });
});

function readOr(file: string): string | undefined {
    try {
        return readFileSync(file, "utf8");
    } catch {
        return undefined;
    }
}
