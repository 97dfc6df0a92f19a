/** What is packed is what the tests run against: every built file of a tarball is that of this repository's dist/. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { packageFolders, repository, usePacked } from "./packages.ts";

describe("The tarballs", function () {
    this.timeout(60_000);
    const packed = usePacked();
    let folder: string;
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "videograph-tarball-"));
    });
    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    for (const name of packageFolders) {
        it(`of ${name} hold the very files that the tests run against`, () => {
            const { tarball, files } = packed[name];
            // By a relative path: GNU tar takes what is before the colon of a Windows path for a host.
            execFileSync("tar", ["-xf", tarball.slice(dirname(tarball).length + 1), "-C", folder], {
                cwd: dirname(tarball),
            });
            const built = files.filter((file) => /^(dist|bin|page|native|plugin)\//.test(file));
            assert.ok(built.length > 20);
            for (const file of built) {
                const ours = readFileSync(join(repository, name, file));
                assert.ok(ours.equals(readFileSync(join(folder, "package", file))), `${file} is another`);
            }
        });
    }
});
