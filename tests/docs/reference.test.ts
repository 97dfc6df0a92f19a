/** docs/reference/ is what the docstrings say today. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pages, repository } from "../../tools/reference/pages.ts";
import { readPage } from "./markdown.ts";

describe("The reference", () => {
    it("is what `npm run docs` makes of the docstrings", () => {
        const folder = join(repository, "docs", "reference");
        const all = pages();
        assert.deepEqual(globSync("[!R]*.md", { cwd: folder }).sort(), [...all.keys()].sort());
        const { links } = readPage("docs/reference/README.md");
        for (const [name, text] of all) {
            const written = readFileSync(join(folder, name), "utf8");
            assert.equal(written, text, "Run `npm run docs`, and commit what it writes");
            assert.ok(links.includes(name), `The index does not name ${name}`);
        }
    });
});
