/** What all examples have in common: each is explained, listed, type-checked and installed with the rest. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const repository = join(import.meta.dirname, "..", "..");
const folder = join(repository, "examples");
const read = (...path: string[]) => readFileSync(join(repository, ...path), "utf8");

describe("Every example", () => {
    const examples = readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name);

    for (const example of examples) {
        it(`${example} is explained, and listed with the others`, () => {
            assert.match(read("examples", example, "README.md"), /^# /);
            assert.ok(read("examples", "README.md").includes(`- [${example}](${example}): `));
        });

        // Programs in other languages are run by tests/native.
        if (!existsSync(join(folder, example, "package.json"))) continue;

        it(`${example} is type-checked by npm run lint, every file of it`, () => {
            const { scripts } = JSON.parse(read("package.json")) as { scripts: { types: string } };
            assert.ok(scripts.types.split(" ").includes(`examples/${example}`));
            const { files } = JSON.parse(read("examples", example, "tsconfig.json")) as { files: string[] };
            for (const file of files) assert.ok(existsSync(join(folder, example, file)), file);
        });
    }
});
