/** The hidden inputs of dynamic resources: stripped, kept and read as they are recorded. */
import assert from "node:assert/strict";
import {
    declared,
    kept,
    refreshed,
    timeoutProblems,
    timeoutsOf,
    urnOf,
    withoutOrganization,
} from "../../../provider/dist/dynamic/hidden.js";

const type = "pulumi-nodejs:dynamic/videograph:Content";

describe("hidden inputs", () => {
    it("are stripped for the lifecycle, and those that a delete needs are kept in outputs", () => {
        const inputs = {
            title: "a",
            __provider: "p",
            __urn: "dev::shop::::a",
            __timeouts: { delete: "1m" },
            __get: true,
        };
        assert.deepEqual(declared(inputs), { title: "a" });
        assert.deepEqual(kept(inputs), { __urn: "dev::shop::::a", __timeouts: { delete: "1m" } });
        assert.deepEqual(kept({ title: "a" }), {});
    });

    it("hold the URN", () => {
        const urn = `urn:pulumi:dev::shop::${type}::a`;
        assert.deepEqual(urnOf({ __urn: "dev::shop::::a" }, "Content"), { urn, shownUrn: urn });
        assert.deepEqual(urnOf({}, "Content"), { urn: undefined, shownUrn: undefined });
    });

    it("S1: the organization before the URN is taken off before anything is recorded", () => {
        const given = { title: "a", __urn: "acme/dev::shop::a/b$::a/b" };
        const inputs = { title: "a", __urn: "dev::shop::a/b$::a/b" };
        assert.deepEqual(withoutOrganization(given), { organization: "acme", inputs });
        // As older versions record it, and programs in tests give it.
        assert.deepEqual(withoutOrganization(inputs), { organization: undefined, inputs });
        for (const old of [
            {},
            { __urn: true },
            { __urn: ["acme/dev::shop::::a"] },
            { __urn: "/dev::shop::::a" },
            { __urn: "urn:pulumi:dev::shop::a/b::a" },
        ]) {
            assert.deepEqual(withoutOrganization(old), { organization: undefined, inputs: old });
        }
    });

    it("hold the whole URN in any older form, and a text that is none", () => {
        const whole = "urn:pulumi:dev::shop::other::a";
        assert.deepEqual(urnOf({ __urn: whole }, "Content"), { urn: whole, shownUrn: whole });
        assert.deepEqual(urnOf({ __urn: "a" }, "Content"), { urn: "a", shownUrn: "a" });
        for (const __urn of ["", 5, null, false]) {
            assert.deepEqual(urnOf({ __urn }, "Content"), { urn: undefined, shownUrn: undefined });
        }
        assert.equal(
            urnOf({ __urn: "dev::shop::parent$::a" }, "Livestream").urn,
            "urn:pulumi:dev::shop::parent$pulumi-nodejs:dynamic/videograph:Livestream::a",
        );
    });

    it("S9: a URN that is guessed from the marker names the row, and no resource", () => {
        const olds = {
            __urn: true,
            __meta: { v: 1, env: "e", mark: "pulumi:shop/dev/a:11111111-22222222-33333333-0-0123456789ab" },
        };
        assert.deepEqual(urnOf(olds, "Content"), { urn: undefined, shownUrn: `urn:pulumi:dev::shop::${type}::a` });
        assert.deepEqual(kept(olds), { __urn: true });
        assert.deepEqual(refreshed(olds), { __urn: "dev::shop::::a" });
    });

    it("S9: a guess has the whole name, and there is none without a marker of ours", () => {
        const olds = (mark: unknown) => ({ __urn: true, __meta: { v: 1, env: "e", mark } });
        const name = "a/b\nc";
        const mark = `pulumi:shop/dev/${name}:11111111-22222222-33333333-0-0123456789ab`;
        assert.deepEqual(refreshed(olds(mark)), { __urn: `dev::shop::::${name}` });
        assert.deepEqual(refreshed({ ...olds(mark), __timeouts: { delete: "1m" } }), {
            __urn: `dev::shop::::${name}`,
            __timeouts: { delete: "1m" },
        });
        for (const none of [undefined, "shop/dev/a", "pulumi:shop:0123456789ab"]) {
            assert.deepEqual(refreshed(olds(none)), {});
            assert.deepEqual(urnOf(olds(none), "Content"), { urn: undefined, shownUrn: undefined });
        }
        assert.deepEqual(refreshed({ title: "a", __urn: "dev::shop::::a", __provider: "p" }), {
            __urn: "dev::shop::::a",
        });
        assert.deepEqual(refreshed({ title: "a" }), {});
    });

    it("hold customTimeouts", () => {
        assert.deepEqual(timeoutsOf({ __timeouts: { create: "1h30m", delete: "500ms" } }), {
            create: 5_400_000,
            delete: 500,
        });
        assert.deepEqual(timeoutsOf({}), {});
        for (const __timeouts of ["odd", { create: "soon" }, { create: 5 }, null]) {
            assert.deepEqual(timeoutsOf({ __timeouts }), {});
        }
    });

    it("S5: a timeout that is none is a problem", () => {
        assert.deepEqual(timeoutProblems({ __timeouts: { create: "soon" } }), [
            'customTimeouts.create must be a duration such as "90s" or "1h30m" [VG2001]',
        ]);
        for (const name of ["update", "delete"]) {
            assert.equal(timeoutProblems({ __timeouts: { [name]: "soon" } }).length, 1, name);
            assert.equal(timeoutProblems({ __timeouts: { [name]: 5 } }).length, 1, name);
        }
        assert.deepEqual(timeoutProblems({ __timeouts: { update: "5m" } }), []);
        assert.deepEqual(timeoutProblems({}), []);
    });
});
