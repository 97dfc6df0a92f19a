/** S2: for how long after a create a 404 proves nothing. */
import assert from "node:assert/strict";
import { NotFoundError } from "../../../provider/dist/api/errors.js";
import type { Operation } from "../../../provider/dist/lifecycle/index.js";
import { patiently } from "../../../provider/dist/lifecycle/state/consistencyGrace.js";
import type { Message } from "../../../provider/dist/messages/index.js";
import { FakeClock } from "../../support/fakeClock.ts";

describe("a 404 to a request for a new object", () => {
    /** Requests that each take so long, in ms, and end in a 404; all others are accepted. */
    const life = (...answers: number[]) => {
        const clock = new FakeClock();
        const ending = new AbortController();
        const operation = { environment: { clock }, signal: ending.signal } as unknown as Operation;
        const fresh = { __meta: { v: 1, env: "e", unseen: clock.now() } };
        let requests = 0;
        const request = async () => {
            assert.ok(requests < 50, "It asks for ever");
            const ms = answers[requests++];
            if (ms === undefined) return "accepted";
            await clock.sleep(ms);
            throw new NotFoundError("404 [VG5101]" as Message, {
                endpoint: "DELETE /contents/{id}",
                outcome: "refused",
            });
        };
        const run = (olds: object = fresh) => clock.runUntil(patiently({ ...olds }, operation, request));
        return { clock, ending, run, requests: () => requests };
    };

    it("proves nothing, and the request is sent again", async () => {
        const { clock, run, requests } = life(10, 10);
        assert.equal(await run(), "accepted");
        assert.equal(requests(), 3);
        assert.equal(clock.elapsed, 4_020);
    });

    it("proves nothing either when its answer, or the list that confirms it, took longer than the grace", async () => {
        const { run, requests } = life(31_000);
        assert.equal(await run(), "accepted");
        assert.equal(requests(), 2);
    });

    it("proves nothing where the machine's clock was set back a little since the create", async () => {
        const { clock, run } = life(10);
        clock.setForward(-29_999);
        assert.equal(await run(), "accepted");
        const long = life(10);
        long.clock.setForward(-30_000);
        await assert.rejects(long.run(), NotFoundError);
    });

    it("counts at once where the object was seen after its create", async () => {
        const { run, requests } = life(10);
        await assert.rejects(run({ __meta: { v: 1, env: "e" } }), NotFoundError);
        assert.equal(requests(), 1);
    });

    it("is waited for until the process has to end", async () => {
        const { ending, run } = life(10);
        ending.abort(new Error("the end"));
        await assert.rejects(run(), /the end/);
    });

    it("counts once the request began after the grace", async () => {
        const { run, requests } = life(31_000, 10);
        await assert.rejects(run(), NotFoundError);
        assert.equal(requests(), 2);
    });
});
