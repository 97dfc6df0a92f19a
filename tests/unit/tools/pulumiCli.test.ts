/** Finding the Pulumi CLI: what counts as one, and that two processes do not get it at once. */
import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { kept } from "../../../tools/pulumiCli/cache.ts";
import { isolatedEnvironment } from "../../../tools/pulumiCli/environment.ts";
import { cliOnPath } from "../../../tools/pulumiCli/index.ts";

let folder: string;

/** A folder of its own for each test of a suite. */
function useFolder(): void {
    beforeEach(async () => {
        folder = await mkdtemp(join(tmpdir(), "videograph-tools-"));
    });
    afterEach(() => rm(folder, { recursive: true, force: true }));
}

async function program(path: string, script: string): Promise<void> {
    await mkdir(join(folder, path, ".."), { recursive: true });
    await writeFile(join(folder, path), `#!/bin/sh\n${script}\n`);
    await chmod(join(folder, path), 0o755);
}

describe("The Pulumi CLI on the PATH", () => {
    useFolder();
    const look = () => cliOnPath({ PATH: [join(folder, "first"), join(folder, "second")].join(":") });

    it("is the first one, with its version", async () => {
        await program("first/pulumi", "echo v3.261.0");
        await program("first/pulumi-language-nodejs", "");
        await program("second/pulumi", "echo v3.262.0");
        assert.deepEqual(await look(), { folder: join(folder, "first"), version: "3.261.0" });
    });

    it("may be a link to where its language host is", async () => {
        await program("installed/pulumi", "echo v3.261.0");
        await program("installed/pulumi-language-nodejs", "");
        await mkdir(join(folder, "second"));
        await symlink(join(folder, "installed", "pulumi"), join(folder, "second", "pulumi"));
        assert.deepEqual(await look(), { folder: join(folder, "second"), version: "3.261.0" });
    });

    it("may be a pre-release of a new enough one, but nothing older", async () => {
        await program("first/pulumi-language-nodejs", "");
        for (const version of ["3.259.0", "3.270.0-alpha.1790", "4.0.0"]) {
            await program("first/pulumi", `echo v${version}`);
            assert.deepEqual(await look(), { folder: join(folder, "first"), version });
        }
        for (const version of ["3.99.9", "no version"]) {
            await program("first/pulumi", `echo ${version}`);
            assert.match(String(await look()), /too old/);
        }
    });

    it("does not do without a Node language host, nor when it does not run, nor when there is none", async () => {
        assert.match(String(await look()), /no pulumi on the PATH/);
        await program("first/pulumi", "exit 3");
        assert.match(String(await look()), /no pulumi-language-nodejs/);
        await program("second/pulumi-language-nodejs", "");
        assert.match(String(await look()), /does not run/);
    });
});

describe("What is kept in the cache folder", () => {
    useFolder();
    const caches = process.env.XDG_CACHE_HOME;
    beforeEach(() => {
        process.env.XDG_CACHE_HOME = folder;
    });
    afterEach(() => {
        if (caches === undefined) delete process.env.XDG_CACHE_HOME;
        else process.env.XDG_CACHE_HOME = caches;
    });

    it("is made by one of two that want it, and not there until it is complete", async () => {
        let made = 0;
        const make = async (path: string) => {
            made += 1;
            await writeFile(join(path, "file"), "");
        };
        await assert.rejects(
            kept("thing", () => Promise.reject(new Error("no luck"))),
            /no luck/,
        );
        const [first, second] = await Promise.all([kept("thing", make), kept("thing", make)]);
        assert.equal(first, second);
        assert.equal(made, 1);
        assert.deepEqual(await readdir(first), ["file"]);
        assert.deepEqual(await readdir(join(first, "..")), [basename(first)]);
    });
});

describe("The environment of a CLI of our own", () => {
    it("has nothing of the user's Pulumi, and one PATH, however the system spells it, which finds our CLI and Node first", () => {
        const env = isolatedEnvironment(
            { folder: "/cli", version: "3.259.0" },
            { backend: "/state", home: "/home", passphrase: "p" },
            {
                ...{ Path: "/usr/bin", LANG: "C", PULUMI_ACCESS_TOKEN: "x", VIDEOGRAPH_SECRET_KEY: "y" },
                ...{ CI: "true", CI_JOB_TIMEOUT: "60", GITHUB_ACTIONS: "true" },
            },
        );
        assert.equal(env.PULUMI_BACKEND_URL, "file:///state");
        assert.equal(env.LANG, "C");
        assert.equal(env.PULUMI_ACCESS_TOKEN, undefined);
        assert.equal(env.VIDEOGRAPH_SECRET_KEY, undefined);
        // A run in a CI system differs from one at a desk: `doctor` warns there.
        for (const name of ["CI", "CI_JOB_TIMEOUT", "GITHUB_ACTIONS"]) assert.equal(env[name], undefined);
        assert.equal(env.Path, undefined);
        assert.match(env.PATH ?? "", /^\/cli:.*\/node_modules\/\.bin:\/usr\/bin$/);
    });
});
