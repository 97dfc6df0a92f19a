/** Every code block of the documentation is right: programs compile, data parses, and commands exist. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse as parseYaml } from "yaml";
import { checkPrograms } from "./checkPrograms.ts";
import { checkShell } from "./checkShell.ts";
import { type CodeBlock, pages, parsePage, repository } from "./markdown.ts";

/** The programs in languages that nothing compiles here; those in YAML are found by their runtime. */
const exampleOf: Readonly<Record<string, string>> = {
    python: "quickstart-python/__main__.py",
    go: "quickstart-go/main.go",
    csharp: "quickstart-csharp/Program.cs",
};
/** What a terminal shows, and diagrams, which nothing can check here. */
const shown = ["text", "mermaid", ""];
/** The pages that users read. */
const documentation = /^(README\.md|SECURITY\.md|docs\/(?!schema\/).*|examples\/.*|provider\/(README|SKILL)\.md)$/;

describe("Code blocks", () => {
    const read = pages();
    const documented = read.filter(({ path }) => documentation.test(path));
    const all = documented.flatMap(({ blocks }) => blocks);
    const of = (blocks: readonly CodeBlock[], ...languages: string[]) =>
        blocks.filter(({ language }) => languages.includes(language));

    it("say what they are", () => {
        const known = ["ts", "js", "json", "yaml", "sh", ...Object.keys(exampleOf), ...shown];
        const unknown = all.filter(({ language }) => !known.includes(language));
        assert.deepEqual(unknown.map(place), [], `The fence needs one of ${known.join(", ")}`);
    });

    it("in TypeScript and JavaScript compile, those of the schema and the emulator too; what does not is found", async () => {
        const programs = of(all, "ts", "js");
        assert.ok(programs.length > 10);
        const others = read.flatMap(({ path, blocks }) => (/^(docs\/schema|emulator)\//.test(path) ? blocks : []));
        const more = of(others, "typescript", "ts").map((block) => ({ ...block, language: "ts" }));
        assert.ok(more.length > 6);
        // With the rest: the SDK's types are read once.
        const problems = await checkPrograms([
            ...sample("ts", `import { Content } from "pulumi-videograph";\nnew Content("a", { titel: "A" });`),
            ...sample("ts", "export const a: string = 1;"),
            ...sample("js", `const { Nothing } = require("pulumi-videograph");`),
            ...programs,
            ...more,
        ]);
        for (const expected of [/:3: .*titel/, /:2: .*number/, /:2: .*Nothing/])
            assert.match(problems.shift() ?? "", expected);
        assert.deepEqual(problems, []);
    });

    it("in other languages are the text of an example, which its own test runs", async () => {
        const programs = of(all, "yaml").filter(({ text }) => /^runtime: yaml$/m.test(text));
        // tests/native/sdks.test.ts runs the unit tests.
        const own = all.filter(({ page }) => page !== "docs/guides/unit-tests.md");
        const others = [...of(own, ...Object.keys(exampleOf)), ...programs];
        assert.ok(others.length > 3 && programs.length > 0);
        for (const block of others) {
            const path = exampleOf[block.language] ?? "quickstart-yaml/Pulumi.yaml";
            const example = await readFile(join(repository, "examples", path), "utf8");
            assert.equal(block.text.trim(), example.trim(), place(block));
        }
    });

    it("in JSON and YAML parse", () => {
        for (const block of of(all, "json")) assert.doesNotThrow(() => JSON.parse(block.text), place(block));
        for (const block of of(all, "yaml")) assert.doesNotThrow(() => parseYaml(block.text), place(block));
    });

    it("for the shell name scripts, files, options and variables that exist", async () => {
        const commands = of(all, "sh");
        assert.ok(commands.length > 5);
        assert.deepEqual(await checkShell(commands), []);
    });

    it("and commands inside sentences name what exists", async () => {
        const commands = documented.flatMap(({ path, inlineCode }) =>
            inlineCode
                .filter((text) => /^(pulumi|npm|npx|node|export) |^VIDEOGRAPH_|^videograph:/.test(text))
                .map((text) => ({ page: path, line: 0, language: "sh", text })),
        );
        assert.ok(commands.length > 50);
        assert.deepEqual(await checkShell(commands), []);
    });

    it("for the shell that name what does not exist are found", async () => {
        const blocks = sample(
            "sh",
            [
                "npm run nothing",
                "npm run demo",
                "cd examples/nothing",
                "node tools/nothing.ts",
                "npx pulumi-videograph nothing",
                "npx videograph-emulator --nothing",
                "pulumi up --nothing",
                "pulumi nothing",
                "VIDEOGRAPH_NOTHING=1 pulumi up --yes",
                "pulumi config set videograph:nothing x",
                "pulumi config set --secret videograph:secretKey x",
            ].join("\n"),
        );
        const problems = await checkShell(blocks);
        assert.equal(problems.length, 10, problems.join("\n"));
    });
});

/** A page of one block. */
function sample(language: string, text: string): readonly CodeBlock[] {
    return parsePage("docs/sample.md", `\`\`\`${language}\n${text}\n\`\`\`\n`).blocks;
}

function place({ page, line }: CodeBlock): string {
    return `${page}:${line}`;
}
