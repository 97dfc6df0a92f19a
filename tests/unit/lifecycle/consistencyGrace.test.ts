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
        const operation = { environment: { clock }, signal: new AbortController().signal } as unknown as Operation;
        const olds = { __meta: { v: 1, env: "e", unseen: clock.now() } };
        let requests = 0;
        const request = async () => {
            const ms = answers[requests++];
            if (ms === undefined) return "accepted";
            await clock.sleep(ms);
            throw new NotFoundError("404 [VG5101]" as Message, {
                endpoint: "DELETE /contents/{id}",
                outcome: "refused",
            });
        };
        return { clock, run: () => clock.runUntil(patiently(olds, operation, request)), requests: () => requests };
    };

    it("proves nothing, and the request is sent again", async () => {
        const { run, requests } = life(10, 10);
        assert.equal(await run(), "accepted");
        assert.equal(requests(), 3);
    });

    it("proves nothing either when its answer, or the list that confirms it, took longer than the grace", async () => {
        const { run, requests } = life(31_000);
        assert.equal(await run(), "accepted");
        assert.equal(requests(), 2);
    });

    it("counts once the request began after the grace", async () => {
        const { run, requests } = life(31_000, 10);
        await assert.rejects(run(), NotFoundError);
        assert.equal(requests(), 2);
    });
});
