/** A newcomer meets no word of this package before it is explained: a page that uses one leads to its explanation. */
import assert from "node:assert/strict";
import { basename } from "node:path";
import { type Page, pages, parsePage, readPage } from "./markdown.ts";

const glossary = "docs/glossary.md";
/** The words that neither Pulumi nor the field has, as they are looked for. */
const words: Readonly<Record<string, RegExp>> = {
    adopt: /\badopt(s|ed|ing)?\b/i,
    journal: /\bjournal\b/i,
    marker: /\bmarkers?\b/i,
    orphan: /\borphans?\b/i,
    "dynamic types, native types": /\bnative types?\b/i,
};
const documentation =
    /^(README\.md|docs\/(?!internals\/|reference\/|_index|installation-configuration).*|examples\/.*README\.md)$/;

/** What the page's own sentences say: no code, no links, no quotations of messages. */
function prose({ text }: Page): string {
    return text
        .replace(/^```[\s\S]*?^```/gm, "")
        .replace(/^#.*$/gm, "")
        .replace(/`[^`]*`/g, "")
        .replace(/\]\([^)]*\)/g, "]");
}

/** The words of a page that lead nowhere. */
function unexplained(page: Page): string[] {
    const text = prose(page);
    const rows = readPage(glossary).text.split("\n");
    return Object.entries(words).flatMap(([word, pattern]) => {
        if (!pattern.test(text)) return [];
        const row = rows.find((line) => line.startsWith(`| ${word} `)) ?? assert.fail(`The glossary lacks ${word}`);
        const explaining = [glossary, ...[...row.matchAll(/\]\(([^)#]+)/g)].map(([, path = ""]) => path)].map((path) =>
            basename(path),
        );
        const leads = page.links.some((link) => explaining.includes(basename(link.replace(/#.*/, ""))));
        return leads || explaining.includes(basename(page.path)) ? [] : [`${page.path}: ${word}`];
    });
}

describe("The glossary", () => {
    it("is led to by every page that uses a word of this package, or its explanation is", () => {
        assert.deepEqual(
            pages()
                .filter(({ path }) => documentation.test(path))
                .flatMap(unexplained),
            [],
        );
    });

    it("is missed where a page uses a word out of the blue", () => {
        const page = parsePage(
            "docs/sample.md",
            "The journal has an orphan, says `adopt`. See [orphans](command-line.md#orphans).\n",
        );
        assert.deepEqual(unexplained(page), ["docs/sample.md: journal"]);
    });

    it("is in the order of the alphabet, each word once", () => {
        const found = [...readPage(glossary).text.matchAll(/^\| ([^|]+?) +\|/gm)].map(([, word = ""]) => word).slice(2);
        assert.deepEqual(
            found,
            [...new Set(found)].sort((a, b) => a.localeCompare(b, "en")),
        );
    });
});
