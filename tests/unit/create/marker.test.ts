/** The marker that every create leaves in its object: whose it is, and which create made it (S1). */
import assert from "node:assert/strict";
import { lateMs } from "../../../provider/dist/lifecycle/create/journal.js";
import {
    isSameMarker,
    markerIn,
    newMarker,
    owner,
    ownerInMarker,
    renamedMarker,
    visible,
} from "../../../provider/dist/lifecycle/create/marker.js";
import { FakeClock, seededRandom } from "../../support/fakeClock.ts";

const urn = "urn:pulumi:dev::shop::videograph:index:Content::trailer";
const mark = "pulumi:shop/dev/trailer:0123456789ab";

describe("marker", () => {
    it("names project, stack and resource, and has twelve random hex digits", () => {
        const random = seededRandom(1);
        const [a, b] = [newMarker(urn, random), newMarker(urn, random)];
        assert.match(a, /^pulumi:shop\/dev\/trailer:[0-9a-f]{12}$/);
        assert.notEqual(a, b);
        assert.equal(
            newMarker(urn, () => 0.999),
            "pulumi:shop/dev/trailer:ffffffffffff",
        );
        assert.match(newMarker(undefined, random), /^pulumi:unknown\/unknown\/unknown:/);
        assert.equal(owner("urn:pulumi:::::t::"), "unknown/unknown/unknown");
    });

    it("keeps its random part under another name", () => {
        const renamed = renamedMarker(mark, "urn:pulumi:prod::shop::videograph:index:Content::film");
        assert.equal(renamed, "pulumi:shop/prod/film:0123456789ab");
        assert.equal(renamedMarker(mark, undefined), mark);
    });

    it("is the same by its random part alone, and only if there are two", () => {
        assert.equal(isSameMarker(mark, "pulumi:shop/prod/film:0123456789ab"), true);
        assert.equal(isSameMarker(mark, "pulumi:shop/dev/trailer:ffffffffffff"), false);
        assert.equal(isSameMarker(mark, undefined), false);
        assert.equal(isSameMarker(undefined, mark), false);
        assert.equal(isSameMarker(undefined, undefined), false);
    });

    it("is told from other texts", () => {
        assert.equal(ownerInMarker(mark), "shop/dev/trailer");
        assert.equal(ownerInMarker("pulumi:shop/dev/a:b\nc:0123456789ab"), "shop/dev/a:b\nc");
        for (const other of [undefined, "", "pulumi:shop:0123", `x${mark}`, `${mark}0`, "pulumi::0123456789ab"]) {
            assert.equal(ownerInMarker(other), undefined, other);
        }
        assert.equal(markerIn({ managed_by: mark }), mark);
        assert.equal(markerIn({ managed_by: "terraform" }), undefined);
        assert.equal(markerIn({}), undefined);
        assert.equal(markerIn(undefined), undefined);
    });

    it("is not shown to programs, and all other metadata are", () => {
        const object = { title: "t", metadata: { managed_by: mark, a: "1" } };
        assert.deepEqual(visible(object), { title: "t", metadata: { a: "1" } });
        for (const other of [{ title: "t" }, { metadata: { a: "1" } }, { metadata: { managed_by: "terraform" } }]) {
            assert.deepEqual(visible(other), other);
        }
    });
});

describe("what was sent may still be accepted", () => {
    const clock = new FakeClock();
    const now = clock.now();
    const entry = (startedAt: number, sentAt?: number) => ({ startedAt, sentAt }) as Parameters<typeof lateMs>[0];

    it("for 70 s after a request's longest time, and never for longer than 70 s from now", () => {
        assert.equal(lateMs(entry(now), clock), 70_000);
        assert.equal(lateMs(entry(now - 65_000), clock), 70_000);
        assert.equal(lateMs(entry(now - 80_000), clock), 55_000);
        assert.equal(lateMs(entry(now - 135_000), clock), 0);
        assert.equal(lateMs(entry(now - 3_600_000), clock), 0);
        // The clock was set back since.
        assert.equal(lateMs(entry(now + 3_600_000), clock), 70_000);
    });

    it("counted from the last POST", () => {
        assert.equal(lateMs(entry(now - 3_600_000, now - 80_000), clock), 55_000);
        assert.equal(lateMs(entry(now - 80_000, now - 90_000), clock), 45_000);
    });
});
