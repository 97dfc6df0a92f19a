/** When a 404 means that a recorded object is gone, and whether what is there is that object (S2). */
import assert from "node:assert/strict";
import { ApiError, NotFoundError } from "../../../provider/dist/api/errors.js";
import { LifecycleError } from "../../../provider/dist/lifecycle/index.js";
import type { Message } from "../../../provider/dist/messages/index.js";
import { readPresent, readRecorded, removeRecorded, unlessMissing } from "../../../provider/dist/operation/notFound.js";
import { type BareSettings, bareOperation } from "../../support/bareOperation.ts";
import type { Properties } from "../../support/providerRun.ts";

interface Shown {
    metadata?: Record<string, string> | undefined;
    createdOn?: number | undefined;
}

const endpoint = "GET /contents/{id}";
const missing = () => new NotFoundError("404" as Message, { endpoint, outcome: "refused" });
const unavailable = () => new ApiError("503" as Message, { endpoint, outcome: "ambiguous" });
const mark = "pulumi:shop/dev/mine:11111111-22222222-33333333-0-0123456789ab";
const marked = (marker: string): Shown => ({ metadata: { k: "v", managed_by: marker } });
const recorded = (env: string, more: Properties = {}, outputs: Properties = {}) => ({
    ...outputs,
    __meta: { v: 1, env, ...more },
});

/** A read whose requests are answered in turn, the last one ever after. */
function read(olds: Properties, answers: (Shown | Error)[], settings: BareSettings & { latencyMs?: number } = {}) {
    const bare = bareOperation(settings);
    let requests = 0;
    const get = async () => {
        await bare.clock.sleep(settings.latencyMs ?? 0);
        assert.ok(requests < 50, "It asks for ever");
        const answer = answers[Math.min(requests++, answers.length - 1)];
        if (answer === undefined || answer instanceof Error) throw answer;
        return answer;
    };
    const run = <T>(promise: Promise<T>) => bare.clock.runUntil(promise);
    const recorded = { what: "Content 1", olds, operation: bare.operation };
    return {
        ...bare,
        object: () => run(readRecorded(recorded, get)),
        present: () => run(readPresent(recorded, get)),
        requests: () => requests,
    };
}

describe("reading a recorded object", () => {
    it("S2: under the credentials of the record the object is what the id says", async () => {
        const object = marked("pulumi:shop/dev/mine:11111111-22222222-33333333-0-ffffffffffff");
        assert.equal(await read(recorded("now", { mark }, { createdOn: 1 }), [object]).object(), object);
    });

    it("S2: a 404 under other credentials is an error that names the object", async () => {
        const { object } = read(recorded("before", { mark }), [missing()]);
        await assert.rejects(
            object(),
            /^LifecycleError: Requests for Content 1 return 404, but it was recorded with other credentials/,
        );
    });

    it("S2: a 404 under other credentials counts once a sibling was seen", async () => {
        const { object, trust } = read(recorded("before", { mark }), [missing()]);
        trust.seen("before");
        assert.equal(await object(), undefined);
    });

    it("S2: a failure that is no 404 says nothing of the object", async () => {
        await assert.rejects(read(recorded("now"), [unavailable()]).object(), /503/);
        await assert.rejects(read(recorded("now"), [unavailable()]).present(), /503/);
    });

    it("S2: a new object that is not shown yet is asked for again, until it is there", async () => {
        const { clock, operation } = bareOperation();
        const olds = recorded("now", { mark, unseen: clock.now() });
        const object = marked(mark);
        const later = read(olds, [missing(), missing(), object]);
        assert.equal(await later.object(), object);
        assert.equal(later.clock.elapsed, 4_000);
        assert.equal(operation.signal.aborted, false);
    });

    it("S2: a new object that is not shown for the whole grace is gone", async () => {
        const olds = recorded("now", { mark, unseen: bareOperation().clock.now() });
        const gone = read(olds, [missing()]);
        assert.equal(await gone.object(), undefined);
        assert.equal(gone.clock.elapsed, 35_000);
        assert.equal(gone.requests(), 16);
    });

    it("S2: an answer that takes longer than the grace proves nothing of a new object", async () => {
        const olds = recorded("now", { mark, unseen: bareOperation().clock.now() });
        const object = marked(mark);
        assert.equal(await read(olds, [missing(), object], { latencyMs: 31_000 }).object(), object);
    });

    it("S2: the clock of the machine may have been set back a little since the create", async () => {
        const ahead = (ms: number) => recorded("now", { mark, unseen: bareOperation().clock.now() + ms });
        const object = marked(mark);
        assert.equal(await read(ahead(29_999), [missing(), object]).object(), object);
        assert.equal(await read(ahead(30_000), [missing(), object]).object(), undefined);
    });

    describe("under other credentials", () => {
        const other = async (olds: Properties, object: Shown, settings: BareSettings = {}) => {
            const { object: found, trust } = read(olds, [object], settings);
            try {
                assert.equal(await found(), object);
            } catch (error) {
                assert.ok(error instanceof LifecycleError);
                assert.match(error.message, /^Content 1 .*does not have its marker/);
                assert.equal(trust.reaches("before"), settings.trustAll === true);
                return "another";
            }
            assert.equal(trust.reaches("before"), true);
            return "the same";
        };
        const olds = (more: Properties, outputs: Properties = {}) => recorded("before", more, outputs);

        it("S2: the object with the marker is the same, whatever its resource was called, and vouches for the others", async () => {
            assert.equal(await other(olds({ mark }), marked(mark)), "the same");
            assert.equal(
                await other(olds({ mark }), marked("pulumi:shop/dev/old:11111111-22222222-33333333-0-0123456789ab")),
                "the same",
            );
        });

        it("S2: an object with another marker, or none, is another one, although it was created at the same time", async () => {
            const then = { createdOn: 1 };
            assert.equal(await other(olds({ mark }, then), { ...marked(`${mark.slice(0, -1)}c`), ...then }), "another");
            assert.equal(await other(olds({ mark }, then), { metadata: {}, ...then }), "another");
        });

        it("S2: where no marker is recorded, or none is told, the time of the creation decides", async () => {
            assert.equal(await other(olds({}, { createdOn: 1 }), { createdOn: 1, metadata: {} }), "the same");
            assert.equal(await other(olds({}, { createdOn: 1 }), { createdOn: 2, metadata: {} }), "another");
            assert.equal(await other(olds({ mark }, { createdOn: 1 }), { createdOn: 1 }), "the same");
            assert.equal(await other(olds({ mark }, { createdOn: 1 }), { createdOn: 2 }), "another");
        });

        it("S2: two objects of which no time is told are not the same", async () => {
            assert.equal(await other(olds({}), {}), "another");
            assert.equal(await other(olds({ mark }), {}), "another");
        });

        it("S2: where the user vouches, what was removed from the object is not missed", async () => {
            const trusting = { trustAll: true };
            assert.equal(await other(olds({ mark }), { metadata: {} }, trusting), "the same");
            assert.equal(await other(olds({ mark }, { createdOn: 1 }), { metadata: {} }, trusting), "the same");
            assert.equal(await other(olds({ mark }), { metadata: {}, createdOn: 1 }, trusting), "the same");
            const then = { createdOn: 1 };
            assert.equal(await other(olds({ mark }, then), { metadata: {}, ...then }, trusting), "the same");
        });

        it("S2: where the user vouches, another marker or another time is another object all the same", async () => {
            const trusting = { trustAll: true };
            const then = { createdOn: 1 };
            const stranger = marked("pulumi:shop/dev/mine:11111111-22222222-33333333-0-ffffffffffff");
            assert.equal(await other(olds({ mark }, then), { ...stranger, ...then }, trusting), "another");
            assert.equal(await other(olds({}), stranger, trusting), "another");
            assert.equal(await other(olds({ mark }, then), { metadata: {}, createdOn: 2 }, trusting), "another");
        });
    });

    it("S2: an update needs the object", async () => {
        const object = marked(mark);
        assert.equal(await read(recorded("now"), [object]).present(), object);
        await assert.rejects(
            read(recorded("now"), [missing()]).present(),
            /^LifecycleError: Content 1 no longer exists/,
        );
    });

    it("only a 404 of the service is a missing object", async () => {
        assert.equal(await unlessMissing(async () => "there"), "there");
        assert.equal(await unlessMissing(() => Promise.reject(missing())), undefined);
        await assert.rejects(
            unlessMissing(() => Promise.reject(unavailable())),
            /503/,
        );
    });
});

describe("the objects of a run", () => {
    /** A run whose objects answer after a delay, each undefined for a 404. */
    function run(trustAll = false) {
        const { operation, clock, trust } = bareOperation({ trustAll });
        const read = (id: string, answer: Shown | undefined, delayMs = 0, env = "now") =>
            readRecorded({ what: `Content ${id}`, olds: recorded(env, { mark }), operation }, async () => {
                await clock.sleep(delayMs);
                if (answer === undefined) throw missing();
                return answer;
            }).then(
                (object) => (object === undefined ? "gone" : "there"),
                (error: Error) => (/\[(VG\d+)\]$/.exec(error.message) ?? [])[1],
            );
        const remove = (id: string, error?: Error, get = missing) => {
            const removing = async () => {
                if (error !== undefined) throw error;
            };
            return removeRecorded({ what: `Content ${id}`, olds: recorded("now"), operation }, removing, async () => {
                throw get();
            });
        };
        return { clock, trust, operation, read, remove };
    }
    const there = marked(mark);

    it("S2: that all answer 404, two or more, are refused, each with its name and the way out", async () => {
        const { clock, operation } = run();
        const failures = ["1", "2", "3"].map((id) =>
            assert.rejects(
                readRecorded({ what: `Content ${id}`, olds: recorded("now"), operation }, async () => {
                    throw missing();
                }),
                new RegExp(`^LifecycleError: Requests for Content ${id} return 404, .*VIDEOGRAPH_TRUST_NOT_FOUND=true`),
            ),
        );
        await clock.runUntil(Promise.all(failures));
        assert.equal(clock.elapsed, 5_000);
    });

    it("S2: a 404 that stands alone counts after a while, also when it is asked for again", async () => {
        const { clock, read } = run();
        assert.equal(await clock.runUntil(read("1", undefined)), "gone");
        assert.equal(clock.elapsed, 5_000);
        assert.equal(await clock.runUntil(read("1", undefined)), "gone");
    });

    it("S2: a 404 counts as soon as another object is seen, and then at once", async () => {
        const { clock, read } = run();
        const all = [read("1", undefined), read("2", undefined), read("3", there, 3_000)];
        assert.deepEqual(await clock.runUntil(Promise.all(all)), ["gone", "gone", "there"]);
        assert.equal(clock.elapsed, 3_000);
        assert.equal(await clock.runUntil(read("4", undefined)), "gone");
        assert.equal(clock.elapsed, 3_000);
    });

    it("S2: one after the other, the first 404 counts, and all later ones are refused without a wait of their own", async () => {
        const { clock, read } = run();
        const one = async (id: string) => clock.runUntil(read(id, undefined));
        assert.deepEqual([await one("1"), await one("2"), await one("3")], ["gone", "VG6103", "VG6103"]);
        assert.equal(clock.elapsed, 10_000);
        assert.equal(await clock.runUntil(read("4", there)), "there");
        assert.equal(await one("3"), "gone");
    });

    it("S2: a delete that was accepted is as good as an object that was seen, and a failed one is not", async () => {
        const { clock, read, remove } = run();
        const all = [read("1", undefined), read("2", undefined)];
        await assert.rejects(clock.runUntil(remove("3", unavailable())), /503/);
        assert.equal(await clock.runUntil(remove("3")), true);
        assert.deepEqual(await clock.runUntil(Promise.all(all)), ["gone", "gone"]);
        assert.equal(clock.elapsed, 0);
    });

    it("S2: deletes that are all answered with 404 are refused, also where the object is gone after another refusal", async () => {
        const { clock, remove } = run();
        const refused = new ApiError("409" as Message, { endpoint, outcome: "refused" });
        const both = [remove("1", missing()), remove("2", refused)].map((one) => assert.rejects(one, /\[VG6103\]/));
        await clock.runUntil(Promise.all(both));
    });

    it("S2: an object under a rotated token that is seen vouches for all, one under the token in use for its own", async () => {
        const rotated = run();
        const all = [rotated.read("1", undefined), rotated.read("2", undefined, 0, "before")];
        const seen = rotated.read("3", there, 1_000, "before");
        assert.deepEqual(await rotated.clock.runUntil(Promise.all([...all, seen])), ["gone", "gone", "there"]);
        const other = run();
        const missed = [other.read("1", undefined), other.read("2", undefined, 0, "before"), other.read("3", there)];
        assert.deepEqual(await other.clock.runUntil(Promise.all(missed)), ["gone", "VG6101", "there"]);
        assert.equal(other.clock.elapsed, 5_000);
    });

    it("S2: a 404 under a rotated token makes one under the token in use no less doubtful", async () => {
        const { clock, read } = run();
        const both = [read("1", undefined), read("2", undefined, 0, "before")];
        assert.deepEqual(await clock.runUntil(Promise.all(both)), ["VG6103", "VG6101"]);
    });

    it("S2: a 404 is never believed where the credentials of the record are unknown, and nothing can vouch for it", async () => {
        const { clock, trust, read } = run();
        assert.equal(await clock.runUntil(read("1", undefined, 0, "")), "VG6101");
        trust.seen("");
        assert.equal(await clock.runUntil(read("1", undefined, 0, "")), "VG6101");
        assert.equal(clock.elapsed, 0);
        assert.equal(trust.reaches(""), false);
    });

    it("S2: every 404 counts at once when the user says so", async () => {
        const { clock, read } = run(true);
        const all = [read("1", undefined), read("2", undefined), read("3", undefined, 0, "before")];
        assert.deepEqual(await clock.runUntil(Promise.all(all)), ["gone", "gone", "gone"]);
        assert.equal(clock.elapsed, 0);
    });

    it("a wait for another object ends with the process", async () => {
        const ending = new AbortController();
        const { clock, operation } = bareOperation({ signal: ending.signal });
        const reading = readRecorded({ what: "Content 1", olds: recorded("now"), operation }, async () => {
            throw missing();
        });
        ending.abort(new Error("the end"));
        await assert.rejects(clock.runUntil(reading), /the end/);
    });
});
