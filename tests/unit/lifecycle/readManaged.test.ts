/** Recorded objects: when a 404 is believed, and whether the object that is there is the recorded one (S2, L8). */
import assert from "node:assert/strict";
import { ApiError, NotFoundError } from "../../../provider/dist/api/errors.js";
import { LifecycleError } from "../../../provider/dist/lifecycle/index.js";
import {
    readPresent,
    readRecorded,
    refuseManaged,
    refuseMarked,
    unlessMissing,
} from "../../../provider/dist/lifecycle/state/readManaged.js";
import type { Message } from "../../../provider/dist/messages/index.js";
import { type BareSettings, bareOperation } from "../../support/bareOperation.ts";
import { type Properties, urnOf } from "../../support/providerRun.ts";

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
function read(olds: Properties, answers: (Shown | Error)[], settings: BareSettings = {}) {
    const bare = bareOperation(settings);
    let requests = 0;
    const get = async () => {
        assert.ok(requests < 50, "It asks for ever");
        const answer = answers[Math.min(requests++, answers.length - 1)];
        if (answer === undefined || answer instanceof Error) throw answer;
        return answer;
    };
    const run = <T>(promise: Promise<T>) => bare.clock.runUntil(promise);
    return {
        ...bare,
        object: () => run(readRecorded("Content 1", olds, bare.operation, get)),
        present: () => run(readPresent("Content 1", olds, bare.operation, get)),
        requests: () => requests,
    };
}

describe("reading a recorded object", () => {
    it("S2: under the credentials of the record the object is what the id says, and a 404 means gone", async () => {
        const object = marked("pulumi:shop/dev/mine:11111111-22222222-33333333-0-ffffffffffff");
        assert.equal(await read(recorded("now", { mark }, { createdOn: 1 }), [object]).object(), object);
        const gone = read(recorded("now", { mark }), [missing()]);
        assert.equal(await gone.object(), undefined);
        assert.equal(gone.requests(), 1);
    });

    it("S2: a 404 under other credentials is an error that names the object", async () => {
        const { object } = read(recorded("before", { mark }), [missing()]);
        await assert.rejects(
            object(),
            /^LifecycleError: Content 1 answers 404, but was recorded with other credentials/,
        );
    });

    it("S2: a 404 under other credentials counts once a sibling was seen", async () => {
        const { object, trust } = read(recorded("before", { mark }), [missing()]);
        trust.vouch("before");
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
        assert.equal(gone.clock.elapsed, 30_000);
        assert.equal(gone.requests(), 16);
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
        await assert.rejects(read(recorded("now"), [missing()]).present(), /^LifecycleError: Content 1 does not exist/);
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

describe("an object that is to be adopted", () => {
    it("L8: is refused when a resource of the stack manages it", () => {
        const { operation, managed } = bareOperation();
        refuseManaged("Content 1", "1", operation);
        managed.note("1", urnOf("other"));
        assert.throws(() => refuseManaged("Content 1", "1", operation), /Content 1 .*::other/);
        refuseManaged("Content 2", "2", operation);
    });

    it("L8: is refused as the resource's own predecessor, with a way out of its own", () => {
        const { operation, managed } = bareOperation();
        managed.note("1", operation.urn);
        assert.throws(
            () => refuseManaged("Content 1", "1", operation),
            /^LifecycleError: importId: Content 1 is what this resource manages already/,
        );
    });

    it("L8: is refused with the marker of another resource, and not with that of its own or with any other text", () => {
        const { operation } = bareOperation({ urn: urnOf("mine") });
        for (const free of [undefined, "me", mark, "pulumi:shop/dev/mine:11111111-22222222-33333333-0-ffffffffffff"])
            refuseMarked("Content 1", free, operation);
        assert.throws(
            () =>
                refuseMarked("Content 1", "pulumi:shop/prod/mine:11111111-22222222-33333333-0-0123456789ab", operation),
            /^LifecycleError: importId: Content 1 .*shop\/prod\/mine/,
        );
    });
});
