/** The parts of the benchmark that can be wrong without anybody seeing it in a table. */
import assert from "node:assert/strict";
import { median, summary } from "../../bench/statistics.ts";
import { table } from "../../bench/targets.ts";
import { defaultParallel, variants, waitingTime } from "../../bench/variants.ts";

describe("the benchmark's statistics", () => {
    it("takes percentiles from what was measured, in any order", () => {
        const values = Array.from({ length: 100 }, (_, number) => ((number * 37) % 100) + 1);
        assert.deepEqual(summary(values), { median: 50, p95: 95, max: 100 });
        assert.deepEqual(summary([7]), { median: 7, p95: 7, max: 7 });
        assert.equal(summary([]), undefined);
        assert.equal(median([9, 1, 5]), 5);
    });
});

describe("a variant of the benchmark", () => {
    it("waits in turns where each create waits and places are few", () => {
        const count = 10 * defaultParallel + 1;
        assert.equal(waitingTime(variants.content, count, 1000), 11_000);
        assert.equal(waitingTime(variants["content-parallel"], count, 1000), 1000);
        assert.equal(waitingTime(variants.readiness, count, 1000), 1000);
        assert.equal(waitingTime(variants["floor-waiting"], count, 1000), 1000);
        assert.equal(waitingTime(variants.floor, count, 1000), 0);
    });

    it("that was left out is marked in the table", () => {
        const lines = table("N = 5", { content: [] }).split("\n");
        assert.equal(lines[0], "| N = 5 | Content |");
        for (const line of lines.slice(2)) assert.match(line, /\| skipped \|$/);
    });
});
