/**
 * What the tag of a release stands for, as outputs of a step of a workflow. Fails when something does not fit.
 *
 *     node tools/release/main.ts v0.2.0 notes.md    and writes the changelog's section into that file
 */
import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readPlaces } from "./places.ts";
import { releaseOf } from "./release.ts";

const root = join(import.meta.dirname, "..", "..");
const [tag = "", notesFile] = process.argv.slice(2);
const { GITHUB_REPOSITORY: home = "" } = process.env;
const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" });

try {
    const commit = git("rev-parse", "--verify", `refs/tags/${tag}^{commit}`).trim();
    const ancestry = spawnSync("git", ["merge-base", "--is-ancestor", commit, "origin/main"], { cwd: root });
    const { version, distTag, prerelease, notes } = releaseOf(tag, {
        changelog: git("show", `${commit}:CHANGELOG.md`),
        places: readPlaces(),
        home,
        onMain: ancestry.status === 0,
        tags: git("tag").split("\n"),
    });
    if (notesFile !== undefined) writeFileSync(notesFile, `${notes}\n`);
    process.stdout.write(`version=${version}\ndist-tag=${distTag}\nprerelease=${prerelease}\n`);
} catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
}
