/** README.md: what a stranger sees first, and the two commands to type. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readPage, repository } from "./markdown.ts";

describe("The first page", () => {
    const page = readPage("README.md");
    const [firstScreen = ""] = page.text.split("\n## Quickstart");

    it("begins with eight lines of a program, and has two commands, the second of which is what CI runs", () => {
        const blocks = page.blocks.filter(({ text }) => firstScreen.includes(text));
        const of = (language: string) => blocks.filter((block) => block.language === language);
        const lengths = of("ts").map(({ text }) => text.trim().split("\n").length);
        assert.deepEqual(lengths, [8]);
        const commands = of("sh").map(({ text }) => text.trim());
        assert.deepEqual(commands, ["npm ci && npm run demo", "npm ci && npm test"]);
        assert.ok(readFileSync(join(repository, ".ci", "run"), "utf8").includes(`\n(${commands[1]}) `));
        assert.equal(of("text").length, 1);
    });

    it("says once which Node is needed, the one that the package says, and once that nothing is published", () => {
        const { engines } = JSON.parse(readFileSync(join(repository, "provider", "package.json"), "utf8"));
        const found = [...page.text.matchAll(/Node[^|\n]{0,40}?(\d+(?:\.\d+)*)/g)];
        const versions = found.map(([, version]) => `>=${version}`);
        assert.deepEqual(versions, [engines.node]);
        assert.deepEqual(page.text.match(/not published|until the first release|nothing is published/gi)?.length, 1);
    });
});
