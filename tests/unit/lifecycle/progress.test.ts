/** A resource's row during a wait: every change of the status, and otherwise less and less often. */
import assert from "node:assert/strict";
import { statusProgress } from "../../../provider/dist/wait/progress.js";
import { FakeClock } from "../../support/fakeClock.ts";

describe("the progress of a wait", () => {
    it("shows a new status at once, an old one after five seconds, and later after half a minute", async () => {
        const clock = new FakeClock();
        // Some time of the process has passed before.
        await clock.advance(100_000);
        const shown: number[] = [];
        const ignore = () => undefined;
        const progress = () => void shown.push(clock.elapsed - 100_000);
        const show = statusProgress({ urn: undefined, progress, info: ignore, warn: ignore }, clock);
        for (const [ms, status] of [
            [0, "Pending"],
            [999, "Preparing"],
            [5_998, "Preparing"],
            [5_999, "Preparing"],
            [600_000, "Preparing"],
            [629_999, "Preparing"],
            [630_000, "Preparing"],
        ] as const) {
            await clock.advance(100_000 + ms - clock.elapsed);
            show(status);
        }
        assert.deepEqual(shown, [0, 999, 5_999, 600_000, 630_000]);
    });
});
