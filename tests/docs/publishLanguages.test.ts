/**
 * The release's own scripts for the SDKs in other languages, taken from the workflow: Go's tag against a repository on this machine,
 * NuGet's and Maven Central's uploads against a server on loopback.
 */
import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { parse } from "yaml";
import { findProgram } from "../../tools/pulumiCli/inspect.ts";
import { renamed } from "../../tools/release/places.ts";
import { repository } from "./markdown.ts";

interface Received {
    readonly request: string;
    readonly headers: NodeJS.Dict<string | string[]>;
    readonly body: Buffer;
}

/** A server that keeps what it receives and answers as told. */
class Registry {
    readonly received: Received[] = [];
    /** Status and body by "METHOD /path"; anything else is a 404. */
    readonly answers = new Map<string, { status: number; body?: string }>();
    #server: Server | undefined;

    async start(): Promise<string> {
        this.#server = createServer(async (request, response) => {
            const chunks: Buffer[] = [];
            for await (const chunk of request) chunks.push(chunk as Buffer);
            const line = `${request.method} ${request.url}`;
            this.received.push({ request: line, headers: request.headers, body: Buffer.concat(chunks) });
            const { status, body = "" } = this.answers.get(line.replace(/\?.*$/, "")) ?? { status: 404 };
            response.writeHead(status).end(body);
        });
        this.#server.listen(0, "127.0.0.1");
        await once(this.#server, "listening");
        return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    }

    stop(): void {
        this.#server?.close();
        this.#server?.closeAllConnections();
    }
}

const { jobs } = parse(readFileSync(join(repository, ".github", "workflows", "release.yml"), "utf8")) as {
    jobs: Record<string, { steps: { run?: string }[] }>;
};

describe("Publishing the SDKs of other languages", function () {
    this.timeout(120_000);
    let folder: string;
    let registry: Registry;
    let url: string;

    beforeEach(async () => {
        folder = mkdtempSync(join(tmpdir(), "videograph-publish-"));
        registry = new Registry();
        url = await registry.start();
    });
    afterEach(() => {
        registry.stop();
        rmSync(folder, { recursive: true, force: true });
    });

    function needs(test: Mocha.Context, ...tools: string[]): void {
        const missing = tools.find(
            (tool) => findProgram(tool, (process.env.PATH ?? "").split(delimiter)) === undefined,
        );
        if (missing === undefined) return;
        console.warn(`      Left out: there is no ${missing} on the PATH`);
        test.skip();
    }

    /** Runs the script of a job as the runner does. */
    function publish(job: string, variables: Record<string, string>): Promise<{ code: number; output: string }> {
        const script = jobs[job]?.steps.map(({ run }) => run).find((run) => run !== undefined) ?? assert.fail(job);
        const env = { PATH: process.env.PATH ?? "", HOME: folder, GITHUB_REF_NAME: "v1.2.3", ...variables };
        const args = ["--noprofile", "--norc", "-eo", "pipefail", "-c", script];
        return new Promise((resolve) => {
            execFile("bash", args, { cwd: folder, env }, (error, stdout, stderr) => {
                resolve({ code: Number(error?.code ?? 0), output: `${stdout}${stderr}` });
            });
        });
    }

    function write(path: string, text: string): void {
        mkdirSync(join(folder, path, ".."), { recursive: true });
        writeFileSync(join(folder, path), text);
    }

    describe("Go", () => {
        const tag = "sdk/go/v1.2.3";
        const remote = () => join(folder, "github", "someone", "pulumi-videograph.git");
        const git = (...args: string[]) => execFileSync("git", args, { cwd: remote(), encoding: "utf8" }).trim();
        const push = () => {
            rmSync(join(folder, "module"), { recursive: true, force: true });
            return publish("publish-go", {
                GITHUB_SERVER_URL: `file://${join(folder, "github")}`,
                GITHUB_REPOSITORY: "someone/pulumi-videograph",
                GH_TOKEN: "of-the-run",
            });
        };

        beforeEach(function () {
            needs(this, "git", "base64");
            mkdirSync(remote(), { recursive: true });
            execFileSync("git", ["init", "--quiet", "--bare", remote()]);
            write("sdk/go.mod", "module github.com/someone/pulumi-videograph/sdk/go\n");
            write("sdk/videograph/content.go", "package videograph\n");
        });

        it("is a tag whose commit holds the module where its path says, and no branch", async () => {
            const { code, output } = await push();
            assert.equal(code, 0, output);
            assert.doesNotMatch(output, /of-the-run/);
            assert.equal(git("for-each-ref", "--format=%(refname)"), `refs/tags/${tag}`);
            assert.deepEqual(git("ls-tree", "-r", "--name-only", tag).split("\n"), [
                "sdk/go/go.mod",
                "sdk/go/videograph/content.go",
            ]);
        });

        it("is left as it is in a second run, and refused with other contents", async () => {
            await push();
            const first = git("rev-parse", tag);
            const again = await push();
            assert.equal(again.code, 0, again.output);
            assert.match(again.output, /is pushed already/);
            write("sdk/videograph/content.go", "package videograph // another one\n");
            const { code, output } = await push();
            assert.equal(code, 1, output);
            assert.match(output, /pushed already with other contents/);
            assert.equal(git("rev-parse", tag), first);
        });
    });

    describe("NuGet", () => {
        const push = () =>
            publish("publish-nuget", {
                NUGET: url,
                NUGET_USER: "someone",
                ACTIONS_ID_TOKEN_REQUEST_URL: `${url}/identity?version=2`,
                ACTIONS_ID_TOKEN_REQUEST_TOKEN: "of-the-run",
            });

        beforeEach(function () {
            needs(this, "bash", "curl", "jq");
            write("sdk/packages/Community.Pulumi.Videograph.1.2.3.nupkg", "the package");
            registry.answers.set("GET /identity", { status: 200, body: '{"value":"signed-identity"}' });
            registry.answers.set("POST /api/v2/token", { status: 200, body: '{"apiKey":"short-lived"}' });
            registry.answers.set("PUT /api/v2/package", { status: 202 });
        });

        it("gets the package for a key that the run's identity is exchanged for", async () => {
            const { code, output } = await push();
            assert.equal(code, 0, output);
            assert.match(output, /Community\.Pulumi\.Videograph\.1\.2\.3\.nupkg is published/);
            const [identity, key, upload] = registry.received;
            assert.equal(identity?.request, "GET /identity?version=2&audience=https://www.nuget.org");
            assert.equal(identity?.headers.authorization, "Bearer of-the-run");
            assert.equal(key?.headers.authorization, "Bearer signed-identity");
            assert.deepEqual(JSON.parse(String(key?.body)), { username: "someone", tokenType: "ApiKey" });
            assert.equal(upload?.headers["x-nuget-apikey"], "short-lived");
            assert.match(String(upload?.body), /filename="Community[\s\S]+the package/);
            // Once each, and only as the mask that the runner hides them by.
            for (const secret of ["signed-identity", "short-lived"]) {
                assert.deepEqual(output.match(new RegExp(`.*${secret}.*`, "g")), [`::add-mask::${secret}`]);
            }
        });

        it("may have it already, and a refusal fails the run", async () => {
            registry.answers.set("PUT /api/v2/package", { status: 409 });
            const again = await push();
            assert.equal(again.code, 0, again.output);
            assert.match(again.output, /is published already/);
            registry.answers.set("PUT /api/v2/package", { status: 403, body: "The key is of another package" });
            const refused = await push();
            assert.equal(refused.code, 1);
            assert.match(refused.output, /HTTP 403[\s\S]*of another package/);
            registry.answers.set("POST /api/v2/token", { status: 401, body: "no such policy" });
            const unknown = await push();
            assert.notEqual(unknown.code, 0);
            assert.match(unknown.output, /no such policy|401/);
        });
    });

    describe("Maven Central", () => {
        const artifact = "io/github/someone/pulumi-videograph/1.2.3/pulumi-videograph-1.2.3";
        let variables: Record<string, string>;

        beforeEach(function () {
            needs(this, "bash", "curl", "gpg", "tar", "base64");
            for (const ending of [".pom", ".jar", "-sources.jar", "-javadoc.jar"]) {
                write(`sdk/bundle/${artifact}${ending}`, `contents of ${ending}`);
                for (const sum of ["md5", "sha1"]) write(`sdk/bundle/${artifact}${ending}.${sum}`, sum);
            }
            const keys = { cwd: folder, env: { PATH: process.env.PATH, HOME: join(folder, "signer") } };
            mkdirSync(join(folder, "signer"), { mode: 0o700 });
            const gpg = (...args: string[]) =>
                execFileSync("gpg", ["--batch", "--quiet", "--pinentry-mode", "loopback", ...args], {
                    ...keys,
                    encoding: "utf8",
                    stdio: ["ignore", "pipe", "ignore"],
                });
            gpg(
                "--passphrase",
                "pass phrase",
                "--quick-generate-key",
                "Releases <releases@example.com>",
                "ed25519",
                "sign",
            );
            variables = {
                CENTRAL: url,
                RELEASED: `${url}/maven2`,
                CENTRAL_USERNAME: "token-name",
                CENTRAL_PASSWORD: "token-password",
                SIGNING_KEY: gpg("--passphrase", "pass phrase", "--armor", "--export-secret-keys"),
                PASSPHRASE: "pass phrase",
            };
            registry.answers.set("POST /api/v1/publisher/upload", { status: 201, body: "deployment-id" });
        });
        afterEach(() => {
            // The agents that gpg has started end with their folders.
            for (const home of [folder, join(folder, "signer")]) {
                if (!existsSync(join(home, ".gnupg"))) continue;
                execFileSync("gpgconf", ["--kill", "gpg-agent"], { env: { PATH: process.env.PATH, HOME: home } });
            }
        });

        it("gets the repository with a signature of every file, checked with the public key", async () => {
            const { code, output } = await publish("publish-java", variables);
            assert.equal(code, 0, output);
            const upload = registry.received.at(-1);
            assert.match(
                upload?.request ?? "",
                /^POST \/api\/v1\/publisher\/upload\?name=\S+&publishingType=AUTOMATIC$/,
            );
            const token = Buffer.from("token-name:token-password").toString("base64");
            assert.equal(upload?.headers.authorization, `Bearer ${token}`);
            const body = upload?.body ?? Buffer.alloc(0);
            const start = body.indexOf("\r\n\r\n") + 4;
            writeFileSync(join(folder, "received.tar.gz"), body.subarray(start, body.lastIndexOf("\r\n--")));
            mkdirSync(join(folder, "received"));
            execFileSync("tar", ["-xzf", "../received.tar.gz"], { cwd: join(folder, "received") });
            for (const ending of [".pom", ".jar", "-sources.jar", "-javadoc.jar"]) {
                const file = join(folder, "received", `${artifact}${ending}`);
                assert.ok(existsSync(`${file}.md5`) && existsSync(`${file}.sha1`), ending);
                // Throws where the signature is not the file's.
                execFileSync("gpg", ["--batch", "--quiet", "--verify", `${file}.asc`, file], {
                    env: { PATH: process.env.PATH, HOME: join(folder, "signer") },
                    stdio: "ignore",
                });
            }
            assert.ok(!existsSync(join(folder, "received", `${artifact}.pom.md5.asc`)));
            for (const secret of ["pass phrase", "token-password"]) assert.ok(!output.includes(secret));
        });

        it("is left alone where the version is out, and a refusal fails the run", async () => {
            registry.answers.set(`GET /maven2/${artifact}.pom`, { status: 200 });
            const again = await publish("publish-java", variables);
            assert.equal(again.code, 0, again.output);
            assert.match(again.output, /is published already/);
            assert.equal(registry.received.length, 1);
            registry.answers.clear();
            registry.answers.set("POST /api/v1/publisher/upload", { status: 401, body: "no such token" });
            const refused = await publish("publish-java", variables);
            assert.notEqual(refused.code, 0);
            assert.match(refused.output, /no such token/);
        });
    });
});

describe("The Maven project of the Java SDK", function () {
    this.timeout(300_000);
    it("builds what Maven Central asks for: classes, sources, documentation, and the project itself", function () {
        const folders = (process.env.PATH ?? "").split(delimiter);
        for (const tool of ["java", "mvn"]) {
            if (findProgram(tool, folders) !== undefined) continue;
            console.warn(`      Left out: there is no ${tool} on the PATH`);
            this.skip();
        }
        const folder = mkdtempSync(join(tmpdir(), "videograph-maven-"));
        try {
            const sources = join(folder, "src", "main", "java", "community", "pulumi", "videograph");
            mkdirSync(sources, { recursive: true });
            const project = readFileSync(join(repository, "tools", "release", "pom.xml"), "utf8");
            const identity = { version: "1.2.3", home: "Someone/pulumi-videograph" };
            writeFileSync(join(folder, "pom.xml"), renamed(project, identity));
            // With what generated classes use: the SDK, and annotations of the two other dependencies.
            writeFileSync(
                join(sources, "Content.java"),
                `package community.pulumi.videograph;
import com.google.gson.JsonElement;
import com.pulumi.core.annotations.ResourceType;
import com.pulumi.resources.CustomResource;
import com.pulumi.resources.CustomResourceOptions;
import com.pulumi.resources.ResourceArgs;
import javax.annotation.Nullable;
/** A content: a < b & c, as Markdown has it. */
@ResourceType(type = "videograph:index:Content")
public class Content extends CustomResource {
    private JsonElement element;
    public Content(String name, @Nullable CustomResourceOptions options) {
        super("videograph:index:Content", name, ResourceArgs.Empty, options);
    }
}
`,
            );
            // Its run is over before code would pay that is optimized.
            const env = { ...process.env, MAVEN_OPTS: "-XX:TieredStopAtLevel=1" };
            const deployed = (name: string) => {
                const bundle = `bundle::file:${join(folder, name)}`;
                const args = ["--batch-mode", "--quiet", "clean", "deploy", `-DaltDeploymentRepository=${bundle}`];
                execFileSync("mvn", args, { cwd: folder, env, stdio: "pipe" });
                return join(folder, name, "io/github/someone/pulumi-videograph/1.2.3/pulumi-videograph-1.2.3");
            };
            const [artifact, again] = [deployed("bundle"), deployed("second")];
            for (const ending of [".pom", ".jar", "-sources.jar", "-javadoc.jar"]) {
                for (const sum of ["", ".md5", ".sha1"])
                    assert.ok(existsSync(`${artifact}${ending}${sum}`), ending + sum);
                const [first, second] = [artifact, again].map((file) => readFileSync(`${file}${ending}`));
                assert.ok(first?.equals(second ?? Buffer.alloc(0)), `${ending}: another build has other bytes`);
            }
        } finally {
            rmSync(folder, { recursive: true, force: true });
        }
    });
});
