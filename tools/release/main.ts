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
const { GITHUB_API_URL = "https://api.github.com", GITHUB_REPOSITORY: home = "", GITHUB_TOKEN = "" } = process.env;
const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" });

/** Whether GitHub knows a successful run of the tests for this commit of the main branch. */
async function isTested(commit: string): Promise<boolean> {
    const query = `head_sha=${commit}&branch=main&event=push&status=success`;
    const response = await fetch(`${GITHUB_API_URL}/repos/${home}/actions/workflows/ci.yml/runs?${query}`, {
        headers: { authorization: `Bearer ${GITHUB_TOKEN}` },
    });
    if (!response.ok) throw new Error(`GitHub does not say whether ${commit} is tested: HTTP ${response.status}`);
    return ((await response.json()) as { total_count: number }).total_count > 0;
}

try {
    const commit = git("rev-parse", "--verify", `refs/tags/${tag}^{commit}`).trim();
    const ancestry = spawnSync("git", ["merge-base", "--is-ancestor", commit, "origin/main"], { cwd: root });
    const places = readPlaces();
    const { version, distTag, prerelease, notes } = releaseOf(tag, {
        changelog: git("show", `${commit}:CHANGELOG.md`),
        places,
        home,
        onMain: ancestry.status === 0,
        tested: await isTested(commit),
        tags: git("tag").split("\n"),
    });
    if (notesFile !== undefined) writeFileSync(notesFile, `${notes}\n`);
    process.stdout.write(`version=${version}\ndist-tag=${distTag}\nprerelease=${prerelease}\n`);
} catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
}
