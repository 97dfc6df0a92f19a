/** The schedule of waits: how long a pause is (C2, C3). What it costs is in watcher.test.ts. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { maxPauseMs, pauseOf } from "../../../provider/dist/wait/schedule.js";

describe("the schedule: pauses", () => {
    it("are never longer than what C3 promises, whatever is known", () => {
        const times = fc.array(fc.nat(), { maxLength: 20 });
        fc.assert(
            fc.property(fc.nat(), fc.boolean(), fc.nat(200), times, (age, isNew, pages, processingMs) => {
                const ms = pauseOf(age, isNew, { pages, processingMs, isGrowing: true });
                assert.ok(ms >= 325 && ms <= maxPauseMs, `${ms} ms`);
            }),
        );
    });
});
