/** The schedule of waits: how long a pause is, and that something always comes next (C2, C3). What it costs is in watcher.test.ts. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { decide, maxPauseMs, pauseOf, type Situation, type Waiting } from "../../../provider/dist/wait/schedule.js";

const now = 1_000_000;

let count = 0;
const wait = (of: Partial<Waiting> = {}): Waiting => ({
    contentId: `c${count++}`,
    since: now - 10_000,
    isFresh: false,
    deadlineAt: now + 3_600_000,
    dueAt: now,
    readAt: now - 10_000,
    listed: undefined,
    ...of,
});
const situation = (of: Partial<Situation> = {}): Situation => ({
    list: { isUsable: false, pages: 1 },
    processingMs: [],
    unverified: 0,
    isGrowing: true,
    lastRoundAt: Number.NEGATIVE_INFINITY,
    ...of,
});
describe("the schedule: pauses", () => {
    const aged = (ms: number, of: Partial<Waiting> = {}) => wait({ since: now - ms, ...of });

    it("are never longer than what C3 promises, whatever is known", () => {
        fc.assert(
            fc.property(fc.nat(), fc.boolean(), fc.array(fc.nat(), { maxLength: 20 }), (age, isFresh, processingMs) => {
                const of = aged(age, { isFresh });
                const ms = pauseOf(of, situation({ processingMs }), now);
                assert.ok(ms >= 325 && ms <= maxPauseMs, `${ms} ms`);
            }),
        );
    });
});

describe("the schedule as a whole", () => {
    const any = fc.record({
        contentId: fc.option(fc.string(), { nil: undefined }),
        since: fc.integer({ min: now - 100_000, max: now }),
        isFresh: fc.boolean(),
        deadlineAt: fc.integer({ min: now - 1_000, max: now + 100_000 }),
        dueAt: fc.integer({ min: now - 1_000, max: now + 1_000 }),
        readAt: fc.integer({ min: now - 100_000, max: now }),
        listed: fc.constantFrom(undefined, "Processing", "Ready", "Failed"),
    });

    it("always makes progress: somebody is read, the list is polled, or there is a time to wake up", () => {
        fc.assert(
            fc.property(
                fc.array(any, { minLength: 1, maxLength: 30 }),
                fc.boolean(),
                fc.nat(40),
                (all, isUsable, pages) => {
                    const of = situation({ list: { isUsable, pages } });
                    const { readNow, listNow, wakeAt } = decide(all, of, now);
                    assert.ok(Number.isFinite(wakeAt));
                    assert.equal(readNow.length > 0 || listNow !== undefined, wakeAt <= now);
                    for (const one of readNow) assert.ok(one.dueAt <= now);
                    // Nobody who is due is forgotten: without the list, all of them are read.
                    const due = all.filter(({ dueAt }) => dueAt <= now).length;
                    const again = decide(all, { ...of, list: { isUsable: false, pages } }, now).readNow.length;
                    assert.equal(again, due);
                },
            ),
        );
    });
});
