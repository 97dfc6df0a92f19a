/** Builds of the package that break one of its promises each: a simulation that finds nothing wrong with them is worth nothing. */
import assert from "node:assert/strict";
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { builtPackage } from "./build.ts";

export interface Mutant {
    name: string;
    /** Of the built package. */
    file: string;
    code: string;
    instead: string;
}

export const mutants: Mutant[] = [
    {
        name: "sends again without looking",
        file: "lifecycle/create/createOnce.js",
        code: "const found = await this.#search.find();\n            if (found",
        instead: "const found = undefined;\n            if (found",
    },
    {
        name: "writes the journal after the create",
        file: "lifecycle/create/createOnce.js",
        code: "await this.#open();\n        while (this.#posts < posts) {\n            const created = await this.#post();",
        instead: "while (this.#posts < posts) {\n            const created = await this.#post(); await this.#open();",
    },
    {
        name: "believes a 404 under any token",
        file: "lifecycle/state/trust.js",
        code: "return this.#vouched.has(fingerprint);\n    }\n    async #sibling",
        instead: "return true;\n    }\n    async #sibling",
    },
    {
        name: "believes a 404 right after the create",
        file: "lifecycle/state/consistencyGrace.js",
        code: ">= api_1.consistencyGraceMs",
        instead: ">= 0",
    },
    {
        name: "knows objects by their title alone",
        file: "lifecycle/create/search.js",
        code: "const anyTitle = pause === looks.at(-1);",
        instead: "const anyTitle = false;",
    },
    {
        name: "never reads the journal",
        file: "lifecycle/create/createOnce.js",
        code: 'if (urn === undefined || predecessor === "unknown")',
        instead: "if (true)",
    },
    {
        name: "takes a title for the mark",
        file: "lifecycle/create/search.js",
        code: "(0, marker_1.markIn)(object.metadata) === this.#sought.entry.mark",
        instead: "true",
    },
];

/** Makes the broken build, and tells its folder: a place within the project, so that the libraries are found. */
export async function build({ name, file, code, instead }: Mutant): Promise<string> {
    const folder = join(import.meta.dirname, "..", "..", ".tmp", "mutants", name.replaceAll(" ", "-"));
    await rm(folder, { recursive: true, force: true });
    await cp(builtPackage, folder, { recursive: true });
    const path = join(folder, file);
    const parts = (await readFile(path, "utf8")).split(code);
    assert.equal(
        parts.length,
        2,
        `"${name}" finds its code ${parts.length - 1} times in ${file}: it has to be adapted`,
    );
    await writeFile(path, parts.join(instead));
    await writeFile(join(folder, "package.json"), '{"type": "commonjs"}');
    return folder;
}
