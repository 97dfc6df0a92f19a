/**
 * The release's own scripts, taken from the workflow: what is public is never replaced, and no secret is printed. Against servers and a
 * repository on this machine.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findProgram } from "../../tools/pulumiCli/index.ts";
import { serve } from "../support/media.ts";
import { bash, readWorkflow } from "../support/workflow.ts";
import { repository } from "./markdown.ts";

type Answer = [status: number, body?: unknown];

const { jobs } = readWorkflow(join(repository, ".github", "workflows", "release.yml"));

describe("Publishing", () => {
    let folder: string;
    let server: Awaited<ReturnType<typeof serve>>;
    let url: string;
    let received: { headers: IncomingHttpHeaders; body: Buffer }[];
    /** By "METHOD /path"; anything else is a 404. */
    let answers: Record<string, Answer | ((body: Buffer, query: URLSearchParams) => Answer)>;
    beforeEach(async function () {
        const needed = ["bash", "curl", "jq", "git", "gpg", "npm", "openssl", "tar"];
        if (!process.env.CI && needed.some((tool) => findProgram(tool) === undefined)) this.skip();
        folder = mkdtempSync(join(tmpdir(), "videograph-publish-"));
        received = [];
        server = await serve(async (request, response) => {
            const chunks: Buffer[] = [];
            for await (const chunk of request) chunks.push(chunk as Buffer);
            const body = Buffer.concat(chunks);
            received.push({ headers: request.headers, body });
            const { pathname, searchParams } = new URL(request.url ?? "", url);
            const answer = answers[`${request.method} ${pathname}`] ?? [404];
            const [status, data] = typeof answer === "function" ? answer(body, searchParams) : answer;
            response.writeHead(status).end(typeof data === "string" ? data : JSON.stringify(data));
        });
        url = server.url;
    });
    afterEach(async () => {
        await server?.[Symbol.asyncDispose]();
        if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    });

    function write(path: string, text: string): void {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
    }

    /** Runs the last script of a job, or another one, as the runner does. */
    function run(job: string, variables: Record<string, string>, last = -1): Promise<string> {
        const scripts = jobs[job]?.steps?.flatMap((step) => step.run ?? []);
        const script = scripts?.at(last) ?? assert.fail(job);
        const env = { PATH: process.env.PATH ?? "", HOME: folder, GITHUB_REF_NAME: "v1.2.3" };
        return bash(script, folder, { ...env, GITHUB_REPOSITORY: "someone/pulumi-videograph", ...variables });
    }

    it("nothing of an artifact that is not what its job has built", async () => {
        const { jobs } = readWorkflow(join(repository, ".github", "workflows", "native.yml"));
        const script = jobs.sdks?.steps?.find(({ id }) => id === "digest")?.run ?? assert.fail();
        write("sdk/python/a.py", "a");
        write("sdk/python/sub/b.py", "b");
        const GITHUB_OUTPUT = join(folder, "output");
        const noted = { PATH: process.env.PATH ?? "", NAME: "sdk-python", FOLDER: "sdk/python", GITHUB_OUTPUT };
        await bash(script, folder, noted);
        const [, digest = ""] = /^sdk-python=([0-9a-f]{64})\n$/.exec(readFileSync(GITHUB_OUTPUT, "utf8")) ?? [];
        const compare = { FOLDER: "sdk/python", DIGEST: digest };
        // An upload leaves out hidden files.
        write("sdk/python/.venv/c.py", "c");
        await run("publish-python", compare, 0);
        const refuses = (digest: string) =>
            assert.rejects(run("publish-python", { ...compare, DIGEST: digest }, 0), /not what its job has built/);
        write("sdk/python/sub/b.py", "another");
        await refuses(digest);
        write("sdk/python/sub/b.py", "b");
        // A job that gave no digest.
        await refuses("");
        write("sdk/python/c.py", "c");
        await refuses(digest);
    });

    it("on GitHub: public with all files and notes; a second run changes nothing; other contents are refused", async () => {
        const foreign = { name: "foreign.tar.gz", url: `${url}/assets/9`, digest: "sha256:other", content: "foreign" };
        const releases: { draft: boolean; body: string; assets: { name: string | null; content: string }[] }[] = [];
        const all = "/repos/someone/pulumi-videograph/releases";
        answers = {
            [`GET ${all}`]: () => [200, releases],
            [`POST ${all}`]: (body) => {
                const more = { id: 7, upload_url: `${url}/upload{?name}`, assets: [foreign] };
                releases.push({ ...JSON.parse(String(body)), ...more });
                return [201, releases[0]];
            },
            "DELETE /assets/9": () => {
                releases[0]?.assets.splice(releases[0].assets.indexOf(foreign), 1);
                return [204];
            },
            "POST /upload": (body, query) => {
                const digest = `sha256:${createHash("sha256").update(body).digest("hex")}`;
                const asset = { name: query.get("name"), digest, content: String(body) };
                releases[0]?.assets.push(asset);
                return [201, asset];
            },
            [`PATCH ${all}/7`]: (body) => [200, Object.assign(releases[0] ?? {}, JSON.parse(String(body)))],
        };
        write("notes.md", 'Films & "quotes"\n');
        write("release/plugin.tar.gz", "the plugin");
        write("release/SHA256SUMS", "digests");
        const more = { GITHUB_API_URL: url, GH_TOKEN: "of-the-run", PRERELEASE: "false", LATEST: "true" };
        await run("github-release", more);
        assert.match(await run("github-release", more), /plugin\.tar\.gz is attached already/);
        write("release/plugin.tar.gz", "another plugin");
        await assert.rejects(run("github-release", more), /is not what the public release v1\.2\.3 has/);
        const [release, ...others] = releases;
        assert.deepEqual([others, release?.draft, release?.body], [[], false, 'Films & "quotes"\n']);
        const contents = release?.assets.map(({ name, content }) => `${name}: ${content}`);
        assert.deepEqual(contents?.sort(), ["SHA256SUMS: digests", "plugin.tar.gz: the plugin"]);
    });

    it("npm: under the release's name; a second run changes nothing; other contents are refused", async () => {
        const variables = {
            ...{ DIST_TAG: "latest-1.2", PROVENANCE: "false", npm_config_registry: url },
            [`npm_config_${url.replace("http:", "")}/:_authToken`]: "of-the-run",
        };
        const publish = (text: string) => {
            write("package/package.json", JSON.stringify({ name: "pulumi-videograph", version: "1.2.3", text }));
            mkdirSync(join(folder, "packages"), { recursive: true });
            execFileSync("tar", ["-czf", "packages/one.tgz", "package"], { cwd: folder });
            return run("publish", variables);
        };
        let published: Answer = [404];
        answers = {
            "GET /pulumi-videograph": () => published,
            "PUT /pulumi-videograph": (body) => {
                published = [200, String(body)];
                return [201, {}];
            },
        };
        await publish("one");
        const first = String(published[1]);
        const { "dist-tags": tags, _attachments: files } = JSON.parse(first);
        assert.deepEqual(tags, { "latest-1.2": "1.2.3" });
        const tarball = readFileSync(join(folder, "packages", "one.tgz"), "base64");
        assert.equal(files["pulumi-videograph-1.2.3.tgz"].data, tarball);
        assert.match(await run("publish", variables), /pulumi-videograph@1\.2\.3 is published already/);
        await assert.rejects(publish("another"), /published already with other contents/);
        assert.equal(published[1], first);
    });

    it("for Go: a tag whose commit holds the module where its path says, never moved", async () => {
        const remote = join(folder, "github", "someone", "pulumi-videograph.git");
        const git = (...args: string[]) => execFileSync("git", args, { cwd: remote, encoding: "utf8" }).trim();
        mkdirSync(remote, { recursive: true });
        git("init", "--quiet", "--bare");
        write("sdk/go.mod", "module github.com/someone/pulumi-videograph/sdk/go\n");
        const push = () => {
            rmSync(join(folder, "module"), { recursive: true, force: true });
            return run("publish-go", { GITHUB_SERVER_URL: `file://${join(folder, "github")}`, GH_TOKEN: "of-the-run" });
        };
        await push();
        const first = git("for-each-ref");
        assert.match(first, /^\w+ commit\trefs\/tags\/sdk\/go\/v1\.2\.3$/);
        assert.equal(git("ls-tree", "-r", "--name-only", "sdk/go/v1.2.3"), "sdk/go/go.mod");
        assert.match(await push(), /is pushed already/);
        write("sdk/go.mod", "module another\n");
        await assert.rejects(push(), /pushed already with other contents/);
        assert.equal(git("for-each-ref"), first);
    });

    it("NuGet: for a key that the run's identity is exchanged for", async () => {
        write("sdk/packages/Community.Pulumi.Videograph.1.2.3.nupkg", "the package");
        answers = {
            "GET /identity": [200, { value: "signed-identity" }],
            "POST /api/v2/token": [200, { apiKey: "short-lived" }],
            "PUT /api/v2/package": [202],
        };
        const push = () =>
            run("publish-nuget", {
                ...{ NUGET: url, NUGET_USER: "someone", ACTIONS_ID_TOKEN_REQUEST_URL: `${url}/identity?version=2` },
                ACTIONS_ID_TOKEN_REQUEST_TOKEN: "of-the-run",
            });
        const output = await push();
        const [identity, key, upload] = received;
        assert.equal(identity?.headers.authorization, "Bearer of-the-run");
        assert.equal(key?.headers.authorization, "Bearer signed-identity");
        assert.equal(upload?.headers["x-nuget-apikey"], "short-lived");
        assert.match(String(upload?.body), /filename="Community[\s\S]+the package/);
        // Once each, and only as the mask that the runner hides them by.
        for (const secret of ["signed-identity", "short-lived"])
            assert.deepEqual(output.match(new RegExp(`.*${secret}.*`, "g")), [`::add-mask::${secret}`]);
        answers["PUT /api/v2/package"] = [409];
        assert.match(await push(), /is published already/);
        answers["PUT /api/v2/package"] = [403, "The key is of another package"];
        await assert.rejects(push(), /HTTP 403[\s\S]*of another package/);
    });

    it("Maven Central: with a signature of every file, unless the version is out", async () => {
        const artifact = "io/github/someone/pulumi-videograph/1.2.3/pulumi-videograph-1.2.3";
        for (const ending of [".pom", ".jar", ".jar.md5"]) write(`sdk/bundle/${artifact}${ending}`, ending);
        const env = { PATH: process.env.PATH, HOME: folder };
        const passphrase = ["--pinentry-mode", "loopback", "--passphrase", "pass phrase"];
        const gpg = (...args: string[]) =>
            execFileSync("gpg", ["--batch", "--quiet", ...passphrase, ...args], {
                env,
                encoding: "utf8",
                stdio: "pipe",
            });
        try {
            gpg("--quick-generate-key", "releases@example.com", "ed25519", "sign");
            const variables = {
                ...{ CENTRAL: url, RELEASED: `${url}/maven2`, PASSPHRASE: "pass phrase" },
                ...{ CENTRAL_USERNAME: "token-name", CENTRAL_PASSWORD: "token-password" },
                SIGNING_KEY: gpg("--armor", "--export-secret-keys"),
            };
            answers = { "POST /api/v1/publisher/upload": [201, "deployment-id"] };
            const output = await run("publish-java", variables);
            for (const secret of ["pass phrase", "token-password"]) assert.ok(!output.includes(secret));
            const { body = Buffer.alloc(0), headers } = received.at(-1) ?? {};
            assert.equal(headers?.authorization, `Bearer ${btoa("token-name:token-password")}`);
            const start = body.indexOf("\r\n\r\n") + 4;
            writeFileSync(join(folder, "received.tar.gz"), body.subarray(start, body.lastIndexOf("\r\n--")));
            execFileSync("tar", ["-xzf", "received.tar.gz"], { cwd: folder });
            const file = join(folder, artifact);
            // Throws where the signature is not the file's.
            for (const ending of [".pom", ".jar"]) gpg("--verify", `${file}${ending}.asc`, `${file}${ending}`);
            assert.ok(existsSync(`${file}.jar.md5`) && !existsSync(`${file}.jar.md5.asc`));
            answers = { [`GET /maven2/${artifact}.pom`]: [200] };
            assert.match(await run("publish-java", variables), /is published already/);
        } finally {
            execFileSync("gpgconf", ["--kill", "gpg-agent"], { env });
        }
    });
});
