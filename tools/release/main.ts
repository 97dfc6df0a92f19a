/**
 * What the tag of a release stands for, as outputs of a step of a workflow. Fails when something does not fit.
 *
 *     node tools/release/main.ts v0.2.0 notes.md    and writes the changelog's section into that file
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { releaseOf } from "./release.ts";

const root = join(import.meta.dirname, "..", "..");
const [tag = "", notesFile] = process.argv.slice(2);

try {
    const packages = ["provider", "emulator"].map(
        (folder) =>
            JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as { name: string; version: string },
    );
    const { version, distTag, prerelease, notes } = releaseOf(tag, {
        changelog: readFileSync(join(root, "CHANGELOG.md"), "utf8"),
        versions: Object.fromEntries(packages.map(({ name, version }) => [name, version])),
        tags: execFileSync("git", ["tag"], { cwd: root, encoding: "utf8" }).split("\n"),
    });
    if (notesFile !== undefined) writeFileSync(notesFile, `${notes}\n`);
    process.stdout.write(`version=${version}\ndist-tag=${distTag}\nprerelease=${prerelease}\n`);
} catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
}
