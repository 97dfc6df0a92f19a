/** `pulumi-videograph probe` as a process, against a service on loopback. What it reports: tests/unit/cli/probe.test.ts. */
import assert from "node:assert/strict";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmulator } from "videograph-emulator";
import { advised } from "../support/advised.ts";
import { waitFor } from "../support/waitFor.ts";
import { expectCode, start } from "./support.ts";

describe("pulumi-videograph probe", () => {
    it("sends to doctor where its token is refused, which says why", async () => {
        await using folder = await mkdtempDisposable(join(tmpdir(), "videograph-probe-"));
        await using emulator = await startEmulator();
        const env = { PATH: process.env.PATH, HOME: folder.path, ...emulator.env, VIDEOGRAPH_SECRET_KEY: "another" };
        const around = { cwd: folder.path, env };
        const { stderr } = await expectCode(
            1,
            start(["probe", "--yes", "--source", `${emulator.url}/a.mp4`], around).ended,
        );
        const [doctor = ""] = advised(stderr, "VG7020");
        const { stdout } = await start(doctor.split(" ").slice(2), around).ended;
        assert.match(stdout, /VG1010/);
    });

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
