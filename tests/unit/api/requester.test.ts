/** S6: how a try that failed goes on: again or not, when, and with which error; without a network. */
import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { Deadline } from "../../../provider/dist/api/clock.js";
import {
    ApiError,
    AuthenticationError,
    MalformedAnswerError,
    PermissionError,
    RateLimitError,
    RequestTimeoutError,
    ServerError,
    UnconfirmedNotFoundError,
} from "../../../provider/dist/api/errors.js";
import type { ApiRequest, Limits } from "../../../provider/dist/api/exchange.js";
import { Redactor } from "../../../provider/dist/api/redact.js";
import { Requester } from "../../../provider/dist/api/retry.js";
import type { Method, TransportAnswer } from "../../../provider/dist/api/transport.js";
import { answer, rejection, unanswered, Wire } from "./support.ts";

const ok = answer(200);
const retryAfter = (status: number, seconds: number) => answer(status, { "retry-after": String(seconds) });

class Sender {
    readonly wire: Wire;
    readonly #requester: Requester;

    /** Answers with these, one after another; the last one again and again. `undefined`: no answer. */
    constructor(...replies: (TransportAnswer | undefined)[]) {
        this.wire = new Wire((request, number) => replies[Math.min(number, replies.length) - 1] ?? unanswered(request));
        const connection = {
            baseUrl: "https://api.example",
            headers: {},
            transport: this.wire,
            clock: this.wire.clock,
        };
        this.#requester = new Requester(connection, () => 0.5);
    }

    send<T = number>(
        method: Method,
        limits: Limits = {},
        {
            parse = ({ status }) => status as T,
            ...more
        }: Partial<ApiRequest> & { parse?: (a: TransportAnswer) => T } = {},
    ): Promise<T> {
        const path = method === "POST" ? "/contents" : "/contents/c1";
        const requestLine = `${method} ${path}`;
        const request = { method, path, endpoint: `${method} of contents`, requestLine, redactor: Redactor.none };
        return this.#requester.send({ ...request, ...more }, limits, parse);
    }

    /** As long as it takes, in virtual time. */
    run<T>(promise: Promise<T>): Promise<T> {
        return this.wire.clock.runUntil(promise);
    }

    failure<E extends ApiError>(kind: new (...rest: never[]) => E, ...request: Parameters<Sender["send"]>): Promise<E> {
        return this.run(rejection(kind, this.send(...request)));
    }
}

describe("a request that failed", () => {
    for (const [method, status, times] of [
        ["GET", 500, 5],
        ["GET", 408, 5],
        ["GET", 400, 1],
        ["GET", 300, 1],
        ["GET", 199, 1],
        ["PUT", 502, 5],
        ["DELETE", 503, 5],
        ["POST", 429, 5],
        ["POST", 500, 1],
        ["POST", 408, 1],
        ["POST", 503, 1],
    ] as const) {
        it(`as a ${method} with ${status} is sent ${times} times`, async () => {
            const sender = new Sender(answer(status));
            assert.equal((await sender.failure(ApiError, method)).status, status);
            assert.equal(sender.wire.sent.length, times);
        });
    }

    it("by a 404 of somebody else is sent again, unless it is a further page of a list", async () => {
        for (const [query, times] of [
            [undefined, 5],
            [{ limit: 100 }, 5],
            [{ limit: 100, start: 100 }, 1],
        ] as const) {
            const sender = new Sender(answer(404, {}, "<html>"));
            await sender.failure(UnconfirmedNotFoundError, "GET", {}, query && { query });
            assert.equal(sender.wire.sent.length, times);
        }
        const sender = new Sender(answer(500));
        await sender.failure(ServerError, "GET", {}, { query: { start: 100 } });
        assert.equal(sender.wire.sent.length, 5);
    });

    it("because its answer cannot be read is sent again; because of anything else it is not", async () => {
        const malformed = new MalformedAnswerError("x" as never, { endpoint: "e", outcome: "ambiguous" });
        for (const [error, times] of [
            [malformed, 5],
            ["a text", 1],
            [Object.freeze(new Error("a defect")), 1],
        ] as const) {
            const sender = new Sender(ok);
            const parse = () => {
                throw error;
            };
            await assert.rejects(sender.run(sender.send("GET", {}, { parse })), (thrown) => thrown === error);
            assert.equal(sender.wire.sent.length, times);
        }
    });

    it("waits as long as its own answer asks, and holds up nobody else", async () => {
        const sender = new Sender(retryAfter(500, 7), ok);
        const first = sender.send("GET");
        await sender.wire.clock.advance(1);
        await sender.run(sender.send("DELETE"));
        assert.equal(await sender.run(first), 200);
        assert.deepEqual(sender.wire.times, [0, 1, 7_000]);
    });
    it("waits at least as long as a retry has to", async () => {
        const sender = new Sender(retryAfter(500, 0), retryAfter(502, 0), ok);
        await sender.run(sender.send("GET"));
        assert.deepEqual(sender.wire.times, [0, 250, 750]);
    });

    for (const [status, at] of [
        [429, 40_000],
        [503, 40_000],
        [500, 1],
    ] as const) {
        it(`with ${status} ${at > 1 ? "holds" : "does not hold"} all others as long as the service asks`, async () => {
            const sender = new Sender(answer(200), retryAfter(status, 40), ok);
            await sender.run(sender.send("GET"));
            const first = sender.send("GET");
            await sender.wire.clock.advance(1);
            await sender.run(sender.send("DELETE"));
            assert.equal(sender.wire.times[2], at);
            await sender.run(first);
            assert.equal(sender.wire.clock.elapsed, 40_000);
        });
    }
    it("with a 503 that names no time holds nobody; with a 429 as long as a first retry waits", async () => {
        for (const [status, at] of [
            [503, 1],
            [429, 250],
        ] as const) {
            const sender = new Sender(answer(200), answer(status), ok);
            await sender.run(sender.send("GET"));
            const first = sender.send("GET");
            await sender.wire.clock.advance(1);
            await sender.run(Promise.all([sender.send("DELETE"), first]));
            assert.deepEqual(sender.wire.times, [0, 0, at, 250]);
        }
    });
    it("with 429 five times waits longer each time, and takes no place of the retries", async () => {
        const sender = new Sender(answer(429));
        await sender.failure(RateLimitError, "POST");
        assert.deepEqual(sender.wire.times, [0, 250, 750, 1_750, 3_750]);
    });
    for (const status of [429, 503]) {
        it(`with ${status} is turned away: half as many go at once`, async () => {
            const sender = new Sender(answer(200), answer(status), undefined);
            await sender.run(sender.send("GET"));
            await sender.run(
                rejection(ApiError, sender.send("POST", { deadline: Deadline.after(sender.wire.clock, 1) })),
            );
            const calls = Array.from({ length: 64 }, () => assert.rejects(sender.send("DELETE"), ApiError));
            await sender.wire.clock.advance(300);
            assert.equal(sender.wire.sent.length, 2 + 32);
            await sender.run(Promise.all(calls));
        });
    }
});

describe("the error of a request that is given up", () => {
    it("says whether any of its tries may have been processed", async () => {
        for (const [replies, mayBeProcessed] of [
            [[answer(429)], false],
            [[answer(500), answer(429), answer(422)], true],
            [[answer(429), answer(422)], false],
            [[answer(429), answer(500)], true],
        ] as const) {
            const sender = new Sender(...replies);
            const error = await sender.failure(ApiError, "POST", {}, { repeatable: true });
            assert.equal(error.mayBeProcessed, mayBeProcessed);
        }
    });

    it("is the last one's, also when that was a timeout", async () => {
        const sender = new Sender(answer(500), undefined);
        const error = await sender.failure(RequestTimeoutError, "POST", {}, { repeatable: true });
        assert.match(error.message, /no answer within 60 s/);
        assert.equal(sender.wire.sent.length, 3);
        assert.equal(sender.wire.clock.elapsed, 120_750);
    });
    it("is the one before a try that the call's own time cut short", async () => {
        const cut = new Sender(answer(500), undefined);
        assert.equal((await cut.failure(ServerError, "GET", { effortMs: 5_000 })).status, 500);
        assert.equal(cut.wire.clock.elapsed, 5_000);
        const first = new Sender(undefined);
        await first.failure(RequestTimeoutError, "GET", { effortMs: 5_000 });
        assert.deepEqual(first.wire.times, [0]);
        const other = new Sender(answer(500), answer(502), undefined);
        assert.equal((await other.failure(ServerError, "GET", { effortMs: 5_000 })).status, 502);
    });

    for (const [limits, times, elapsed] of [
        [{ effortMs: 250 }, [0], 0],
        [{ effortMs: 251 }, [0, 250], 250],
        [{ deadlineMs: 250 }, [0], 0],
        [{ deadlineMs: 251 }, [0, 250], 250],
        [{ deadlineMs: 1_750 }, [0, 250, 750], 750],
    ] as const) {
        it(`comes when no time is left for a wait and a try: ${JSON.stringify(limits)}`, async () => {
            const sender = new Sender(answer(500));
            const { deadlineMs, ...rest } = { deadlineMs: undefined, ...limits };
            const deadline = deadlineMs === undefined ? undefined : Deadline.after(sender.wire.clock, deadlineMs);
            await sender.failure(ServerError, "GET", { ...rest, deadline });
            assert.deepEqual(sender.wire.times, times);
            assert.equal(sender.wire.clock.elapsed, elapsed);
        });
    }
    it("comes at once where the service asks for a pause beyond the deadline", async () => {
        for (const status of [429, 503]) {
            const sender = new Sender(retryAfter(status, 60));
            const deadline = Deadline.after(sender.wire.clock, 60_000);
            assert.equal((await sender.failure(ApiError, "GET", { deadline })).status, status);
            assert.equal(sender.wire.clock.elapsed, 0);
        }
    });
    it("does not come because the service asks all to wait: that time does not count", async () => {
        for (const status of [429, 503]) {
            const sender = new Sender(retryAfter(status, 60), ok);
            assert.equal(await sender.run(sender.send("GET", { effortMs: 1_000 })), 200);
            assert.deepEqual(sender.wire.times, [0, 60_000]);
        }
    });
    it("is the last one where its turn does not come before the deadline", async () => {
        const sender = new Sender(ok, answer(500), undefined);
        await sender.run(sender.send("GET"));
        const deadline = Deadline.after(sender.wire.clock, 5_000);
        const again = sender.send("GET", { deadline });
        again.catch(() => {});
        await sender.wire.clock.advance(1);
        // All turns are taken before it comes back.
        const others = Array.from({ length: 64 }, () => sender.send("DELETE").catch(() => {}));
        const error = await sender.run(rejection(ServerError, again));
        assert.equal(error.status, 500);
        assert.equal(sender.wire.clock.elapsed, 5_000);
        await sender.run(Promise.all(others));
    });
});

describe("a deadline", () => {
    it("that is over lets nothing be sent, and says so", async () => {
        const sender = new Sender(ok);
        const error = await sender.failure(RequestTimeoutError, "GET", {
            deadline: Deadline.after(sender.wire.clock, 0),
        });
        assert.match(error.message, /^GET \/contents\/c1 was not sent, because the operation timed out while waiting/);
        assert.deepEqual([error.endpoint, error.outcome], ["GET of contents", "notProcessed"]);
        assert.equal(sender.wire.sent.length, 0);
    });
    it("ends the wait for a turn, and leaves the turn to others", async () => {
        const sender = new Sender(undefined);
        const first = sender.failure(RequestTimeoutError, "POST");
        const deadline = Deadline.after(sender.wire.clock, 4_000);
        const error = await sender.failure(RequestTimeoutError, "GET", { deadline });
        assert.equal(error.outcome, "notProcessed");
        assert.equal(sender.wire.clock.elapsed, 4_000);
        await first;
        assert.equal(sender.wire.sent.length, 1);
    });
});

describe("a signal", () => {
    for (const name of ["signal", "unlessSent"] as const) {
        it(`(${name}) ends the wait for a turn, for a pause and for another try`, async () => {
            for (const replies of [[undefined], [retryAfter(429, 100)], [answer(500)]]) {
                const abort = new AbortController();
                const sender = new Sender(...replies);
                const first = rejection(ApiError, sender.send("DELETE", { effortMs: 1_000 }));
                const stopped = assert.rejects(sender.send("GET", { [name]: abort.signal }), /stop/);
                await sender.wire.clock.advance(100);
                abort.abort(new Error("stop"));
                await stopped;
                assert.equal(sender.wire.clock.elapsed, 100);
                assert.equal(getEventListeners(abort.signal, "abort").length, 0);
                await sender.run(first);
            }
        });
    }
    it("ends a try under way with its reason, whatever that is; `unlessSent` does not", async () => {
        for (const reason of ["a text", new Error("stop")]) {
            const abort = new AbortController();
            const sender = new Sender(undefined);
            const got = assert.rejects(sender.send("GET", { signal: abort.signal }), (error) => error === reason);
            await sender.wire.clock.advance(100);
            abort.abort(reason);
            await got;
        }
        const abort = new AbortController();
        const sender = new Sender(undefined);
        const got = sender.failure(RequestTimeoutError, "POST", { unlessSent: abort.signal });
        await sender.wire.clock.advance(100);
        abort.abort(new Error("stop"));
        await got;
    });
    it("that came with the answer leaves the answer's error", async () => {
        const abort = new AbortController();
        const sender = new Sender(ok);
        sender.wire.script = () => {
            abort.abort(new Error("stop"));
            return answer(500);
        };
        await sender.failure(ServerError, "GET", { signal: abort.signal });
        assert.equal(sender.wire.sent.length, 1);
    });
});

describe("what holds for the requests after it", () => {
    it("is a 401, of any request", async () => {
        const sender = new Sender(ok, answer(401));
        await sender.run(sender.send("GET"));
        const first = await sender.failure(AuthenticationError, "GET");
        assert.match(first.message, /^GET \/contents\/c1: the service does not accept the access token/);
        const late = await sender.failure(AuthenticationError, "POST");
        assert.match(
            late.message,
            /^POST \/contents was not sent, .* GET \/contents\/c1: the service does not accept the/,
        );
        assert.deepEqual([late.status, late.outcome], [401, "refused"]);
        assert.equal(sender.wire.sent.length, 2);
    });
    it("is not waited for: neither a turn nor a pause", async () => {
        const sender = new Sender(ok, retryAfter(503, 40), answer(401));
        await sender.run(sender.send("GET"));
        const paused = sender.send("POST");
        const refused = sender.send("GET");
        await sender.run(Promise.all([rejection(ServerError, paused), rejection(AuthenticationError, refused)]));
        await sender.failure(AuthenticationError, "GET");
        assert.equal(sender.wire.clock.elapsed, 0);
    });
    it("spares those that waited for their turn, one after another", async () => {
        const sender = new Sender(answer(401));
        const calls = Array.from({ length: 100 }, () => rejection(AuthenticationError, sender.send("GET")));
        await sender.run(Promise.all(calls));
        assert.equal(sender.wire.sent.length, 1);
    });

    it("are three 403s of an endpoint without a success between them", async () => {
        const sender = new Sender(answer(403), answer(403), ok, answer(403));
        await sender.failure(PermissionError, "POST");
        await sender.failure(PermissionError, "POST");
        await sender.run(sender.send("POST"));
        for (let time = 0; time < 3; time++) {
            const error = await sender.failure(PermissionError, "POST");
            assert.match(error.message, /^POST \/contents: the credentials are not allowed/);
        }
        const spared = await sender.failure(PermissionError, "POST");
        assert.match(
            spared.message,
            /^POST \/contents was not sent, .* POST \/contents: the credentials are not allowed/,
        );
        assert.deepEqual([spared.status, spared.outcome], [403, "refused"]);
        assert.equal(sender.wire.sent.length, 6);
        const elsewhere = await sender.failure(PermissionError, "GET");
        assert.match(elsewhere.message, /^GET \/contents\/c1: the credentials are not allowed/);
    });
    it("are no 403s that are about single objects, nor do they spare these", async () => {
        const sender = new Sender(answer(403));
        const own = { ownForbidden: true };
        for (let time = 0; time < 4; time++) await sender.failure(PermissionError, "GET", own);
        for (let time = 0; time < 3; time++) await sender.failure(PermissionError, "GET");
        await sender.failure(PermissionError, "GET", own);
        assert.equal(sender.wire.sent.length, 8);
        assert.match((await sender.failure(PermissionError, "GET")).message, /not sent/);
    });
    it("is no other failure, nor a 403 that could not be read", async () => {
        const sender = new Sender(answer(403), answer(403), ok, answer(403));
        await sender.failure(PermissionError, "GET");
        await sender.failure(PermissionError, "GET");
        const parse = () => {
            throw new Error("unreadable");
        };
        await assert.rejects(sender.run(sender.send("GET", {}, { parse })), /unreadable/);
        await sender.failure(PermissionError, "GET");
        assert.match((await sender.failure(PermissionError, "GET")).message, /not sent/);
    });
});
