/**
 * The release's own scripts, taken from the workflow: what is public is never replaced, and no secret is printed. Against servers and a
 * repository on this machine. `npm run release:rehearse` plays the whole workflow, npm and PyPI included, twice.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findProgram } from "../../tools/pulumiCli/index.ts";
import { GitHub } from "../../tools/release/rehearsal/github.ts";
import { bash, readWorkflow } from "../../tools/release/rehearsal/workflow.ts";
import { repository } from "./markdown.ts";

const { jobs } = readWorkflow(join(repository, ".github", "workflows", "release.yml"));

describe("Publishing", function () {
    this.timeout(60_000);
    let folder: string;
    beforeEach(function () {
        const missing = ["bash", "curl", "jq", "git", "gpg", "tar"].find((tool) => findProgram(tool) === undefined);
        if (missing !== undefined) {
            assert.ok(!process.env.CI, `There is no ${missing}`);
            this.skip();
        }
        folder = mkdtempSync(join(tmpdir(), "videograph-publish-"));
    });
    afterEach(() => {
        if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    });

    function write(path: string, text: string): void {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
    }

    /** Runs the script of a job as the runner does. */
    function run(job: string, variables: Record<string, string>): Promise<string> {
        const script = jobs[job]?.steps?.map((step) => step.run).find((text) => text !== undefined) ?? assert.fail(job);
        const env = { PATH: process.env.PATH ?? "", HOME: folder, GITHUB_REF_NAME: "v1.2.3" };
        return bash(script, folder, { ...env, GITHUB_REPOSITORY: "someone/pulumi-videograph", ...variables });
    }

    it("on GitHub: public with all files and notes; a second run changes nothing; other contents are refused", async () => {
        const github = new GitHub();
        await github.start();
        try {
            write("notes.md", 'Films & "quotes"\n');
            write("release/plugin.tar.gz", "the plugin");
            write("release/SHA256SUMS", "digests");
            const more = { GITHUB_API_URL: github.url, GH_TOKEN: "of-the-run", PRERELEASE: "false", LATEST: "true" };
            await run("github-release", more);
            assert.match(await run("github-release", more), /plugin\.tar\.gz is attached already/);
            write("release/plugin.tar.gz", "another plugin");
            await assert.rejects(run("github-release", more), /is not what the public release v1\.2\.3 has/);
            const [release, ...others] = github.releases;
            assert.deepEqual([others, release?.draft, release?.body], [[], false, 'Films & "quotes"\n']);
            const contents = release?.assets.map(({ name, content }) => `${name}: ${content}`);
            assert.deepEqual(contents?.sort(), ["SHA256SUMS: digests", "plugin.tar.gz: the plugin"]);
        } finally {
            github.stop();
        }
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

    describe("to a server", () => {
        let server: Server;
        let url: string;
        let received: { request: string; headers: IncomingHttpHeaders; body: Buffer }[];
        /** Status and body by "METHOD /path"; anything else is a 404. */
        let answers: Record<string, [status: number, body?: string]>;
        beforeEach(async () => {
            received = [];
            server = createServer(async (request, response) => {
                const chunks: Buffer[] = [];
                for await (const chunk of request) chunks.push(chunk as Buffer);
                const line = `${request.method} ${request.url}`;
                received.push({ request: line, headers: request.headers, body: Buffer.concat(chunks) });
                const [status, body] = answers[line.replace(/\?.*$/, "")] ?? [404];
                response.writeHead(status).end(body);
            }).listen(0, "127.0.0.1");
            await once(server, "listening");
            url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
        });
        afterEach(() => {
            server.close();
            server.closeAllConnections();
        });

        it("NuGet: for a key that the run's identity is exchanged for", async () => {
            write("sdk/packages/Community.Pulumi.Videograph.1.2.3.nupkg", "the package");
            answers = {
                "GET /identity": [200, '{"value":"signed-identity"}'],
                "POST /api/v2/token": [200, '{"apiKey":"short-lived"}'],
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
            const gpg = (...args: string[]) =>
                execFileSync("gpg", ["--batch", "--quiet", "--pinentry-mode", "loopback", ...args], {
                    ...{ cwd: folder, env, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] },
                });
            try {
                gpg("--passphrase", "pass phrase", "--quick-generate-key", "releases@example.com", "ed25519", "sign");
                const variables = {
                    ...{ CENTRAL: url, RELEASED: `${url}/maven2`, PASSPHRASE: "pass phrase" },
                    ...{ CENTRAL_USERNAME: "token-name", CENTRAL_PASSWORD: "token-password" },
                    SIGNING_KEY: gpg("--passphrase", "pass phrase", "--armor", "--export-secret-keys"),
                };
                answers = { "POST /api/v1/publisher/upload": [201, "deployment-id"] };
                const output = await run("publish-java", variables);
                for (const secret of ["pass phrase", "token-password"]) assert.ok(!output.includes(secret));
                const { body = Buffer.alloc(0), headers } = received.at(-1) ?? {};
                const token = Buffer.from("token-name:token-password").toString("base64");
                assert.equal(headers?.authorization, `Bearer ${token}`);
                const start = body.indexOf("\r\n\r\n") + 4;
                writeFileSync(join(folder, "received.tar.gz"), body.subarray(start, body.lastIndexOf("\r\n--")));
                mkdirSync(join(folder, "received"));
                execFileSync("tar", ["-xzf", "../received.tar.gz"], { cwd: join(folder, "received") });
                const file = join(folder, "received", artifact);
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
});
