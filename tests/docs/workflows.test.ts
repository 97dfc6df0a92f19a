/** The workflows, of this repository and of the GitOps example: two linters, commands that exist, and the rights of a release's jobs. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import pinnedNode from "../../tools/plugin/node.json" with { type: "json" };
import { pythonWith } from "../../tools/pulumiCli/python.ts";
import { attempt, type Job, readWorkflow } from "../support/workflow.ts";
import { checkShell } from "./checkShell.ts";
import { repository } from "./markdown.ts";

const homes = [".github", join("examples", "gitops", ".github")].map((path) => join(repository, path));
const paths = homes.flatMap((home) =>
    readdirSync(join(home, "workflows")).map((file) => join(home, "workflows", file)),
);
const workflows = new Map(paths.map((path) => [relative(repository, path), readWorkflow(path)]));
const own = [...workflows].filter(([name]) => name.startsWith(".github"));
const jobsOf = (name: string) => workflows.get(`.github/workflows/${name}.yml`)?.jobs ?? assert.fail(name);
const release = jobsOf("release");

/** Go builds it, where it has not done so yet. */
const actionlint = ["go", "-C", join(repository, "tools", "go", "actionlint"), "tool", "actionlint"];

async function lint(...command: string[]): Promise<{ code: number; output: string }> {
    const script = command.map((word) => `'${word}'`).join(" ");
    const { code, stdout, stderr } = await attempt(script, repository, process.env);
    return { code, output: `${stdout}${stderr}`.replaceAll(/^go: downloading .*\n/gm, "") };
}

describe("Workflows", () => {
    it("run scripts, files and workspaces that exist", async () => {
        for (const [name, { jobs }] of own) {
            const commands = Object.values(jobs).flatMap(({ steps = [] }) => steps.flatMap(({ run }) => run ?? []));
            const blocks = commands.map((text) => ({ page: name, line: 0, language: "sh", text }));
            assert.deepEqual(await checkShell(blocks), []);
            for (const [, workspace, test] of commands.join("\n").matchAll(/--workspace=(\w+)|\b(tests\/[\w./]+\w)/g))
                assert.ok(existsSync(join(repository, workspace ?? test ?? "")), workspace ?? test);
        }
    });

    // What else is on this machine's PATH must not decide.
    it("actionlint finds nothing", async () => {
        assert.deepEqual(await lint(...actionlint, "-shellcheck=", "-pyflakes=", ...paths), { code: 0, output: "" });
    });

    it("zizmor finds nothing, as an auditor who reports every severity: unpinned actions, kept credentials, injections", async function () {
        const bin = await pythonWith("zizmor==1.32.0").catch((error) => assert.ok(!process.env.CI, String(error)));
        if (!bin) return this.skip();
        const { code, output } = await lint(join(bin, "zizmor"), "--offline", "--persona", "auditor", ...homes);
        assert.equal(code, 0, output);
        for (const name of workflows.keys()) assert.ok(output.includes(name), `${name} was not read:\n${output}`);
    });
});

describe("Releases", () => {
    const before = (name: string): string[] =>
        [release[name]?.needs ?? []].flat().flatMap((needed) => [needed, ...before(needed)]);

    it("give rights to jobs alone that run none of this repository's code, and from a package registry what has a checksum", () => {
        const attesting = { contents: "read", "id-token": "write", attestations: "write" };
        const rights: Record<string, object> = {
            attest: attesting,
            "github-release": { contents: "write" },
            publish: { "id-token": "write" },
            "publish-python": { "id-token": "write" },
            "publish-go": { contents: "write" },
            "publish-nuget": { "id-token": "write" },
            "publish-java": {},
        };
        assert.deepEqual(workflows.get(".github/workflows/release.yml")?.permissions, {});
        for (const [name, { permissions, environment, uses }] of Object.entries(release)) {
            if (rights[name] === undefined) {
                assert.ok(environment === undefined && !Object.values(permissions ?? {}).includes("write"), name);
                continue;
            }
            assert.deepEqual(permissions, rights[name], name);
            assert.equal(uses, name === "attest" ? "./.github/workflows/attest.yml" : undefined, name);
            const { steps = [] } = name === "attest" ? (jobsOf("attest").attest ?? {}) : (release[name] ?? {});
            assert.ok(steps.length > 0, name);
            for (const { uses = "", run = "" } of steps) {
                const known = /^($|actions\/(setup-node|download-artifact|upload-artifact|attest-build-provenance)@)/;
                assert.match(uses, known, name);
                assert.doesNotMatch(run, /\bnpm (ci|i|install|run|exec|test|x)\b|\bnpx\b|\bnode\b|\bpipx\b/, name);
                assert.doesNotMatch(run, /\b(mvn|gradle|dotnet|go) /, name);
                // One tool that npm's publishers need not have, by its checksum and without anything that it depends on.
                if (/\bpip install\b/.test(run)) assert.match(run, /--no-deps .*--require-hashes/, name);
            }
        }
        assert.deepEqual(jobsOf("attest").attest?.permissions, attesting);
        for (const name of ["ci", "native"]) {
            assert.deepEqual(workflows.get(`.github/workflows/${name}.yml`)?.permissions, { contents: "read" }, name);
            for (const job of Object.values(jobsOf(name))) assert.equal(job.permissions, undefined, name);
        }
    });

    it("store no token where the registry knows the run by its identity: only Maven Central needs one", () => {
        const secret = /secrets\.|NODE_AUTH_TOKEN|_authToken|secrets: inherit/;
        const using = own.flatMap(([, { jobs }]) =>
            Object.keys(jobs).filter((name) => secret.test(JSON.stringify(jobs[name]))),
        );
        assert.deepEqual(using, ["publish-java"]);
    });

    it("publish nothing before the plugin that packages download is public, and that not before it is tested and attested", () => {
        const publishers = Object.keys(release).filter((name) => release[name]?.environment !== undefined);
        assert.equal(publishers.length, 6);
        for (const name of publishers) {
            const required = ["verify", "test", "native", "attest", "github-release"].filter((job) => job !== name);
            for (const job of required) assert.ok(before(name).includes(job), `${name} does not wait for ${job}`);
        }
    });

    it("make executables of the pinned Node, whose digest is known for every platform", () => {
        const { executable } = jobsOf("native");
        assert.ok(JSON.stringify(executable).includes(`"node-version":"${pinnedNode.version}"`));
        const platforms = executable?.strategy?.matrix.include?.map((one) => (one as { platform: string }).platform);
        assert.deepEqual(platforms, Object.keys(pinnedNode.sha256));
        assert.equal(new Set(Object.values(pinnedNode.sha256)).size, 6);
        // The tarballs are packed by the same, after no script of a package.
        const commands = jobsOf("ci").pack?.steps?.flatMap(({ run }) => run ?? []);
        assert.equal(commands?.[0], "npm ci --ignore-scripts && node tools/plugin/checkNode.ts");
    });

    it("install what the lock file has a digest of, and in the tests of a release nothing that is newer", () => {
        const { packages } = JSON.parse(readFileSync(join(repository, "package-lock.json"), "utf8"));
        const loose = Object.entries<{ link?: boolean; integrity?: string }>(packages)
            .filter(([path, { link, integrity }]) => path.includes("node_modules/") && !link && integrity === undefined)
            .map(([path]) => path);
        assert.deepEqual(loose, []);
        const { test } = jobsOf("ci");
        const floating = test?.steps?.filter((step) => JSON.stringify(step).match(/latest|matrix\.sdk/)) ?? [];
        assert.equal(floating.length, 2);
        for (const step of floating) assert.match(JSON.stringify(step), /inputs\.pinned/);
    });

    it("compare every artifact with the digest that the job which built it gave, before anything else is done with it", () => {
        // Any job of a run can replace an artifact of another, but not an output.
        const comparing = new Set<string>();
        for (const [name, { environment, steps = [] }] of Object.entries(release)) {
            if (environment === undefined) continue;
            const [last, next] = steps.slice(steps.findLastIndex(({ uses }) => /download-artifact/.test(uses ?? "")));
            assert.equal(next?.env?.FOLDER, last?.with?.path, name);
            const job = { "github-release": "attest", publish: "test" }[name] ?? "native";
            assert.match(next?.env?.DIGEST ?? "", new RegExp(`\\bneeds\\.${job}\\.outputs\\b`), name);
            assert.ok([release[name]?.needs].flat().includes(job), name);
            comparing.add(next?.run ?? "");
        }
        assert.equal(comparing.size, 1, "all compare in the same way");
        const attest = jobsOf("attest").attest?.steps ?? [];
        assert.match(attest[1]?.name ?? "", /^Compare/);
        const outputs = (job: Job | undefined) => Object.keys(job?.outputs ?? {});
        const { executable, sdks } = jobsOf("native");
        const built = [...outputs(executable), ...outputs(sdks), ...outputs(jobsOf("ci").pack)];
        assert.match(attest[1]?.run ?? "", new RegExp(`length == ${built.length}'`));
    });

    it("take from earlier jobs what these have uploaded, and publish the tarballs that the tests had", () => {
        const artifacts = (action: string, { strategy, steps = [] }: Job) =>
            steps
                .filter(({ uses }) => uses?.startsWith(`actions/${action}@`))
                .map((step) => step.with?.name ?? "*")
                .flatMap((name) => {
                    const [expression, key = ""] = /\$\{\{ *matrix\.(\w+) *\}\}/.exec(name) ?? [];
                    if (expression === undefined) return [name];
                    const { [key]: values, include } = strategy?.matrix ?? {};
                    const all = values ?? include?.map((one) => (one as Record<string, unknown>)[key]);
                    return (all ?? []).map((value) => name.replace(expression, String(value)));
                });
        const all = (action: string, name: string) => {
            const { uses, ...job } = release[name] ?? {};
            const called = uses === undefined ? [job] : Object.values(jobsOf(basename(uses, ".yml")));
            return called.flatMap((one) => artifacts(action, one));
        };
        for (const name of Object.keys(release)) {
            const uploaded = [name, ...before(name)].flatMap((job) => all("upload-artifact", job));
            for (const wanted of all("download-artifact", name)) {
                const pattern = new RegExp(`^${wanted.replace("*", ".+")}$`);
                const isThere = uploaded.some((one) => pattern.test(one));
                assert.ok(isThere, `${name} downloads ${wanted}`);
            }
        }
        assert.equal(release.test?.uses, "./.github/workflows/ci.yml");
        const { pack = {}, test = {} } = jobsOf("ci");
        assert.deepEqual(artifacts("upload-artifact", pack), ["packages"]);
        assert.deepEqual(artifacts("download-artifact", test), ["packages"]);
        assert.deepEqual(all("download-artifact", "publish"), ["packages"]);
    });
});
