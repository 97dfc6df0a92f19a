/** What a wait for one object makes of each answer (A11, A18, C3). */
import assert from "node:assert/strict";
import { Deadline } from "../../../provider/dist/api/clock.js";
import { AuthenticationError, ConnectionError, PermissionError } from "../../../provider/dist/api/errors.js";
import { Redactor } from "../../../provider/dist/api/redact.js";
import { Vanished, type WaitOptions, WaitTimeout, Watcher } from "../../../provider/dist/wait/watcher.js";
import { FakeClock } from "../../support/fakeClock.ts";
import { type Answered, type Asked, scriptedApi } from "../../support/scriptedApi.ts";
import { rejection } from "../api/support.ts";

const hour = 3_600_000;

describe("a wait for one object", () => {
    let clock: FakeClock;
    let watcher: Watcher;
    /** What a GET for the object is answered, so long after the beginning of the wait. */
    let answer: (at: number, asked: Asked) => Answered;
    /** When these GETs were sent. */
    let gets: number[];
    let begin: number;

    beforeEach(async () => {
        clock = new FakeClock();
        gets = [];
        const api = scriptedApi(clock, (asked) => {
            if (asked.id === undefined) return { data: [], after: 0 };
            gets.push(asked.at - begin);
            return answer(asked.at - begin, asked);
        });
        watcher = new Watcher(api, clock);
        // Some time of the process has passed before.
        await clock.advance(100_000);
        begin = clock.elapsed;
    });

    const content = (status: string | undefined, after = 0): Answered => ({ data: { contentId: "c1", status }, after });
    const livestream = (status: string, after = 0): Answered => ({ data: { streamUUID: "l1", status }, after });
    const missing: Answered = { status: 404, after: 0 };
    const broken: Answered = { status: 500, after: 0 };
    const silent: Answered = { after: Number.POSITIVE_INFINITY };

    const settled = (limit = hour, options: Partial<WaitOptions> = {}) =>
        watcher.untilSettled("c1", {
            signal: new AbortController().signal,
            deadline: Deadline.after(clock, limit),
            ...options,
        });
    const gone = (limit = hour, options: Partial<WaitOptions> = {}) =>
        watcher.untilGone("l1", {
            signal: new AbortController().signal,
            deadline: Deadline.after(clock, limit),
            ...options,
        });
    const elapsed = () => clock.elapsed - begin;
    const timedOut = (limit: number) => clock.runUntil(rejection(WaitTimeout, settled(limit)));

    describe("for a content", () => {
        for (const status of ["Ready", "Failed"]) {
            it(`ends when it is ${status}, and tells it`, async () => {
                answer = (at) => content(at < 5_000 ? "Processing" : status, 10);
                const object = await clock.runUntil(settled());
                assert.deepEqual([object.contentId, object.status], ["c1", status]);
                assert.ok(elapsed() >= 5_000 && elapsed() < 6_500);
            });
        }

        for (const status of ["Deleting", "Deleted"]) {
            it(`ends when it is ${status}, and tells that, with and without the content's id`, async () => {
                answer = () => content(status);
                const error = await clock.runUntil(rejection(Vanished, settled()));
                assert.equal(error.contentId, "c1");
                assert.equal(error.what, `being deleted (status ${status})`);
                assert.match(error.message, new RegExp(`^Content c1 is being deleted \\(status ${status}\\)`));
                assert.deepEqual(gets, [0]);
            });
        }

        it("tells each status on the way", async () => {
            answer = (at) => content(at < 400 ? undefined : at < 1_000 ? "Processing" : "Ready");
            const told: string[] = [];
            await clock.runUntil(settled(hour, { onStatus: (status) => told.push(status) }));
            assert.deepEqual([...new Set(told)], ["unknown", "Processing", "Ready"]);
        });
    });

    describe("whose time is over", () => {
        it("tells the last status, with and without the content's id", async () => {
            answer = () => content("Processing");
            const error = await timedOut(12_000);
            assert.equal(error.message, "Content c1 is not Ready after 12 s: status Processing. [VG4003]");
            assert.equal(error.what, "not Ready after 12 s: status Processing");
            assert.equal(error.lastStatus, "Processing");
            assert.deepEqual([gets.at(-1), elapsed()], [12_000, 12_000]);
        });

        it("tells that the content has no status", async () => {
            answer = () => content(undefined);
            assert.equal((await timedOut(2_000)).lastStatus, "unknown");
        });

        it("tells what the last request failed with, and what was seen before", async () => {
            answer = (at) => (at < 1_000 ? content("Processing") : broken);
            const error = await timedOut(10_000);
            assert.equal(error.lastStatus, "Processing");
            assert.match(error.what, /^not Ready after \d+ s: GET \/contents\/c1.*500[^[]*[^.[]$/);
        });

        it("tells nothing of a failure before the last answer", async () => {
            answer = (at) => (at < 20_000 ? broken : content("Processing"));
            const error = await timedOut(60_000);
            assert.match(error.what, /status Processing$/);
        });

        it("tells the failure that came before the time was over, as one sentence", async () => {
            answer = (at) => {
                if (at < 20_000) throw new ConnectionError("no route to 192.0.2.1.", { sent: false });
                return silent;
            };
            const error = await timedOut(40_000);
            const failure = "GET /contents/c1: no route to 192.0.2.1";
            assert.equal(error.message, `Content c1 is not Ready after 50 s: ${failure}. [VG4003, VG5001]`);
            assert.equal(error.what, `not Ready after 50 s: ${failure}`);
        });

        it("tells that nothing was answered", async () => {
            answer = () => silent;
            const error = await timedOut(5_000);
            assert.match(error.what, /no answer$/);
            assert.equal(error.what, "not Ready after 15 s: no answer");
        });
    });

    describe("looks once more when its time is over", () => {
        it("for ten seconds, if it takes so long", async () => {
            answer = () => silent;
            await timedOut(5_000);
            assert.deepEqual([gets, elapsed()], [[0, 5_000], 15_000]);
        });

        it("and once is enough", async () => {
            answer = (at) => content(at <= 5_000 ? "Processing" : "Ready");
            await timedOut(5_000);
            assert.equal(gets.at(-1), 5_000);
        });

        it("and Ready then is Ready", async () => {
            answer = (at) => content(at < 5_000 ? "Processing" : "Ready", 20);
            assert.equal((await clock.runUntil(settled(5_000))).status, "Ready");
            assert.equal(elapsed(), 5_020);
        });

        it("and again while that fails, for ten seconds", async () => {
            answer = (at) => (at < 5_000 ? content("Processing") : at < 12_000 ? broken : content("Ready"));
            assert.equal((await clock.runUntil(settled(5_000))).status, "Ready");
            assert.ok(elapsed() >= 12_000 && elapsed() <= 15_000);
        });
    });

    it("is over at once when it is interrupted while a GET is under way", async () => {
        let signal: AbortSignal | undefined;
        answer = (_at, asked) => {
            signal = asked.signal;
            return { after: 20_000 };
        };
        const interrupt = new AbortController();
        const reason = new Error("interrupted");
        const end = rejection(Error, settled(hour, { signal: interrupt.signal }));
        await clock.advance(1_000);
        interrupt.abort(reason);
        assert.equal(await clock.runUntil(end), reason);
        assert.equal(elapsed(), 1_000);
        assert.ok(signal?.aborted);
        await clock.advance(0);
        assert.equal(clock.sleeping, 0, "nothing goes on");
    });

    it("is interrupted rather than over when both come at once", async () => {
        answer = () => silent;
        const interrupt = new AbortController();
        const reason = new Error("interrupted");
        const end = rejection(Error, settled(5_000, { signal: interrupt.signal }));
        await clock.advance(6_000);
        clock.suspend(hour, { monotonicAdvances: true });
        interrupt.abort(reason);
        assert.equal(await clock.runUntil(end), reason);
    });

    it("shows nothing that is secret", async () => {
        answer = () => ({ data: { contentId: "c1", status: "Failed", reason: "no video at hunter2" } });
        const redactor = new Redactor([{ name: "source", value: "hunter2" }]);
        const { reason = "" } = await clock.runUntil(settled(hour, { redactor }));
        assert.match(reason, /no video at/);
        assert.doesNotMatch(reason, /hunter2/);
    });

    describe("ends with what no further request can change:", () => {
        for (const [what, kind, status] of [
            ["these credentials are refused", AuthenticationError, 401],
            ["they may not see it", PermissionError, 403],
        ] as const) {
            it(what, async () => {
                answer = () => ({ status, after: 0 });
                await clock.runUntil(rejection(kind, settled()));
                assert.deepEqual(gets, [0]);
            });
            it(`${what}, of a livestream`, async () => {
                answer = () => ({ status, after: 0 });
                await clock.runUntil(rejection(kind, gone()));
                assert.deepEqual(gets, [0]);
            });
        }
    });

    describe("goes on after", () => {
        for (const [what, failure] of [
            ["an error of the service", () => broken],
            ["too many requests", () => ({ status: 429, after: 0 })],
            ["an answer about another object", () => ({ data: { contentId: "c2", status: "Ready" }, after: 0 })],
            ["an answer without sense", () => ({ data: "?", after: 0 })],
            ["no answer", () => silent],
        ] as const) {
            it(what, async () => {
                answer = (at) => (at < 20_000 ? failure() : content("Ready"));
                assert.equal((await clock.runUntil(settled())).status, "Ready");
            });
        }
    });

    describe("A18: for a content that is not found", () => {
        /** When it gave the content up, after the beginning. */
        const givenUp = async (options: Partial<WaitOptions>, limit = hour) => {
            const error = await clock.runUntil(rejection(Vanished, settled(limit, options)));
            assert.equal(error.what, "missing (HTTP 404)");
            return elapsed();
        };

        it("goes on for five seconds", async () => {
            answer = () => missing;
            const ms = await givenUp({});
            assert.ok(ms >= 5_000 && ms < 6_000, `${ms} ms`);
        });
        it("goes on for five seconds, and no longer", async () => {
            answer = () => missing;
            assert.equal(await givenUp({}, 5_000), 5_000);
        });
        it("ends with its time, and not later", async () => {
            answer = () => missing;
            assert.equal(await givenUp({}, 1_000), 1_000);
        });
        it("ends with its time also where the service may not show it yet, and does not say that it was deleted", async () => {
            answer = () => missing;
            await clock.runUntil(rejection(WaitTimeout, settled(3_000, { graceMs: 30_000 })));
            assert.equal(elapsed(), 3_000);
        });
        it("goes on for half a minute after its create", async () => {
            answer = () => missing;
            const ms = await givenUp({ fresh: true });
            assert.ok(ms >= 30_000 && ms < 35_000, `${ms} ms`);
        });
        it("goes on for as long as it is told to", async () => {
            answer = () => missing;
            const ms = await givenUp({ graceMs: 60_000 });
            assert.ok(ms >= 60_000 && ms < 65_000, `${ms} ms`);
        });
        it("counts the seconds anew when it was found between", async () => {
            answer = (at) => (at < 1_000 || at >= 4_000 ? missing : content("Processing"));
            const ms = await givenUp({});
            assert.ok(ms >= 9_000 && ms < 11_000, `${ms} ms`);
        });
        it("does not count an error of the service between as found", async () => {
            answer = (at) => (at < 1_000 || at >= 4_000 ? missing : { status: 400, after: 0 });
            const ms = await givenUp({});
            assert.ok(ms >= 5_000 && ms < 6_000, `${ms} ms`);
        });
    });

    describe("for the end of a livestream", () => {
        it("ends when it is not found", async () => {
            answer = (at) => (at < 3_000 ? livestream("Deleting") : missing);
            assert.equal(await clock.runUntil(gone()), true);
            assert.ok(elapsed() >= 3_000 && elapsed() < 3_600);
        });
        it("ends when it is Deleted", async () => {
            answer = (at) => livestream(at < 3_000 ? "Active" : "Deleted");
            assert.equal(await clock.runUntil(gone()), true);
            assert.ok(elapsed() >= 3_000 && elapsed() < 3_600);
        });
        it("tells each status on the way, and the moment after the deletion asks nothing", async () => {
            answer = (at) => (at < 3_000 ? livestream("Deleting") : missing);
            const told: string[] = [];
            await clock.runUntil(gone(hour, { fresh: true, onStatus: (status) => told.push(status) }));
            assert.deepEqual(new Set(told), new Set(["Deleting"]));
            assert.equal(gets[0], 325);
        });
        it("says that it is not gone when its time is over", async () => {
            answer = () => livestream("Deleting");
            assert.equal(await clock.runUntil(gone(10_000)), false);
            assert.deepEqual([gets.at(-1), elapsed()], [10_000, 10_000]);
        });
        it("looks once more when its time is over", async () => {
            answer = (at) => (at < 10_000 ? livestream("Deleting") : missing);
            assert.equal(await clock.runUntil(gone(10_000)), true);
        });
        it("takes no failure for the end", async () => {
            answer = (at) => (at < 20_000 ? broken : livestream("Deleting"));
            assert.equal(await clock.runUntil(gone(60_000)), false);
            answer = () => silent;
            assert.equal(await clock.runUntil(gone(10_000)), false);
        });
    });
});
