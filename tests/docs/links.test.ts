/** No link in any Markdown file leads nowhere: files exist, and so do the headings that are named, and the files that developers are told of. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { type Page, pages, readPage, repository } from "./markdown.ts";

describe("Links", () => {
    it("of all Markdown files lead to files and headings that exist", () => {
        const all = pages();
        assert.ok(all.flatMap(({ links }) => links).length > 500);
        assert.deepEqual(all.flatMap(deadLinks), []);
    });

    it("and the names of source files in the pages for developers are those of files", () => {
        const files = execFileSync("git", ["ls-files", "*.ts"], { cwd: repository, encoding: "utf8" }).split("\n");
        const isFile = (name: string) => files.some((file) => `/${file}`.endsWith(`/${name}`));
        const forDevelopers = /^(CONTRIBUTING|docs\/glossary|docs\/internals\/[\w-]+)\.md$/;
        const dead = pages().flatMap(({ path, text }) => {
            const names = forDevelopers.test(path) ? (text.match(/(?<=`)[\w./-]+\.ts(?=`)/g) ?? []) : [];
            return names.filter((name) => !isFile(name)).map((name) => `${path}: ${name}`);
        });
        assert.deepEqual(dead, []);
    });
});

function deadLinks(page: Page): string[] {
    return page.links
        .filter((link) => !/^[a-z]+:/.test(link) && !leadsSomewhere(page, link))
        .map((link) => `${page.path}: ${link}`);
}

function leadsSomewhere(page: Page, link: string): boolean {
    const [path = "", anchor] = decodeURI(link).split("#");
    if (path === "") return anchor !== undefined && page.anchors.has(anchor);
    const file = normalize(join(dirname(page.path), path));
    if (file.startsWith("..") || !existsSync(join(repository, file))) return false;
    return anchor === undefined || readPage(file).anchors.has(anchor);
}
