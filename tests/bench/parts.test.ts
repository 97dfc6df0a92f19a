/** The parts of the benchmark that can be wrong without anybody seeing it in a table. */
import assert from "node:assert/strict";
import { parseOptions } from "../../bench/options.ts";
import { median, summary } from "../../bench/statistics.ts";
import { table } from "../../bench/table.ts";
import { defaultParallel, variants, waitingTime } from "../../bench/variants.ts";

describe("the benchmark's command line", () => {
    it("has defaults", () => {
        const options = parseOptions([]);
        assert.deepEqual(options?.counts, [1, 10, 100]);
        assert.deepEqual(options?.processing, [10_000, 10_000]);
        assert.equal(options?.latency, 30);
        assert.deepEqual(options?.variants, Object.values(variants));
    });

    it("takes numbers, times, a spread, variants and variables", () => {
        const options = parseOptions([
            ...["--n", "20,1_000", "--spread", "2s-5s", "--latency", "0.5s", "--runs", "3"],
            ...["--variants", "readiness,floor", "--env", "A=b=c", "--env", "D="],
        ]);
        assert.deepEqual(options?.counts, [20, 1000]);
        assert.deepEqual(options?.processing, [2000, 5000]);
        assert.equal(options?.latency, 500);
        assert.equal(options?.runs, 3);
        assert.deepEqual(
            options?.variants.map(({ name }) => name),
            ["readiness", "floor"],
        );
        assert.deepEqual(options?.env, { A: "b=c", D: "" });
    });

    for (const [args, error] of [
        [["--n", "0"], /--n must hold numbers from 1, not "0"/],
        [["--n", "1,,2"], /--n/],
        [["--latency", "soon"], /--latency must be a time such as 500ms, 2s or 1m, not "soon"/],
        [["--spread", "5s-2s"], /--spread/],
        [["--spread", "5s"], /--spread/],
        [["--spread", "2s-5s", "--processing", "1s"], /not both/],
        [["--variants", "floor,roof"], /no "roof"/],
        [["--env", "NAME"], /NAME=value/],
    ] as const) {
        it(`refuses ${args.join(" ")}`, () => {
            assert.throws(() => parseOptions([...args]), error);
        });
    }
});

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
        assert.equal(waitingTime(variants.floor, count, 1000), 0);
    });

    it("that was left out is marked in the table", () => {
        const lines = table("N = 5", [{ title: "Content", runs: [] }]).split("\n");
        assert.match(lines[0] ?? "", /^\| N = 5 +\| Content \|$/);
        for (const line of lines.slice(2)) assert.match(line, /\| skipped \|$/);
    });
});
