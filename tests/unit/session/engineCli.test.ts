/** The engine's CLI is found by the address that the engine hands over, whatever its file is called and wherever it was started. */
import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { cliOfRun, engineCli } from "../../../provider/dist/session/engineCli.js";

const module = JSON.stringify(join(import.meta.dirname, "../../../provider/dist/session/engineCli.js"));

/** An engine, which listens and starts a plugin through a shell, in another folder, as the SDK's launcher does. */
const engine = `
const { spawn } = require("node:child_process");
const server = require("node:net").createServer().listen(0, "127.0.0.1", () => {
    const port = String(server.address().port);
    const plugin = \`require(${module.replaceAll('"', '\\"')}).engineCli("\${port}", process.argv[1]).then((cli) => console.log(JSON.stringify(cli)))\`;
    const env = { ...process.env, PLUGIN: plugin };
    spawn("sh", ["-c", '"$0" -e "$PLUGIN" "$1"; exit $?', process.execPath, process.argv[1]], { env, cwd: "src", stdio: "inherit" })
        .on("exit", () => server.close());
});`;

describe("The engine's CLI", () => {
    let folder: string;
    beforeEach(async function () {
        if (process.platform === "win32") this.skip();
        folder = await mkdtemp(join(await realpath(tmpdir()), "videograph-engine-"));
        await mkdir(join(folder, "project", "src"), { recursive: true });
    });
    afterEach(() => rm(folder, { recursive: true, force: true }));

    /** The CLI that a plugin finds in the way of a system. */
    async function found(platform: NodeJS.Platform): Promise<unknown> {
        const { stdout } = await promisify(execFile)(process.execPath, ["-e", engine, platform], {
            cwd: join(folder, "project"),
        });
        return JSON.parse(stdout);
    }

    it("is the process that listens at the engine's address: by /proc", async function () {
        if (process.platform !== "linux") this.skip();
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
