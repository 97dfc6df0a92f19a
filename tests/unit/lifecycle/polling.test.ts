/** Whose turn it is to ask, and when, while several wait (C2, C3). */
import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { Deadline } from "../../../provider/dist/api/clock.js";
import { ContentList } from "../../../provider/dist/lifecycle/wait/contentList.js";
import { Polling, type PollOptions, type Wait } from "../../../provider/dist/lifecycle/wait/polling.js";
import { maxPauseMs, maxReading, minRoundMs } from "../../../provider/dist/lifecycle/wait/schedule.js";
import { FakeClock } from "../../support/fakeClock.ts";
import { type Answered, scriptedApi } from "../../support/scriptedApi.ts";

/** After its create a content is not asked for sooner. */
const firstPauseMs = 325;
const hour = 3_600_000;

class CountingClock extends FakeClock {
    sleeps = 0;

    override sleep(ms: number, signal?: AbortSignal): Promise<void> {
        this.sleeps++;
        return super.sleep(ms, signal);
    }
}

describe("polling", () => {
    let clock: CountingClock;
    let list: ContentList;
    let polling: Polling;
    /** What the list shows of each content. */
    let listed: Record<string, string>;
    /** What the list answers instead. */
    let instead: Answered;
    /** How often it was read. */
    let lists: number;
    /** What has happened: whose turn came, and how long after the beginning. */
    let turns: [string, number][];
    let begin: number;

    beforeEach(async () => {
        clock = new CountingClock();
        listed = {};
        instead = {};
        lists = 0;
        turns = [];
        const api = scriptedApi(clock, ({ start }) => {
            if (start === 0) lists++;
            const items = Object.entries(listed).map(([contentId, status]) => ({ contentId, status }));
            return { data: items.slice(start), ...instead };
        });
        list = new ContentList(api, clock);
        polling = new Polling(list, clock);
        // Some time of the process has passed before.
        await clock.advance(1_000);
        begin = clock.elapsed;
    });

    const wait = (contentId: string | undefined, options: Partial<PollOptions> = {}): Wait =>
        polling.begin(contentId, {
            signal: new AbortController().signal,
            deadline: Deadline.after(clock, hour),
            ...options,
        });
    /** Waits for its turn, and notes it. */
    const turn = async (of: Wait, name = of.contentId ?? "livestream") => {
        await polling.turn(of);
        turns.push([name, clock.elapsed - begin]);
    };
    const ids = (count: number) => Array.from({ length: count }, (_, number) => `c${number}`);
    /** Waits for contents that were made before, and says who had a turn. */
    const turnsOf = (names: readonly string[], options: Partial<PollOptions> = {}) => {
        for (const name of names) void turn(wait(name, options));
    };
    /** A GET shows this status. */
    const answer = (of: Wait, status: string | undefined) => {
        polling.seen(of, status);
        polling.read(of);
    };
    /** How long after its create a content's first turn would come. */
    const firstPause = () => wait("another", { fresh: true }).dueAt - clock.elapsed;
    /** A content that was ready so long after its create. */
    const process = async (
        ms: number,
        options: Partial<PollOptions> = { fresh: true },
        id: string | undefined = "c",
    ) => {
        const content = wait(id, options);
        await clock.advance(ms);
        answer(content, "Ready");
    };

    describe("the first turn comes", () => {
        it("at once for an object that was made before", async () => {
            await clock.runUntil(turn(wait("c0")));
            assert.deepEqual(turns, [["c0", 0]]);
        });
        it("a moment after a create", async () => {
            await clock.runUntil(turn(wait("c0", { fresh: true })));
            assert.deepEqual(turns, [["c0", firstPauseMs]]);
        });
        it("at the deadline at the latest", async () => {
            await clock.runUntil(turn(wait("c0", { fresh: true, deadline: Deadline.after(clock, 100) })));
            assert.deepEqual(turns, [["c0", 100]]);
        });
        it("for all who begin at the same time in one round, and for the next one in the round after it", async () => {
            list.contradicted();
            turnsOf(["c0", "c1"]);
            await clock.advance(5);
            turnsOf(["c2"]);
            await clock.advance(1_000);
            assert.deepEqual(turns, [
                ["c0", 0],
                ["c1", 0],
                ["c2", minRoundMs],
            ]);
        });
        it("before those of others that are due later", async () => {
            void turn(wait("c0", { fresh: true }));
            await clock.advance(100);
            turnsOf(["c1"]);
            await clock.advance(1_000);
            assert.deepEqual(turns, [
                ["c1", 100],
                ["c0", firstPauseMs],
            ]);
        });
    });

    it("the next turn comes after a share of the time waited so far, or at the deadline", async () => {
        const content = wait("c0", { deadline: Deadline.after(clock, 12_000) });
        await clock.runUntil(turn(content));
        await clock.advance(10_000);
        answer(content, "Processing");
        await clock.runUntil(turn(content));
        answer(content, "Processing");
        await clock.runUntil(turn(content));
        assert.deepEqual(turns, [
            ["c0", 0],
            ["c0", 11_500],
            ["c0", 12_000],
        ]);
    });

    it("whoever is due later, or at the same time, does not disturb a round that is waited for", async () => {
        list.contradicted();
        void turn(wait("c0", { fresh: true }));
        await clock.advance(1);
        const { sleeps } = clock;
        void turn(wait("c1", { fresh: true }));
        void turn(wait("c2", { fresh: true, deadline: Deadline.after(clock, firstPauseMs - 1) }));
        await clock.advance(1);
        assert.equal(clock.sleeps, sleeps);
        await clock.advance(1_000);
        assert.equal(turns.length, 3);
    });

    describe("no more GETs wait for a connection", () => {
        it("than there are places: who has asked makes room for the next", async () => {
            list.contradicted();
            const contents = ids(maxReading + 2).map((id) => wait(id));
            for (const content of contents) void turn(content);
            await clock.advance(1_000);
            assert.equal(turns.length, maxReading);
            polling.read(contents[0] as Wait);
            await clock.advance(1_000);
            assert.equal(turns.length, maxReading + 1);
        });
        it("and who gives up takes no place", async () => {
            list.contradicted();
            const interrupt = new AbortController();
            const ends = Promise.allSettled(
                ids(maxReading).map((id) => turn(wait(id, { fresh: true, signal: interrupt.signal }))),
            );
            await clock.advance(100);
            interrupt.abort(new Error("interrupted"));
            await clock.runUntil(ends);
            await clock.runUntil(turn(wait("other")));
            assert.deepEqual(turns, [["other", 100]]);
        });
    });

    describe("an interrupt", () => {
        const reason = new Error("interrupted");

        it("ends the waits it is meant for at once, and no others", async () => {
            const interrupt = new AbortController();
            const end = Promise.allSettled([turn(wait("c0", { fresh: true, signal: interrupt.signal }))]);
            void turn(wait("c1", { fresh: true }));
            await clock.advance(100);
            interrupt.abort(reason);
            assert.deepEqual(await clock.runUntil(end), [{ status: "rejected", reason }]);
            assert.equal(clock.elapsed - begin, 100);
            await clock.advance(100);
            assert.deepEqual(turns, []);
            await clock.advance(200);
            assert.deepEqual(turns, [["c1", firstPauseMs]]);
            assert.equal(clock.sleeping, 0, "nothing goes on");
        });
        it("that came before leaves nothing to wait for", async () => {
            await assert.rejects(turn(wait("c0", { signal: AbortSignal.abort(reason) })), reason);
            assert.equal(clock.sleeping, 0);
        });
        it("is listened for once, however many wait", async () => {
            const { signal } = new AbortController();
            turnsOf(["c0", "c1", "c2"], { signal, fresh: true });
            assert.equal(getEventListeners(signal, "abort").length, 1);
            await clock.advance(1_000);
        });
        it("ends a look at the list that nobody waits for any more", async () => {
            instead = { after: 2_500 };
            const interrupt = new AbortController();
            const ends = Promise.allSettled(ids(10).map((id) => turn(wait(id, { signal: interrupt.signal }))));
            await clock.advance(100);
            assert.equal(lists, 1);
            interrupt.abort(reason);
            await clock.runUntil(ends);
            assert.equal(clock.elapsed - begin, 100);
            await clock.advance(0);
            assert.equal(clock.sleeping, 0);
        });
        it("does not end a look at the list that others wait for", async () => {
            instead = { after: 2_500 };
            for (const id of ids(10)) listed[id] = "Processing";
            const interrupt = new AbortController();
            const ends = Promise.allSettled([turn(wait("c0", { signal: interrupt.signal }))]);
            const seen: string[] = [];
            turnsOf(ids(10).slice(1), { onStatus: (status) => seen.push(status) });
            await clock.advance(100);
            interrupt.abort(reason);
            await clock.runUntil(ends);
            await clock.advance(2_400);
            assert.equal(seen.length, 9);
            assert.equal(lists, 1);
        });
    });

    describe("what a GET shows", () => {
        it("is told", () => {
            const told: string[] = [];
            const content = wait("c0", { onStatus: (status) => told.push(status) });
            polling.seen(content, "Processing");
            polling.seen(content, undefined);
            polling.seen(wait("c1"), "Processing");
            assert.deepEqual(told, ["Processing", "unknown"]);
        });

        const isUsable = () => list.info(clock.monotonic()).isUsable;
        it("is compared with what the list showed: who is at an end there and not here makes it doubtful", async () => {
            const content = wait("c0");
            polling.seen(content, "Processing");
            assert.ok(isUsable());
            for (const [before, status] of [
                ["Processing", "Processing"],
                ["Processing", "Ready"],
                ["Ready", "Ready"],
            ] as const) {
                content.listed = before;
                polling.seen(content, status);
                assert.ok(isUsable());
            }
            content.listed = "Ready";
            polling.seen(content, "Processing");
            assert.equal(content.listed, undefined);
            assert.ok(!isUsable());
            await clock.advance(60_000);
            assert.ok(isUsable());
        });
        it("to be at an end is what the list has to show from then on", async () => {
            await process(1_000, {}, "c0");
            await clock.advance(1_000);
            for (const id of ids(4)) listed[id] = "Processing";
            const { signal } = new AbortController();
            assert.equal(await clock.runUntil(list.poll(new Set(ids(4)), 1, signal)), undefined);
            assert.ok(!isUsable());
        });
    });

    describe("how long contents take", () => {
        it("is learnt from three", async () => {
            await process(30_000);
            await process(30_000);
            assert.equal(firstPause(), firstPauseMs);
            await process(30_000);
            assert.equal(firstPause(), maxPauseMs);
        });
        it("is not learnt from those that were made before, or are still under way, or from livestreams", async () => {
            for (let count = 0; count < 3; count++) {
                await process(30_000, { fresh: false });
                const livestream = wait(undefined, { fresh: true });
                const pending = wait("c", { fresh: true });
                await clock.advance(30_000);
                answer(livestream, "Deleting");
                answer(pending, "Processing");
            }
            assert.equal(firstPause(), firstPauseMs);
        });
        it("is what the last 20 took", async () => {
            await process(1_000);
            for (let count = 0; count < 19; count++) await process(30_000);
            assert.equal(firstPause(), 800);
            await process(30_000);
            assert.equal(firstPause(), maxPauseMs);
        });
    });

    describe("the list", () => {
        beforeEach(() => {
            for (const id of ids(10)) listed[id] = "Processing";
        });

        it("is asked in place of each of them, and told", async () => {
            const told: string[] = [];
            turnsOf(ids(10), { onStatus: (status) => told.push(status) });
            await clock.advance(200);
            assert.equal(lists, 1);
            assert.deepEqual(turns, []);
            assert.deepEqual(told, new Array(10).fill("Processing"));
        });
        it("gives those their turn at once that it shows at an end: it proves nothing", async () => {
            Object.assign(listed, { c3: "Ready", c5: "Failed", c7: "Deleting" });
            turnsOf(ids(10));
            await clock.advance(200);
            assert.deepEqual(turns, [
                ["c3", 10],
                ["c5", 10],
                ["c7", 10],
            ]);
            assert.equal(lists, 1);
        });
        it("gives those their turn at once that it does not show, and is not asked again", async () => {
            delete listed.c9;
            turnsOf(ids(10));
            await clock.advance(200);
            assert.deepEqual(turns, [["c9", 20]], "after two pages: a list ends where nothing comes");
            assert.equal(lists, 1);
        });
        it("gives all their turn at once when it is refused", async () => {
            instead = { status: 403 };
            turnsOf(ids(10));
            await clock.advance(200);
            assert.deepEqual(
                turns,
                ids(10).map((id) => [id, 10]),
            );
            assert.equal(lists, 1);
        });
        it("says nothing of a livestream, which is asked itself", async () => {
            turnsOf(ids(10));
            void turn(wait(undefined));
            await clock.advance(200);
            assert.deepEqual(turns, [["livestream", 10]]);
        });
        it("does not spare the one that was asked longest ago from being asked itself, now and then", async () => {
            const contents = ids(10).map((id) => wait(id));
            for (const content of contents) {
                void (async () => {
                    for (;;) {
                        await turn(content);
                        answer(content, "Processing");
                    }
                })();
            }
            await clock.advance(30_000);
            const counts = ids(10).map((id) => turns.filter(([name]) => name === id).length);
            assert.ok(Math.min(...counts) >= 1 && Math.max(...counts) <= 3, `${counts}`);
            const times = turns.map(([, at]) => at);
            for (const [place, at] of times.entries())
                assert.ok(place === 0 || at - (times[place - 1] ?? 0) >= 1_000, `${times}`);
        });
    });
});
