/** What a resource's row shows of a wait: every news, and else ever fewer lines. */
import assert from "node:assert/strict";
import { statusProgress } from "../../../provider/dist/wait/progress.js";
import { FakeClock } from "../../support/fakeClock.ts";

describe("the progress of a wait", () => {
    let clock: FakeClock;
    let lines: string[];
    let show: (status: string) => void;

    beforeEach(async () => {
        clock = new FakeClock();
        // Some time of the process has passed before.
        await clock.advance(100_000);
        lines = [];
        const ignore = () => undefined;
        const progress = (line: string) => void lines.push(line);
        show = statusProgress({ urn: undefined, progress, info: ignore, warn: ignore }, clock);
    });

    /** Shows this status so many ms after the beginning. */
    const at = async (ms: number, status: string) => {
        await clock.advance(100_000 + ms - clock.elapsed);
        show(status);
    };

    it("shows a status at once, and no time: the row has the engine's", async () => {
        await at(0, "Pending");
        await at(999, "Preparing");
        await at(1_000, "Processing");
        assert.deepEqual(lines, ["Pending", "Preparing", "Processing"]);
    });

    it("shows what is no news again after five seconds", async () => {
        await at(2_000, "Processing");
        await at(4_000, "Processing");
        await at(6_999, "Processing");
        await at(7_000, "Processing");
        assert.deepEqual(lines, ["Processing", "Processing"]);
    });

    it("shows it again after half a minute at the latest", async () => {
        await at(600_000, "Processing");
        await at(629_999, "Processing");
        await at(630_000, "Processing");
        assert.deepEqual(lines, ["Processing", "Processing"]);
    });
});
