/** The repository names one version and one home of its own, everywhere; one command changes both. */
import assert from "node:assert/strict";
import { differing, identityOf, readPlaces, renamed } from "../../../tools/release/places.ts";

describe("Version and home of the repository", () => {
    const places = readPlaces();
    const identity = identityOf(places);

    it("are the same in every place", () => {
        assert.deepEqual(differing(places, identity), []);
    });

    it("are set in manifests, the lock file, programs and pages", () => {
        const other = { version: "9.8.7-beta.1", home: "ada/pulumi-videograph" };
        const changed = Object.entries(places).filter(([, text]) => renamed(text, other) !== text);
        const paths = changed.map(([path]) => path);
        for (const path of [
            "README.md",
            "docs/_index.md",
            "docs/installation-configuration.md",
            "docs/installation.md",
            "emulator/package.json",
            "examples/quickstart/package.json",
            "examples/quickstart-go/main.go",
            "package-lock.json",
            "plugin/package.json",
            "provider/package.json",
            "tools/release/pom.xml",
        ])
            assert.ok(paths.includes(path), path);
        const set = Object.fromEntries(Object.entries(places).map(([path, text]) => [path, renamed(text, other)]));
        assert.deepEqual(differing(set, other), []);
        assert.deepEqual(identityOf(set), other);
        // The way back gives the same texts: nothing else was touched.
        for (const [path, text] of Object.entries(set)) assert.equal(renamed(text, identity), places[path], path);
    });

    it("are found wherever one of them differs", () => {
        const { version, home } = identity;
        const wrong = {
            "plugin/package.json": `"pulumi-videograph": "99.9.9"`,
            "README.md": `"videograph-emulator": "^99.9.9"`,
            "docs/one.md": "pulumi package add videograph@99.9.9",
            "docs/two.md": `see https://github.com/elsewhere/pulumi-videograph and videograph@${version}`,
            "docs/three.md": `io.github.elsewhere:pulumi-videograph`,
            "docs/right.md": `videograph@${version} of github.com/${home}`,
        };
        const found = differing(wrong, identity).map((sentence) => sentence.split(" ")[0]);
        assert.deepEqual(found, Object.keys(wrong).slice(0, -1));
    });

    it("stand for nobody's name: no page has a placeholder", () => {
        for (const [path, text] of Object.entries(places)) {
            if (path === "tools/release/set.ts") continue;
            assert.doesNotMatch(text, /<owner>|registry\.example\.com/, path);
        }
    });
});
