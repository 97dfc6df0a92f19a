/** What one request's answer means for the others: credentials, permissions, overload, outages. */
import assert from "node:assert/strict";
import { Deadline } from "../../../provider/dist/api/clock.js";
import { AuthenticationError, RequestTimeoutError } from "../../../provider/dist/api/errors.js";
import { seededRandom } from "../../support/fakeClock.ts";
import { type Reply, rejection, success, useService } from "./support.ts";

const content = success({ contentId: "c1", status: "Ready" });
const body = { title: "t", content: [{ url: "https://m.example/t.mp4" }], playbackPolicy: ["public"] };
const many = <T>(count: number, make: (index: number) => Promise<T>) =>
    Array.from({ length: count }, (_, index) => make(index));
const retryAfter = (status: number, seconds: number): Reply => ({
    status,
    headers: { "retry-after": String(seconds) },
});

describe("refused credentials", () => {
    const held = useService();

    it("cost one request, however many are waiting", async () => {
        const { service } = held;
        service.script = () => ({ status: 401, body: { message: "wrong s3cr3t-key" } });
        const api = service.api();
        const calls = many(200, (i) =>
            rejection(AuthenticationError, i % 2 ? api.getContent("c1") : api.createContent(body)),
        );
        const errors = await service.clock.runUntil(Promise.all(calls));
        assert.equal(service.requests.length, 1);
        assert.match(errors[0]?.message ?? "", /HTTP 401.*"wrong \[secretKey\]"/);
        assert.match(errors[7]?.message ?? "", /^GET \/contents\/c1 .*VG1012/);
        assert.deepEqual([errors[8]?.status, errors[8]?.outcome], [401, "refused"]);
        await rejection(AuthenticationError, api.signingKeys());
        assert.equal(service.requests.length, 1);
        assert.equal(service.clock.sleeping, 0, "no timer is left behind");
    });

    it("are still found out after failures without an answer, and are not waited for", async () => {
        const { service } = held;
        service.script = (_, number) => (number <= 2 ? { reset: true } : { status: 401 });
        const api = service.api();
        await service.clock.runUntil(Promise.allSettled(many(50, () => api.getContent("c1"))));
        assert.equal(service.requests.length, 3);
        const begin = service.clock.elapsed;
        await rejection(AuthenticationError, api.getContent("c1"));
        assert.equal(service.clock.elapsed, begin);
    });

    it("that are accepted let requests through together, 64 at once", async () => {
        const { service } = held;
        service.script = () => ({ status: 400, afterMs: 1 });
        const api = service.api();
        await service.clock.runUntil(Promise.allSettled(many(200, () => api.getContent("c1"))));
        assert.equal(service.requests.length, 200);
        assert.equal(service.peak, 64);
        assert.equal(service.requests.filter(({ at }) => at === 0).length, 1);
    });

    it("do not make an unreachable service be asked one by one", async () => {
        const { service } = held;
        service.script = () => ({ hang: true });
        const api = service.api();
        await service.clock.runUntil(Promise.allSettled(many(100, () => api.getContent("c1"))));
        assert.ok(service.clock.elapsed < 10 * 60_000, `${service.clock.elapsed} ms`);
    });

    it("let those through that wait for a first request which hangs, after 5 s", async () => {
        const { service } = held;
        service.script = (_, number) => (number === 1 ? { hang: true } : content);
        const api = service.api();
        const abort = new AbortController();
        const first = assert.rejects(api.getContent("c1", { signal: abort.signal }));
        await service.clock.runUntil(Promise.all(many(100, () => api.getContent("c1"))));
        assert.ok(service.requests.slice(1).every(({ at }) => at === 5000));
        assert.ok(service.peak > 30 && service.peak <= 64, `${service.peak} in flight`);
        abort.abort(new Error("stop"));
        await first;
        assert.equal(service.clock.sleeping, 0);
    });
});

describe("waiting for a turn", () => {
    const held = useService(() => ({ hang: true }));

    it("ends when it is cancelled, and holds nobody up", async () => {
        const { service } = held;
        const api = service.api();
        const abort = new AbortController();
        const reason = new Error("stop");
        const stopped = [
            api.getContent("c1", { signal: abort.signal }),
            api.getContent("c1", { signal: abort.signal }),
            api.createContent(body, { unlessSent: abort.signal }),
        ].map((call) => assert.rejects(call, reason));
        const last = api.getContent("c1");
        await service.clock.advance(10);
        service.script = () => content;
        abort.abort(reason);
        await Promise.all(stopped);
        assert.equal((await service.clock.runUntil(last)).contentId, "c1");
        assert.deepEqual([service.requests.length, service.clock.elapsed], [2, 10]);
    });

    it("ends at the deadline", async () => {
        const { service } = held;
        const api = service.api();
        api.getContent("c1").catch(() => {});
        const deadline = Deadline.after(service.clock, 4000);
        const waiting = rejection(RequestTimeoutError, api.createContent(body, { deadline }));
        const error = await service.clock.runUntil(waiting);
        assert.deepEqual([service.clock.elapsed, error.outcome], [4000, "notProcessed"]);
        assert.equal(service.requests.length, 1);
    });
});

describe("overload", () => {
    const held = useService();

    for (const [what, reply, at] of [
        ["429 that asks for a pause", retryAfter(429, 40), 40_000],
        ["503 that asks for a pause", retryAfter(503, 40), 40_000],
        ["500 that asks for a pause", retryAfter(500, 40), 1],
        ["503 that names no time", { status: 503 }, 1],
        ["429 that names no time, for as long as a first retry waits", { status: 429 }, 375],
    ] as const) {
        it(`${at > 1 ? "holds" : "does not hold"} all others after a ${what}`, async () => {
            const { service } = held;
            const api = service.api();
            service.script = (_, number) => (number === 2 ? reply : content);
            await service.clock.runUntil(api.getContent("c1"));
            const first = api.getContent("c1");
            await service.clock.advance(1);
            const calls = [first, api.deleteContent("c1"), api.updateContent("c1", { title: "t" })];
            await service.clock.runUntil(Promise.all(calls));
            const others = service.requests.filter(({ method }) => method !== "GET");
            assert.deepEqual(
                others.map((seen) => seen.at),
                [at, at],
            );
        });
    }

    for (const [what, afterMs] of [
        ["fast", 1],
        ["slow", 700],
    ] as const) {
        it(`of a ${what} service that takes 10 requests per second fails none of 500`, async () => {
            const { service } = held;
            let [second, taken, turnedAway] = [0, 0, 0];
            service.script = ({ at }) => {
                const now = Math.floor(at / 1000);
                if (now !== second) [second, taken] = [now, 0];
                if (++taken <= 10) return { ...content, afterMs };
                turnedAway++;
                return { ...retryAfter(429, 1), afterMs };
            };
            const api = service.api({ random: seededRandom(1) });
            await service.clock.runUntil(Promise.all(many(500, () => api.createContent(body))));
            assert.ok(turnedAway < 500, `${turnedAway} turned away`);
            assert.ok(service.clock.elapsed < 120_000, `${service.clock.elapsed} ms`);
        }).timeout(30_000);
    }

    it("that is over lets requests through together again", async () => {
        const { service } = held;
        service.script = (_, number) =>
            number % 8 === 0 && number < 40 ? { status: 503, afterMs: 1 } : { ...content, afterMs: 1 };
        const api = service.api();
        const send = (count: number) => service.clock.runUntil(Promise.all(many(count, () => api.getContent("c1"))));
        await send(200);
        await send(800);
        service.peak = 0;
        await send(200);
        assert.ok(service.peak > 40, `${service.peak} in flight`);
    }).timeout(30_000);

    it("by a short outage fails nothing", async () => {
        const { service } = held;
        service.script = ({ at }) => (at < 3000 ? { status: 502, afterMs: 1 } : { ...content, afterMs: 1 });
        const api = service.api({ random: seededRandom(3) });
        await service.clock.runUntil(Promise.all(many(300, () => api.getContent("c1"))));
        assert.ok(service.clock.elapsed < 60_000, `${service.clock.elapsed} ms`);
    }).timeout(30_000);
});
