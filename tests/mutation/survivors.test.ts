/** The list of changes that no test notices is true of the code as it is now, and short (`npm run mutation` checks the rest). */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { areas } from "./areas.ts";
import { keyOf, oneLine, readSurvivors } from "./survivors.ts";

const root = join(import.meta.dirname, "..", "..");

describe("The list of unnoticed changes", () => {
    const { scores, survivors } = readSurvivors();
    const filesOf = new Map(
        areas.map(({ name, mutate }) => [name, mutate.flatMap((glob) => globSync(glob, { cwd: root }))]),
    );
    const source = (file: string) => readFileSync(join(root, "provider", "src", file), "utf8");

    it("quotes code that is there, and says why each change is none", () => {
        for (const { file, line, original, replacement, reason } of survivors) {
            const name = `${file}: ${original}`;
            const code = source(file);
            assert.ok(
                code.split("\n").some((text) => oneLine(text) === line),
                `${name} begins on no line "${line}"`,
            );
            assert.ok(oneLine(code).includes(original), `${name} is not there`);
            assert.notEqual(replacement, original, name);
            assert.ok(reason.length >= 20, `${name} has no reason`);
        }
    });

    it("has each change once", () => {
        const keys = survivors.map(keyOf);
        assert.deepEqual(
            keys.filter((key, index) => keys.indexOf(key) !== index),
            [],
        );
    });

    it("is about code that is changed", () => {
        const files = new Set([...filesOf.values()].flat());
        for (const { file } of survivors) assert.ok(files.has(join("provider", "src", file)), file);
    });

    it("has the score of areas: at least nine of ten changes are noticed", () => {
        for (const [name, score] of Object.entries(scores)) {
            assert.ok(filesOf.has(name), `there is no area ${name}`);
            const files = new Set(filesOf.get(name));
            const listed = survivors.filter(({ file }) => files.has(join("provider", "src", file))).length;
            assert.ok(
                score.survived >= listed && listed > 0 === score.survived > 0,
                `${name}: the score is of another list`,
            );
            assert.ok(
                score.killed >= 9 * score.survived,
                `${name}: ${score.killed} of ${score.killed + score.survived}`,
            );
        }
    });
});
