/** `npm run docs`: writes docs/reference/ from the docstrings of the package's public surface. Its index is written by hand. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pages, repository } from "./pages.ts";

for (const [name, text] of pages()) writeFileSync(join(repository, "docs", "reference", name), text);
