/** Durations, as programs write them and as people read them. */
import assert from "node:assert/strict";
import { durationText, parseDuration } from "../../../provider/dist/inputs/duration.js";

describe("a duration", () => {
    it("is read as a program writes it", () => {
        const read = { "850ms": 850, "90s": 90_000, "1h30m": 5_400_000, "1h2m3s4ms": 3_723_004, "1.5m1.25s": 91_250 };
        for (const [text, ms] of Object.entries(read)) assert.equal(parseDuration(text), ms, text);
        for (const text of ["", "5", "s", "90 s", "-90s", "1d", "1.s", ".5s", "5s later", "in 5s"])
            assert.equal(parseDuration(text), undefined, text);
    });

    it("is written for people", () => {
        const texts = ["0 ms", "850 ms", "1 s", "59 s", "1 m", "2 m 10 s", "59 m 59 s", "1 h 5 m", "25 h"];
        const ms = [0, 849.6, 999.5, 59_499, 59_500, 130_000, 3_599_000, 3_900_000, 90_000_000];
        assert.deepEqual(ms.map(durationText), texts);
    });
});
