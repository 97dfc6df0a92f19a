/** `pulumi-videograph probe` as a process, against a service on loopback. What it reports: tests/unit/cli/probe.test.ts. */
import assert from "node:assert/strict";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmulator } from "videograph-emulator";
import { waitFor } from "../support/waitFor.ts";
import { expectCode, start } from "./support.ts";

describe("pulumi-videograph probe", () => {
    it("cleans up after Ctrl-C", async () => {
        await using folder = await mkdtempDisposable(join(tmpdir(), "videograph-probe-"));
        await using emulator = await startEmulator({ faults: [{ kind: "processing", stuck: true }] });
        const ours = () => [...emulator.contents(), ...emulator.livestreams()];
        const home = { HOME: folder.path, PULUMI_HOME: join(folder.path, "home") };
        const env = { PATH: process.env.PATH, ...home, ...emulator.env };
        const args = ["probe", "--yes", "--source", `${emulator.url}/nothing.mp4`];
        const running = start(args, { cwd: folder.path, env });
        await waitFor("the content", () => ours().length === 1);
        running.kill("SIGINT");
        const { stdout, stderr } = await expectCode(1, running.ended);
        assert.match(stdout + stderr, /The probe ended early: /);
        assert.deepEqual(ours(), []);
    });
});
