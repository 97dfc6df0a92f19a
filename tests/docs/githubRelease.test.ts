/**
 * The release's own scripts, against a server in GitHub's place: the one that verifies the tag, in a clone of this repository, and
 * the one that writes the release on GitHub, which never replaces what is public.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { findProgram } from "../../tools/pulumiCli/inspect.ts";
import { identityOf, readPlaces } from "../../tools/release/places.ts";
import { GitHub } from "../../tools/release/rehearsal/github.ts";
import { bash, jobsOf } from "../../tools/release/rehearsal/workflow.ts";
import { repository } from "./markdown.ts";

const jobs = jobsOf(join(repository, ".github", "workflows", "release.yml"));
const scriptOf = (job: string) => jobs[job]?.steps?.map(({ run }) => run).find((run) => run !== undefined) ?? "";

describe("The release on GitHub", function () {
    this.timeout(60_000);
    let github: GitHub;
    let folder: string;

    before("the tools of a runner", function () {
        for (const tool of ["bash", "curl", "jq", "sha256sum"]) {
            if (findProgram(tool, (process.env.PATH ?? "").split(delimiter)) !== undefined) continue;
            assert.ok(!process.env.CI, `There is no ${tool}`);
            this.skip();
        }
    });
    beforeEach(async () => {
        github = new GitHub();
        await github.start();
        folder = mkdtempSync(join(tmpdir(), "videograph-release-"));
        mkdirSync(join(folder, "release"));
        writeFileSync(join(folder, "notes.md"), 'Films & "quotes"\n');
        write("plugin.tar.gz", "the plugin");
        write("SHA256SUMS", "digests");
    });
    afterEach(() => {
        github.stop();
        rmSync(folder, { recursive: true, force: true });
    });

    const write = (name: string, content: string) => writeFileSync(join(folder, "release", name), content);
    const run = () =>
        bash(scriptOf("github-release"), folder, {
            PATH: process.env.PATH ?? "",
            GITHUB_API_URL: github.url,
            GITHUB_REPOSITORY: "someone/pulumi-videograph",
            GITHUB_REF_NAME: "v1.2.3",
            GH_TOKEN: "of-the-run",
            PRERELEASE: "false",
            LATEST: "true",
        });
    const contents = () =>
        Object.fromEntries(github.releases[0]?.assets.map(({ name, content }) => [name, String(content)]) ?? []);

    it("is public once every file is attached, with the notes", async () => {
        await run();
        const [release] = github.releases;
        assert.deepEqual([release?.draft, release?.tag_name, release?.prerelease], [false, "v1.2.3", false]);
        assert.equal(release?.body, 'Films & "quotes"\n');
        assert.deepEqual(contents(), { "plugin.tar.gz": "the plugin", SHA256SUMS: "digests" });
    });

    it("is left as it is by a second run with the same files", async () => {
        await run();
        const ids = github.releases[0]?.assets.map(({ id }) => id);
        assert.match(await run(), /plugin\.tar\.gz is attached already/);
        assert.equal(github.releases.length, 1);
        assert.deepEqual(
            github.releases[0]?.assets.map(({ id }) => id),
            ids,
        );
    });

    it("is not changed by a run whose files have other digests, or that has one more", async () => {
        await run();
        const before = contents();
        write("plugin.tar.gz", "another plugin");
        await assert.rejects(run(), /plugin\.tar\.gz is not what the public release v1\.2\.3 has/);
        write("plugin.tar.gz", "the plugin");
        write("extra.tar.gz", "one more");
        await assert.rejects(run(), /extra\.tar\.gz is not what the public release/);
        assert.deepEqual(contents(), before);
    });

    it("is completed from a draft that a run left half-way", async () => {
        const upload = `${github.url}/upload`;
        const draft = { tag_name: "v1.2.3", draft: true };
        await fetch(`${github.url}/repos/a/b/releases`, { method: "POST", body: JSON.stringify(draft) });
        const [release] = github.releases;
        await fetch(`${upload}/${release?.id}?name=plugin.tar.gz`, { method: "POST", body: "half a plu" });
        await run();
        assert.deepEqual(contents(), { "plugin.tar.gz": "the plugin", SHA256SUMS: "digests" });
        assert.equal(github.published("v1.2.3")?.assets.length, 2);
    });
});

describe("The tag of a release", function () {
    this.timeout(60_000);
    const { version, home } = identityOf(readPlaces());
    const tag = `v${version}`;
    const github = new GitHub();
    let folder: string;
    let clone: string;
    const git = (...args: string[]) =>
        execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@example.com", ...args], {
            cwd: clone,
            encoding: "utf8",
        }).trim();

    before(() => github.start());
    after(() => github.stop());
    beforeEach("a clone whose last commit has the changelog of a release", () => {
        folder = mkdtempSync(join(tmpdir(), "videograph-tag-"));
        clone = join(folder, "clone");
        execFileSync("git", ["clone", "--quiet", "--shared", "--no-tags", repository, clone]);
        const changelog = join(clone, "CHANGELOG.md");
        const heading = `## [${version}] - 2026-01-01`;
        writeFileSync(changelog, readFileSync(changelog, "utf8").replace("## [Unreleased]", heading));
        git("commit", "--quiet", "--all", "--message", tag);
        git("tag", tag);
        github.tested.add(git("rev-parse", "HEAD"));
    });
    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    const setMain = () => git("update-ref", "refs/remotes/origin/main", "HEAD");
    const verify = () => {
        const output = join(folder, "output");
        const env = { PATH: process.env.PATH ?? "", GITHUB_API_URL: github.url, GITHUB_REPOSITORY: home };
        return bash(scriptOf("verify"), clone, { ...env, GITHUB_REF_NAME: tag, GITHUB_OUTPUT: output }).then(() =>
            readFileSync(output, "utf8"),
        );
    };

    it("is verified on a tested commit of the main branch, and gives the version", async () => {
        setMain();
        assert.match(await verify(), new RegExp(`^version=${version}$`, "m"));
    });

    it("is refused on a commit that the main branch does not have, and on one whose tests did not succeed", async () => {
        git("update-ref", "refs/remotes/origin/main", "HEAD~1");
        await assert.rejects(verify(), /The commit of v\S+ is not on the main branch/);
        setMain();
        github.tested.clear();
        await assert.rejects(verify(), /No successful run of ci\.yml/);
    });

    it("is refused where one place of its commit names another version", async () => {
        writeFileSync(join(clone, "plugin", "package.json"), '{ "dependencies": { "pulumi-videograph": "9.9.9" } }');
        git("commit", "--quiet", "--all", "--message", "One place is forgotten");
        git("tag", "--force", tag);
        github.tested.add(git("rev-parse", "HEAD"));
        setMain();
        await assert.rejects(verify(), /plugin\/package\.json does not name/);
    });
});
