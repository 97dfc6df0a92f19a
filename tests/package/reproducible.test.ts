/** The same sources give the same bytes: archives with executables. (Of tarballs see contents.test.ts.) */
import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { executable, name, pack } from "../../tools/plugin/executable.ts";
import pinned from "../../tools/plugin/node.json" with { type: "json" };
import { repository } from "./packages.ts";

const run = promisify(execFile);

describe("Two builds", () => {
    let folder: string;
    beforeEach(() => {
        folder = fs.mkdtempSync(join(tmpdir(), "videograph-twice-"));
    });
    afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

    /** A folder with this file in place of the executable. */
    const standIn = (path: string) => {
        fs.mkdirSync(path);
        fs.writeFileSync(join(path, name), "a file of another time");
        return path;
    };

    it("of the executable are the same, and so are its archives, with all licences", async function () {
        if (process.versions.node !== pinned.version) this.skip();
        const [one, other] = ["one", "other"].map((build) => join(folder, build)) as [string, string];
        for (const build of [one, other]) fs.mkdirSync(build);
        await executable(one);
        // It is Node, whose digest is pinned, with what Node makes of the plugin: to put that in takes most of the time.
        const config = JSON.parse(fs.readFileSync(join(one, "config.json"), "utf8"));
        fs.writeFileSync(join(other, "config.json"), JSON.stringify({ ...config, output: join(other, "blob") }));
        const plugin = join(repository, "provider", "plugin");
        await run(process.execPath, ["--experimental-sea-config", join(other, "config.json")], { cwd: plugin });
        assert.ok(fs.readFileSync(join(one, "blob")).equals(fs.readFileSync(join(other, "blob"))));
        const built = fs.readFileSync(join(one, name));
        assert.ok(built.includes(fs.readFileSync(join(one, "blob"))));
        assert.ok(!built.includes(repository), "Another checkout would give other bytes");
        // Of a stand-in: to pack so many megabytes takes long, and shows nothing more.
        const small = ["1", "2"].map((time) => join(folder, time));
        const archives = await Promise.all(small.map((path) => pack(standIn(path), `${path}-archive`)));
        const [archive, again] = archives as [string, string];
        assert.ok(fs.readFileSync(archive).equals(fs.readFileSync(again)));
        const listed = execFileSync("tar", ["-tzf", archive], { encoding: "utf8" });
        const files = ["LICENSE", "NODE-LICENSE", "THIRD-PARTY-NOTICES", name, "sbom.cdx.json"];
        assert.deepEqual(listed.trim().split("\n"), files);
        const notice = execFileSync("tar", ["-xzOf", archive, "NODE-LICENSE"], { encoding: "utf8" });
        assert.match(notice, /Node\.js is licensed for use as follows/);
    });

    it("do not start from a Node with another digest", async function () {
        if (process.platform === "win32") this.skip();
        const changed = join(folder, "node");
        fs.copyFileSync(process.execPath, changed);
        fs.appendFileSync(changed, "!");
        const build = run(changed, ["tools/plugin/executable.ts", join(folder, "archives")], { cwd: repository });
        await assert.rejects(build, /tools\/plugin\/node\.json pins/);
        assert.ok(!fs.existsSync(join(folder, "archives")));
    });
});
