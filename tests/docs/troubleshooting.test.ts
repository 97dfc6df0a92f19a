/** docs/guides/troubleshooting.md explains every message by its code, and the source has no message without one. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { messages, type Template } from "../../provider/dist/messages/index.js";
import { readPage, repository } from "./markdown.ts";

const catalogue: Template[] = Object.values(messages);

interface Explained {
    code: string;
    quote: string;
    /** The anchor of the section it is in. */
    section: string;
}

describe("The guide to messages", () => {
    const { text } = readPage("docs/guides/troubleshooting.md");
    const [own = "", pulumis = ""] = text.split("\n## Pulumi's own\n");
    const explained = explanations(own);

    it("explains every code once, and no code that is not in the catalogue", () => {
        assert.ok(pulumis.includes("### "));
        assert.deepEqual(explained.map(({ code }) => code).sort(), catalogue.map(({ code }) => code).sort());
    });

    it("explains each in its section, whose codes begin alike", () => {
        for (const { code, section } of catalogue) {
            assert.equal(explained.find((entry) => entry.code === code)?.section, section, code);
        }
        const sections = new Map(catalogue.map(({ code, section }) => [code.slice(0, 4), section]));
        assert.equal(sections.size, new Set(catalogue.map(({ section }) => section)).size);
        for (const { code, section } of catalogue) assert.equal(sections.get(code.slice(0, 4)), section, code);
    });

    it("quotes each as its text is", () => {
        for (const { code, quote } of explained) {
            const message = catalogue.find((entry) => entry.code === code)?.text ?? "";
            assert.match(message, patternOf(quote), code);
        }
    });

    it("is asked by code alone: codes are unique, and of one form", () => {
        assert.equal(new Set(catalogue.map(({ code }) => code)).size, catalogue.length);
        for (const { code } of catalogue) assert.match(code, /^VG\d{4}$/);
    });
});

describe("The catalogue of messages", () => {
    const sources = ["provider/src", "cli/src"].flatMap((name) => {
        const folder = join(repository, name);
        const files = globSync("**/*.ts", { cwd: folder, exclude: ["messages/**"] }).sort();
        return files.map((file) => ({ file, text: readFileSync(join(folder, file), "utf8") }));
    });

    it("has the text of every error: none is thrown with words of its own", () => {
        assert.ok(sources.length > 80);
        assert.deepEqual(sources.flatMap(wordsInErrors), [
            // Reasons, which become part of a message.
            "wait/watcher.ts: missing (HTTP 404)",
            "wait/watcher.ts: being deleted (status ",
        ]);
        // Seen to find what it has to.
        const bad =
            // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source
            'throw new pulumi.RunError(`No ${x} here.`); throw new Error(a ? "One thing" : b); new FooError("x y" + c);';
        assert.equal(wordsInErrors({ file: "bad.ts", text: bad }).length, 3);
    });

    it("has no message that nobody shows", () => {
        const all = sources.map(({ text }) => text).join("\n");
        const unused = Object.keys(messages).filter((name) => !all.includes(`messages.${name}`));
        // The catalogue itself makes one of whatever was thrown.
        assert.deepEqual(unused, ["unexpected"]);
    });
});

function explanations(page: string): Explained[] {
    return page.split(/^## /m).flatMap((part) => {
        const title = part.slice(0, part.indexOf("\n"));
        const section = title
            .toLowerCase()
            .replace(/[^\w\s-]/g, "")
            .replace(/\s+/g, "-");
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

/** The texts of more than one word in what an error is made of. */
function wordsInErrors({ file, text }: { file: string; text: string }): string[] {
    const found: string[] = [];
    const literals = (node: ts.Node): void => {
        if (ts.isCallExpression(node) || ts.isObjectLiteralExpression(node)) return;
        const words = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) ? node.text : "";
        if (/\S\s/.test(words.trimStart())) found.push(`${file}: ${words}`);
        ts.forEachChild(node, literals);
    };
    const visit = (node: ts.Node): void => {
        if (
            ts.isNewExpression(node) &&
            /(Error|Failure|NotUpdated|Vanished|Interrupted)$/.test(node.expression.getText()) &&
            // A wrong command line is explained by `--help`.
            node.expression.getText() !== "UsageError"
        ) {
            for (const argument of node.arguments ?? []) literals(argument);
        }
        ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true));
    return found;
}
