/** The engine's CLI is found by the address that the engine hands over, whatever its file is called and wherever it was started. */
import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { cliOfRun, engineCli } from "../../../provider/dist/session/engineCli.js";

const module = JSON.stringify(join(import.meta.dirname, "../../../provider/dist/session/engineCli.js"));

/** A plugin, which says what it finds. */
const plugin = `require(${module}).engineCli(process.env.PORT, process.env.PLATFORM).then((cli) => console.log(JSON.stringify(cli)))`;

/** Its launcher, which has a connection of another address from a port of the same number. */
const launcher = `
require("node:net").connect({ host: "127.0.0.2", port: Number(process.env.OTHER), localAddress: "127.0.0.2", localPort: Number(process.env.PORT) }, function () {
    require("node:child_process").spawn(process.execPath, ["-e", process.env.PLUGIN], { stdio: "inherit" }).on("exit", () => this.end());
});`;

/** An engine, which listens and starts the launcher in another folder. */
const engine = `
const { createServer } = require("node:net");
const server = createServer().listen(0, "127.0.0.1", () => {
    const other = createServer().listen(0, "127.0.0.2", () => {
        const env = { ...process.env, PORT: server.address().port, OTHER: other.address().port };
        require("node:child_process").spawn(process.execPath, ["-e", env.LAUNCHER], { env, cwd: "src", stdio: "inherit" })
            .on("exit", () => process.exit());
    });
});`;

describe("The engine's CLI", () => {
    let folder: string;
    beforeEach(async function () {
        // Elsewhere there is no second address of this machine.
        if (process.platform !== "linux") this.skip();
        folder = await mkdtemp(join(await realpath(tmpdir()), "videograph-engine-"));
        await mkdir(join(folder, "project", "src"), { recursive: true });
    });
    afterEach(() => rm(folder, { recursive: true, force: true }));

    /** The CLI that a plugin finds in the way of a system. */
    async function found(platform: NodeJS.Platform): Promise<unknown> {
        const env = { ...process.env, PLUGIN: plugin, LAUNCHER: launcher, PLATFORM: platform };
        const options = { env, cwd: join(folder, "project") };
        const { stdout } = await promisify(execFile)(process.execPath, ["-e", engine], options);
        return JSON.parse(stdout);
    }

    it("is the process that listens at the engine's address: by /proc", async () => {
        assert.deepEqual(await found("linux"), {
            executable: await realpath(process.execPath),
            cwd: join(folder, "project"),
        });
    });

    it("is the process that listens at the engine's address: by lsof, as on macOS", async function () {
        try {
            execFileSync("lsof", ["-v"], { stdio: "ignore" });
        } catch {
            this.skip();
        }
        assert.deepEqual(await found("darwin"), {
            executable: await realpath(process.execPath),
            cwd: join(folder, "project"),
        });
    });

    it("is the one on the PATH, in the folder of Pulumi.yaml, where the system does not show it", async () => {
        // No process listens at port 1, and there is no PowerShell here.
        for (const platform of ["linux", "darwin", "win32", "aix"] as const)
            assert.equal(await engineCli("1", platform), undefined);
        const here = process.cwd();
        assert.equal((await cliOfRun(undefined)).executable, "pulumi");
        process.chdir(join(folder, "project", "src"));
        try {
            assert.deepEqual(await cliOfRun(undefined), { executable: "pulumi", cwd: undefined });
            await writeFile(join(folder, "project", "Pulumi.yaml"), "name: shop\nruntime: nodejs\nmain: src\n");
            assert.deepEqual(await cliOfRun("1"), { executable: "pulumi", cwd: join(folder, "project") });
        } finally {
            process.chdir(here);
        }
    });
});
