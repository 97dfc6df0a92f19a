/** What tools keep in the cache folder, and what their runs of the CLI see of the environment. */
import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { oldestVersion, pinnedVersion } from "../../../tools/pulumiCli/build.ts";
import { filledOnce, kept } from "../../../tools/pulumiCli/cache.ts";
import { isolatedEnvironment } from "../../../tools/pulumiCli/environment.ts";
import { ProgressLine } from "../../../tools/pulumiCli/progress.ts";

const repository = join(import.meta.dirname, "..", "..", "..");

describe("What is kept in the cache folder", () => {
    let folder: string;
    const caches = process.env.XDG_CACHE_HOME;
    beforeEach(async () => {
        folder = await mkdtemp(join(tmpdir(), "videograph-tools-"));
        process.env.XDG_CACHE_HOME = folder;
    });
    afterEach(async () => {
        await rm(folder, { recursive: true, force: true });
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

    it("starts again from nothing after a failure, but a CLI goes on where it was ended", async () => {
        const half = (error?: Error) => async (path: string) => {
            await writeFile(join(path, error === undefined ? "second" : "first"), "");
            if (error !== undefined) throw error;
        };
        for (const [make, files] of [
            [(body: (path: string) => Promise<void>) => kept("thing", body), ["second"]],
            [(body: (path: string) => Promise<void>) => filledOnce(join(folder, "cli"), body), ["first", "second"]],
        ] as const) {
            await assert.rejects(make(half(new Error("ended"))), /ended/);
            assert.deepEqual((await readdir(await make(half()))).sort(), files);
        }
    });
});

describe("The Pulumi CLI", () => {
    it("that is the oldest is the same in the modules, in the commands and for users", async () => {
        const read = (path: string) => readFile(join(repository, path), "utf8");
        const { scripts } = JSON.parse(await read("package.json"));
        assert.equal(scripts["test:oldest"], `PULUMI_VERSION=${oldestVersion} npm test`);
        assert.match(await read("cli/src/doctor/versions.ts"), new RegExp(`cli: "${oldestVersion}"`));
        assert.match(await read(".github/workflows/ci.yml"), new RegExp(`cli: ${pinnedVersion}`));
    });

    it("says how far its build is, on one line that is written over", () => {
        const shown = (isTTY: boolean) => {
            let written = "";
            const stream = { isTTY, columns: 20, write: (text: string) => (written += text) };
            const line = new ProgressLine(stream as unknown as NodeJS.WriteStream);
            for (const text of ["one", "a line that is too long for it"]) line.show(text);
            line.end();
            return written;
        };
        assert.equal(shown(true), "\r\u001b[Kone\r\u001b[Ka line that is too \r\u001b[K");
        assert.equal(shown(false), "one\n");
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
