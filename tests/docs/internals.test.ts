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
            for (const file of files)
                assert.match(read(file), new RegExp(`\\b${name}\\b`), `${file} does not name ${name}`);
        }
    });

    it("names a test with the real CLI for each promise and face, which names the promise and has the face", () => {
        const rows = [...read("docs/internals/promises.md").matchAll(/^\| ([A-Z]\d) +\| (.+?) +\| (.+?) +\|$/gm)];
        assert.deepEqual(rows.map(([, name]) => name).sort(), [...promises.keys()].sort());
        for (const [, name = "", ...cells] of rows)
            for (const [at, cell] of cells.entries()) {
                const face = at === 0 ? "dynamic" : "native";
                const [, title = "", file = ""] = /^\[(.+)\]\(\.\.\/\.\.\/(.+)\)$/.exec(cell) ?? [];
                if (file === "") {
                    if (cell === "no such types" && name.startsWith("N")) continue;
                    assert.equal(cell, "in process");
                    assert.match(promises.get(name) ?? "", /^Tests: .*tests\/(unit\/|native\/plugin)/m, name);
                    continue;
                }
                const text = read(file);
                const literally = title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
                const start = text.search(new RegExp(`\\bit\\(\\s*["\`]${literally}`));
                assert.ok(start >= 0, `${file} has no test "${title}…"`);
                const [test = ""] = text.slice(start).split(/\n +}\);\n/);
                const [beginning = ""] = text.split(/\bit\(/);
                const suites = text.slice(0, start).match(/^ *describe\(.*$/gm) ?? [];
                const titles = `${suites.at(-1)}\n${test.split("\n", 1)}`;
                assert.match(titles, new RegExp(`\\b${name}\\b`), `"${title}…" does not name ${name}`);
                const both = test.includes(face) || /face: Face|for \(const face of/.test(text);
                const native = file.startsWith("tests/native/") || /useTestbed\(.*"native"\)/.test(beginning);
                assert.ok(both || native === (face === "native"), `"${title}…" is not of the ${face} types`);
            }
    });

    it("says on the page of places where each file of the provider comes in", () => {
        const page = read("docs/internals/where-is.md");
        // Lists of exports, a class for each kind of object, and files of a few lines, which nobody looks for.
        const alike =
            /(^|\/)index|^(program|definitions|native\/program)\/(clip|livestream|contentReadiness|lookups|provider)\./;
        const small = ["api/json.ts", "api/signingKey.ts", "nodeVersion.ts", "session/grpc.ts"];
        const files = globSync("**/*.ts", { cwd: join(repository, "provider/src") }).map((file) =>
            file.replaceAll("\\", "/"),
        );
        const looked = files.filter((file) => !alike.test(file) && !small.includes(file));
        assert.ok(looked.length > 80);
        assert.deepEqual(
            looked.filter((file) => !page.includes(`provider/src/${file})`)),
            [],
        );
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
        const checked = Object.values(assumptions);
        assert.deepEqual(
            rows,
            checked.map(({ id, expects, endangers }) => ({ id, expects, endangers })),
        );
        for (const { endangers } of checked) for (const name of endangers) assert.ok(promises.has(name), name);
    });
});
