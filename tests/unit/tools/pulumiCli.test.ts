/** What tools keep in the cache folder, and what their runs of the CLI see of the environment. */
import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { kept } from "../../../tools/pulumiCli/cache.ts";
import { isolatedEnvironment } from "../../../tools/pulumiCli/environment.ts";

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
