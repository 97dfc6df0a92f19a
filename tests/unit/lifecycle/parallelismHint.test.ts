/** Whoever waits in turns is told how to wait for all at once. */
import assert from "node:assert/strict";
import { ParallelismHint } from "../../../provider/dist/wait/parallelismHint.js";
import { FakeClock } from "../../support/fakeClock.ts";

describe("the hint that contents wait in turns", () => {
    /** What is said while so many contents wait, so many at a time, for so long each, in ms. */
    async function said(contents: number, places: number, each: number): Promise<string[]> {
        const clock = new FakeClock();
        // Some time of the process has passed before.
        await clock.advance(50_000);
        const hint = new ParallelismHint(clock);
        const lines: string[] = [];
        const ignore = () => undefined;
        const row = { urn: undefined, progress: ignore, warn: ignore, info: (line: string) => void lines.push(line) };
        let left = contents;
        const place = async () => {
            while (left-- > 0) await hint.during(row, () => clock.sleep(each));
        };
        await clock.runUntil(Promise.all(Array.from({ length: places }, place)));
        return lines;
    }

    it("comes once, with the number of places and both ways out", async () => {
        const [line = "", ...others] = await said(80, 8, 30_000);
        assert.match(line, /8 at a time.*--parallel.*waitForReady: false.*ContentReadiness/);
        assert.deepEqual(others, []);
    });

    it("does not come where there are places enough, where it is soon over, and where each depends on the one before", async () => {
        assert.deepEqual(await said(8, 8, 300_000), []);
        assert.deepEqual(await said(80, 8, 1_000), []);
        assert.deepEqual(await said(20, 1, 30_000), []);
    });
});
