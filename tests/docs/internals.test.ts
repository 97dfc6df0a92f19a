/** docs/internals/ is the source of truth: what is defined there is tested. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { assumptions } from "../../provider/dist/cli/probe/assumptions.js";
import { adviceOn } from "../../provider/dist/cli/probe/report.js";
import { readPage, repository } from "./markdown.ts";

describe("docs/internals", () => {
    const sections = readPage("docs/internals/promises.md").text.split("\n### ").slice(1);
    const promises = new Map(sections.map((text) => [text.slice(0, text.indexOf("\n")).trim(), text]));
    const read = (file: string) => readFileSync(join(repository, file), "utf8");

    it("names tests of each promise, which name the promise", () => {
        assert.ok(promises.size > 20);
        for (const [name, text] of promises) {
            const [, line = ""] = /^Tests: (.*)$/m.exec(text) ?? [];
            const files = [...line.matchAll(/\]\(\.\.\/\.\.\/([^)]+)\)/g)].map(([, file = ""]) => file);
            assert.ok(files.length > 0, `${name} has no test`);
            for (const file of files) {
                assert.match(read(file), new RegExp(`\\b${name}\\b`), `${file} does not name ${name}`);
            }
        }
    });

    it("has an issue template of the name that the probe gives, which takes its report", () => {
        const [, name = ""] = /issue template "(\w+)"/.exec(adviceOn(["S1"])) ?? [];
        const templates = globSync(".github/ISSUE_TEMPLATE/*.yml", { cwd: repository }).map(read);
        const template = templates.find((text) => text.startsWith(`name: ${name}\n`));
        assert.match(template ?? `no template is named "${name}"`, /id: report/);
    });

    it("has the assumptions that the probe checks, with the promises that they endanger", () => {
        const rows = read("docs/internals/contract.md")
            .split("\n")
            .filter((line) => /^\| A-\d{3} +\|/.test(line))
            .map((line) => line.split("|").map((cell) => cell.trim()))
            .map(([, id = "", expects, , endangers = ""]) => ({
                id,
                expects,
                endangers: [...endangers.matchAll(/\[([A-Z]\d)\]/g)].map(([, name]) => name),
            }));
        assert.deepEqual(
            rows,
            Object.values(assumptions).map(({ id, expects, endangers }) => ({ id, expects, endangers })),
        );
        const unknown = rows
            .flatMap((row) => row.endangers)
            .filter((name) => name !== undefined && !promises.has(name));
        assert.deepEqual(unknown, []);
    });
});
