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
            notes: "### Added\n\n- Fleets.",
        });
    });

    it("ends its notes before the links at the end of the changelog", () => {
        const { notes } = releaseOf("v0.1.1", repository("0.1.1"));
        assert.equal(notes, "- A fix.");
    });

    it("is not the latest when it is a pre-release or an older line", () => {
        const beta = releaseOf("v0.2.0-beta.1", repository("0.2.0-beta.1"));
        assert.deepEqual([beta.distTag, beta.prerelease], ["beta", true]);
        const later = repository("0.1.1", { tags: ["v0.1.1", "v0.10.0"] });
        assert.deepEqual(releaseOf("v0.1.1", later).distTag, "latest-0.1");
        // A pre-release of the future does not make today's release an older one.
        assert.deepEqual(releaseOf("v0.2.0", repository("0.2.0", { tags: ["v0.3.0-beta.1"] })).distTag, "latest");
    });

    it("is refused when anything names another version, everything at once", () => {
        const wrong = repository("0.3.0", {
            places: { ...placesOf("0.3.0"), "plugin/package.json": `"pulumi-videograph": "0.2.0"` },
        });
        assert.throws(
            () => releaseOf("v0.3.0", wrong),
            /^Error: plugin\/package\.json does not name 0\.3\.0 .*\nCHANGELOG\.md has no section "## \[0\.3\.0\]/,
        );
    });

    it("is refused in another repository, and beside the main branch", () => {
        const refused = (more: Partial<Repository>, why: RegExp) =>
            assert.throws(() => releaseOf("v0.2.0", repository("0.2.0", more)), why);
        refused({ home: "else/pulumi-videograph" }, /does not name else/);
        refused({ onMain: false }, /v0\.2\.0 is not on the main branch/);
    });

    it("is refused without a date, without notes and by a tag that is no version", () => {
        assert.throws(() => releaseOf("v0.1.0", repository("0.1.0")), /no section "## \[0\.1\.0\] - /);
        const empty = { changelog: "## [0.2.0] - 2026-11-21\n\n## [0.1.0] - 2026-11-01\n\n- Fleets.\n" };
        assert.throws(() => releaseOf("v0.2.0", repository("0.2.0", empty)), /is empty/);
        for (const tag of ["v0.2", "v0.2.0-1"])
            assert.throws(() => releaseOf(tag, repository("0.2.0")), /is no version/);
    });
});
