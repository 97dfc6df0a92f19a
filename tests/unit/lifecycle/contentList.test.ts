/** The list of contents as a way to poll: what it costs, and when it is believed (C2, C3). */
import assert from "node:assert/strict";
import { ContentList } from "../../../provider/dist/lifecycle/wait/contentList.js";
import { FakeClock } from "../../support/fakeClock.ts";
import { type Answered, scriptedApi } from "../../support/scriptedApi.ts";

const minute = 60_000;

describe("the list of contents", () => {
    let clock: FakeClock;
    let list: ContentList;
    /** All that the list shows, in its order. */
    let items: { contentId: string; status: string | undefined; created_at: number | undefined }[];
    let pageLength: number;
    /** What a page's answer is instead, by the position that it begins at. */
    let instead: Map<number, Answered>;
    /** The positions that pages were asked for at, since this was last looked at. */
    let starts: number[];
    /** When these were asked for. */
    let times: number[];

    beforeEach(async () => {
        clock = new FakeClock();
        items = [];
        pageLength = 100;
        instead = new Map();
        starts = [];
        times = [];
        const api = scriptedApi(clock, ({ start, at }) => {
            starts.push(start);
            times.push(at);
            return { data: items.slice(start, start + pageLength), ...instead.get(start) };
        });
        list = new ContentList(api, clock);
        // Some time of the process has passed before.
        await clock.advance(1_000);
    });

    const created = Date.UTC(2026, 0, 1);
    /** Fills the list with `c0`, `c1`, ...; the next one is always so much younger than the one before. */
    const fill = (count: number, step: number | undefined = -1_000) => {
        items = Array.from({ length: count }, (_, place) => ({
            contentId: `c${place}`,
            status: "Processing",
            created_at: step === undefined ? undefined : created + place * step,
        }));
    };
    /** The ids of so many contents from a place on. */
    const ids = (from: number, count: number) => Array.from({ length: count }, (_, more) => `c${from + more}`);
    const poll = (wanted: Iterable<string>, maxPages = 100, signal = new AbortController().signal) => {
        starts = [];
        times = [];
        return clock.runUntil(list.poll(new Set(wanted), maxPages, signal));
    };
    const pages = () => list.info(clock.monotonic()).pages;
    /** For how long it is not used from now on, in ms. */
    const unused = () => {
        for (const ms of [0, 5_000, 10_000, 20_000, 40_000, 60_000]) {
            if (!list.info(clock.monotonic() + ms).isUsable) continue;
            assert.ok(ms === 0 || !list.info(clock.monotonic() + ms - 1).isUsable);
            return ms;
        }
        return undefined;
    };

    it("is used at first, and takes one request as far as is known", () => {
        assert.deepEqual(list.info(clock.monotonic()), { isUsable: true, pages: 1 });
    });

    it("tells the statuses of those that are wanted, and of no others", async () => {
        fill(100);
        for (const item of items.slice(0, 5)) item.status = "Ready";
        const shown = await poll(["c3", "c4", "c5"]);
        assert.deepEqual(shown, new Map([...["c3", "c4"].map((id) => [id, "Ready"] as const), ["c5", "Processing"]]));
        assert.deepEqual(starts, [0]);
        assert.equal(unused(), 0);
    });

    it("tells nothing of a content that it shows without a status", async () => {
        fill(100);
        items[1] = { contentId: "c1", status: undefined, created_at: undefined };
        list.settled("c1");
        await clock.advance(1_000);
        const shown = await poll(ids(0, 4));
        assert.deepEqual([...(shown?.keys() ?? [])], ["c0", "c2", "c3"]);
    });

    describe("is read", () => {
        it("no further than to the last one that is wanted", async () => {
            fill(300);
            await poll(["c0", "c1", "c199"]);
            assert.deepEqual(starts, [0, 100]);
            assert.equal(pages(), 2);
        });

        it("no further than it may be, and what it showed so far counts", async () => {
            fill(300);
            const shown = await poll(["c0", "c1", "c100", "c200"], 2);
            assert.deepEqual([...(shown?.keys() ?? [])], ["c0", "c1", "c100"]);
            assert.deepEqual(starts, [0, 100]);
            assert.equal(pages(), 2);
        });

        it("page by page while it takes less than eight requests", async () => {
            fill(700);
            const wanted = ids(600, 20);
            await poll(wanted);
            assert.equal(pages(), 7);
            await poll(wanted);
            assert.deepEqual(starts, [0, 100, 200, 300, 400, 500, 600]);
            assert.equal(times.at(-1), (times[0] ?? 0) + 60);
        });

        it("in two places at once from eight requests on, each part once", async () => {
            fill(800);
            const wanted = ids(700, 20);
            await poll(wanted);
            assert.equal(pages(), 8);
            const shown = await poll(wanted);
            assert.deepEqual(starts, [0, 400, 100, 500, 200, 600, 300, 700]);
            assert.equal(times.at(-1), (times[0] ?? 0) + 30);
            assert.equal(shown?.size, 20);
            assert.equal(pages(), 8);
        });

        it("in parts of whole pages, the last of which may be shorter, or go on", async () => {
            fill(900);
            const wanted = ids(800, 20);
            await poll(wanted);
            assert.equal(pages(), 9);
            fill(1_100);
            await poll(ids(1_000, 20));
            assert.deepEqual(starts, [0, 500, 100, 600, 200, 700, 300, 800, 400, 900, 1_000]);
        });

        it("in eight places at most", async () => {
            pageLength = 10;
            fill(400);
            const wanted = ids(340, 60);
            await poll(wanted);
            assert.equal(pages(), 40);
            await poll(wanted);
            assert.deepEqual(starts.slice(0, 8), [0, 50, 100, 150, 200, 250, 300, 350]);
            assert.equal(new Set(times.slice(0, 8)).size, 1);
            assert.equal(starts.length, 40);
            assert.equal(new Set(starts).size, 40);
        });

        it("from its beginning again once it was left alone", async () => {
            fill(900, 1_000);
            await poll(ids(800, 20));
            list.contradicted();
            assert.equal(pages(), 1);
            await poll(["c0", "c1"]);
            assert.deepEqual(starts, [0]);
        });
    });

    describe("with new contents last is read from where the first wanted one was", () => {
        const wanted = [...ids(830, 10), ...ids(930, 10)];

        it("when it showed all", async () => {
            fill(1_000, 1_000);
            await poll(wanted);
            assert.equal(starts.length, 10);
            await poll(wanted);
            assert.deepEqual(starts.slice(0, 2), [800, 1_300]);
            assert.deepEqual(starts.slice(2), [900]);
            await poll(wanted);
            assert.deepEqual(starts, [800, 900]);
        });

        it("whatever is in the middle of a page", async () => {
            fill(1_000, 1_000);
            for (const [place, item] of items.entries()) if (place % 100 === 1) item.created_at = created - 1_000;
            await poll(wanted);
            await poll(wanted);
            assert.equal(starts[0], 800);
        });

        it("but from its beginning when it did not show all", async () => {
            fill(1_000, 1_000);
            const shown = await poll([...wanted, "elsewhere"]);
            assert.equal(shown?.size, 20);
            await poll(wanted);
            assert.equal(starts[0], 0);
        });

        for (const [what, step] of [
            ["new ones come first", -1_000],
            ["all were made at the same time", 0],
            ["it does not say when they were made", undefined],
        ] as const) {
            it(`but from its beginning when ${what}`, async () => {
                fill(1_000);
                for (const [place, item] of items.entries()) {
                    item.created_at = step === undefined ? undefined : created + place * step;
                }
                await poll(wanted);
                await poll(wanted);
                assert.equal(starts[0], 0);
            });
        }
    });

    describe("is left alone", () => {
        it("when it shows no more contents than it takes requests", async () => {
            fill(200);
            assert.equal(await poll(["c0", "c100"]), undefined);
            assert.equal(starts.length, 2);
            assert.equal(unused(), 5_000);
            await clock.advance(5_000);
            assert.equal((await poll(["c0", "c1", "c100"]))?.size, 3);
            assert.equal(unused(), 0);
        });

        it("ever longer when it is of no use again, for a minute at most, until it is of use", async () => {
            const times: unknown[] = [];
            for (let poor = 0; poor < 6; poor++) {
                await poll(["c0"]);
                times.push(unused());
                await clock.advance(minute);
            }
            assert.deepEqual(times, [5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
            fill(100);
            await poll(ids(0, 3));
            await poll(["c0"]);
            assert.equal(unused(), 5_000);
        });

        it("when it is refused", async () => {
            fill(200);
            instead.set(100, { status: 403 });
            assert.equal(await poll(["c0", "c1", "c2", "c100"]), undefined);
            assert.equal(unused(), 5_000);
        });

        it("for a minute when a single answer contradicts it", () => {
            list.contradicted();
            assert.equal(unused(), minute);
        });

        it("when a page takes longer than three seconds", async () => {
            fill(300);
            instead.set(0, { after: 2_900 });
            instead.set(100, { after: 2_900 });
            const wanted = [...ids(0, 4), "c299"];
            const shown = await poll(wanted);
            assert.equal(shown?.size, 5, "each page has its own time");
            instead.set(100, { after: 4_000 });
            const begin = clock.elapsed;
            assert.equal(await poll(wanted), undefined);
            assert.equal(clock.elapsed - begin, 5_900);
            assert.equal(unused(), 5_000);
        });
    });

    it("is read no further at any place once one has failed", async () => {
        fill(800);
        const wanted = ids(700, 20);
        await poll(wanted);
        instead.set(400, { status: 403 });
        assert.equal(await poll(wanted), undefined);
        await clock.advance(minute);
        assert.deepEqual(starts, [0, 400, 100]);
    });

    it("is not waited for any more when nobody needs it", async () => {
        instead.set(0, { after: minute });
        const nobody = new AbortController();
        const polled = list.poll(new Set(["c0", "c1"]), 1, nobody.signal);
        await clock.advance(1_000);
        const begin = clock.elapsed;
        nobody.abort(new Error("nobody waits"));
        assert.equal(await clock.runUntil(polled), undefined);
        assert.equal(clock.elapsed, begin);
        assert.equal(clock.sleeping, 0);
    });

    describe("is not believed for a minute", () => {
        beforeEach(() => fill(100));

        it("when it shows a content under way that was at an end before, wanted or not", async () => {
            list.settled("c50");
            await clock.advance(1);
            assert.equal(await poll(ids(0, 3)), undefined);
            assert.equal(unused(), minute);
        });

        it("but is when it shows that one at an end", async () => {
            list.settled("c50");
            for (const status of ["Ready", "Failed", "Deleting", "Deleted"]) {
                await clock.advance(1);
                Object.assign(items[50] ?? {}, { status });
                assert.equal((await poll(ids(0, 3)))?.size, 3);
            }
        });

        it("nor is doubted when the content came to its end after the list was asked for", async () => {
            const polled = list.poll(new Set(ids(0, 3)), 1, new AbortController().signal);
            list.settled("c50");
            assert.equal((await clock.runUntil(polled))?.size, 3);
        });
    });
});
