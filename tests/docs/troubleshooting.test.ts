/** docs/guides/troubleshooting.md explains every message by its code. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { texts } from "../../provider/dist/messages/catalogue.js";
import { readPage, repository } from "./markdown.ts";

const codes = Object.values(texts).map(codeOf);

describe("The guide to messages", () => {
    const { text } = readPage("docs/guides/troubleshooting.md");
    const [own = "", pulumis = ""] = text.split("\n## Pulumi's own\n");
    const explained = explanations(own);

    it("explains every code once, and no code that is not in the catalogue", () => {
        assert.ok(pulumis.includes("### "));
        assert.equal(new Set(codes).size, codes.length);
        assert.deepEqual(explained.map(({ code }) => code).sort(), codes.sort());
    });

    it("explains the codes that begin alike in one section, apart from others", () => {
        const pairs = new Set(explained.map(({ code, section }) => `${code.slice(0, 4)} ${section}`));
        const { size } = new Set(explained.map(({ section }) => section));
        assert.deepEqual([pairs.size, new Set(explained.map(({ code }) => code.slice(0, 4))).size], [size, size]);
    });

    it("quotes each as its text is", () => {
        for (const { code, quote } of explained) {
            const text = Object.values(texts).find((one) => codeOf(one) === code) ?? "";
            assert.match(text, patternOf(quote), code);
        }
    });
});

describe("The catalogue of messages", () => {
    it("has no message that nobody shows", () => {
        const files = globSync("{provider,cli}/src/**/*.ts", { cwd: repository, exclude: ["**/messages/**"] });
        const all = files.map((file) => readFileSync(join(repository, file), "utf8")).join("\n");
        const unused = Object.keys(texts).filter((name) => !all.includes(`messages.${name}`));
        // The catalogue itself makes one of whatever was thrown.
        assert.deepEqual(unused, ["unexpected"]);
    });
});

/** A message has one, at its end, or before a list. */
function codeOf(text: string): string {
    return / \[(VG\d{4})\](?:\{list\})?$/.exec(text)?.[1] ?? text;
}

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
