/** The repository names one version and one home of its own, everywhere; one command changes the version. */
import assert from "node:assert/strict";
import { differing, readPlaces, withVersion } from "../../../tools/release/places.ts";

describe("Version and home of the repository", () => {
    const places = readPlaces();
    const manifest = JSON.parse(places["provider/package.json"] ?? "") as { version: string };

    it("are the same in every place", () => {
        assert.deepEqual(differing(places, manifest.version), []);
        const texts = Object.values(places).join("\n");
        const owners = texts.matchAll(/\bgithub\.com\/([\w-]+)\/pulumi-videograph\b|\bio\.github\.([\w-]+)/g);
        assert.equal(new Set([...owners].map(([, owner = "", group = owner]) => group.toLowerCase())).size, 1);
    });

    it("are set in manifests, the lock file, programs and pages", () => {
        const changed = Object.entries(places).map(([path, text]) => [path, withVersion(text, "9.8.7-beta.1")]);
        const set: typeof places = Object.fromEntries(changed);
        for (const path of [
            ...["README.md", "docs/guides/other-languages.md", "docs/installation-configuration.md"],
            ...["emulator/package.json", "examples/quickstart/package.json", "package-lock.json"],
            ...["plugin/package.json", "provider/package.json", "tools/release/pom.xml"],
        ])
            assert.notEqual(set[path], places[path], path);
        assert.deepEqual(differing(set, "9.8.7-beta.1"), []);
        // The way back gives the same texts: nothing else was touched.
        for (const [path, text] of Object.entries(set))
            assert.equal(withVersion(text, manifest.version), places[path], path);
    });

    it("are found wherever one differs", () => {
        const wrong = {
            "plugin/package.json": `"pulumi-videograph": "99.9.9"`,
            "README.md": `"videograph-emulator": "^99.9.9"`,
            "docs/one.md": "pulumi package add videograph@99.9.9",
            "docs/two.md": "pulumi plugin install resource videograph 99.9.9 --file provider/plugin",
            "docs/right.md": `videograph@${manifest.version}`,
        };
        const found = differing(wrong, manifest.version).map((sentence) => sentence.split(" ")[0]);
        assert.deepEqual(found, Object.keys(wrong).slice(0, -1));
    });

    it("stand for nobody's name: no page has a placeholder", () => {
        for (const [path, text] of Object.entries(places))
            assert.doesNotMatch(text, /<owner>|registry\.example\.com/, path);
    });
});
