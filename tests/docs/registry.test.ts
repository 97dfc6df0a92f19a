/**
 * What Pulumi's registry reads of a community package, at the tag of a release: two pages and the schema at their places, in a form
 * that its site can show. (Its check of the installation needs a release.)
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { type Page, parsePage, readPage, repository } from "./markdown.ts";

interface Schema {
    name: string;
    version: string;
    publisher: string;
    pluginDownloadURL: string;
    language: { nodejs: { packageName: string }; python: { packageName: string }; go: { importBasePath: string } };
}

const json = (path: string) => JSON.parse(readFileSync(join(repository, path), "utf8"));
const schema = json("schema.json") as Schema;
const overview = readPage("docs/_index.md");
const installation = readPage("docs/installation-configuration.md");

describe("Pulumi's registry", () => {
    it("finds both pages, with a title, a description and the layout of packages", () => {
        for (const { path, text } of [overview, installation]) {
            const [, matter = ""] = /^---\n([\s\S]+?)\n---\n/.exec(text) ?? [];
            const { title, meta_desc, layout } = parse(matter);
            assert.ok(title && meta_desc, path);
            assert.equal(layout, "package", path);
        }
    });

    it("shows them elsewhere, so nothing in them leads to a file beside them", () => {
        for (const page of [overview, installation]) assert.deepEqual(homeless(page), [], page.path);
        const sample =
            '[a](guides/drift.md) ![b](./b.png) [c](https://example.com/c)\n\n<img src="/d.png">\n<a href="e">e</a>\n';
        assert.deepEqual(homeless(parsePage("sample.md", sample)), ["guides/drift.md", "./b.png", "/d.png", "e"]);
    });

    it("has a link to the published package of every language", () => {
        const { name } = json("provider/package.json") as { name: string };
        const { nodejs, python, go } = schema.language;
        assert.equal(nodejs.packageName, name);
        const pom = readFileSync(join(repository, "tools", "release", "pom.xml"), "utf8");
        const [, group = ""] = /<groupId>(.+)<\/groupId>\s+<artifactId>pulumi-videograph</.exec(pom) ?? [];
        for (const link of [
            `https://www.npmjs.com/package/${name}`,
            `https://pypi.org/project/${python.packageName}/`,
            `https://pkg.go.dev/${go.importBasePath}`,
            "https://www.nuget.org/packages/Community.Pulumi.Videograph",
            `https://central.sonatype.com/artifact/${group}/${name}`,
        ])
            assert.ok(installation.links.includes(link), link);
    });

    it("can install the plugin by what the schema says, whose version is the release's", () => {
        const { version } = json("provider/package.json") as { version: string };
        assert.equal(schema.version, version);
        assert.ok(schema.publisher);
        assert.match(schema.pluginDownloadURL, /^github:\/\/api\.github\.com\/[\w-]+\/pulumi-videograph$/);
        // It runs commands with these names, and refuses any other letters.
        const { nodejs, python, go } = schema.language;
        for (const name of [schema.name, nodejs.packageName, python.packageName, go.importBasePath])
            assert.match(name, /^[A-Za-z0-9._@/-]+$/);
    });
});

/** Links and pictures, of Markdown and of HTML, that are no address by themselves. */
function homeless({ text, links }: Page): string[] {
    const html = [...text.matchAll(/<(?:a|img)\b[^>]*?\b(?:href|src)=["']([^"']*)["']/g)].map(
        ([, target = ""]) => target,
    );
    return [...links, ...html].filter((target) => !/^(https:\/\/|#)/.test(target));
}
