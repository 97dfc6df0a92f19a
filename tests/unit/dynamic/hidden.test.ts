/** The hidden inputs of dynamic resources: stripped, kept and read as they are recorded. */
import assert from "node:assert/strict";
import {
    kept,
    timeoutProblems,
    timeoutsOf,
    urnOf,
    withoutOrganization,
} from "../../../provider/dist/dynamic/hidden.js";
import { declared } from "../../../provider/dist/session/state.js";

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
        assert.equal(urnOf({ __urn: "dev::shop::::a" }, "Content"), urn);
        assert.equal(urnOf({}, "Content"), undefined);
    });

    it("S1: the organization before the URN is taken off before anything is recorded", () => {
        const given = { title: "a", __urn: "acme/dev::shop::a/b$::a/b" };
        const inputs = { title: "a", __urn: "dev::shop::a/b$::a/b" };
        assert.deepEqual(withoutOrganization(given), { organization: "acme", inputs });
        // As it is recorded.
        assert.deepEqual(withoutOrganization(inputs), { organization: undefined, inputs });
        for (const old of [
            {},
            { __urn: ["acme/dev::shop::::a"] },
            { __urn: "/dev::shop::::a" },
            { __urn: "urn:pulumi:dev::shop::a/b::a" },
        ]) {
            assert.deepEqual(withoutOrganization(old), { organization: undefined, inputs: old });
        }
    });

    it("hold the URN below parents, and no text that is none", () => {
        assert.equal(
            urnOf({ __urn: "dev::shop::parent$::a" }, "Livestream"),
            "urn:pulumi:dev::shop::parent$pulumi-nodejs:dynamic/videograph:Livestream::a",
        );
        assert.equal(urnOf({ __urn: "a" }, "Content"), "a");
        for (const __urn of ["", 5, null, false]) assert.equal(urnOf({ __urn }, "Content"), undefined);
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
