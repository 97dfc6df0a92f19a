/** What one request's answer means for the others: credentials, overload, outages. */
import assert from "node:assert/strict";
import type { VideographApi } from "../../../provider/dist/api/client.js";
import { Deadline } from "../../../provider/dist/api/clock.js";
import {
    AuthenticationError,
    BadRequestError,
    PermissionError,
    RequestTimeoutError,
    ServerError,
} from "../../../provider/dist/api/errors.js";
import { seededRandom } from "../../support/fakeClock.ts";
import { answer, type Reply, rejection, success, unanswered, useService, Wire } from "./support.ts";

const content = success({ contentId: "c1", status: "Ready" });
const created = answer(201, {}, '{"data":{"contentId":"c"}}');
const body = { title: "t", content: [{ url: "https://m.example/t.mp4" }], playbackPolicy: ["public"] };
const many = <T>(count: number, make: (index: number) => Promise<T>) =>
    Array.from({ length: count }, (_, i) => make(i));

describe("refused credentials", () => {
    const held = useService();

    it("cost one request, however many are waiting", async () => {
        const { service } = held;
        service.script = () => ({ status: 401, body: { message: "wrong s3cr3t-key" } });
        const api = service.api();
        const errors = await service.clock.runUntil(
            Promise.all(
                many(200, (i) =>
                    rejection(AuthenticationError, i % 2 ? api.getContent("c1") : api.createContent(body)),
                ),
            ),
        );
        assert.equal(service.requests.length, 1);
        assert.match(errors[0]?.message ?? "", /HTTP 401.*"wrong \[secretKey\]".*Check that accessTokenId/);
        assert.match(errors[7]?.message ?? "", /^GET \/contents\/c1 was not sent/);
        assert.equal(errors[8]?.outcome, "refused");
        await rejection(AuthenticationError, api.signingKeys());
        assert.equal(service.requests.length, 1);
    });

    it("let requests through together after the first other answer", async () => {
        const wire: Wire = new Wire(async () => {
            await wire.clock.sleep(1);
            return answer(400);
        });
        const api = wire.api();
        await wire.clock.runUntil(Promise.allSettled(many(200, () => api.getContent("c1"))));
        assert.equal(wire.sent.length, 200);
        assert.equal(wire.peak, 64);
        assert.equal(wire.times.filter((at) => at === 0).length, 1);
    });

    it("are still found out after failures without an answer", async () => {
        const { service } = held;
        service.script = (_, number) => (number <= 2 ? { reset: true } : { status: 401 });
        const api = service.api();
        await service.clock.runUntil(Promise.allSettled(many(50, () => api.getContent("c1"))));
        assert.equal(service.requests.length, 3);
    });

    it("do not make an unreachable service be asked one by one", async () => {
        const wire = new Wire((request) => unanswered(request));
        const api = wire.api();
        await wire.clock.runUntil(Promise.allSettled(many(200, () => api.getContent("c1"))));
        assert.ok(wire.clock.elapsed < 20 * 60_000, `${wire.clock.elapsed} ms`);
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

    it("leave no timer behind once they are known to be right or wrong", async () => {
        const { service } = held;
        for (const reply of [content, { status: 401 }]) {
            service.script = () => reply;
            await service.clock.runUntil(Promise.allSettled([service.api().getContent("c1")]));
            assert.equal(service.clock.sleeping, 0);
        }
        assert.equal(service.clock.elapsed, 0);
    });
});

describe("a missing permission", () => {
    const held = useService();
    const refuse = async (api: VideographApi, times: number) => {
        for (let time = 0; time < times; time++) {
            await held.service.clock.runUntil(rejection(PermissionError, api.createContent(body)));
        }
    };

    it("is believed at the third 403 in a row, for that endpoint alone", async () => {
        const { service } = held;
        service.script = ({ method }): Reply => (method === "POST" ? { status: 403 } : content);
        const api = service.api();
        await refuse(api, 2);
        await service.clock.runUntil(api.getContent("c1"));
        const third = await service.clock.runUntil(rejection(PermissionError, api.createContent(body)));
        assert.equal(third.outcome, "refused");
        assert.match(third.message, /^POST \/contents: the credentials are not allowed/);
        const fourth = await rejection(PermissionError, api.createContent(body));
        assert.match(fourth.message, /^POST \/contents was not sent/);
        await service.clock.runUntil(api.getContent("c1"));
        assert.deepEqual(
            service.requests.map(({ method }) => method),
            ["POST", "POST", "GET", "POST", "GET"],
        );
    });

    it("is believed for an endpoint whatever the ids are, and each message names its own (A27)", async () => {
        const { service } = held;
        service.script = () => ({ status: 403 });
        const api = service.api();
        for (const id of ["a", "b", "c"]) {
            const error = await service.clock.runUntil(rejection(PermissionError, api.getContent(id)));
            assert.match(error.message, new RegExp(`^GET /contents/${id}: the credentials are not allowed`));
            assert.equal(error.endpoint, "GET /contents/{id}");
        }
        const fourth = await rejection(PermissionError, api.getContent("d"));
        assert.match(fourth.message, /^GET \/contents\/d was not sent/);
        assert.equal(service.requests.length, 3);
        await service.clock.runUntil(rejection(PermissionError, api.deleteContent("a")));
        assert.equal(service.requests.length, 4);
    });

    it("is neither concluded nor anticipated for reads that are about single objects", async () => {
        const { service } = held;
        service.script = () => ({ status: 403 });
        const api = service.api();
        const read = (id: string) => rejection(PermissionError, api.getContent(id, { ownForbidden: true }));
        for (const id of ["a", "b", "c", "d"]) await service.clock.runUntil(read(id));
        assert.equal(service.requests.length, 4);
        for (const id of ["e", "f", "g"]) {
            await service.clock.runUntil(rejection(PermissionError, api.getContent(id)));
        }
        await service.clock.runUntil(read("h"));
        assert.equal(service.requests.length, 8);
        assert.match((await rejection(PermissionError, api.getContent("i"))).message, /not sent/);
    });

    it("is not concluded from single objects: a success starts the count anew, another failure does not", async () => {
        const { service } = held;
        const api = service.api();
        service.script = (_, number) => (number === 3 ? content : { status: number === 5 ? 400 : 403 });
        await refuse(api, 2);
        await service.clock.runUntil(api.createContent(body));
        await refuse(api, 1);
        await service.clock.runUntil(rejection(BadRequestError, api.createContent(body)));
        await refuse(api, 2);
        assert.equal(service.requests.length, 7);
        await refuse(api, 1);
        assert.equal(service.requests.length, 7);
    });
});

describe("waiting for a turn", () => {
    const held = useService(() => content);

    it("ends when it is cancelled, and holds nobody up", async () => {
        const { service } = held;
        service.script = () => ({ hang: true });
        const api = service.api();
        const abort = new AbortController();
        const reason = new Error("stop");
        const first = api.getContent("c1", { signal: abort.signal });
        const second = api.getContent("c1", { signal: abort.signal });
        const both = Promise.all([assert.rejects(first, reason), assert.rejects(second, reason)]);
        const third = api.getContent("c1");
        await service.clock.advance(10);
        service.script = () => content;
        abort.abort(reason);
        await both;
        assert.equal((await service.clock.runUntil(third)).contentId, "c1");
        assert.equal(service.requests.length, 2);
        assert.equal(service.clock.elapsed, 10);
    });

    it("ends with the operation for a creation that was not sent, and not for one that was", async () => {
        let release = () => {};
        const answered = new Promise<void>((resolve) => {
            release = resolve;
        });
        const wire = new Wire(() => answered.then(() => created));
        const api = wire.api();
        const abort = new AbortController();
        const reason = new Error("stop");
        const first = api.createContent(body, { unlessSent: abort.signal });
        const second = assert.rejects(api.createContent(body, { unlessSent: abort.signal }), reason);
        await wire.clock.advance(10);
        abort.abort(reason);
        await second;
        release();
        assert.equal((await first).object.contentId, "c");
        assert.equal(wire.sent.length, 1);
    });

    it("ends at the deadline", async () => {
        const { service } = held;
        service.script = () => ({ hang: true });
        const api = service.api();
        api.getContent("c1").catch(() => {});
        const deadline = Deadline.after(service.clock, 4000);
        const waiting = rejection(RequestTimeoutError, api.createContent(body, { deadline }));
        const error = await service.clock.runUntil(waiting);
        assert.equal(service.clock.elapsed, 4000);
        assert.equal(error.outcome, "notProcessed");
        assert.equal(service.requests.length, 1);
    });
});

describe("overload", () => {
    const held = useService();

    it("pauses all requests for as long as the service asks", async () => {
        const { service } = held;
        const api = service.api();
        await service.clock.runUntil(api.getContent("c1"));
        service.script = (_, number) => (number === 2 ? { status: 503, headers: { "retry-after": "40" } } : content);
        const first = api.getContent("c1");
        first.catch(() => {});
        await service.clock.advance(1);
        await service.clock.runUntil(Promise.all([first, api.getContent("c1"), api.deleteContent("c1")]));
        assert.deepEqual(
            service.requests.slice(2).map(({ at }) => at),
            [40_000, 40_000, 40_000],
        );
    });

    it("pauses the others also when the request itself is not sent again", async () => {
        const { service } = held;
        const api = service.api();
        service.script = (_, number) => (number === 1 ? { status: 503, headers: { "retry-after": "40" } } : content);
        await service.clock.runUntil(rejection(ServerError, api.createContent(body)));
        await service.clock.runUntil(api.getContent("c1"));
        assert.equal(service.requests[1]?.at, 40_000);
    });

    for (const [what, latency] of [
        ["fast", 1],
        ["slow", 700],
    ] as const) {
        it(`of a ${what} service that takes 10 requests per second fails none of 500`, async () => {
            let window = 0;
            let taken = 0;
            let turnedAway = 0;
            const wire: Wire = new Wire(async () => {
                await wire.clock.sleep(latency);
                const now = Math.floor(wire.clock.elapsed / 1000);
                if (now !== window) [window, taken] = [now, 0];
                if (++taken <= 10) return created;
                turnedAway++;
                return answer(429, { "retry-after": "1" });
            });
            const { clock } = wire;
            const api = wire.api(seededRandom(1));
            const creates = many(500, () => api.createContent(body));
            const results = await clock.runUntil(Promise.allSettled(creates));
            assert.equal(results.filter(({ status }) => status === "rejected").length, 0);
            assert.ok(turnedAway < 500, `${turnedAway} turned away`);
            assert.ok(clock.elapsed < 120_000, `${clock.elapsed} ms`);
        }).timeout(20_000);
    }

    it("that is over lets requests through together again", async () => {
        const wire: Wire = new Wire(async (_, number) => {
            await wire.clock.sleep(1);
            return number % 8 === 0 && number < 40 ? answer(503) : created;
        });
        const api = wire.api();
        await wire.clock.runUntil(Promise.all(many(200, () => api.getContent("c"))));
        assert.ok(wire.peak > 5);
        await wire.clock.runUntil(Promise.all(many(1200, () => api.getContent("c"))));
        wire.peak = 0;
        await wire.clock.runUntil(Promise.all(many(200, () => api.getContent("c"))));
        assert.ok(wire.peak > 40, `${wire.peak} in flight`);
    });

    it("by an outage is not multiplied by retries", async () => {
        const wire: Wire = new Wire(async () => {
            await wire.clock.sleep(1);
            return answer(500);
        });
        const api = wire.api(seededRandom(2));
        const failed = Promise.all(many(300, () => rejection(ServerError, api.getContent("c"))));
        await wire.clock.advance(10_000);
        // The first try of each, a burst of retries, and the steady rate.
        assert.ok(wire.sent.length <= 300 + 100 + 10 * 25, `${wire.sent.length} requests`);
        assert.ok(wire.sent.length > 300 + 100 + 9 * 25, `${wire.sent.length} requests`);
        await wire.clock.runUntil(failed);
    });

    it("by a short outage fails nothing", async () => {
        const wire: Wire = new Wire(async () => {
            await wire.clock.sleep(1);
            return wire.clock.elapsed < 3000 ? answer(502) : created;
        });
        const api = wire.api(seededRandom(3));
        await wire.clock.runUntil(Promise.all(many(300, () => api.getContent("c"))));
        assert.ok(wire.clock.elapsed < 60_000, `${wire.clock.elapsed} ms`);
    });
});
