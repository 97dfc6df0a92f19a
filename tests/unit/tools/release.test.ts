/** What a tag releases: the version that packages and changelog name too, under the right name at npm. */
import assert from "node:assert/strict";
import { type Repository, releaseOf } from "../../../tools/release/release.ts";

const changelog = `# Changelog
## [Unreleased]
## [0.2.0] - 2026-11-21
### Added
- Fleets.
## [0.2.0-beta.1] - 2026-11-20
- Fleets, to be tried.
## [0.1.1] - 2026-11-01
- A fix.
## [0.1.0]
- No date.

[0.2.0]: https://example.com/0.2.0
`;
const placesOf = (version: string) => ({
    "provider/package.json": `"repository": "https://github.com/someone/pulumi-videograph.git"`,
    "README.md": `"pulumi-videograph": "^${version}"`,
    "plugin/package.json": `"pulumi-videograph": "${version}"`,
    "docs/installation.md": `pulumi package add videograph@${version}`,
});
const repository = (version: string, more: Partial<Repository> = {}): Repository => ({
    changelog,
    places: placesOf(version),
    home: "someone/pulumi-videograph",
    onMain: true,
    tags: ["v0.1.0", "v0.2.0-beta.1", "not-a-version", ""],
    ...more,
});

describe("A release", () => {
    it("is the version of the tag, with its section of the changelog", () => {
        assert.deepEqual(releaseOf("v0.2.0", repository("0.2.0")), {
            version: "0.2.0",
            distTag: "latest",
            prerelease: false,
            notes: "### Added\n- Fleets.",
        });
        // The links at the end of the changelog belong to no section.
        assert.equal(releaseOf("v0.1.1", repository("0.1.1")).notes, "- A fix.");
    });

    const distTags: [version: string, tags: string[], expected: string][] = [
        ["0.2.0-beta.1", [], "beta"],
        ["0.1.1", ["v0.1.1", "v0.10.0"], "latest-0.1"],
        // A pre-release of the future does not make today's release an older one.
        ["0.2.0", ["v0.3.0-beta.1"], "latest"],
    ];
    it("is not the latest when it is a pre-release or an older line", () => {
        for (const [version, tags, expected] of distTags) {
            const { distTag, prerelease } = releaseOf(`v${version}`, repository(version, { tags }));
            assert.deepEqual([distTag, prerelease], [expected, expected === "beta"]);
        }
    });

    const noNotes = { changelog: "## [0.2.0] - 2026-11-21\n\n## [0.1.0] - 2026-11-01\n\n- Fleets.\n" };
    const otherPlaces = { places: { ...placesOf("0.3.0"), "plugin/package.json": `"pulumi-videograph": "0.2.0"` } };
    const refusals: [tag: string, Partial<Repository>, why: RegExp][] = [
        // Everything at once.
        ["v0.3.0", otherPlaces, /^Error: plugin\/package\.json does not name 0\.3\.0 .*\nCHANGELOG\.md has no section/],
        ["v0.2.0", { home: "else/pulumi-videograph" }, /does not name else/],
        ["v0.2.0", { onMain: false }, /v0\.2\.0 is not on the main branch/],
        ["v0.1.0", {}, /no section "## \[0\.1\.0\] - /],
        ["v0.2.0", noNotes, /is empty/],
        ["v0.2", {}, /is no version/],
        ["v0.2.0-1", {}, /is no version/],
    ];
    it("is refused when anything does not fit", () => {
        for (const [tag, more, why] of refusals)
            assert.throws(() => releaseOf(tag, repository(tag.slice(1), more)), why, tag);
    });
});
