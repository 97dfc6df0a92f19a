/** S6: what is sent again, when, and how often. */
import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { VideographApi } from "../../../provider/dist/api/client.js";
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
import { isList, notFound, rejection, success, useService } from "./support.ts";

const content = success({ contentId: "c1", status: "Ready" });
const body = { title: "t", content: [{ url: "https://m.example/t.mp4" }], playbackPolicy: ["public"] };

describe("retries", () => {
    const held = useService();

    for (const [what, reply] of Object.entries({
        "a 500": { status: 500 },
        "a 503": { status: 503 },
        "a 408": { status: 408 },
        "a 429": { status: 429 },
        "a reset": { reset: true },
        "an answer that is no JSON": { body: "<html>" },
        "an answer without an id": { body: { status: "Success", data: {} } },
    })) {
        it(`sends a GET again after ${what}`, async () => {
            const { service } = held;
            service.script = (_, number) => (number === 1 ? reply : content);
            const got = await service.clock.runUntil(service.api().getContent("c1"));
            assert.equal(got.contentId, "c1");
            assert.equal(service.requests.length, 2);
            assert.equal(service.requests[1]?.at, 250, "half of the first backoff of 0.5 s");
        });
    }

    it("sends PUT and DELETE again", async () => {
        const { service } = held;
        service.script = (_, number) => (number % 2 === 1 ? { status: 502 } : content);
        const api = service.api();
        await service.clock.runUntil(api.updateContent("c1", { title: "t" }));
        await service.clock.runUntil(api.deleteContent("c1"));
        assert.deepEqual(
            service.requests.map((request) => request.method),
            ["PUT", "PUT", "DELETE", "DELETE"],
        );
    });

    it("sends a subtitle again, unlike a create, and says whether any try may have been processed", async () => {
        const { service } = held;
        const subtitle = () => service.api().setSubtitle("c1", { language_code: "en" });
        service.script = (_, number) => (number === 1 ? { reset: true } : success({ uuid: "u1" }));
        await service.clock.runUntil(subtitle());
        assert.deepEqual(
            service.requests.map(({ method, path }) => `${method} ${path}`),
            Array(2).fill("POST /contents/c1/subtitles"),
        );
        const refusal = { status: 422, body: { message: "no" } };
        for (const [first, mayBeProcessed] of [
            [{ reset: true }, true],
            [{ status: 429 }, false],
            [refusal, false],
        ] as const) {
            const before = service.requests.length;
            service.script = (_, number) => (number === before + 1 ? first : refusal);
            const error = await service.clock.runUntil(rejection(ApiError, subtitle()));
            assert.equal(error.mayBeProcessed, mayBeProcessed, JSON.stringify(first));
        }
    });

    it("gives up after five tries, with doubling waits", async () => {
        const { service } = held;
        service.script = () => ({ status: 500, body: { message: "out of order" } });
        const error = await service.clock.runUntil(rejection(ServerError, service.api().getContent("c1")));
        assert.match(error.message, /^GET \/contents\/c1: .*HTTP 500.*"out of order"/);
        assert.deepEqual(
            service.requests.map(({ at }) => at),
            [0, 250, 750, 1750, 3750],
        );
    });

    for (const [what, reply] of [
        ["404", notFound()],
        ["410", notFound(410)],
        ["404 inside a success", { body: { status: "Error", code: 404, message: "no such content" } }],
    ] as const) {
        it(`takes a ${what} as news of the object, and does not send it again`, async () => {
            const { service } = held;
            service.script = (seen) => (isList(seen) ? success([]) : reply);
            const api = service.api();
            await service.clock.runUntil(rejection(NotFoundError, api.getContent("c1")));
            await service.clock.runUntil(rejection(NotFoundError, api.updateContent("c1", { title: "t" })));
            await service.clock.runUntil(rejection(NotFoundError, api.deleteContent("c1")));
            assert.deepEqual(
                service.requests.map(({ method, path }) => `${method} ${path}`),
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
        ["413", { status: 413 }, "refused"],
        ["401", { status: 401 }, "refused"],
        ["redirect", { status: 307, headers: { location: "/elsewhere" } }, "ambiguous"],
        ["redirect to another origin", { status: 303, headers: { location: "https://x.example/" } }, "ambiguous"],
        ["300", { status: 300 }, "ambiguous"],
        ["404 of a gateway", { status: 404, body: "<html>" }, "ambiguous"],
        ["404 of the service", notFound(), "refused"],
    ] as const) {
        it(`sends a POST once when it is answered by a ${what}, which is ${outcome}`, async () => {
            const { service } = held;
            service.script = () => reply;
            const error = await service.clock.runUntil(rejection(ApiError, service.api().createContent(body)));
            assert.equal(error.outcome, outcome);
            assert.equal(error.endpoint, "POST /contents");
            assert.equal(service.requests.length, 1);
        });
    }

    it("sends a POST again after a 429", async () => {
        const { service } = held;
        service.script = (_, number) => (number < 3 ? { status: 429, headers: { "retry-after": "7" } } : content);
        const created = await service.clock.runUntil(service.api().createContent(body));
        assert.equal(created.object.contentId, "c1");
        assert.deepEqual(
            service.requests.map(({ at }) => at),
            [0, 7000, 14000],
        );
    });

    it("gives a POST up after five 429s, as not processed", async () => {
        const { service } = held;
        service.script = () => ({ status: 429 });
        const error = await service.clock.runUntil(rejection(RateLimitError, service.api().createContent(body)));
        assert.equal(error.outcome, "notProcessed");
        assert.equal(service.requests.length, 5);
    });

    it("K17: sends a create again after any number of 429s, until its own time is over", async () => {
        const { service } = held;
        service.script = (_, number) => (number <= 40 ? { status: 429 } : content);
        const api = service.api();
        const until = (ms: number) => ({ rateLimitedUntil: Deadline.after(service.clock, ms) });
        await service.clock.runUntil(api.createContent(body, until(3_600_000)));
        assert.equal(service.requests.length, 41);
        service.script = () => ({ status: 429 });
        const begun = service.clock.elapsed;
        await service.clock.runUntil(rejection(RateLimitError, api.createContent(body, until(60_000))));
        const tookMs = service.clock.elapsed - begun;
        assert.ok(tookMs > 40_000 && tookMs <= 60_000, `${tookMs}`);
    });

    it("S1: sends no create again whose success says 429: it may have been processed", async () => {
        const { service } = held;
        service.script = () => ({ status: 201, body: { status: "Error", code: 429, message: "slow down" } });
        const options = { rateLimitedUntil: Deadline.after(service.clock, 3_600_000) };
        const error = await service.clock.runUntil(rejection(ApiError, service.api().createContent(body, options)));
        assert.deepEqual([error.outcome, service.requests.length], ["ambiguous", 1]);
    });

    it("S1: runs what is to be noted before each try of a create", async () => {
        const { service } = held;
        service.script = (_, number) => (number < 4 ? { status: 429 } : content);
        const noted: number[] = [];
        const beforeTry = async () => void noted.push(service.clock.elapsed);
        const options = { rateLimitedUntil: Deadline.after(service.clock, 3_600_000), beforeTry };
        await service.clock.runUntil(service.api().createContent(body, options));
        assert.deepEqual(
            noted,
            service.requests.map(({ at }) => at),
        );
    });

    it("K12: tries less often as long as nothing shows that the service is there, where that is asked for", async () => {
        const { service } = held;
        for (const reply of [{ reset: true }, { status: 404, body: "<html>" }]) {
            const before = service.requests.length;
            service.script = () => reply;
            const pages = service.api().contents({ unreachableTries: 3 });
            await service.clock.runUntil(rejection(ApiError, pages[Symbol.asyncIterator]().next()));
            assert.equal(service.requests.length - before, 3);
        }
    });

    it("times a try out: 30 s, and 60 s for a POST", async () => {
        const { service } = held;
        service.script = (_, number) => (number === 1 ? { hang: true } : content);
        await service.clock.runUntil(service.api().getContent("c1"));
        assert.equal(service.requests[1]?.at, 30_250);

        service.script = () => ({ hang: true });
        const start = service.clock.elapsed;
        const error = await service.clock.runUntil(rejection(RequestTimeoutError, service.api().createContent(body)));
        assert.match(error.message, /POST \/contents: no answer within 60 s/);
        assert.equal(service.clock.elapsed - start, 60_000);
    });

    it("sends a POST again that timed out before it was sent", async () => {
        const { service } = held;
        let tries = 0;
        const api = new VideographApi({
            baseUrl: "https://api.example",
            accessTokenId: "a",
            secretKey: "b",
            clock: service.clock,
            transport: {
                async send({ signal }) {
                    if (++tries === 2) return { status: 201, headers: {}, body: '{"data":{"contentId":"c1"}}' };
                    await new Promise((resolve) => signal.addEventListener("abort", resolve));
                    throw new ConnectionError("it was still connecting", { sent: false });
                },
                close: () => Promise.resolve(),
            },
        });
        await service.clock.runUntil(api.createContent(body));
        assert.equal(tries, 2);
    });

    it("ends after about 2 minutes of trying", async () => {
        const { service } = held;
        service.script = () => ({ hang: true });
        await service.clock.runUntil(rejection(RequestTimeoutError, service.api().getContent("c1")));
        assert.equal(service.requests.length, 4, "a fifth would begin after the second minute");
        assert.ok(service.clock.elapsed <= 125_000);
    });

    it("ends after the call's own time of trying, in which waiting for its turn does not count", async () => {
        const { service } = held;
        service.script = () => ({ hang: true });
        const got = service.api().getContent("c1", { effortMs: 40_000 });
        await service.clock.runUntil(rejection(RequestTimeoutError, got));
        assert.equal(service.requests.length, 2);
        assert.equal(service.clock.elapsed, 40_000);

        service.script = (_, number) => (number === 3 ? { status: 500 } : { hang: true });
        const cut = service.api().getContent("c1", { effortMs: 5_000 });
        await service.clock.runUntil(rejection(ServerError, cut));

        service.script = (_, number) =>
            number === 5 ? { status: 429, headers: { "retry-after": "60" } } : success({ contentId: "c1" });
        const begin = service.clock.elapsed;
        await service.clock.runUntil(service.api().getContent("c1", { effortMs: 5_000 }));
        assert.ok(service.clock.elapsed - begin >= 60_000);
    });

    it("does not begin a wait that ends after the call's deadline", async () => {
        const { service } = held;
        service.script = () => ({ status: 429, headers: { "retry-after": "60" } });
        const deadline = Deadline.after(service.clock, 59_000);
        await service.clock.runUntil(rejection(RateLimitError, service.api().getContent("c1", { deadline })));
        assert.equal(service.clock.elapsed, 0);
    });

    it("ends a try at the call's deadline", async () => {
        const { service } = held;
        service.script = () => ({ hang: true });
        const deadline = Deadline.after(service.clock, 4000);
        await service.clock.runUntil(rejection(RequestTimeoutError, service.api().getContent("c1", { deadline })));
        assert.equal(service.clock.elapsed, 4000);
    });

    it("sends nothing once the deadline is over", async () => {
        const { service } = held;
        const deadline = Deadline.after(service.clock, 0);
        const error = await rejection(RequestTimeoutError, service.api().createContent(body, { deadline }));
        assert.equal(error.outcome, "notProcessed");
        assert.equal(service.requests.length, 0);
    });

    it("names a malformed answer's endpoint without quoting what may hold a stream key", async () => {
        const { service } = held;
        service.script = () => ({ body: '{"data":{"rtmpUrl":"rtmp://live.example/in/live_abc' });
        const create = service.api().createLivestream({ title: "t", region: "us-east-1", record: false });
        const error = await service.clock.runUntil(rejection(MalformedAnswerError, create));
        assert.match(error.message, /POST \/livestreams: the answer is not JSON \(HTTP 200\)/);
        assert.doesNotMatch(error.message, /live_abc/);
        service.script = () => ({ body: { data: { rtmpUrl: "rtmp://live.example/in/live_abc" } } });
        const again = service.api().createLivestream({ title: "t", region: "us-east-1", record: false });
        const second = await service.clock.runUntil(rejection(MalformedAnswerError, again));
        assert.doesNotMatch(second.message, /live_abc/);
    });
});

describe("cancellation", () => {
    const held = useService();

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
    const reason = new Error("stop");

    for (const [where, reply] of Object.entries({
        "a request under way": { hang: true },
        "a backoff": { status: 500 },
        "a pause": { status: 429, headers: { "retry-after": "100" } },
    })) {
        it(`ends ${where} at once`, async () => {
            const { service } = held;
            service.script = () => reply;
            const abort = new AbortController();
            const got = service.api().getContent("c1", { signal: abort.signal });
            const failed = assert.rejects(got, reason);
            await service.clock.advance(100);
            abort.abort(reason);
            await failed;
            assert.equal(service.clock.elapsed, 100);
            assert.equal(service.clock.sleeping, 0);
        });
    }
});
