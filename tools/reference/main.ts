/**
 * Writes docs/reference/ anew from the docstrings of the package's public surface.
 *
 *     npm run docs
 */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pagesOf } from "./pages.ts";
import { readSurface, repository } from "./sources.ts";

const folder = join(repository, "docs", "reference");
const pages = pagesOf(await readSurface());
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
for (const [name, text] of pages) await writeFile(join(folder, name), text);
console.log(`Wrote ${pages.size} pages to docs/reference/.`);
