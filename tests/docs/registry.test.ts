/**
 * What Pulumi's registry reads of a community package, at the tag of a release: two pages and the schema at their places, in a form
 * that its site can show. (Its check of the installation needs a release.)
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { registryPage } from "../../tools/reference/registryPage.ts";
import { readPage, repository } from "./markdown.ts";

const json = (path: string) => JSON.parse(readFileSync(join(repository, path), "utf8"));
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

    it("shows the programs of the examples", () => {
        assert.equal(overview.text, registryPage(repository), "Run `npm run docs`, and commit what it writes");
    });

    it("shows them elsewhere, so nothing in them leads to a file beside them", () => {
        const inside = [...overview.links, ...installation.links].filter((target) => !/^(https:\/\/|#)/.test(target));
        assert.deepEqual(inside, []);
    });

    it("has a link to the published package of every language", () => {
        const { name } = json("provider/package.json");
        const { nodejs, python, go } = json("schema.json").language;
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
});
