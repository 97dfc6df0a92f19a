/** The workflows, of this repository and of the GitOps example: two linters, pinned actions, and commands that exist. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, matchesGlob, relative } from "node:path";
import { parse } from "yaml";
import { obtainActionlint, obtainZizmor } from "../../tools/linters/index.ts";
import pinnedNode from "../../tools/plugin/node.json" with { type: "json" };
import { jobsOf, tooEarly } from "../../tools/release/rehearsal/workflow.ts";
import { checkShell } from "./checkShell.ts";
import { repository } from "./markdown.ts";

interface Job {
    environment?: string;
    permissions?: Record<string, string>;
    uses?: string;
    strategy?: { matrix: Record<string, unknown[]> };
    steps?: { run?: string; uses?: string; with?: Record<string, unknown>; env?: Record<string, string> }[];
}
interface Workflow {
    permissions?: Record<string, string>;
    jobs: Record<string, Job>;
}

const homes = [".github", join("examples", "gitops", ".github")].map((path) => join(repository, path));
const files = homes.flatMap((home) =>
    readdirSync(join(home, "workflows")).map((file) => {
        const path = join(home, "workflows", file);
        const text = readFileSync(path, "utf8");
        return { path, name: relative(repository, path), text, workflow: parse(text) as Workflow };
    }),
);
const fileNamed = (name: string) => files.find((file) => file.name === name) ?? assert.fail(`There is no ${name}`);
const stepsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap(({ steps = [] }) => steps);

interface Result {
    readonly code: number;
    readonly output: string;
}

function lint(program: string, ...args: string[]): Promise<Result> {
    return new Promise((resolve, reject) => {
        execFile(program, args, { maxBuffer: 16 * 1024 * 1024 }, (error, stdout, stderr) => {
            if (error !== null && typeof error.code !== "number") reject(error);
            else resolve({ code: Number(error?.code ?? 0), output: `${stdout}${stderr}` });
        });
    });
}

describe("Workflows", function () {
    this.timeout(60_000);

    it("run scripts, files and workspaces that exist", async () => {
        for (const { name, workflow } of files.filter(({ name }) => name.startsWith(".github"))) {
            const commands = stepsOf(workflow).flatMap(({ run }) => (run === undefined ? [] : [run]));
            assert.ok(commands.length > 0, name);
            const blocks = commands.map((text) => ({ page: name, line: 0, language: "sh", text }));
            assert.deepEqual(await checkShell(blocks), []);
            const text = commands.join("\n");
            for (const [, workspace = ""] of text.matchAll(/--workspace=(\w+)/g)) {
                assert.ok(existsSync(join(repository, workspace, "package.json")), workspace);
            }
            for (const [path] of text.matchAll(/\btests\/[\w./]+/g)) {
                assert.ok(existsSync(join(repository, path.replace(/\/$/, ""))), path);
            }
        }
    });

    it("use actions by commit, with the release beside it, one commit for each action", () => {
        const commits = new Map<string, string>();
        for (const { name, text } of files) {
            for (const [line, used = ""] of text.matchAll(/^.*\buses: *(\S+).*$/gm)) {
                if (used.startsWith("./")) continue;
                const [, action = "", commit = ""] = /^([\w/-]+)@([0-9a-f]{40})$/.exec(used) ?? [];
                assert.ok(commit !== "" && /@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line), `${name}: ${line.trim()}`);
                assert.equal(commits.get(action) ?? commit, commit, `${name}: another commit of ${action}`);
                commits.set(action, commit);
            }
        }
        assert.ok(commits.size >= 5);
    });

    it("have their tools kept current: Dependabot looks at every folder with a Go module or a list of Python packages", () => {
        const { updates } = parse(readFileSync(join(repository, ".github", "dependabot.yml"), "utf8")) as {
            updates: { "package-ecosystem": string; directories?: string[] }[];
        };
        for (const [ecosystem, file] of [
            ["gomod", "go.mod"],
            ["pip", "requirements.txt"],
        ]) {
            const patterns = updates.flatMap((one) =>
                one["package-ecosystem"] === ecosystem ? (one.directories ?? []) : [],
            );
            const folders = globSync(`{tools,tests,examples}/**/${file}`, {
                cwd: repository,
                exclude: (path) => path.includes("node_modules"),
            });
            assert.ok(folders.length > 1);
            const missed = folders
                .map((path) => `/${dirname(path)}`)
                .filter((folder) => !patterns.some((pattern) => matchesGlob(folder, pattern)));
            // Examples are copied by users, whose own Dependabot looks at them.
            assert.deepEqual(
                missed.filter((folder) => !folder.startsWith("/examples/")),
                [],
            );
        }
    });

    it("leave no credentials in the clone", () => {
        for (const { name, workflow } of files) {
            for (const { uses, with: given } of stepsOf(workflow)) {
                if (uses?.startsWith("actions/checkout@")) assert.equal(given?.["persist-credentials"], false, name);
            }
        }
    });
});

describe("Linters of workflows", function () {
    this.timeout(300_000);
    let actionlint: string;
    let zizmor: string;
    let folder: string;
    before(async function () {
        try {
            [actionlint, zizmor] = await Promise.all([obtainActionlint(), obtainZizmor()]);
        } catch (error) {
            const why = error instanceof Error ? error.message : String(error);
            assert.ok(!process.env.CI, why);
            console.warn(`    The linters of workflows are left out: ${why}`);
            this.skip();
        }
    });
    beforeEach(async () => {
        folder = await mkdtemp(join(tmpdir(), "videograph-workflows-"));
    });
    afterEach(() => rm(folder, { recursive: true, force: true }));

    // What else is on this machine's PATH must not decide.
    const runActionlint = (...paths: string[]) => lint(actionlint, "-shellcheck=", "-pyflakes=", "-no-color", ...paths);
    const runZizmor = (...paths: string[]) => lint(zizmor, "--offline", "--persona", "auditor", ...paths);

    it("actionlint finds nothing", async () => {
        assert.deepEqual(await runActionlint(...files.map(({ path }) => path)), { code: 0, output: "" });
    });

    it("zizmor finds nothing, as an auditor who reports every severity", async () => {
        const { code, output } = await runZizmor(...homes);
        assert.equal(code, 0, output);
        for (const { name } of files) assert.ok(output.includes(name), `${name} was not read:\n${output}`);
    });

    it("nothing is excused without a reason: each rule that zizmor.yml switches off has a comment above it", () => {
        for (const { name, text } of files) assert.doesNotMatch(text, /zizmor: *ignore|actionlint:/, name);
        for (const home of homes) {
            for (const file of ["zizmor.yaml", "actionlint.yaml", "actionlint.yml"])
                assert.ok(!existsSync(join(home, file)), file);
        }
        const lines = readFileSync(join(repository, ".github", "zizmor.yml"), "utf8").split("\n");
        const rules = lines.flatMap((line, at) => (/^ {4}\S+:$/.test(line) ? [lines[at - 1] ?? ""] : []));
        assert.ok(rules.length > 0);
        for (const above of rules) assert.match(above, /^ {4}# /);
    });

    it("both find what is wrong: a step after a job that is not there, a movable tag, text of a stranger in a script", async () => {
        const home = join(folder, ".github", "workflows");
        await mkdir(home, { recursive: true });
        await cp(fileNamed(".github/workflows/release.yml").path, join(home, "release.yml"));
        const { text } = fileNamed(".github/workflows/ci.yml");
        await writeFile(join(home, "ci.yml"), text.replace("needs: pack", "needs: packing"));
        assert.match((await runActionlint(join(home, "ci.yml"))).output, /"test" needs job "packing"/);
        await writeFile(join(home, "ci.yml"), text.replace(/(actions\/checkout)@\S+/, "$1@v7"));
        assert.match((await runZizmor(join(folder, ".github"))).output, /unpinned-uses/);
        const script = `run: echo "\${{ github.event.pull_request.title }}"`;
        await writeFile(join(home, "ci.yml"), text.replace("run: npm ci", script));
        assert.match((await runZizmor(join(folder, ".github"))).output, /template-injection/);
    });
});

describe("Releases", () => {
    const { workflow } = fileNamed(".github/workflows/release.yml");
    const { jobs } = workflow;

    it("give rights to jobs alone that run none of this repository's code, and from a package registry what has a checksum", () => {
        assert.deepEqual(workflow.permissions, {});
        const privileged = Object.entries(jobs).filter(
            ([, { permissions, environment }]) =>
                environment !== undefined || Object.values(permissions ?? {}).includes("write"),
        );
        const attesting = { contents: "read", "id-token": "write", attestations: "write" };
        assert.deepEqual(
            privileged.map(([name, { permissions }]) => [name, permissions]),
            [
                ["attest", attesting],
                ["github-release", { contents: "write" }],
                ["publish", { "id-token": "write" }],
                ["publish-python", { "id-token": "write" }],
                ["publish-go", { contents: "write" }],
                ["publish-nuget", { "id-token": "write" }],
                ["publish-java", {}],
            ],
        );
        const { attest } = fileNamed(".github/workflows/attest.yml").workflow.jobs;
        assert.deepEqual(attest?.permissions, attesting);
        privileged[0] = ["attest", attest ?? {}];
        for (const [name, { steps = [], uses }] of privileged) {
            assert.equal(uses, undefined, name);
            for (const { uses = "", run = "" } of steps) {
                const known = /^($|actions\/(setup-node|download-artifact|upload-artifact|attest-build-provenance)@)/;
                assert.match(uses, known, name);
                assert.doesNotMatch(run, /\bnpm (ci|i|install|run|exec|test|x)\b|\bnpx\b|\bnode\b|\bpipx\b/, name);
                assert.doesNotMatch(run, /\b(mvn|gradle|dotnet|go) /, name);
                // One tool that npm's publishers need not have, by its checksum and without anything that it depends on.
                if (/\bpip install\b/.test(run)) assert.match(run, /--no-deps .*--require-hashes/, name);
            }
        }
    });

    it("store no token where the registry knows the run by its identity: only Maven Central needs one", () => {
        const secret = /secrets\.|NODE_AUTH_TOKEN|_authToken|secrets: inherit/;
        for (const { name, workflow } of files.filter(({ name }) => name.startsWith(".github"))) {
            const using = Object.entries(workflow.jobs).filter(([, job]) => secret.test(JSON.stringify(job)));
            const expected = name.endsWith("release.yml") ? ["publish-java"] : [];
            assert.deepEqual(
                using.map(([job]) => job),
                expected,
                name,
            );
        }
        assert.equal(jobs["github-release"]?.environment, "github-release");
        assert.equal(jobs["publish-go"]?.environment, "go");
        assert.equal(jobs.publish?.environment, "npm");
        assert.equal(jobs["publish-python"]?.environment, "pypi");
        assert.equal(jobs["publish-nuget"]?.environment, "nuget");
        assert.equal(jobs["publish-java"]?.environment, "maven-central");
        for (const folder of ["provider", "emulator"]) {
            const text = readFileSync(join(repository, folder, "package.json"), "utf8");
            const { publishConfig } = JSON.parse(text) as { publishConfig: object };
            assert.deepEqual(publishConfig, { access: "public", provenance: true });
        }
    });

    it("call no workflow that asks for rights of its own", () => {
        for (const { name, workflow } of files.filter(({ name }) => /\/(ci|native)\.yml$/.test(name))) {
            assert.deepEqual(workflow.permissions, { contents: "read" }, name);
            for (const job of Object.values(workflow.jobs)) assert.equal(job.permissions, undefined, name);
        }
        for (const [name, { uses, permissions }] of Object.entries(jobs)) {
            if (uses !== undefined && name !== "attest") assert.deepEqual(permissions, { contents: "read" });
        }
    });

    it("publish nothing before the plugin that packages download is public, and that not before it is attested", () => {
        const all = jobsOf(fileNamed(".github/workflows/release.yml").path);
        assert.deepEqual(tooEarly(all), []);
        const publish = { ...all.publish, needs: ["verify", "attest"] };
        assert.deepEqual(tooEarly({ ...all, publish }), ["publish does not wait for github-release"]);
    });

    it("make executables of the pinned Node, whose digest is known for every platform", () => {
        const { text, workflow } = fileNamed(".github/workflows/native.yml");
        assert.ok(text.includes(`node-version: "${pinnedNode.version}"`));
        assert.equal(workflow.jobs.executable?.strategy?.matrix.runner?.length, 6);
        const digests = Object.entries(pinnedNode.sha256);
        assert.deepEqual(digests.map(([platform]) => platform).sort(), [
            "darwin-arm64",
            "darwin-x64",
            "linux-arm64",
            "linux-x64",
            "win32-arm64",
            "win32-x64",
        ]);
        for (const [platform, digest] of digests) assert.match(digest, /^[0-9a-f]{64}$/, platform);
        assert.equal(new Set(digests.map(([, digest]) => digest)).size, 6);
    });

    it("publish the tarballs that the tests had", () => {
        const uploads = (job?: Job) => job?.steps?.filter(({ uses }) => uses?.startsWith("actions/upload-artifact@"));
        const downloads = (job?: Job) =>
            (job?.steps ?? []).flatMap(({ uses, with: given }) =>
                uses?.startsWith("actions/download-artifact@") ? [given?.name] : [],
            );
        const ci = fileNamed(".github/workflows/ci.yml").workflow.jobs;
        assert.equal(jobs.test?.uses, "./.github/workflows/ci.yml");
        assert.deepEqual(uploads(ci.pack)?.[0]?.with?.name, "packages");
        assert.deepEqual(downloads(ci.test), ["packages"]);
        assert.deepEqual(downloads(jobs.publish), ["packages"]);
    });
});
