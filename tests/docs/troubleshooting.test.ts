/** docs/guides/troubleshooting.md explains every message by its code. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { messages, type Template } from "../../provider/dist/messages/index.js";
import { readPage, repository } from "./markdown.ts";

const catalogue: Template[] = Object.values(messages);

describe("The guide to messages", () => {
    const { text } = readPage("docs/guides/troubleshooting.md");
    const [own = "", pulumis = ""] = text.split("\n## Pulumi's own\n");
    const explained = explanations(own);

    it("explains every code once, and no code that is not in the catalogue", () => {
        assert.ok(pulumis.includes("### "));
        assert.equal(new Set(catalogue.map(({ code }) => code)).size, catalogue.length);
        for (const { code } of catalogue) assert.match(code, /^VG\d{4}$/);
        assert.deepEqual(explained.map(({ code }) => code).sort(), catalogue.map(({ code }) => code).sort());
    });

    it("explains the codes that begin alike in one section, apart from others", () => {
        const pairs = new Set(explained.map(({ code, section }) => `${code.slice(0, 4)} ${section}`));
        const { size } = new Set(explained.map(({ section }) => section));
        assert.deepEqual([pairs.size, new Set(explained.map(({ code }) => code.slice(0, 4))).size], [size, size]);
    });

    it("quotes each as its text is", () => {
        for (const { code, quote } of explained) {
            const message = catalogue.find((entry) => entry.code === code)?.text ?? "";
            assert.match(message, patternOf(quote), code);
        }
    });
});

describe("The catalogue of messages", () => {
    it("has no message that nobody shows", () => {
        const files = globSync("{provider,cli}/src/**/*.ts", { cwd: repository, exclude: ["**/messages/**"] });
        const all = files.map((file) => readFileSync(join(repository, file), "utf8")).join("\n");
        const unused = Object.keys(messages).filter((name) => !all.includes(`messages.${name}`));
        // The catalogue itself makes one of whatever was thrown.
        assert.deepEqual(unused, ["unexpected"]);
    });
});

/** Each with the title of the section it is in. */
function explanations(page: string) {
    return page.split(/^## /m).flatMap((part) => {
        const section = part.slice(0, part.indexOf("\n"));
        return [...part.matchAll(/^### (VG\w+): `(.+)`$/gm)].map(([, code = "", quote = ""]) => ({
            ...{ code, quote, section },
        }));
    });
}

/** Matches the text that a heading quotes: `<…>` stands for holes and the words around them. */
function patternOf(quote: string): RegExp {
    const literals = quote.split(/<[^>]+>/).map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    return new RegExp(literals.join(".*\\{\\w+\\}.*"), "s");
}
