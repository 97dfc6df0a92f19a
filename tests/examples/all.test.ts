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

        it(`${example} is type-checked with the others, by options that are its own`, () => {
            assert.match(JSON.parse(read("package.json")).scripts.types, / examples$/);
            const { files, compilerOptions } = configOf(example);
            for (const file of files) assert.ok(existsSync(join(folder, example, file)), file);
            const ofAll = { ...configOf("fleet").compilerOptions, ...configOf("").compilerOptions };
            assert.deepEqual({ ...ofAll, ...compilerOptions }, ofAll);
        });
    }
});

function configOf(example: string) {
    return JSON.parse(read("examples", example, "tsconfig.json")) as { files: string[]; compilerOptions: object };
}
