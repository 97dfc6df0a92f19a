/**
 * `npm run docs`: writes docs/reference/ from the docstrings of the package's public surface (its index is written by hand), and docs/_index.md.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pages, repository } from "./pages.ts";
import { registryPage } from "./registryPage.ts";

for (const [name, text] of pages()) writeFileSync(join(repository, "docs", "reference", name), text);
writeFileSync(join(repository, "docs", "_index.md"), registryPage(repository));
