/** One try: its URL and headers, its time, and where a redirect may lead (S7). */
import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { Deadline } from "../../../provider/dist/api/clock.js";
import {
    ApiError,
    ConnectionError,
    RedirectError,
    RequestTimeoutError,
    ServerError,
} from "../../../provider/dist/api/errors.js";
import { type ApiRequest, exchange, type Limits } from "../../../provider/dist/api/exchange.js";
import { Redactor } from "../../../provider/dist/api/redact.js";
import type { Method, TransportRequest } from "../../../provider/dist/api/transport.js";
import { answer, rejection, unanswered, Wire } from "./support.ts";

const origin = "https://api.example";
const requestOf = (method: Method, more: Partial<ApiRequest> = {}): ApiRequest => ({
    method,
    path: "/contents/c1",
    endpoint: `${method} /contents/{id}`,
    requestLine: `${method} /contents/c1`,
    redactor: Redactor.none,
    ...more,
});
const get = requestOf("GET");
const redirect = (status: number, location?: string) => answer(status, location === undefined ? {} : { location });
const exchanged = (wire: Wire, request: ApiRequest, limits: Limits = {}, baseUrl = origin) =>
    exchange({ baseUrl, headers: { accept: "x" }, transport: wire, clock: wire.clock }, request, limits);

describe("one try", () => {
    it("sends the method, the address with its query, and the headers", async () => {
        const wire = new Wire();
        const query = { start: 5, record: false, text: "a b&c" };
        assert.equal((await exchanged(wire, { ...get, query }, {}, `${origin}/mirror`)).status, 200);
        const [{ signal, ...request }] = wire.sent as [TransportRequest];
        assert.deepEqual(request, {
            method: "GET",
            url: `${origin}/mirror/video/services/api/v1/contents/c1?start=5&record=false&text=a+b%26c`,
            headers: { accept: "x" },
        });
        assert.ok(signal.aborted, "nothing that belongs to it goes on afterwards");
    });

    it("sends a body as JSON, and says so", async () => {
        const wire = new Wire();
        await exchanged(wire, requestOf("PUT", { body: { title: "é" } }));
        assert.equal(wire.sent[0]?.body, '{"title":"é"}');
        assert.deepEqual(wire.sent[0]?.headers, { accept: "x", "content-type": "application/json" });
    });

    for (const status of [200, 204, 300, 304, 305, 306, 404, 500]) {
        it(`resolves with the answer of status ${status}`, async () => {
            const wire = new Wire(() => redirect(status, "/elsewhere"));
            assert.equal((await exchanged(wire, get)).status, status);
            assert.equal(wire.sent.length, 1);
        });
    }
});

describe("the time of one try", () => {
    const hanging = (error?: unknown) => new Wire((request) => unanswered(request, error));

    for (const [method, limits, ms] of [
        ["GET", {}, 30_000],
        ["DELETE", {}, 30_000],
        ["POST", {}, 60_000],
        ["GET", { deadlineMs: 1_001 }, 1_001],
        ["GET", { deadlineMs: 40_000 }, 30_000],
        ["POST", { effortMs: 2_000 }, 2_000],
        ["POST", { effortMs: 2_000, deadlineMs: 1_500 }, 1_500],
    ] as const) {
        it(`of a ${method} with ${JSON.stringify(limits)} is ${ms} ms, and what became of it is unknown`, async () => {
            const wire = hanging();
            const { deadlineMs, ...rest } = { deadlineMs: undefined, ...limits };
            const deadline = deadlineMs === undefined ? undefined : Deadline.after(wire.clock, deadlineMs);
            const trying = exchanged(wire, requestOf(method), { ...rest, deadline });
            const error = await wire.clock.runUntil(rejection(RequestTimeoutError, trying));
            assert.equal(wire.clock.elapsed, ms);
            assert.ok(error.message.startsWith(`${method} /contents/c1: no answer within ${Math.ceil(ms / 1000)} s.`));
            assert.deepEqual([error.endpoint, error.outcome], [`${method} /contents/{id}`, "ambiguous"]);
            assert.equal(wire.clock.sleeping, 0);
        });
    }

    it("tells the transport why it ends", async () => {
        const wire = hanging(new Error("no"));
        await wire.clock.runUntil(rejection(RequestTimeoutError, exchanged(wire, get)));
        const reason = wire.sent[0]?.signal.reason;
        assert.ok(reason instanceof RequestTimeoutError);
        assert.equal(reason.outcome, "ambiguous");
    });

    for (const [what, error, outcome] of [
        ["it had not been sent", new ConnectionError("connecting", { sent: false }), "notProcessed"],
        ["it had been sent", new ConnectionError("reset", { sent: true }), "ambiguous"],
        ["nothing", new Error("no"), "ambiguous"],
    ] as const) {
        it(`leaves an outcome "${outcome}" when the transport knows: ${what}`, async () => {
            const wire = hanging(error);
            const failed = await wire.clock.runUntil(rejection(RequestTimeoutError, exchanged(wire, get)));
            assert.equal(failed.outcome, outcome);
        });
    }

    it("is over at once for a signal, with its reason and without a listener left behind", async () => {
        const reason = new Error("stop");
        for (const error of [undefined, new ConnectionError("reset", { sent: true })]) {
            const abort = new AbortController();
            const wire = hanging(error);
            const stopped = assert.rejects(exchanged(wire, get, { signal: abort.signal }), reason);
            await wire.clock.advance(10);
            abort.abort(reason);
            await stopped;
            assert.deepEqual([wire.clock.elapsed, wire.clock.sleeping], [10, 0]);
            assert.equal(getEventListeners(abort.signal, "abort").length, 0);
        }
    });

    it("does not begin after the signal", async () => {
        const wire = new Wire();
        await assert.rejects(exchanged(wire, get, { signal: AbortSignal.abort(new Error("stop")) }), /stop/);
        assert.equal(wire.sent.length, 0);
    });
});

describe("a try that fails", () => {
    const failing = (error: unknown, request = requestOf("POST")) =>
        rejection(ApiError, exchanged(new Wire(() => Promise.reject(error)), request));

    for (const sent of [true, false]) {
        it(`by its connection says so, and whether it ${sent ? "was" : "was not"} sent`, async () => {
            const error = await failing(new ConnectionError("a.b.c was reset.", { sent }));
            assert.ok(error instanceof ConnectionError);
            assert.equal(error.message, "POST /contents/c1: a.b.c was reset. [VG5001]");
            assert.deepEqual(
                [error.sent, error.byProxy, error.endpoint, error.outcome],
                [sent, false, "POST /contents/{id}", sent ? "ambiguous" : "notProcessed"],
            );
        });
    }

    it("by the proxy says so under the proxy's code", async () => {
        const error = await failing(new ConnectionError("the proxy is down", { sent: false, byProxy: true }));
        assert.equal(error.message, "POST /contents/c1: the proxy is down. [VG5002]");
        assert.ok(error instanceof ConnectionError && error.byProxy && !error.sent);
    });

    it("by an error of this package keeps it", async () => {
        const error = new ServerError("x" as never, { endpoint: "e", status: 500, outcome: "ambiguous" });
        assert.equal(await failing(error), error);
    });

    it("by anything else is in doubt, and says nothing of it", async () => {
        const error = await failing(new Error("secret"));
        assert.ok(error instanceof ConnectionError && error.sent && !error.byProxy);
        assert.equal(error.message, "POST /contents/c1: the connection failed. [VG5001]");
        assert.equal(error.endpoint, "POST /contents/{id}");
    });
});

describe("a redirected try", () => {
    const redirected = (request: ApiRequest, status: number, location?: string) => {
        const wire = new Wire((_, number) => (number === 1 ? redirect(status, location) : answer(201)));
        return { wire, trying: exchanged(wire, request) };
    };

    for (const [location, url] of [
        ["/x", `${origin}/x`],
        ["c2", `${origin}/video/services/api/v1/contents/c2`],
        ["https://user:pass@api.example:443/x?a=1#part", `${origin}/x?a=1`],
    ] as const) {
        for (const status of [301, 302, 303, 307, 308]) {
            it(`of status ${status} to ${location} goes on there`, async () => {
                const { wire, trying } = redirected(get, status, location);
                assert.equal((await trying).status, 201);
                assert.equal(wire.sent[1]?.url, url);
                assert.deepEqual(wire.sent[1]?.headers, { accept: "x" });
            });
        }
    }

    for (const method of ["PUT", "DELETE"] as const) {
        it(`goes on as the same ${method} where the status keeps the method`, async () => {
            for (const status of [307, 308]) {
                const { wire, trying } = redirected(requestOf(method, { body: { title: "t" } }), status, "/x");
                await trying;
                const sent = wire.sent.map((one) => [one.method, one.body]);
                assert.deepEqual(sent, Array(2).fill([method, '{"title":"t"}']));
            }
        });
    }

    for (const [method, statuses, outcome] of [
        ["PUT", [301, 302, 303], "refused"],
        ["DELETE", [301, 302, 303], "refused"],
        ["POST", [301, 302, 303, 307, 308], "ambiguous"],
    ] as const) {
        it(`of a ${method} with ${statuses.join(", ")} is not sent twice, and is ${outcome}`, async () => {
            for (const status of statuses) {
                const { wire, trying } = redirected(requestOf(method), status, "/x");
                const error = await rejection(RedirectError, trying);
                const text = `${method} /contents/c1: the service redirects (HTTP ${status}) a request that must not be`;
                assert.ok(error.message.startsWith(text), error.message);
                assert.deepEqual(
                    [error.endpoint, error.status, error.outcome],
                    [`${method} /contents/{id}`, status, outcome],
                );
                assert.equal(wire.sent.length, 1);
            }
        });
    }

    for (const [location, named] of [
        ["https://other.example/x?secret=1", "https://other.example"],
        ["http://api.example/x", "http://api.example"],
        ["https://api.example:444/x", "https://api.example:444"],
        ["javascript:alert(1)", "an address that is not HTTP"],
    ] as const) {
        it(`to ${location} names ${named}, and gets nothing`, async () => {
            const { wire, trying } = redirected(get, 302, location);
            const error = await rejection(RedirectError, trying);
            const text = `GET /contents/c1: the service redirects (HTTP 302) to ${named}, but this is not followed`;
            assert.ok(error.message.startsWith(text), error.message);
            assert.equal(error.outcome, "refused");
            assert.equal(wire.sent.length, 1);
        });
    }

    for (const location of [undefined, "", "http://"]) {
        it(`to ${JSON.stringify(location)} is not followed`, async () => {
            const { wire, trying } = redirected(get, 301, location);
            const error = await rejection(RedirectError, trying);
            assert.match(
                error.message,
                /^GET \/contents\/c1: the service redirects \(HTTP 301\) without naming a target/,
            );
            assert.equal(wire.sent.length, 1);
        });
    }

    it("goes on five times, and no further", async () => {
        const circle = new Wire(({ url }) => redirect(302, `${url}1`));
        const error = await rejection(RedirectError, exchanged(circle, get));
        assert.match(error.message, /^GET \/contents\/c1: the service redirects in a loop/);
        assert.equal(circle.sent.length, 6);
        const longest = new Wire(({ url }) => (url.endsWith("11111") ? answer(200) : redirect(302, `${url}1`)));
        assert.equal((await exchanged(longest, get)).status, 200);
    });

    for (const status of [404, 410]) {
        it(`that ends in a ${status} elsewhere says nothing about the object`, async () => {
            const wire = new Wire(({ url }) => (url.endsWith("/login") ? answer(status) : redirect(302, "/login")));
            const error = await rejection(RedirectError, exchanged(wire, get));
            const text = `GET /contents/c1: the service redirects to /login, which does not exist (HTTP ${status}).`;
            assert.ok(error.message.startsWith(text), error.message);
            assert.deepEqual(
                [error.endpoint, error.status, error.outcome],
                ["GET /contents/{id}", status, "ambiguous"],
            );
        });
        for (const to of ["/v2/contents/c1", "/v2/contents/c1/", "/v2/contents/c1//", "/v2/contents/c1?a=/b"]) {
            it(`that ends in a ${status} at ${to} is about the object`, async () => {
                const wire = new Wire(({ url }) => (url.includes("/v2/") ? answer(status) : redirect(302, to)));
                assert.equal((await exchanged(wire, get)).status, status);
            });
        }
    }
    it("that ends in another failure elsewhere has failed so", async () => {
        const wire = new Wire(({ url }) => (url.endsWith("/login") ? answer(500) : redirect(302, "/login")));
        assert.equal((await exchanged(wire, get)).status, 500);
    });
});
