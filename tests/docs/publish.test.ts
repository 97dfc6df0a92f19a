/** The release's own script, taken from the workflow and run against a package registry on this machine: a half-done release is completed. */
import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { parse } from "yaml";
import { findProgram } from "../../tools/pulumiCli/inspect.ts";
import { repository } from "./markdown.ts";

interface Manifest {
    name: string;
    versions: Record<string, { dist: { integrity: string } }>;
    "dist-tags": Record<string, string>;
}

/** As much of a registry as npm needs to publish and to look up a version. */
class Registry {
    readonly packages = new Map<string, Manifest>();
    /** The name of a package whose publication fails. */
    broken: string | undefined;
    #server: Server | undefined;

    async start(): Promise<number> {
        this.#server = createServer(async (request, response) => {
            const name = decodeURIComponent((request.url ?? "").slice(1).split("?")[0] ?? "");
            const { status, body } = await this.#answer(request, name);
            response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
        });
        this.#server.listen(0, "127.0.0.1");
        await once(this.#server, "listening");
        return (this.#server.address() as AddressInfo).port;
    }

    async #answer(request: IncomingMessage, name: string): Promise<{ status: number; body: object }> {
        const known = this.packages.get(name);
        if (request.method === "GET") return known ? { status: 200, body: known } : { status: 404, body: {} };
        let text = "";
        for await (const chunk of request.setEncoding("utf8")) text += chunk;
        if (name === this.broken) return { status: 400, body: { error: "out of order" } };
        const sent = JSON.parse(text) as Manifest;
        this.packages.set(name, {
            name,
            versions: { ...known?.versions, ...sent.versions },
            "dist-tags": { ...known?.["dist-tags"], ...sent["dist-tags"] },
        });
        return { status: 201, body: { ok: true } };
    }

    stop(): void {
        this.#server?.close();
        this.#server?.closeAllConnections();
    }
}

describe("Publishing", function () {
    this.timeout(180_000);
    const { jobs } = parse(readFileSync(join(repository, ".github", "workflows", "release.yml"), "utf8")) as {
        jobs: { publish: { steps: { run?: string }[] } };
    };
    const script = jobs.publish.steps.map(({ run }) => run).find((run) => run?.includes("npm publish")) ?? "";
    let registry: Registry;
    let folder: string;
    let env: Record<string, string>;

    before("the tools of a runner", function () {
        for (const tool of ["bash", "jq", "openssl", "tar"]) {
            if (findProgram(tool, (process.env.PATH ?? "").split(delimiter)) !== undefined) continue;
            assert.ok(!process.env.CI, `There is no ${tool}`);
            this.skip();
        }
    });
    beforeEach(async () => {
        registry = new Registry();
        folder = mkdtempSync(join(tmpdir(), "videograph-publish-"));
        const port = await registry.start();
        writeFileSync(join(folder, ".npmrc"), `//127.0.0.1:${port}/:_authToken=of-the-test\n`);
        env = {
            PATH: process.env.PATH ?? "",
            HOME: folder,
            npm_config_registry: `http://127.0.0.1:${port}/`,
            npm_config_cache: join(folder, "cache"),
            npm_config_fetch_retries: "0",
        };
        for (const name of ["one", "two"]) pack(name, "1.0.0");
    });
    afterEach(() => {
        registry.stop();
        rmSync(folder, { recursive: true, force: true });
    });

    function pack(name: string, version: string, text = "first"): void {
        const source = join(folder, name);
        mkdirSync(source, { recursive: true });
        mkdirSync(join(folder, "packages"), { recursive: true });
        writeFileSync(join(source, "package.json"), JSON.stringify({ name, version, description: text }));
        execFileSync("npm", ["pack", "--pack-destination", join(folder, "packages")], {
            cwd: source,
            env,
            stdio: "ignore",
        });
    }

    function publish(distTag = "latest"): Promise<{ code: number; output: string }> {
        // As the runner starts scripts.
        const args = ["--noprofile", "--norc", "-eo", "pipefail", "-c", script];
        return new Promise((resolve) => {
            execFile(
                "bash",
                args,
                { cwd: folder, env: { ...env, DIST_TAG: distTag, PROVENANCE: "false" } },
                (error, stdout, stderr) => {
                    resolve({ code: Number(error?.code ?? 0), output: `${stdout}${stderr}` });
                },
            );
        });
    }

    const integrity = (file: string) => {
        const digest = createHash("sha512").update(readFileSync(join(folder, "packages", file)));
        return `sha512-${digest.digest("base64")}`;
    };

    it("publishes each tarball as it is, under the release's own tag", async () => {
        const { code, output } = await publish("beta");
        assert.equal(code, 0, output);
        for (const name of ["one", "two"]) {
            const published = registry.packages.get(name);
            assert.deepEqual(published?.["dist-tags"], { beta: "1.0.0" });
            assert.equal(published?.versions["1.0.0"]?.dist.integrity, integrity(`${name}-1.0.0.tgz`));
        }
    });

    it("goes on where an earlier run has stopped", async () => {
        registry.broken = "two";
        assert.notEqual((await publish()).code, 0);
        assert.deepEqual([...registry.packages.keys()], ["one"]);
        registry.broken = undefined;
        const second = await publish();
        assert.equal(second.code, 0, second.output);
        assert.match(second.output, /one@1\.0\.0 is published already/);
        assert.deepEqual([...registry.packages.keys()].sort(), ["one", "two"]);
        assert.equal((await publish()).code, 0);
    });

    it("refuses other contents under a version that is out, and publishes nothing after it", async () => {
        await publish();
        pack("one", "1.0.0", "second");
        rmSync(join(folder, "packages", "two-1.0.0.tgz"));
        pack("two", "1.1.0");
        const { code, output } = await publish();
        assert.equal(code, 1);
        assert.match(output, /one@1\.0\.0 is published already with other contents/);
        assert.deepEqual(Object.keys(registry.packages.get("two")?.versions ?? {}), ["1.0.0"]);
    });
});
