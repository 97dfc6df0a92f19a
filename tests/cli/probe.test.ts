/** `pulumi-videograph probe` as a process, against a service on loopback. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Emulator, startEmulator } from "videograph-emulator";
import { waitFor } from "../support/waitFor.ts";
import { expectCode, run, start } from "./support.ts";

describe("pulumi-videograph probe", () => {
    let folder: string;
    before(async () => {
        folder = await mkdtemp(join(tmpdir(), "videograph-probe-"));
    });
    after(() => rm(folder, { recursive: true, force: true }));

    const around = (env: Readonly<Record<string, string>>) => ({
        cwd: folder,
        env: { PATH: process.env.PATH, HOME: folder, PULUMI_HOME: join(folder, "home"), ...env },
    });
    const ours = (emulator: Emulator) => [...emulator.contents(), ...emulator.livestreams()];

    it("cleans up after Ctrl-C, and says when nothing answers", async () => {
        await using emulator = await startEmulator({ faults: [{ kind: "processing", stuck: true }] });
        const args = ["probe", "--yes", "--source", `${emulator.url}/nothing.mp4`];
        const running = start(args, around(emulator.env));
        await waitFor("the content", () => ours(emulator).length === 1);
        running.kill("SIGINT");
        const { stdout, stderr } = await expectCode(1, running.ended);
        assert.match(stdout + stderr, /The probe ended early: /);
        assert.deepEqual(ours(emulator), []);

        const nowhere = { ...emulator.env, VIDEOGRAPH_BASE_URL: "http://127.0.0.1:1" };
        const refused = await expectCode(1, run(args, around(nowhere)));
        assert.match(refused.stdout + refused.stderr, /connection was refused/);
    });
});
