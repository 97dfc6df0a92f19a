/** S6: what is sent again, when, and how often. */
import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { type CallOptions, VideographApi } from "../../../provider/dist/api/client.js";
import { Deadline } from "../../../provider/dist/api/clock.js";
import {
    ApiError,
    ConnectionError,
    MalformedAnswerError,
    NotFoundError,
    RateLimitError,
    RequestTimeoutError,
    ServerError,
} from "../../../provider/dist/api/errors.js";
import { isList, notFound, type Reply, rejection, success, useService } from "./support.ts";

const content = success({ contentId: "c1", status: "Ready" });
const body = { title: "t", content: [{ url: "https://m.example/t.mp4" }], playbackPolicy: ["public"] };
const retryAfter = (status: number, seconds: number): Reply => ({
    status,
    headers: { "retry-after": String(seconds) },
});
const page = "<html>";

describe("retries", () => {
    const held = useService();
    const get = (api: VideographApi, options?: CallOptions) => api.getContent("c1", options);
    const calls = {
        GET: get,
        PUT: (api: VideographApi, options?: CallOptions) => api.updateContent("c1", { title: "t" }, options),
        DELETE: (api: VideographApi, options?: CallOptions) => api.deleteContent("c1", options),
        POST: (api: VideographApi, options?: CallOptions) => api.createContent(body, options),
        subtitle: (api: VideographApi, options?: CallOptions) =>
            api.setSubtitle("c1", { language_code: "en" }, options),
    };
    /** Answers with these, one after another; the last one again and again. */
    const answer = (...replies: Reply[]) => {
        const before = held.service.requests.length;
        held.service.script = (_, number) => replies[Math.min(number - before, replies.length) - 1] as Reply;
    };
    const run = <T>(promise: Promise<T>) => held.service.clock.runUntil(promise);
    const fails = <E extends ApiError>(kind: new (...rest: never[]) => E, promise: Promise<unknown>) =>
        run(rejection(kind, promise));
    const times = () => held.service.requests.map(({ at }) => at);

    for (const [method, reply, count] of [
        ["GET", { status: 500 }, 5],
        ["GET", { status: 408 }, 5],
        ["GET", { reset: true }, 5],
        ["GET", { body: page }, 5],
        ["GET", { status: 404, body: page }, 5],
        ["GET", success({}), 5],
        ["GET", { status: 300 }, 1],
        ["GET", { status: 400 }, 1],
        ["PUT", { status: 502 }, 5],
        ["DELETE", { status: 503 }, 5],
        ["subtitle", { reset: true }, 5],
        ["subtitle", { status: 422 }, 1],
    ] as const) {
        it(`sends a ${method} ${count} times where the answer is ${JSON.stringify(reply)}`, async () => {
            answer(reply);
            await fails(ApiError, calls[method](held.service.api()));
            assert.equal(held.service.requests.length, count);
            assert.deepEqual(
                times(),
                [0, 375, 1125, 2625, 5625].slice(0, count),
                "three quarters of 0.5, 1, 2 and 4 s",
            );
            answer(reply, content);
            if (count > 1) await run<unknown>(calls[method](held.service.api()));
        });
    }

    for (const [what, reply] of [
        ["404", notFound()],
        ["410", notFound(410)],
        ["404 inside a success", { body: { status: "Error", code: 404, message: "no such content" } }],
    ] as const) {
        it(`takes a ${what} as news of the object, and does not send it again`, async () => {
            const { service } = held;
            service.script = (seen) => (isList(seen) ? success([]) : reply);
            const api = service.api();
            for (const method of ["GET", "PUT", "DELETE"] as const) await fails(NotFoundError, calls[method](api));
            assert.deepEqual(
                service.requests.map((seen) => `${seen.method} ${seen.path}`),
                ["GET /contents/c1", "GET /contents", "PUT /contents/c1", "DELETE /contents/c1"],
            );
        });
    }

    for (const [what, reply, outcome] of [
        ["500", { status: 500 }, "ambiguous"],
        ["408", { status: 408 }, "ambiguous"],
        ["reset", { reset: true }, "ambiguous"],
        ["hang", { hang: true }, "ambiguous"],
        ["2xx that is no JSON", { status: 201, body: "{" }, "ambiguous"],
        ["2xx without an id", success({}, 201), "ambiguous"],
        ["2xx that denies success", { body: { status: "Error", message: "no" } }, "ambiguous"],
        ["2xx that denies success with a 500", { body: { status: "Error", code: 500 } }, "ambiguous"],
        ["2xx that denies success with a 429", { body: { status: "Error", code: 429 } }, "ambiguous"],
        ["2xx that denies success with a 400", { body: { status: "Error", code: 400 } }, "refused"],
        ["400", { status: 400 }, "refused"],
        ["409", { status: 409 }, "refused"],
        ["401", { status: 401 }, "refused"],
        ["redirect", { status: 307, headers: { location: "/elsewhere" } }, "ambiguous"],
        ["300", { status: 300 }, "ambiguous"],
        ["404 of a gateway", { status: 404, body: page }, "ambiguous"],
        ["404 of the service", notFound(), "refused"],
    ] as const) {
        it(`S1: sends a POST once when it is answered by a ${what}, which is ${outcome}`, async () => {
            answer(reply);
            // The time in which rate limits are waited for makes no difference.
            const options = { rateLimitedUntil: Deadline.after(held.service.clock, 3_600_000) };
            const error = await fails(ApiError, held.service.api().createContent(body, options));
            assert.equal(error.outcome, outcome);
            assert.equal(error.endpoint, "POST /contents");
            assert.equal(held.service.requests.length, 1);
        });
    }

    it("sends a POST again that timed out before it was sent", async () => {
        let tries = 0;
        // Not by the service: time stands still while a request to it is under way.
        const api = new VideographApi({
            baseUrl: "https://api.example",
            accessTokenId: "a",
            secretKey: "b",
            clock: held.service.clock,
            transport: {
                async send({ signal }) {
                    if (++tries === 2) return { status: 201, headers: {}, body: '{"data":{"contentId":"c1"}}' };
                    await new Promise((resolve) => signal.addEventListener("abort", resolve));
                    throw new ConnectionError("it was still connecting", { sent: false });
                },
                close: () => Promise.resolve(),
            },
        });
        await run(api.createContent(body));
        assert.equal(tries, 2);
    });

    it("K17: sends a create again after any number of 429s, until its own time is over, and notes each try", async () => {
        const { service } = held;
        const noted: number[] = [];
        const until = (ms: number): CallOptions => ({
            rateLimitedUntil: Deadline.after(service.clock, ms),
            beforeTry: async () => void noted.push(service.clock.elapsed),
        });
        answer(...Array(40).fill({ status: 429 }), content);
        await run(service.api().createContent(body, until(3_600_000)));
        assert.equal(service.requests.length, 41);
        assert.deepEqual(noted, times());
        answer({ status: 429 });
        const begun = service.clock.elapsed;
        const error = await fails(RateLimitError, service.api().createContent(body, until(60_000)));
        assert.equal(error.outcome, "notProcessed");
        const tookMs = service.clock.elapsed - begun;
        assert.ok(tookMs > 40_000 && tookMs <= 60_000, `${tookMs}`);
    });

    it("K17: sends any request again after 429s for ten minutes, as a limit of some requests a minute needs", async () => {
        for (const send of Object.values(calls)) {
            answer(...Array(20).fill({ status: 429 }), content);
            await run<unknown>(send(held.service.api()));
            answer({ status: 429 });
            const begun = held.service.clock.elapsed;
            await fails(RateLimitError, send(held.service.api()));
            const tookMs = held.service.clock.elapsed - begun;
            assert.ok(tookMs > 580_000 && tookMs <= 600_000, `${tookMs}`);
        }
    });

    it("K12: tries less often as long as nothing shows that the service is there, where that is asked for", async () => {
        for (const reply of [{ reset: true }, { status: 404, body: page }]) {
            const before = held.service.requests.length;
            answer(reply);
            const pages = held.service.api().contents({ unreachableTries: 3 });
            await fails(ApiError, pages[Symbol.asyncIterator]().next());
            assert.equal(held.service.requests.length - before, 3);
        }
    });
});

describe("the time of a request", () => {
    const held = useService();
    const run = <T>(promise: Promise<T>) => held.service.clock.runUntil(promise);
    const fails = <E extends ApiError>(kind: new (...rest: never[]) => E, promise: Promise<unknown>) =>
        run(rejection(kind, promise));
    const script = (...replies: Reply[]) => {
        held.service.script = (_, number) => replies[Math.min(number, replies.length) - 1] as Reply;
    };
    const times = () => held.service.requests.map(({ at }) => at);
    const after = (ms: number) => Deadline.after(held.service.clock, ms);

    it("is 30 s for a try, and 60 s for a POST", async () => {
        script({ hang: true }, content);
        await run(held.service.api().getContent("c1"));
        assert.deepEqual(times(), [0, 30_375]);
        held.service.script = () => ({ hang: true });
        const start = held.service.clock.elapsed;
        const error = await fails(RequestTimeoutError, held.service.api().createContent(body));
        assert.match(error.message, /^POST \/contents: .*60 s/);
        assert.equal(held.service.clock.elapsed - start, 60_000);
    });
    it("is about 2 minutes in all", async () => {
        script({ hang: true });
        await fails(RequestTimeoutError, held.service.api().getContent("c1"));
        assert.equal(held.service.requests.length, 4, "a fifth would begin after the second minute");
        assert.ok(held.service.clock.elapsed <= 125_000);
    });

    // [limits, answers, when each try is sent, when it ends, the error's class]
    const [hang, no, bad] = [{ hang: true }, { status: 500 }, { status: 502 }] as const;
    for (const [limits, replies, sent, elapsed, kind] of [
        [{ effortMs: 375 }, [no], [0], 0, ServerError],
        [{ effortMs: 376 }, [no], [0, 375], 375, ServerError],
        [{ deadlineMs: 375 }, [no], [0], 0, ServerError],
        [{ deadlineMs: 376 }, [no], [0, 375], 375, ServerError],
        [{ deadlineMs: 2_625 }, [no], [0, 375, 1125], 1125, ServerError],
        [{ effortMs: 40_000 }, [hang], [0, 30_375], 40_000, RequestTimeoutError],
        // A try that is cut short says less than the one before it.
        [{ effortMs: 5_000 }, [no, bad, hang], [0, 375, 1125], 5_000, ServerError],
        [{ deadlineMs: 4_000 }, [hang], [0], 4_000, RequestTimeoutError],
        [{ deadlineMs: 60_000 }, [retryAfter(429, 60)], [0], 0, RateLimitError],
        [{ deadlineMs: 60_000 }, [retryAfter(503, 60)], [0], 0, ServerError],
    ] as const) {
        it(`is ${JSON.stringify(limits)} where the answers are ${JSON.stringify(replies)}`, async () => {
            script(...replies);
            const { deadlineMs, ...rest } = { deadlineMs: undefined, ...limits };
            const deadline = deadlineMs === undefined ? undefined : after(deadlineMs);
            await fails(kind, held.service.api().getContent("c1", { ...rest, deadline }));
            assert.deepEqual(times(), sent);
            assert.equal(held.service.clock.elapsed, elapsed);
        });
    }
    it("does not count while the service asks all to wait", async () => {
        for (const status of [429, 503]) {
            const begin = held.service.clock.elapsed;
            const first = held.service.requests.length + 1;
            held.service.script = (_, number) => (number === first ? retryAfter(status, 60) : content);
            await run(held.service.api().getContent("c1", { effortMs: 1_000 }));
            assert.equal(held.service.clock.elapsed - begin, 60_000);
        }
    });
    it("that is over before the request lets nothing be sent", async () => {
        const deadline = after(0);
        const error = await rejection(RequestTimeoutError, held.service.api().createContent(body, { deadline }));
        assert.equal(error.outcome, "notProcessed");
        assert.equal(held.service.requests.length, 0);
    });

    for (const [what, replies, sent] of [
        ["as long as the answer asks", [retryAfter(500, 7), content], [0, 7_000]],
        ["at least as long as a retry has to", [retryAfter(500, 0), retryAfter(502, 0), content], [0, 375, 1125]],
        ["as long as all have to", [retryAfter(429, 7), retryAfter(429, 7), content], [0, 7_000, 14_000]],
    ] as const) {
        it(`has waits ${what}`, async () => {
            script(...replies);
            await run(held.service.api().getContent("c1"));
            assert.deepEqual(times(), sent);
        });
    }
});

describe("cancellation", () => {
    const held = useService();
    const reason = new Error("stop");

    it("leaves no listeners on a signal that many calls share", async () => {
        const { service } = held;
        const { signal } = new AbortController();
        service.script = (_, number) => (number % 2 ? { status: 500 } : content);
        const deadline = Deadline.after(service.clock, 60_000);
        const api = service.api();
        const calls = Array.from({ length: 5 }, () => api.getContent("c1", { signal, deadline }));
        await service.clock.runUntil(Promise.all(calls));
        assert.equal(getEventListeners(signal, "abort").length, 0);
        assert.equal(service.clock.sleeping, 0);
    });

    for (const [where, reply, name] of [
        ["a request under way", { hang: true }, "signal"],
        ["a backoff", { status: 500 }, "signal"],
        ["a pause", retryAfter(429, 100), "signal"],
        ["a backoff", { status: 500 }, "unlessSent"],
        ["a pause", retryAfter(429, 100), "unlessSent"],
    ] as const) {
        it(`ends ${where} at once (${name})`, async () => {
            const { service } = held;
            service.script = () => reply;
            const abort = new AbortController();
            const failed = assert.rejects(service.api().getContent("c1", { [name]: abort.signal }), reason);
            await service.clock.advance(100);
            abort.abort(reason);
            await failed;
            assert.equal(service.clock.elapsed, 100);
            assert.equal(service.clock.sleeping, 0);
        });
    }
    it("S1: does not end a create under way whose answer counts", async () => {
        const { service } = held;
        service.script = () => ({ ...content, afterMs: 1_000 });
        const abort = new AbortController();
        const created = service.api().createContent(body, { unlessSent: abort.signal });
        await service.clock.advance(100);
        abort.abort(reason);
        assert.equal((await service.clock.runUntil(created)).contentId, "c1");
    });
});

describe("a malformed answer", () => {
    const held = useService();

    it("is named by its endpoint, without quoting what may hold a stream key", async () => {
        for (const cut of [
            '{"data":{"rtmpUrl":"rtmp://live.example/in/live_abc',
            { data: { rtmpUrl: "r/live_abc" } },
        ]) {
            held.service.script = () => ({ body: cut });
            const create = held.service.api().createLivestream({ title: "t", region: "us-east-1", record: false });
            const error = await held.service.clock.runUntil(rejection(MalformedAnswerError, create));
            assert.match(error.message, /^POST \/livestreams: /);
            assert.doesNotMatch(error.message, /live_abc/);
        }
    });
});
