/** `pulumi-videograph doctor`: what is well it calls so, and what is not it names, with what to do next. */
import assert from "node:assert/strict";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { join } from "node:path";
import type { CoreOptions } from "videograph-emulator/core";
import { LifecycleError, messages } from "../../../provider/dist/messages/index.js";
import { World } from "./support.ts";

interface Answer {
    code: number;
    checks: { check: string; status: string; text: string }[];
}

const repository = join(import.meta.dirname, "..", "..", "..");

describe("pulumi-videograph doctor", () => {
    /** A project whose packages are those of this repository. */
    function project(options: CoreOptions = {}): World {
        const world = new World(options);
        world.writeProject();
        mkdirSync(join(world.folder, "node_modules", "@pulumi"), { recursive: true });
        const link = (from: string, name: string) =>
            symlinkSync(join(repository, from), join(world.folder, "node_modules", name));
        link("node_modules/@pulumi/pulumi", "@pulumi/pulumi");
        link("provider", "pulumi-videograph");
        const state = { "stack export": '{"deployment":{}}' };
        Object.assign(world.printed, { version: "v3.259.0\n", "config --json": "{}", ...state });
        return world;
    }

    async function answer(world: World): Promise<Answer> {
        const { code, stdout } = await world.run("doctor", "--json");
        return { code, ...(JSON.parse(stdout) as Omit<Answer, "code">) };
    }
    /** What is not well, as "error Contents". */
    const amiss = ({ checks }: Answer) =>
        checks.filter(({ status }) => status !== "ok").map(({ check, status }) => `${status} ${check}`);
    const text = ({ checks }: Answer, name: string) => checks.find(({ check }) => check === name)?.text ?? "";

    it("says where each setting comes from, and which one overrides another", async () => {
        using world = project();
        const { VIDEOGRAPH_SECRET_KEY: secret } = world.variables;
        const hidden = { value: undefined, secret: true };
        const config = { "videograph:accessTokenId": hidden, "videograph:secretKey": hidden };
        world.printed["config --json"] = JSON.stringify(config);
        world.printed["config get videograph:secretKey"] = `${secret}\n`;
        delete world.variables.VIDEOGRAPH_SECRET_KEY;
        const found = await answer(world);
        assert.deepEqual([found.code, amiss(found)], [0, []]);
        assert.equal(
            text(found, "Credentials"),
            "access token id from VIDEOGRAPH_ACCESS_TOKEN_ID, secret key from videograph:secretKey of the stack",
        );
    });

    it("warns of a proxy between Pulumi's own processes, and of a switched-off safety", async () => {
        using world = project();
        world.variables.https_proxy = "http://user:proxy-secret-6@127.0.0.1:9";
        world.variables.VIDEOGRAPH_TRUST_NOT_FOUND = "true";
        const found = await answer(world);
        assert.deepEqual([found.code, amiss(found)], [0, ["warning Not found", "warning Pulumi's proxy"]]);
        assert.doesNotMatch(JSON.stringify(found), /proxy-secret-6/);
    });

    it("names a CLI and an SDK that are too old", async () => {
        using world = project();
        world.printed.version = "v3.250.0\n";
        for (const [name, version] of Object.entries({ "@pulumi/pulumi": "3.200.0", "pulumi-videograph": "0.0.1" })) {
            mkdirSync(join(world.folder, "program", "node_modules", name), { recursive: true });
            world.write(`program/node_modules/${name}/package.json`, JSON.stringify({ version }));
        }
        world.writeProject("runtime: nodejs\nmain: program/");
        const found = await answer(world);
        const expected = ["warning Pulumi CLI", "error Pulumi SDK", "warning pulumi-videograph"];
        assert.deepEqual([found.code, amiss(found)], [1, expected]);
        assert.match(text(found, "Pulumi CLI"), /3\.250\.0 is older than 3\.259\.0/);
        assert.match(text(found, "Pulumi SDK"), /3\.200\.0 is too old\. Install 3\.268\.0/);
        assert.match(text(found, "pulumi-videograph"), /The project has 0\.0\.1, and this command is /);
    });

    it("says what to do where the npm package of the CLI cannot download it", async () => {
        using world = project();
        const fetching = "Downloading pulumi v3.265.0... pulumi: fetch failed.";
        world.printed.version = new Error(`\`pulumi version\` failed: ${fetching} [VG7002]`);
        const found = await answer(world);
        assert.deepEqual(amiss(found), ["error Pulumi CLI"]);
        assert.match(text(found, "Pulumi CLI"), /fetch failed.* could not download the CLI.* Install the CLI /);
    });

    it("names packages that the project lacks, and a service that cannot be reached, after one request", async () => {
        using world = project();
        rmSync(join(world.folder, "node_modules"), { recursive: true });
        world.core.inject({ kind: "reset", method: "GET" });
        const found = await answer(world);
        assert.deepEqual(amiss(found), ["error Pulumi SDK", "error pulumi-videograph", "error Contents"]);
        assert.match(text(found, "pulumi-videograph"), /Add it to the dependencies of that folder's own package\.json/);
        assert.match(text(found, "Contents"), /The base URL is https:\/\/api\.videograph\.ai, the default\./);
    });

    it("does not find by NODE_PATH what the engine's processes would not find without it, as pnpm's commands set it (U2)", async () => {
        using world = project();
        rmSync(join(world.folder, "node_modules"), { recursive: true });
        const { NODE_PATH } = process.env;
        const initPaths = () => (Module as unknown as { _initPaths(): void })._initPaths();
        try {
            process.env.NODE_PATH = join(repository, "node_modules");
            initPaths();
            assert.ok(createRequire(join(world.folder, "x.js")).resolve("pulumi-videograph/package.json"));
            assert.deepEqual(amiss(await answer(world)), ["error Pulumi SDK", "error pulumi-videograph"]);
        } finally {
            if (NODE_PATH === undefined) delete process.env.NODE_PATH;
            else process.env.NODE_PATH = NODE_PATH;
            initPaths();
        }
    });

    it("asks programs in other languages for no package of npm, and says which resources need no credentials", async () => {
        using world = project();
        const home = join(world.folder, "home");
        world.variables.PULUMI_HOME = home;
        world.writeProject("runtime: yaml");
        rmSync(join(world.folder, "node_modules"), { recursive: true });
        delete world.variables.VIDEOGRAPH_SECRET_KEY;
        const found = await answer(world);
        assert.deepEqual(amiss(found), ["error Plugin", "error Credentials", "skipped Service"]);
        const plugins = /`plugins: \{ providers: \[\{ name: videograph, path: .*plugin \}\] \}`\.$/;
        assert.match(text(found, "Plugin"), plugins);
        assert.match(text(found, "Credentials"), /Resources with an explicit videograph\.Provider need none\./);

        // Neither of them is finished.
        for (const name of ["resource-videograph-v1.0.0.lock", "resource-videograph-v1.0.0.partial"])
            mkdirSync(join(home, "plugins", name), { recursive: true });
        world.writeProject("runtime: python");
        world.write("requirements.txt", "pulumi\n");
        assert.deepEqual(amiss(await answer(world)).slice(0, 2), ["error Plugin", "warning SDK"]);
        mkdirSync(join(home, "plugins", "resource-videograph-v1.0.0"));
        world.write("requirements.txt", "pulumi\n./sdk/python\n");
        assert.deepEqual(amiss(await answer(world)), ["error Credentials", "skipped Service"]);
        world.writeProject("runtime: go\nplugins: { providers: [{ name: videograph, path: ./nothing }] }");
        world.write("go.mod", "require github.com/a/pulumi-videograph/sdk/go v1.0.0\n");
        const elsewhere = await answer(world);
        assert.deepEqual(amiss(elsewhere), ["error Plugin", "error Credentials", "skipped Service"]);
        assert.match(text(elsewhere, "Plugin"), /nothing, but there is no pulumi-resource-videograph/);
    });

    it("names wrong credentials after one request, and missing permissions one by one", async () => {
        using world = project();
        const right = world.variables.VIDEOGRAPH_SECRET_KEY;
        world.variables.VIDEOGRAPH_SECRET_KEY = "wrong-secret-71";
        const wrong = await answer(world);
        assert.deepEqual([wrong.code, amiss(wrong)], [1, ["error Contents"]]);
        assert.match(text(wrong, "Contents"), /does not accept the access token.*VIDEOGRAPH_SECRET_KEY/);
        assert.doesNotMatch(JSON.stringify(wrong), /wrong-secret-71/);
        assert.equal(world.machine.since().length, 1);

        world.variables.VIDEOGRAPH_SECRET_KEY = right;
        world.core.inject({ kind: "status", status: 403, path: "/signing-keys" });
        const partly = await answer(world);
        assert.deepEqual(amiss(partly), ["error Signing keys"]);
        assert.match(text(partly, "Signing keys"), /not allowed to do this/);
    });

    it("warns of a clock that is wrong, and refuses an address that would send credentials in plain text", async () => {
        using late = project({ variants: { dateSkewMs: 300_000 } });
        const found = await answer(late);
        assert.deepEqual(amiss(found), ["warning Clock"]);
        assert.match(text(found, "Clock"), /This machine's clock is (4 m 59 s|5 m) behind the service's\./);

        using plain = project();
        plain.variables.VIDEOGRAPH_BASE_URL = "http://example.com";
        assert.deepEqual(amiss(await answer(plain)), ["error Base URL"]);
        assert.deepEqual(plain.machine.since(), []);
    });

    it("says why a run could not read its own state, in the run's words, and warns only (E1)", async () => {
        using world = project();
        const words = messages.ownStateUnread({ error: "`pulumi stack export` did not end within 2 m." });
        world.printed["stack export"] = new LifecycleError(words);
        const unread = await answer(world);
        assert.deepEqual([unread.code, amiss(unread), text(unread, "Own state")], [0, ["warning Own state"], words]);
        world.printed["stack export"] =
            '{"deployment":{"resources":[{"type":"videograph:index:Content","id":"id","urn":"u"}]}}';
        assert.match(text(await answer(world), "Own state"), /^can be read, 1 resource of this package, in /);
    });

    it("works outside of a project, and without tools; names a journal that cannot be written", async () => {
        using world = new World();
        world.write("journal", "a file");
        const found = await answer(world);
        const expected = ["error Pulumi CLI", "warning Project", "skipped Own state", "error Journal"];
        assert.deepEqual([found.code, amiss(found)], [1, expected]);
        const advice = /cannot be used \(ENOTDIR.*\)\. Make it writable or set VIDEOGRAPH_JOURNAL_DIR/;
        assert.match(text(found, "Journal"), advice);
    });
});
