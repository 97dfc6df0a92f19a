import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { call, createContent, startStill } from "./support.ts";

describe("emulator: a thousand contents", () => {
    it("are created, read, listed and deleted at a few milliseconds each, state file included", async function () {
        this.timeout(60_000);
        const folder = await mkdtemp(join(tmpdir(), "emulator-test-"));
        try {
            const { emulator, clock } = await startStill({ stateFile: join(folder, "state.jsonl") });
            await using _ = emulator;
            const ids: string[] = [];
            const batches = async (count: number, task: (index: number) => Promise<unknown>) => {
                for (let first = 0; first < count; first += 50) {
                    await Promise.all(Array.from({ length: 50 }, (_, index) => task(first + index)));
                }
            };
            const started = performance.now();
            await batches(1000, async (index) => ids.push(await createContent(emulator, { title: `t${index}` })));
            clock.advance(1000);
            await batches(2000, async (index) => {
                const answer = await call(emulator, "GET", `/contents/${ids[index % 1000]}`);
                assert.equal(answer.json.data.status, "Ready");
            });
            await batches(1000, async (index) => {
                const answer = await call(emulator, "GET", `/contents?start=${(index % 10) * 100}&limit=100`);
                assert.equal(answer.json.data.length, 100);
            });
            await batches(1000, (index) => call(emulator, "DELETE", `/contents/${ids[index]}`));
            const perRequest = (performance.now() - started) / 5000;
            assert.equal(emulator.contents().length, 0);
            // Measured at about 0.5 ms with this client on a laptop; anything quadratic would be far beyond.
            assert.ok(perRequest < 10, `${perRequest.toFixed(2)} ms per request`);
        } finally {
            await rm(folder, { recursive: true, force: true });
        }
    });

    it("are logged up to a limit", async () => {
        const { emulator } = await startStill({ requestLogLimit: 10 });
        await using _ = emulator;
        for (let index = 0; index < 25; index++) await call(emulator, "GET", "/contents");
        assert.ok(emulator.requests.length <= 10);
        assert.equal(emulator.requests.at(-1)?.number, 25);
    });
});
