/** Waiting for many contents at once: soon noticed, at few requests, whatever the list is like (C2, C3). */
import assert from "node:assert/strict";
import { Deadline } from "../../../provider/dist/api/clock.js";
import { WaitTimeout, Watcher } from "../../../provider/dist/wait/watcher.js";
import { FakeClock, seededRandom } from "../../support/fakeClock.ts";
import { type Listing, ProcessingService } from "../../support/processingService.ts";
import { rejection } from "../api/support.ts";

const hour = 3_600_000;

describe("waiting", () => {
    let service: ProcessingService;
    let clock: FakeClock;
    let watcher: Watcher;
    let random: () => number;
    let interrupt: AbortController;

    beforeEach(() => {
        clock = new FakeClock();
        service = new ProcessingService(clock);
        interrupt = new AbortController();
        watcher = new Watcher(service.api, clock, interrupt.signal);
        random = seededRandom(1);
    });

    const until = async (id: string, fresh: boolean) => {
        const settled = await watcher.untilSettled(id, { deadline: Deadline.after(clock, hour), fresh });
        service.noticed(id);
        return settled;
    };

    /** Creates contents with pauses of `every` ms, each taking from so long to so long, and waits for all. */
    async function waitFor(count: number, [from, to]: [number, number], every: number, fresh = true) {
        const all: Promise<unknown>[] = [];
        for (let left = count; left > 0; left--) {
            all.push(until(service.add(from + random() * (to - from)), fresh));
            await clock.advance(every);
        }
        await clock.runUntil(Promise.all(all));
        const { lags, requests } = service;
        assert.equal(lags.length, count, "all were noticed");
        return {
            median: lags[Math.floor(lags.length / 2)] as number,
            worst: lags.at(-1) as number,
            each: (requests.get + requests.list) / count,
        };
    }

    it("C3: notices one content at a handful of requests", async () => {
        const { median, each } = await waitFor(1, [60_000, 60_000], 0);
        assert.ok(median <= 5_000 && each <= 40, `${median} ms, ${each} requests`);
    });

    it("C3: notices each within 5 s and its answer, however long the list takes", async () => {
        service.latency = 300;
        const { median, worst } = await waitFor(1_000, [30_000, 60_000], 10);
        assert.ok(median < 4_500 && worst <= 5_000 + 2 * service.latency, `${median} ms, ${worst} ms`);
    });

    it("C2: 20 contents of 2 to 5 s, eight at a time as on two cores, take three requests each beside their create", async () => {
        let left = 20;
        const next = async (): Promise<void> => {
            while (left-- > 0) await until(service.add(2_000 + random() * 3_000), true);
        };
        await clock.runUntil(Promise.all(Array.from({ length: 8 }, next)));
        const { lags, requests } = service;
        const [median = 0, each] = [lags[10], (requests.get + requests.list) / 20];
        assert.ok(median < 250 && each <= 3, `${median} ms, ${each} requests`);
    });

    it("C2: 200 contents of 20 s take three requests each", async () => {
        const { median, each, worst } = await waitFor(200, [20_000, 20_000], 30);
        assert.ok(median < 2_000 && worst <= 5_000 && each <= 3, `${median} ms, ${worst} ms, ${each} requests`);
    });

    it("C2: 1,000 contents of 10 s take 2.2 requests each with their create, and are noticed within a second", async () => {
        const { median, worst, each } = await waitFor(1_000, [10_000, 10_000], 2);
        assert.ok(median < 1_000 && worst <= 5_000 && each <= 1.2, `${median} ms, ${worst} ms, ${each} requests`);
    });

    it("C2: 3,000 contents that are created faster than the pages of the list are read take no request more", async () => {
        service.latency = 60;
        const { worst, each } = await waitFor(3_000, [10_000, 10_000], 0.3);
        assert.ok(worst <= 5_000 + 2 * service.latency && each <= 1.2, `${worst} ms, ${each} requests`);
    });

    it("ends all waits at once when the run is interrupted, and asks nothing more", async () => {
        const reason = new Error("interrupted");
        const ids = Array.from({ length: 50 }, () => service.add(60_000));
        const ends = Promise.allSettled(ids.map((id) => until(id, true)));
        await clock.advance(7_000);
        const { get, list } = service.requests;
        const at = clock.now();
        interrupt.abort(reason);
        for (const end of await clock.runUntil(ends)) {
            assert.ok(end.status === "rejected" && end.reason === reason);
        }
        assert.equal(clock.now(), at);
        assert.equal(clock.sleeping, 0, "nothing goes on");
        await clock.advance(60_000);
        assert.deepEqual(service.requests, { get, list });
    });

    /** Waits for one content, which takes so long, with so long a deadline. */
    const waitOnce = (processing: number, limit: number, fresh = true) => {
        const id = service.add(processing);
        const end = watcher.untilSettled(id, { deadline: Deadline.after(clock, limit), fresh });
        end.catch(() => {});
        return { id, end };
    };

    describe("A20: the clock", () => {
        for (const [what, by] of [
            ["forward", 2 * hour],
            ["back", -hour / 2],
        ] as const) {
            it(`may be set ${what}: the wait goes on, and Ready is noticed as soon as ever`, async () => {
                const { end } = waitOnce(60_000, hour);
                await clock.advance(10_000);
                clock.setForward(by);
                // The service's clock is another one.
                for (const content of service.contents) content.readyAt += by;
                const { status } = await clock.runUntil(end);
                assert.equal(status, "Ready");
                assert.ok(clock.elapsed < 66_000, `${clock.elapsed} ms`);
            });
        }

        it("of a machine that slept ends the wait when the content is still not Ready, after one GET", async () => {
            const { id, end } = waitOnce(5 * hour, hour);
            await clock.advance(10_000);
            const { get } = service.requests;
            clock.suspend(3 * hour);
            const error = await clock.runUntil(rejection(WaitTimeout, end));
            assert.equal(service.requests.get, get + 1);
            assert.match(
                error.message,
                new RegExp(
                    `^Content ${id} is not Ready after 3 h: status Processing\\. To allow .*customTimeouts: \\{ create: "2h", .* \\[VG4003\\]$`,
                ),
            );
            assert.equal(error.lastStatus, "Processing");
        });
    });

    /** Contents of others, which only the list shows. */
    const addForeign = () => {
        for (let foreign = 0; foreign < 500; foreign++) service.add(0);
        service.contents.splice(0);
    };
    const listings: Record<string, Partial<Listing>> = {
        "shows new contents last": { order: "oldestFirst" },
        "has small pages": { largestPage: 10 },
        "shows an end too early": { status: () => "Ready" },
        "has no status": { status: () => undefined },
        "lacks half of the contents": { shows: (id) => Number(id.slice(1)) % 2 === 0 },
        "shows nothing": { shows: () => false },
        "is forbidden": { refusal: 403 },
        fails: { refusal: 500 },
        "never answers": { hangs: true },
    };
    for (const [what, listing] of Object.entries(listings)) {
        it(`ends in time where the list ${what}`, async () => {
            Object.assign(service.listing, listing);
            addForeign();
            const { median, worst, each } = await waitFor(100, [10_000, 20_000], 20);
            assert.ok(median < 2_000 && worst <= 5_000 && each <= 22, `${median} ms, ${worst} ms, ${each} requests`);
        });
    }

    it("C3: is late by no more than the list is, and the pause", async () => {
        service.listing.delay = 3_000;
        addForeign();
        const { worst, each } = await waitFor(100, [10_000, 20_000], 20);
        assert.ok(worst <= 5_000 + 3_000 && each <= 22, `${worst} ms, ${each} requests`);
    });

    // It is found out by one of the contents that are read nevertheless, once that one is Ready.
    const lies: Record<string, Partial<Listing>> = {
        "never shows an end": { status: () => "Processing" },
        "has statuses of its own": { status: (actual) => (actual === "Ready" ? "Published" : "Queued") },
    };
    for (const [what, listing] of Object.entries(lies)) {
        it(`ends soon after the slowest where the list ${what}`, async () => {
            Object.assign(service.listing, listing);
            addForeign();
            const { worst, each } = await waitFor(100, [10_000, 20_000], 20);
            assert.ok(worst <= 20_000 && each <= 22, `${worst} ms, ${each} requests`);
        });
    }
});
