/** Looking for lost creates in big accounts, and in lists of every order (A14). */
import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import type { Page } from "../../../provider/dist/api/index.js";
import {
    ListOrder,
    type ObjectList,
    type ScannedPage,
    Scans,
    SharedScan,
} from "../../../provider/dist/lifecycle/create/scan.js";
import { FakeClock } from "../../support/fakeClock.ts";
import { Machine } from "../../support/scriptedLife.ts";

describe("list order", () => {
    const items = (
        count: number,
        createdOn: (index: number) => number | undefined,
        title = (index: number) => `t${(index * 7) % 10}`,
    ) => Array.from({ length: count }, (_, index) => ({ createdOn: createdOn(index), title: title(index) }));
    const shown = (all: ReturnType<typeof items>) => {
        const order = new ListOrder();
        order.add(all);
        return order.restIsBefore;
    };

    it("is shown by twenty steps from newer to older", () => {
        assert.equal(shown(items(21, (index) => 1_000 - index)), 980);
        assert.equal(shown(items(20, (index) => 1_000 - index)), undefined);
    });

    it("is shown across pages", () => {
        const order = new ListOrder();
        const all = items(30, (index) => 1_000 - index);
        order.add(all.slice(0, 10));
        order.add(all.slice(10));
        assert.equal(order.restIsBefore, 971);
    });

    it("is not shown by equal times, by one exception, by a gap, or oldest first", () => {
        assert.equal(shown(items(50, () => 1_000)), undefined);
        assert.equal(shown(items(50, (index) => (index === 40 ? 5_000 : 1_000 - index))), undefined);
        assert.equal(shown(items(50, (index) => (index === 40 ? undefined : 1_000 - index))), undefined);
        assert.equal(shown(items(50, (index) => (index >= 49 ? undefined : 1_000 - index))), undefined);
        assert.equal(shown(items(50, (index) => (index === 0 ? undefined : 1_000 - index))), undefined);
        assert.equal(shown(items(50, (index) => 1_000 + index)), undefined);
    });

    it("is not shown by a list that may be sorted by title", () => {
        const date = (index: number) => 1_000 - index;
        for (const title of [
            (index: number) => `Episode ${100 + index}`,
            (index: number) => `Episode ${900 - index}`,
            () => "Episode",
            (index: number) => `Episode ${100 + Math.floor(index / 2)}`,
            (index: number) => `Episode ${900 - Math.floor(index / 2)}`,
        ]) {
            assert.equal(shown(items(50, date, title)), undefined);
        }
    });
});

describe("shared scan", () => {
    const clock = new FakeClock();
    const forever = new AbortController().signal;
    let begun: number;
    let pagesRead: number;
    const listOf = (pages: number, failAt = Number.POSITIVE_INFINITY): ObjectList<{ createdOn: number }> => ({
        name: "contents",
        async *pages({ signal }): AsyncGenerator<Page<{ createdOn: number }>> {
            begun++;
            for (let page = 0; page < pages; page++) {
                signal?.throwIfAborted();
                if (page === failAt) throw new Error("cut off");
                pagesRead++;
                yield { items: [{ createdOn: page }] };
                await clock.sleep(10, signal);
            }
        },
    });
    const more = async () => false;

    beforeEach(() => {
        begun = 0;
        pagesRead = 0;
    });

    it("serves all that begin at the same time by one reading", async () => {
        const scan = new SharedScan(listOf(3), clock);
        await clock.runUntil(Promise.all(Array.from({ length: 64 }, () => scan.read(more, forever))));
        assert.deepEqual([begun, pagesRead], [1, 3]);
    });

    it("serves a later search by the next reading, from its first page", async () => {
        const scan = new SharedScan(listOf(3), clock);
        const first = scan.read(more, forever);
        await clock.advance(5);
        const seen: number[] = [];
        const second = scan.read(async ({ requests }: ScannedPage<unknown>) => {
            seen.push(requests);
            return false;
        }, forever);
        await clock.runUntil(Promise.all([first, second]));
        assert.deepEqual([begun, seen], [2, [1, 2, 3]]);
    });

    it("ends with the last search that needs more", async () => {
        const scan = new SharedScan(listOf(9), clock);
        const until =
            (page: number) =>
            async ({ requests }: ScannedPage<unknown>) =>
                requests === page;
        await clock.runUntil(Promise.all([scan.read(until(2), forever), scan.read(until(4), forever)]));
        await clock.advance(1_000);
        assert.equal(pagesRead, 4);
    });

    it("tells every search that the list could not be read, and reads it anew for the next", async () => {
        const scan = new SharedScan(listOf(3, 1), clock);
        const both = [scan.read(more, forever), scan.read(more, forever)];
        for (const one of both) one.catch(() => undefined);
        await clock.runUntil(Promise.allSettled(both));
        for (const one of both) await assert.rejects(one, /cut off/);
        await assert.rejects(clock.runUntil(scan.read(async () => false, forever)), /cut off/);
        assert.equal(begun, 2);
    });

    it("one search that fails or is ended leaves the others alone", async () => {
        const scan = new SharedScan(listOf(3), clock);
        const controller = new AbortController();
        const failing = scan.read(() => Promise.reject(new Error("mine")), forever);
        const ended = scan.read(more, controller.signal);
        failing.catch(() => undefined);
        ended.catch(() => undefined);
        const other = scan.read(more, forever);
        await clock.advance(5);
        controller.abort(new Error("ended"));
        await clock.runUntil(other);
        await assert.rejects(failing, /mine/);
        await assert.rejects(ended, /ended/);
    });

    it("stops when nobody wants it any more", async () => {
        const scan = new SharedScan(listOf(100), clock);
        const controller = new AbortController();
        const ended = scan.read(more, controller.signal);
        ended.catch(() => undefined);
        await clock.advance(25);
        controller.abort(new Error("ended"));
        await clock.advance(10_000);
        // The fourth request was under way.
        assert.equal(pagesRead, 3);
        await assert.rejects(ended, /ended/);
    });

    it("begins nothing for a search that has ended already", async () => {
        const scan = new SharedScan(listOf(3), clock);
        await assert.rejects(scan.read(more, AbortSignal.abort(new Error("ended"))), /ended/);
        await clock.advance(1_000);
        assert.equal(begun, 0);
    });

    it("shows nothing more to a search that has ended", async () => {
        const scan = new SharedScan(listOf(5), clock);
        const controller = new AbortController();
        let seen = 0;
        const ended = scan.read(async () => {
            seen++;
            return false;
        }, controller.signal);
        ended.catch(() => undefined);
        const other = scan.read(more, forever);
        await clock.advance(15);
        controller.abort(new Error("ended"));
        await clock.runUntil(other);
        assert.deepEqual([seen, pagesRead], [2, 5]);
    });

    it("reads once at a time", async () => {
        let reading = 0;
        const list = listOf(3);
        const scan = new SharedScan(
            {
                ...list,
                async *pages(options) {
                    assert.equal(++reading, 1);
                    yield* list.pages(options);
                    reading--;
                },
            },
            clock,
        );
        const first = scan.read(more, forever);
        await clock.advance(5);
        await clock.runUntil(Promise.all([first, scan.read(more, forever)]));
        // And after all have ended, for those that come later.
        await clock.runUntil(scan.read(more, forever));
        assert.deepEqual([begun, reading], [3, 0]);
    });

    it("leaves no listener behind, however a search ends", async () => {
        const scan = new SharedScan(listOf(3), clock);
        const controllers = [new AbortController(), new AbortController(), new AbortController()];
        const [done, failed, ended] = controllers as [AbortController, AbortController, AbortController];
        const all = [
            scan.read(more, done.signal),
            scan.read(() => Promise.reject(new Error("mine")), failed.signal),
            scan.read(more, ended.signal),
        ];
        const settled = Promise.allSettled(all);
        await clock.advance(5);
        ended.abort(new Error("ended"));
        await clock.runUntil(settled);
        for (const { signal } of controllers) assert.equal(getEventListeners(signal, "abort").length, 0);
    });
});

describe("scans of an environment", () => {
    it("read an object once for all that ask at the same time, and anew for the next", async () => {
        const scans = new Scans(new FakeClock());
        let requests = 0;
        const request = async () => ++requests;
        const read = () => scans.read("Thing t1", request);
        assert.deepEqual(await Promise.all([read(), read()]), [1, 1]);
        assert.equal(await read(), 2);
        assert.equal(await scans.read("Thing t2", request), 3);
    });

    it("know the markers that were seen", () => {
        const scans = new Scans(new FakeClock());
        assert.equal(scans.hasOtherMarker("Thing t1", "m"), false);
        scans.noteMarker("Thing t1", "m");
        assert.deepEqual([scans.hasOtherMarker("Thing t1", "m"), scans.hasOtherMarker("Thing t1", "n")], [false, true]);
        scans.noteMarker("Thing t2", "");
        assert.equal(scans.hasOtherMarker("Thing t2", "m"), true);
    });
});

describe("A14: 64 creates lost at once", function () {
    this.timeout(60_000);
    let machine: Machine;
    const names = Array.from({ length: 64 }, (_, index) => `video ${(index * 37) % 64}`);
    const lists = () => machine.service.requests.filter((request) => request === "GET /contents").length;

    /** Newest first, one a minute. */
    const account = (size: number) => {
        const now = machine.clock.now();
        for (let age = size; age > 0; age--) {
            machine.service.add({ title: `old ${(age * 7919) % 10_007}`, created_at: now - age * 60_000 });
        }
    };

    beforeEach(() => {
        machine = new Machine();
    });

    it("take at most 50 list requests when they were accepted", async () => {
        account(100_000);
        machine.service.posts.push(...names.map(() => ({ accepted: 0 })));
        const process = machine.start();
        const made = await Promise.all(names.map((name) => process.create(name)));
        assert.equal(new Set(made.map(({ id }) => id)).size, 64);
        assert.equal(machine.service.count("POST"), 64);
        assert.ok(lists() <= 50, `${lists()} list requests`);
    });

    it("take at most 50 list requests for each round of looks when they were not", async () => {
        account(100_000);
        machine.service.posts.push(...names.map(() => ({})));
        const process = machine.start();
        const made = await Promise.all(names.map((name) => process.create(name)));
        assert.equal(new Set(made.map(({ id }) => id)).size, 64);
        assert.equal(machine.service.count("POST"), 128);
        // One round of five looks before the second POST, and one look for second objects at the end.
        assert.equal(lists(), 4 + 10 + 10);
    });

    it("read a list of unknown order to its end, and find the object there", async () => {
        machine.service.oldestFirst = true;
        account(1_000);
        machine.service.posts.push({ accepted: 0 });
        const made = await machine.start().create("a");
        assert.deepEqual([made.id, machine.service.count("POST")], ["c1001", 1]);
    });

    it("find an object whose title the service rewrote, in a list without dates", async () => {
        machine.service.listed = ({ contentId, status }) => ({ contentId, status, title: "REWRITTEN" });
        for (let count = 0; count < 30; count++) machine.service.add({ metadata: [{ key: "a", value: "b" }] });
        machine.service.posts.push({ accepted: 0 });
        const made = await machine.start().create("a");
        assert.deepEqual([made.id, machine.service.count("POST")], ["c31", 1]);
    });

    it("know a title whose spaces the service collapses", async () => {
        machine.service.listed = (content) => ({ ...content, title: content.title.replace(/\s+/g, " ") });
        machine.service.posts.push({ accepted: 0 });
        const start = machine.clock.elapsed;
        await machine.start().create("a   video");
        assert.ok(machine.clock.elapsed - start < 1_000);
    });

    it("obey customTimeouts.create", async () => {
        machine.service.posts.push({}, {}, {});
        machine.service.fault = (request) => (request === "GET /contents" ? 500 : undefined);
        const start = machine.clock.elapsed;
        await assert.rejects(machine.start().create("a", { __timeouts: { create: "20s" } }), /looking for it failed/);
        assert.ok(machine.clock.elapsed - start <= 30_000, `${machine.clock.elapsed - start} ms`);
    });
});
