/** When a 404 means "gone" (S2). */
import assert from "node:assert/strict";
import { NotFoundTrust } from "../../../provider/dist/lifecycle/state/notFoundTrust.js";
import { FakeClock } from "../../support/fakeClock.ts";

const never = new AbortController().signal;

describe("trust in a 404", () => {
    const trust = (clock: FakeClock, trustAll = false) => new NotFoundTrust({ fingerprint: "now", trustAll, clock });

    it("S2: is given under the credentials of the record", async () => {
        assert.equal(await trust(new FakeClock()).believes("now", never), true);
    });

    it("S2: is refused under others, after a moment's patience", async () => {
        const clock = new FakeClock();
        const start = clock.now();
        assert.equal(await clock.runUntil(trust(clock).believes("before", never)), false);
        assert.equal(clock.now() - start, 5_000);
    });

    it("S2: is given as soon as a sibling vouches, and then at once", async () => {
        const clock = new FakeClock();
        const rotated = trust(clock);
        const start = clock.now();
        const believed = rotated.believes("before", never);
        rotated.vouch("before");
        assert.equal(await believed, true);
        assert.equal(await rotated.believes("before", never), true);
        assert.equal(clock.now(), start);
    });

    it("S2: is given when the user says so", async () => {
        assert.equal(await trust(new FakeClock(), true).believes("before", never), true);
    });

    it("ends with the process", async () => {
        const ending = new AbortController();
        const believed = trust(new FakeClock()).believes("before", ending.signal);
        ending.abort(new Error("the end"));
        await assert.rejects(believed, /the end/);
    });
});
