/** Finding the Pulumi CLI: what counts as one, and that two processes do not get it at once. */
import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isolatedEnvironment } from "../../../tools/pulumiCli/environment.ts";
import { cliOnPath } from "../../../tools/pulumiCli/inspect.ts";
import { withLock } from "../../../tools/pulumiCli/lock.ts";
import { compareVersions } from "../../../tools/pulumiCli/pin.ts";

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

describe("Versions of the Pulumi CLI", () => {
    for (const [a, b, sign] of [
        ["3.259.0", "3.259.0", 0],
        ["v3.260.0", "3.259.0", 1],
        ["3.99.9", "3.259.0", -1],
        ["4.0.0", "3.259.0", 1],
        ["3.270.0-alpha.1790", "3.259.0", 1],
        ["no version", "3.259.0", -1],
    ] as const) {
        it(`${a} is ${["older than", "as new as", "newer than"][sign + 1]} ${b}`, () => {
            assert.equal(Math.sign(compareVersions(a, b)), sign);
        });
    }
});

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

    it("does not do without a Node language host, nor when it does not run, nor when there is none", async () => {
        assert.match(String(await look()), /no pulumi on the PATH/);
        await program("first/pulumi", "exit 3");
        assert.match(String(await look()), /no pulumi-language-nodejs/);
        await program("second/pulumi-language-nodejs", "");
        assert.match(String(await look()), /does not run/);
    });
});

describe("The lock around getting the CLI", () => {
    useFolder();
    it("lets one work at a time, and is gone afterwards", async () => {
        let working = 0;
        const most: number[] = [];
        const work = async () => {
            working += 1;
            most.push(working);
            await new Promise((resolve) => setImmediate(resolve));
            working -= 1;
        };
        const lock = join(folder, "lock");
        await Promise.all([withLock(lock, work), withLock(lock, work)]);
        assert.deepEqual(most, [1, 1]);
        assert.deepEqual(await readdir(folder), []);
    });

    it("is freed by work that fails", async () => {
        const lock = join(folder, "lock");
        await assert.rejects(
            withLock(lock, () => Promise.reject(new Error("no luck"))),
            /no luck/,
        );
        assert.deepEqual(await readdir(folder), []);
    });

    it("of a process that is gone is taken over", async () => {
        const lock = join(folder, "lock");
        // Above what any system gives to a process.
        await writeFile(lock, "2147483646");
        assert.equal(await withLock(lock, async () => "done"), "done");
    });
});

describe("The environment of a CLI of our own", () => {
    it("has nothing of the user's Pulumi, and finds our CLI and Node first", () => {
        const env = isolatedEnvironment(
            { folder: "/cli", version: "3.259.0" },
            { backend: "/state", home: "/home", passphrase: "p" },
            {
                ...{ PATH: "/usr/bin", LANG: "C", PULUMI_ACCESS_TOKEN: "x", VIDEOGRAPH_SECRET_KEY: "y" },
                ...{ CI: "true", CI_JOB_TIMEOUT: "60", GITHUB_ACTIONS: "true" },
            },
        );
        assert.equal(env.PULUMI_BACKEND_URL, "file:///state");
        assert.equal(env.LANG, "C");
        assert.equal(env.PULUMI_ACCESS_TOKEN, undefined);
        assert.equal(env.VIDEOGRAPH_SECRET_KEY, undefined);
        // A run in a CI system differs from one at a desk: `doctor` warns there.
        for (const name of ["CI", "CI_JOB_TIMEOUT", "GITHUB_ACTIONS"]) assert.equal(env[name], undefined);
        assert.match(env.PATH ?? "", /^\/cli:.*\/node_modules\/\.bin:\/usr\/bin$/);
    });

    it("has one PATH, however the system spells it", () => {
        const env = isolatedEnvironment(
            { folder: "/cli", version: "3.259.0" },
            { backend: "/state", home: "/home", passphrase: "p" },
            { Path: "/windows" },
        );
        assert.deepEqual(
            Object.keys(env).filter((name) => /^path$/i.test(name)),
            ["PATH"],
        );
        assert.match(env.PATH ?? "", /\/windows$/);
    });
});
