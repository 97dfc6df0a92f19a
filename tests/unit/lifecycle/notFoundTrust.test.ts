/** When a 404 means "gone" (S2). */
import assert from "node:assert/strict";
import { NotFoundTrust } from "../../../provider/dist/lifecycle/state/notFoundTrust.js";
import { metaOf } from "../../../provider/dist/lifecycle/state/recordedMeta.js";
import { FakeClock } from "../../support/fakeClock.ts";

const never = new AbortController().signal;

describe("trust in a 404", () => {
    const trust = (clock: FakeClock, trustAll = false) => new NotFoundTrust({ fingerprint: "now", trustAll, clock });

    it("S2: is given under the credentials of the record", async () => {
        const clock = new FakeClock();
        assert.equal(await clock.runUntil(trust(clock).believes("now", never)), true);
        assert.equal(clock.elapsed, 0);
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
        assert.equal(await clock.runUntil(believed), true);
        assert.equal(await clock.runUntil(rotated.believes("before", never)), true);
        assert.equal(clock.now(), start);
    });

    it("S2: is given to all who wait for the sibling, and to nobody who waits for another", async () => {
        const clock = new FakeClock();
        const rotated = trust(clock);
        const [one, two, other] = ["before", "before", "long ago"].map((env) => rotated.believes(env, never));
        await clock.advance(1_000);
        rotated.vouch("before");
        assert.deepEqual(await clock.runUntil(Promise.all([one, two])), [true, true]);
        assert.equal(clock.elapsed, 1_000);
        assert.equal(await clock.runUntil(other ?? assert.fail()), false);
        assert.equal(clock.elapsed, 5_000);
    });

    it("S2: is never given where it is not known which credentials an object was recorded with", async () => {
        const clock = new FakeClock();
        const rotated = trust(clock);
        const { env } = metaOf({});
        rotated.vouch(env);
        assert.equal(rotated.reaches(env), false);
        assert.equal(await clock.runUntil(rotated.believes(env, never)), false);
        assert.equal(clock.elapsed, 0);
        assert.equal(trust(clock, true).reaches(env), true);
    });

    it("S2: is given when the user says so", async () => {
        const clock = new FakeClock();
        assert.equal(await clock.runUntil(trust(clock, true).believes("before", never)), true);
        assert.equal(clock.elapsed, 0);
    });

    it("ends with the process", async () => {
        const ending = new AbortController();
        const clock = new FakeClock();
        const believed = trust(clock).believes("before", ending.signal);
        ending.abort(new Error("the end"));
        await assert.rejects(clock.runUntil(believed), /the end/);
        assert.equal(clock.elapsed, 0);
    });
});
