/** S6: what is sent again, when, and how often; and what one request's answer means for the others. */
import assert from "node:assert/strict";
import type { VideographApi } from "../../../provider/dist/api/client.js";
import { Deadline } from "../../../provider/dist/api/clock.js";
import { ApiError, AuthenticationError, ConnectionError } from "../../../provider/dist/api/errors.js";
import type { CallOptions } from "../../../provider/dist/api/index.js";
import { seededRandom } from "../../support/fakeClock.ts";
import { type Reply, rejection, success, useService } from "./support.ts";

const content = success({ contentId: "c1", status: "Ready" });
const body = { title: "t", content: [{ url: "https://m.example/t.mp4" }], playbackPolicy: ["public"] };
const retryAfter = (status: number, seconds: number): Reply => ({ status, headers: { "retry-after": `${seconds}` } });
const page = "<html>";
const calls: Record<string, (api: VideographApi, options?: CallOptions) => Promise<unknown>> = {
    GET: (api, options) => api.contents.get("c1", options),
    PUT: (api, options) => api.contents.put("c1", { title: "t" }, options),
    DELETE: (api, options) => api.contents.remove("c1", options),
    POST: (api, options) => api.contents.post(body, options),
    subtitle: (api, options) => api.setPart("c1", "subtitles", { language_code: "en" }, options),
};
const many = <T>(count: number, make: (index: number) => Promise<T>) =>
    Array.from({ length: count }, (_, index) => make(index));

describe("a request", () => {
    const held = useService();
    /** Answers with these, one after another; the last one again and again. */
    const answer = (...replies: Reply[]) => {
        const before = held.service.requests.length;
        held.service.script = (_, number) => replies[Math.min(number - before, replies.length) - 1] as Reply;
    };
    const run = <T>(promise: Promise<T>) => held.service.clock.runUntil(promise);
    const fails = <E extends ApiError>(kind: new (...rest: never[]) => E, promise: Promise<unknown>) =>
        run(rejection(kind, promise));
    const get = (options?: CallOptions) => held.service.api().contents.get("c1", options);
    const times = () => held.service.requests.map(({ at }) => at);
    const after = (ms: number) => new Deadline(held.service.clock, ms);

    for (const [method, reply, count] of [
        ["GET", { status: 500 }, 5],
        ["GET", { status: 408 }, 5],
        ["GET", { reset: true }, 5],
        ["GET", { body: page }, 5],
        ["GET", { status: 404, body: page }, 5],
        ["GET", success({}), 5],
        ["GET", { status: 400 }, 1],
        ["PUT", { status: 502 }, 5],
        ["DELETE", { status: 503 }, 5],
        ["subtitle", { reset: true }, 5],
        ["subtitle", { status: 422 }, 1],
        ["POST", { status: 500 }, 1],
        ["POST", { status: 408 }, 1],
        ["POST", { reset: true }, 1],
        ["POST", { status: 201, body: "{" }, 1],
        ["POST", { body: { status: "Error", code: 429 } }, 1],
    ] as const)
        it(`${method} is sent ${count} times where the answer is ${JSON.stringify(reply)}`, async () => {
            const send = calls[method] as (api: VideographApi) => Promise<unknown>;
            answer(reply);
            const error = await fails(ApiError, send(held.service.api()));
            const expected = [0, 375, 1125, 2625, 5625].slice(0, count);
            assert.deepEqual(times(), expected, "three quarters of 0.5, 1, 2 and 4 s");
            if (method === "POST") assert.equal(error.outcome, "ambiguous");
            answer(reply, content);
            if (count > 1) await run(send(held.service.api()));
        });

    it("S1: POST is sent again that timed out before it was sent, and not one that was", async () => {
        const { clock } = held.service;
        // Not by the service: time stands still while a request to it is under way.
        const tries = async (isSent: boolean): Promise<number> => {
            let count = 0;
            const transport = {
                async send({ signal }: { signal: AbortSignal }) {
                    if (++count === 2) return { status: 201, headers: {}, body: '{"data":{"contentId":"c1"}}' };
                    await new Promise((resolve) => signal.addEventListener("abort", resolve));
                    throw new ConnectionError("it was still connecting", isSent ? "ambiguous" : "notProcessed");
                },
                close: () => Promise.resolve(),
            };
            const created = held.service.api({ transport }).contents.post(body);
            await run(created.catch(() => {}));
            return count;
        };
        assert.deepEqual([await tries(false), await tries(true), clock.elapsed], [2, 1, 120_375]);
    });

    it("K17: that creates is sent again after any number of 429s, until its own time is over", async () => {
        const until = (ms: number): CallOptions => ({ deadline: after(ms) });
        answer(...Array(40).fill({ status: 429 }), content);
        await run(held.service.api().contents.post(body, until(3_600_000)));
        assert.equal(held.service.requests.length, 41);
        answer({ status: 429 });
        const begun = held.service.clock.elapsed;
        const error = await fails(ApiError, held.service.api().contents.post(body, until(60_000)));
        assert.equal(error.outcome, "notProcessed");
        const tookMs = held.service.clock.elapsed - begun;
        assert.ok(tookMs > 40_000 && tookMs <= 60_000, `${tookMs}`);
    });

    it("that is refused for its rate says for how long it was tried, and how long to wait (P6)", async () => {
        const limited = async (reply: Reply, ms: number) => {
            answer(reply);
            return (await fails(ApiError, get({ deadline: after(ms) }))).message;
        };
        assert.match(
            await limited({ status: 429 }, 60_000),
            /rate limiting requests after [45]\d s .* Try again later/,
        );
        const asked = retryAfter(429, 3_600);
        assert.match(await limited(asked, 60_000), /rate limiting requests after 0 s .* Try again in 3600 s.*VG5007/);
        assert.match(
            await limited(retryAfter(503, 90), 60_000),
            /service failed \(HTTP 503\).* Try again in 90 s.*VG5008/,
        );
    });

    it("that gets no answer names the limit that ended it: its own, or the option that gave the operation less", async () => {
        answer({ hang: true });
        const option = 'customTimeouts: { delete: "30m" }';
        const within = async (ms: number, given?: string) => {
            const deadline = new Deadline(held.service.clock, ms, given);
            return (await fails(ApiError, get({ deadline, tries: 1 }))).message;
        };
        const network = / 30 s\. Try again, then check the network .*VG5004/;
        assert.match(await within(31_000, option), network);
        assert.match(
            await within(4_000, option),
            / 4 s, when .* ended\. .* option customTimeouts: \{ delete: "30m" \}\. \[VG5009\]$/,
        );
        // The second try has what the first one has left.
        const second = await fails(ApiError, get({ deadline: new Deadline(held.service.clock, 40_000, option) }));
        assert.match(second.message, / 10 s, when .*VG5009/);
        // A limit that no user sets.
        assert.match(await within(3_000), / 3 s\. Try again, then check the network .*VG5004/);
    });

    it("K17: of any kind is sent again after 429s for ten minutes, as a limit of some requests a minute needs", async () => {
        for (const send of Object.values(calls)) {
            answer(...Array(20).fill({ status: 429 }), content);
            await run(send(held.service.api()));
            answer({ status: 429 });
            const begun = held.service.clock.elapsed;
            await fails(ApiError, send(held.service.api()));
            const tookMs = held.service.clock.elapsed - begun;
            assert.ok(tookMs > 580_000 && tookMs <= 600_000, `${tookMs}`);
        }
    });

    it("has 30 s for a try, and 60 s for a POST", async () => {
        answer({ hang: true }, content);
        await run(get());
        assert.deepEqual(times(), [0, 30_375]);
        answer({ hang: true });
        const start = held.service.clock.elapsed;
        const error = await fails(ApiError, held.service.api().contents.post(body));
        assert.match(error.message, /^POST \/contents: .*60 s/);
        assert.deepEqual([held.service.clock.elapsed - start, error.outcome], [60_000, "ambiguous"]);
    });

    for (const [ms, reply, sent, elapsed, status] of [
        [375, { status: 500 }, [0], 0, 500],
        [376, { status: 500 }, [0, 375], 375, 500],
        [2_625, { status: 500 }, [0, 375, 1125], 1125, 500],
        [4_000, { hang: true }, [0], 4_000, undefined],
        [60_000, retryAfter(429, 60), [0], 0, 429],
        [60_000, retryAfter(503, 60), [0], 0, 503],
    ] as const)
        it(`with a deadline in ${ms} ms ends in time where the answer is ${JSON.stringify(reply)}`, async () => {
            answer(reply);
            const error = await fails(ApiError, get({ deadline: after(ms) }));
            assert.deepEqual([error.status, times(), held.service.clock.elapsed], [status, sent, elapsed]);
        });
    it("is not sent after its deadline", async () => {
        const error = await rejection(ApiError, held.service.api().contents.post(body, { deadline: after(0) }));
        assert.deepEqual([error.outcome, held.service.requests.length], ["notProcessed", 0]);
    });
    it("S1: that creates goes on to its answer beyond its deadline", async () => {
        answer({ ...content, afterMs: 1_000 });
        assert.equal((await run(held.service.api().contents.post(body, { deadline: after(500) }))).contentId, "c1");
    });

    for (const [what, replies, sent] of [
        ["as long as the answer asks", [retryAfter(500, 7), content], [0, 7_000]],
        ["at least as long as a retry has to", [retryAfter(500, 0), retryAfter(502, 0), content], [0, 375, 1125]],
        ["as long as all have to", [retryAfter(429, 7), retryAfter(503, 7), content], [0, 7_000, 14_000]],
    ] as const)
        it(`waits ${what}`, async () => {
            answer(...replies);
            await run(get());
            assert.deepEqual(times(), sent);
        });

    describe("that is cancelled", () => {
        const reason = new Error("stop");

        for (const [where, reply, method] of [
            ["under way", { hang: true }, "GET"],
            ["in a backoff", { status: 500 }, "GET"],
            ["in a pause", retryAfter(429, 100), "GET"],
            ["in a pause", retryAfter(429, 100), "POST"],
        ] as const)
            it(`ends at once: ${method} ${where}`, async () => {
                answer(reply);
                const abort = new AbortController();
                const send = calls[method] as (api: VideographApi, options: CallOptions) => Promise<unknown>;
                const failed = assert.rejects(send(held.service.api(), { signal: abort.signal }), reason);
                await held.service.clock.advance(100);
                abort.abort(reason);
                await failed;
                assert.deepEqual([held.service.clock.elapsed, held.service.clock.sleeping], [100, 0]);
            });
        for (const [reply, end] of [
            [content, { contentId: "c1" }],
            [{ status: 500 }, { outcome: "ambiguous" }],
        ] as const)
            it(`S1: goes on to its answer where it creates: ${JSON.stringify(end)}`, async () => {
                answer({ ...reply, afterMs: 1_000 });
                const abort = new AbortController();
                const created = held.service.api().contents.post(body, { signal: abort.signal });
                const ended = created.catch(({ outcome }: ApiError) => ({ outcome }));
                await held.service.clock.advance(100);
                abort.abort(reason);
                assert.partialDeepStrictEqual(await run(ended), end);
            });
    });
});

describe("many requests", () => {
    const held = useService();
    const run = <T>(promise: Promise<T>) => held.service.clock.runUntil(promise);

    it("stop with the first 401: no further one is sent", async () => {
        const { service } = held;
        service.script = () => ({ status: 401, body: { message: "wrong s3cr3t-key" } });
        const api = service.api();
        const errors = await run(Promise.all(many(200, () => rejection(AuthenticationError, api.contents.post(body)))));
        assert.ok(service.requests.length <= 64, `${service.requests.length} requests`);
        assert.match(errors[0]?.message ?? "", /HTTP 401.*"wrong \[secretKey\]"/);
        assert.match(errors.at(-1)?.message ?? "", /^POST \/contents .*VG1012/);
        assert.deepEqual([errors.at(-1)?.status, errors.at(-1)?.outcome], [401, "refused"]);
        const { length } = service.requests;
        await rejection(AuthenticationError, api.signingKeys());
        assert.deepEqual([service.requests.length, service.clock.sleeping], [length, 0]);
    });

    it("stop with the first 401 that only the body says, as well", async () => {
        const { service } = held;
        service.script = () => ({ body: { status: "Error", code: 401 } });
        const api = service.api();
        await run(rejection(AuthenticationError, api.contents.get("c1")));
        await rejection(AuthenticationError, api.signingKeys());
        assert.equal(service.requests.length, 1);
    });

    it("C2: are sent 64 at a time", async () => {
        const { service } = held;
        service.script = () => ({ status: 400, afterMs: 1 });
        const api = service.api();
        await run(Promise.allSettled(many(200, () => api.contents.get("c1"))));
        assert.deepEqual([service.requests.length, service.peak], [200, 64]);
    });

    it("wait for a place until they are cancelled or out of time, and hold nobody up", async () => {
        const { service } = held;
        service.script = () => ({ hang: true });
        const api = service.api();
        const abort = new AbortController();
        const reason = new Error("stop");
        const options = { signal: abort.signal };
        const stopped = many(70, () => assert.rejects(api.contents.get("c1", options), reason));
        stopped.push(assert.rejects(api.contents.post(body, options), reason));
        const late = rejection(ApiError, api.contents.post(body, { deadline: new Deadline(service.clock, 4_000) }));
        const last = api.contents.get("c1");
        assert.equal((await run(late)).outcome, "notProcessed");
        assert.equal(service.clock.elapsed, 4_000);
        service.script = () => content;
        abort.abort(reason);
        await Promise.all(stopped);
        assert.equal((await run(last)).contentId, "c1");
        assert.deepEqual([service.requests.length, service.clock.elapsed], [65, 4_000]);
    });

    for (const [what, reply, at] of [
        ["429 that asks for a pause", retryAfter(429, 40), 40_000],
        ["503 that asks for a pause", retryAfter(503, 40), 40_000],
        ["429 that names no time, for as long as a first retry waits", { status: 429 }, 375],
        ["500 that asks for a pause", retryAfter(500, 40), 1],
    ] as const)
        it(`are ${at > 1 ? "" : "not "}held after a ${what}`, async () => {
            const { service } = held;
            const api = service.api();
            service.script = (_, number) => (number === 1 ? reply : content);
            const first = api.contents.get("c1");
            await service.clock.advance(1);
            await run(Promise.all([first, api.contents.remove("c1"), api.contents.put("c1", { title: "t" })]));
            const times = service.requests.filter(({ method }) => method !== "GET").map((seen) => seen.at);
            assert.deepEqual(times, [at, at]);
        });

    for (const afterMs of [1, 700])
        it(`of which a service takes 10 per second, in ${afterMs} ms, are all answered in the end`, async () => {
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
            await run(Promise.all(many(500, () => api.contents.post(body))));
            assert.ok(turnedAway < 500, `${turnedAway} turned away`);
            assert.ok(service.clock.elapsed < 120_000, `${service.clock.elapsed} ms`);
            // Overload that is over lets requests through together again.
            service.script = () => ({ ...content, afterMs: 1 });
            await run(Promise.all(many(1_000, () => api.contents.get("c1"))));
            service.peak = 0;
            await run(Promise.all(many(200, () => api.contents.get("c1"))));
            assert.ok(service.peak > 40, `${service.peak} in flight`);
        });
});
