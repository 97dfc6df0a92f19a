/** The package puts its own plugin where the CLI looks: whole or not at all, once per version. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { install } from "../../provider/dist/native/install.js";
import { stream } from "../support/law.ts";
import { useTestbed } from "../support/testbed.ts";

const built = join(import.meta.dirname, "..", "..", "provider", "plugin");
const name = "resource-videograph-v1.2.3";

describe("The installation of the plugin", () => {
    let folder: string;
    let plugins: string;
    const inPlugins = async () => (await readdir(plugins)).sort();
    const installed = (file: string) => join(plugins, name, file);

    beforeEach(async () => {
        folder = await mkdtemp(join(tmpdir(), "videograph-install-"));
        plugins = join(folder, "plugins");
    });
    afterEach(() => rm(folder, { recursive: true, force: true }));

    it("copies everything, executable, and leaves nothing else behind", async () => {
        install(built, plugins, name);
        assert.deepEqual(await inPlugins(), [name]);
        assert.deepEqual((await readdir(join(plugins, name))).sort(), (await readdir(built)).sort());
        assert.ok((await stat(installed("pulumi-resource-videograph"))).mode & 0o100);
    });

    it("changes nothing when it is there, and replaces another build of the same version", async () => {
        install(built, plugins, name);
        const { ino } = await stat(installed("index.js"));
        install(built, plugins, name);
        assert.equal((await stat(installed("index.js"))).ino, ino);
        await writeFile(installed("index.js"), "an earlier build");
        install(built, plugins, name);
        assert.equal((await readFile(installed("index.js"))).equals(await readFile(join(built, "index.js"))), true);
        assert.deepEqual(await inPlugins(), [name]);
    });

    it("leaves a release's own executable alone", async () => {
        await mkdir(join(plugins, name), { recursive: true });
        await writeFile(installed("pulumi-resource-videograph"), "a release");
        install(built, plugins, name);
        assert.deepEqual(await readdir(join(plugins, name)), ["pulumi-resource-videograph"]);
    });

    it("takes the place of a download that the CLI has not finished", async () => {
        await mkdir(join(plugins, name), { recursive: true });
        await writeFile(`${join(plugins, name)}.partial`, "");
        install(built, plugins, name);
        assert.ok(existsSync(installed("index.js")));
        assert.deepEqual(await inPlugins(), [name]);
    });

    it("by many programs at once ends with one whole plugin", async () => {
        const script = `require(${JSON.stringify(join(built, "..", "dist", "native", "install.js"))}).install(...process.argv.slice(1))`;
        const run = () => promisify(execFile)(process.execPath, ["-e", script, built, plugins, name]);
        await Promise.all(Array.from({ length: 6 }, run));
        assert.deepEqual(await inPlugins(), [name]);
        assert.equal((await readFile(installed("index.js"))).equals(await readFile(join(built, "index.js"))), true);
    });
});

describe("The plugin of a program", () => {
    const testbed = useTestbed({}, "native");

    it("that a machine refuses: the user is told why and what else helps, and the line that the message names works", async () => {
        const stack = await testbed.stack(stream("stage"));
        // A file where the folder should be: a superuser cannot write there either.
        const home = join(stack.folder, "no-home");
        await writeFile(home, "");
        const module = JSON.stringify(join(built, "..", "dist", "native", "install.js"));
        const script = `require(${module}).ensurePlugin(console.log)`;
        const env = { PATH: process.env.PATH, PULUMI_HOME: home };
        const { stdout } = await promisify(execFile)(process.execPath, ["-e", script], { env });
        assert.match(stdout, /cannot install its plugin in .*no-home/);
        const [, line] = /`(plugins: \{ providers: \[\{ name: videograph, [^}]+\}\] \})`/.exec(stdout) ?? [];
        assert.ok(line, stdout);
        await writeFile(join(stack.folder, "Pulumi.yaml"), `name: e2e\nruntime: nodejs\n${line}\n`);
        await stack.up();
        // Every way to name a plugin has to bear this, too.
        await stack.run("install", "--no-dependencies");
    });

    it("L1: is found by an inline program of the Automation API, wherever it was imported, and the next run has nothing to do", async () => {
        const stack = await testbed.stack(stream("stage"));
        await rm(join(stack.folder, "home", "plugins"), { force: true });
        // As a program's file has it: the import at the top, before there is an engine.
        const early = `require("pulumi-videograph/native");`;
        for (const expected of [/2 created/, /2 unchanged/]) {
            const { code, output } = await stack.upInline({ early });
            assert.equal(code, 0, output);
            assert.match(output, expected);
        }
        assert.equal(testbed.emulator.livestreams().length, 1);
    });
});
