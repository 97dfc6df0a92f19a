/** How long `up` says that a library or a readiness will still take. */
import assert from "node:assert/strict";
import { leftText, Remaining } from "../../../provider/dist/resources/remaining.js";

/** What is said at each second, where contents are done at these times. */
function said(doneAt: readonly number[]): (number | undefined)[] {
    const remaining = new Remaining();
    const end = doneAt.at(-1) ?? 0;
    return Array.from({ length: Math.ceil(end) }, (_, second) => {
        for (const at of doneAt) if (at > second - 1 && at <= second) remaining.done(at * 1000);
        const left = remaining.left(doneAt.filter((at) => at > second).length, second * 1000);
        return left === undefined ? undefined : left / 1000;
    });
}

describe("the time that is left", () => {
    it("is said where contents are done at a steady rate, and is right", () => {
        const lines = said(Array.from({ length: 300 }, (_, index) => 60 + index));
        const spoken = lines.flatMap((left, second) => (left === undefined ? [] : [left / (359 - second)]));
        assert.ok(spoken.length > 100, `${spoken.length}`);
        assert.deepEqual(
            spoken.filter((ratio) => ratio < 0.75 || ratio > 1.25),
            [],
        );
        // Not from the first ones.
        assert.deepEqual(lines.slice(0, 70), Array(70).fill(undefined));
    });

    it("is not said where the end moves away: each of the last takes longer than the one before", () => {
        const lines = said(Array.from({ length: 40 }, (_, index) => 10 * 1.1 ** index));
        assert.deepEqual(
            lines.filter((left) => left !== undefined),
            [],
        );
    });

    it("reads as people say it", () => {
        const texts = [4_000, 47_000, 119_000, 120_000, 3_600_000, 7_200_000].map(leftText);
        assert.deepEqual(texts, [
            ...["about 10 s left", "about 50 s left", "about 120 s left", "about 2 min left", "about 60 min left"],
            "about 2 h left",
        ]);
    });
});
