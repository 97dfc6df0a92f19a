/** Durations, as programs write them and as people read them. */
import assert from "node:assert/strict";
import { durationText, parseDuration } from "../../../provider/dist/inputs/duration.js";

describe("a duration in a program", () => {
    for (const [text, ms] of [
        ["850ms", 850],
        ["90s", 90_000],
        ["5m", 300_000],
        ["2h", 7_200_000],
        ["1h30m", 5_400_000],
        ["1h2m3s4ms", 3_723_004],
        ["1.5s", 1_500],
        ["0.25h", 900_000],
        ["10.125s", 10_125],
        ["1.5m1.25s", 91_250],
        ["0s", 0],
    ] as const) {
        it(`${text} is read`, () => assert.equal(parseDuration(text), ms));
    }

    for (const text of ["", "5", "s", "90 s", " 90s", "90s ", "-90s", "1d", "1.s", ".5s", "1.5", "5s later", "in 5s"]) {
        it(`"${text}" is none`, () => assert.equal(parseDuration(text), undefined));
    }
});

describe("a duration for people", () => {
    for (const [ms, text] of [
        [0, "0 ms"],
        [849.6, "850 ms"],
        [999, "999 ms"],
        [999.5, "1 s"],
        [1_000, "1 s"],
        [12_400, "12 s"],
        [12_500, "13 s"],
        [59_499, "59 s"],
        [59_500, "1 m"],
        [60_000, "1 m"],
        [130_000, "2 m 10 s"],
        [120_000, "2 m"],
        [3_599_000, "59 m 59 s"],
        [3_600_000, "1 h"],
        [3_900_000, "1 h 5 m"],
        [7_200_000, "2 h"],
        [9_059_000, "2 h 30 m"],
        [90_000_000, "25 h"],
    ] as const) {
        it(`of ${ms} ms is "${text}"`, () => assert.equal(durationText(ms), text));
    }
});
