/** The same sources give the same bytes: archives with executables. (Of tarballs see contents.test.ts.) */
import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pinned from "../../tools/plugin/node.json" with { type: "json" };
import { repository } from "./packages.ts";

const run = promisify(execFile);

describe("Two builds", () => {
    let folder: string;
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "videograph-twice-"));
    });
    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    const digests = (name: string) =>
        readdirSync(join(folder, name)).map((file) => {
            const content = readFileSync(join(folder, name, file));
            return `${file} ${createHash("sha256").update(content).digest("hex")}`;
        });
    it("of the executable's archive have one digest, and the archive has all licences", async function () {
        if (process.versions.node !== pinned.version) this.skip();
        const build = () =>
            run(process.execPath, ["tools/plugin/executable.ts", join(folder, "archives")], { cwd: repository });
        await build();
        const first = digests("archives");
        await build();
        assert.deepEqual(digests("archives"), first);
        const [archive = ""] = readdirSync(join(folder, "archives"));
        const listed = execFileSync("tar", ["-tzf", archive], { cwd: join(folder, "archives"), encoding: "utf8" });
        const files = ["LICENSE", "NODE-LICENSE", "THIRD-PARTY-NOTICES", "pulumi-resource-videograph", "sbom.cdx.json"];
        assert.deepEqual(listed.trim().split("\n"), files);
        execFileSync("tar", ["-xzf", archive], { cwd: join(folder, "archives") });
        const executable = readFileSync(join(folder, "archives", "pulumi-resource-videograph"));
        assert.ok(!executable.includes(repository), "Another checkout would give other bytes");
        const notice = readFileSync(join(folder, "archives", "NODE-LICENSE"), "utf8");
        assert.match(notice, /Node\.js is licensed for use as follows/);
    });

    it("do not start from a Node with another digest", async function () {
        if (process.platform === "win32") this.skip();
        const changed = join(folder, "node");
        copyFileSync(process.execPath, changed);
        appendFileSync(changed, "!");
        const build = run(changed, ["tools/plugin/executable.ts", join(folder, "archives")], { cwd: repository });
        await assert.rejects(build, /tools\/plugin\/node\.json pins/);
        assert.ok(!existsSync(join(folder, "archives")));
    });
});
