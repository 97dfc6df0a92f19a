/**
 * What the emulator's README tells users to run does what it says. Its test of a stack is compiled like all code of the pages
 * (codeBlocks.test.ts); the same one runs as the guide's to unit tests (package/install.test.ts).
 */
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startEmulator } from "videograph-emulator";
import { parse as parseYaml } from "yaml";
import { faultKinds } from "../../emulator/dist/faults.js";
import { readSeed } from "../../emulator/dist/seed.js";
import { variantTable } from "../../emulator/dist/variants.js";
import { readPage, repository } from "../docs/markdown.ts";
import type { Job } from "../support/workflow.ts";

describe("emulator: README", () => {
    const page = readPage("emulator/README.md");
    const blocks = (language: string) =>
        page.blocks.filter((block) => block.language === language).map(({ text }) => text);
    const workflows = () => blocks("yaml").map((text) => parseYaml(text) as Job);

    /** A user's project: packages as `npm install` leaves them. */
    let folder: string;
    beforeEach(async () => {
        folder = await mkdtemp(join(tmpdir(), "videograph-readme-"));
        await symlink(join(repository, "node_modules"), join(folder, "node_modules"));
        await writeFile(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
    });
    afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

    it("has a step for CI that starts the emulator and hands on how to reach it", async function () {
        if (process.platform === "win32") this.skip();
        const start = workflows()
            .flatMap(({ steps = [] }) => steps)
            .find(({ name }) => name === "Start the emulator")?.run;
        // Its port may be taken on this machine: some other is as good.
        await using probe = await startEmulator();
        const { port } = new URL(probe.url);
        await probe.close();
        const script = start
            ?.replace("npx videograph-emulator", `npx videograph-emulator --port ${port}`)
            .replaceAll("4410", port);
        const githubEnv = join(folder, "github-env");
        // In a group of its own: the emulator stays in the background when the step is done, as it should.
        const step = spawn("bash", ["-e", "-c", script ?? "false"], {
            cwd: folder,
            env: { ...process.env, GITHUB_ENV: githubEnv },
            detached: true,
            stdio: "ignore",
        });
        try {
            assert.deepEqual(await once(step, "exit"), [0, null]);
            assert.equal((await fetch(probe.url)).status, 200);
            const variables = Object.entries(probe.env).map(([name, value]) => `${name}=${value}\n`);
            assert.equal(await readFile(githubEnv, "utf8"), variables.join(""));
        } finally {
            if (step.pid !== undefined) process.kill(-step.pid);
        }
    });

    it("shows the API to curl, fetch and Python, each of which makes a video Ready", async () => {
        await using emulator = await startEmulator({ processingTimeMs: 0 });
        const [curl = "", script = "", program = ""] = ["sh", "js", "python"].map((language) => blocks(language)[0]);
        const run = async (command: string, ...args: string[]) =>
            (await promisify(execFile)(command, args, { cwd: folder })).stdout;
        const here = (text: string) => text.replaceAll("http://127.0.0.1:4410", emulator.url);
        assert.match(await run("bash", "-ec", here(curl)), /"title":"Trailer"/);
        assert.match(await run(process.execPath, "--input-type=module", "--eval", here(script)), /^Ready http.*m3u8/);
        const hasRequests = await run("python3", "-c", "import requests").catch(() => undefined);
        if (hasRequests !== undefined) assert.match(await run("python3", "-c", here(program)), /^Ready http.*m3u8/);
        assert.equal(emulator.contents().length, hasRequests === undefined ? 2 : 3);
        emulator.reset();
        await writeFile(join(folder, "videos.json"), blocks("json")[0] ?? "");
        readSeed(join(folder, "videos.json"))(emulator);
        assert.deepEqual([emulator.contents().length, emulator.livestreams().length], [2, 1]);
    });

    it("has a row for every variant and every fault, as the code has them", () => {
        const rows = page.text.split("\n").map((line) => line.split(/ *\| */));
        const cellsOf = (name: string) =>
            rows.find(([, first]) => first === `\`${name}\``) ?? assert.fail(`README.md has no row for ${name}`);
        for (const [name, entry] of Object.entries(variantTable)) {
            const [, , values = "", decides] = cellsOf(name);
            assert.ok(decides, name);
            const all = typeof entry.values === "string" ? [entry.default] : entry.values;
            const shown = all.map((value) => `\`${typeof value === "string" ? value : JSON.stringify(value)}\``);
            assert.ok(values.startsWith(shown.join(", ")), `${name}: ${values}`);
        }
        for (const kind of faultKinds) cellsOf(kind);
    });

    it("names the credentials and the address of an emulator that is started without options", async () => {
        await using emulator = await startEmulator();
        const expected = { ...emulator.env, VIDEOGRAPH_BASE_URL: "http://127.0.0.1:4410" };
        const shown = workflows().flatMap(({ env }) => (env === undefined ? [] : [env]));
        assert.deepEqual(shown, [expected]);
        const [terminal = ""] = blocks("console");
        for (const [name, value] of Object.entries(expected)) assert.ok(terminal.includes(`export ${name}='${value}'`));
    });
});
