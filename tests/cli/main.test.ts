/** `pulumi-videograph` itself: its help, its manners towards terminals and pipes, and how soon it starts. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { text } from "node:stream/consumers";
import { stripVTControlCharacters } from "node:util";
import { World } from "../unit/cli/support.ts";
import { expectCode, program, run } from "./support.ts";

describe("pulumi-videograph", () => {
    const around = { cwd: tmpdir(), env: { PATH: process.env.PATH, HOME: tmpdir() } };

    it("has help for itself and for each command, on stdout", async () => {
        using world = new World();
        const { stdout: help } = await expectCode(0, world.run());
        for (const args of [["--help"], ["-h"], ["help"]])
            assert.equal((await expectCode(0, world.run(...args))).stdout, help);
        for (const name of ["adopt", "orphans", "forget", "doctor", "probe"]) {
            assert.match(help, new RegExp(`^ +${name} `, "m"));
            const { stdout } = await expectCode(0, world.run(name, "--json", "--help"));
            assert.match(stdout, new RegExp(`^Usage: npx pulumi-videograph ${name} `, "m"));
            assert.match(stdout, /^Exit codes: /m);
            for (const line of stdout.split("\n")) assert.ok(line.length <= 120, line);
        }
    });

    it("knows its version, no other command, and no other option", async () => {
        assert.match((await expectCode(0, run(["--version"], around))).stdout, /^\d+\.\d+\.\d+\S*\n$/);
        using world = new World();
        const commands = "correct it to one of `review`, `list`, `adopt`, `orphans`, `forget`, `doctor`, `probe`";
        for (const [args, said] of [
            ["nope", `command nope: ${commands}`],
            ["constructor", `command constructor: ${commands}`],
            ["__proto__", `command __proto__: ${commands}`],
            ["--hlep", "option --hlep before a command: correct it to `--help`"],
            ["--json orphans", "option --json before a command: correct it to one of `--help`, `--version`"],
            ["doctor --hlep", "option --hlep: correct it to `--help`"],
        ] as const) {
            const { stdout, stderr } = await expectCode(2, world.run(...args.split(" ")));
            assert.equal(stdout, "");
            const see = `See npx pulumi-videograph ${args.startsWith("doctor") ? "doctor " : ""}--help.`;
            assert.equal(stripVTControlCharacters(stderr), `error: There is no ${said}.\n${see}\n`);
        }
    });

    // Without that it does not: doctor.test.ts.
    it("colours a pipe for those who ask for it", async () => {
        const { stderr } = await run(["nope"], { ...around, env: { ...around.env, FORCE_COLOR: "1" } });
        assert.ok(stderr.includes("\u001b["));
    });

    it("says in one line that its output could not be written", async function () {
        if (process.platform !== "linux") this.skip();
        const full = await open("/dev/full", "w");
        const child = spawn(process.execPath, [program, "--help"], { ...around, stdio: ["ignore", full.fd, "pipe"] });
        assert.ok(child.stderr);
        const [said, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
        await full.close();
        assert.equal(code, 1);
        assert.match(said, /^error: The output could not be written: ENOSPC.*\n$/);
    });

    it("ends quietly when nobody reads on", async () => {
        const child = spawn(process.execPath, [program, "--help"], { ...around, stdio: ["ignore", "pipe", "pipe"] });
        child.stdout.destroy();
        const [said, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
        assert.deepEqual([code, said], [0, ""]);
    });
});
