/**
 * Writes docs/reference/ anew from the docstrings of the package's public surface.
 *
 *     npm run docs
 */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pages, repository } from "./pages.ts";

const folder = join(repository, "docs", "reference");
const all = pages();
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
for (const [name, text] of all) await writeFile(join(folder, name), text);
console.log(`Wrote ${all.size} pages to docs/reference/.`);
