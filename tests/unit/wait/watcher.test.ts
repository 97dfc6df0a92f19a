/** Waiting for many contents at once: soon noticed, at few requests, whatever the list is like (C2, C3). */
import assert from "node:assert/strict";
import { Deadline } from "../../../provider/dist/api/clock.js";
import { Schedule } from "../../../provider/dist/wait/schedule.js";
import { untilSettled, WaitTimeout } from "../../../provider/dist/wait/untilSettled.js";
import { FakeClock, seededRandom } from "../../support/fakeClock.ts";
import { type Listing, ProcessingService } from "../../support/processingService.ts";
import { rejection } from "../api/support.ts";

const hour = 3_600_000;

describe("waiting", () => {
    let service: ProcessingService;
    let clock: FakeClock;
    let schedule: Schedule;
    let random: () => number;
    let interrupt: AbortController;

    beforeEach(() => {
        clock = new FakeClock();
        service = new ProcessingService(clock);
        interrupt = new AbortController();
        schedule = new Schedule(service.api, clock, interrupt.signal);
        random = seededRandom(1);
    });

    const until = async (id: string, fresh: boolean) => {
        const settled = await untilSettled(schedule, id, { deadline: new Deadline(clock, hour), fresh });
        service.noticed(id);
        return settled;
    };

    interface Limits {
        median?: number;
        worst?: number;
        each?: number;
    }

    /**
     * Creates contents with pauses of `every` ms, each taking from so long to so long, and waits for all. `limits`: how late an end is noticed
     * at most, in ms, and how many requests a content takes.
     */
    async function notices(count: number, [from, to]: readonly [number, number], every: number, limits: Limits) {
        const all: Promise<unknown>[] = [];
        for (let left = count; left > 0; left--) {
            all.push(until(service.add(from + random() * (to - from)), true));
            await clock.advance(every);
        }
        await clock.runUntil(Promise.all(all));
        const { lags, requests } = service;
        assert.equal(lags.length, count, "all were noticed");
        const [median = 0, worst = 0] = [lags[Math.floor(count / 2)], lags.at(-1)];
        const each = (requests.get + requests.list) / count;
        const { median: m = worst, worst: w = worst, each: e = each } = limits;
        assert.ok(median <= m && worst <= w && each <= e, `${median} ms, ${worst} ms, ${each} requests`);
    }

    for (const [what, count, processing, every, latency, limits] of [
        ["C3: one content at a handful of requests", 1, [60_000, 60_000], 0, 0, { median: 5_000, each: 40 }],
        ["C3: each within 5 s", 1_000, [30_000, 60_000], 10, 300, { median: 4_500, worst: 5_600 }],
        ["C2: 200 at three requests", 200, [20_000, 20_000], 30, 0, { median: 2_000, worst: 5_000, each: 3 }],
        ["C2: 1,000 at 2.2 with POST", 1_000, [10_000, 10_000], 2, 0, { median: 1_000, worst: 5_000, each: 1.2 }],
        // They are created faster than the pages of the list are read.
        ["C2: 3,000 at no request more", 3_000, [10_000, 10_000], 0.3, 60, { worst: 5_120, each: 1.2 }],
    ] as const)
        it(`notices ${what}`, async () => {
            service.latency = latency;
            await notices(count, processing, every, limits);
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

    /** Waits for an hour for one content, which takes so long. */
    const waitOnce = (processing: number) => {
        const id = service.add(processing);
        const end = untilSettled(schedule, id, { deadline: new Deadline(clock, hour), fresh: true });
        end.catch(() => {});
        return { id, end };
    };

    describe("A20: the clock", () => {
        for (const [what, by] of [
            ["forward", 2 * hour],
            ["back", -hour / 2],
        ] as const) {
            it(`may be set ${what}: the wait goes on, and Ready is noticed as soon as ever`, async () => {
                const { end } = waitOnce(60_000);
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
            const { id, end } = waitOnce(5 * hour);
            await clock.advance(10_000);
            const { get } = service.requests;
            clock.suspend(3 * hour);
            const error = await clock.runUntil(rejection(WaitTimeout, end));
            assert.equal(service.requests.get, get + 1);
            const said = `^Content ${id} is not Ready after 3 h: status Processing\\. To allow .*create: "2h", .* \\[VG4003\\]$`;
            assert.match(error.message, new RegExp(said));
            assert.equal(error.lastStatus, "Processing");
        });
    });

    const usual = { median: 2_000, worst: 5_000 };
    // A list that lies is found out by one of the contents that are read nevertheless, once that one is Ready.
    const late = { worst: 20_000 };
    const listings: Record<string, [Partial<Listing>, Limits]> = {
        "shows new contents last": [{ order: "oldestFirst" }, usual],
        "has small pages": [{ largestPage: 10 }, usual],
        "shows an end too early": [{ status: () => "Ready" }, usual],
        "has no status": [{ status: () => undefined }, usual],
        "lacks half of the contents": [{ shows: (id) => Number(id.slice(1)) % 2 === 0 }, usual],
        "shows nothing": [{ shows: () => false }, usual],
        "is forbidden": [{ refusal: 403 }, usual],
        fails: [{ refusal: 500 }, usual],
        "never answers": [{ hangs: true }, usual],
        "is late (C3)": [{ delay: 3_000 }, { worst: 5_000 + 3_000 }],
        "never shows an end": [{ status: () => "Processing" }, late],
        "has statuses of its own": [{ status: (actual) => (actual === "Ready" ? "Published" : "Queued") }, late],
    };
    for (const [what, [listing, limits]] of Object.entries(listings))
        it(`ends in time where the list ${what}`, async () => {
            Object.assign(service.listing, listing);
            // Contents of others, which only the list shows.
            for (let foreign = 0; foreign < 500; foreign++) service.add(0);
            service.contents.splice(0);
            await notices(100, [10_000, 20_000], 20, { each: 22, ...limits });
        });
});
